"""The physical table, and everything that touches a device. Imports nothing of the other rooms."""
