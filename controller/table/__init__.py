"""The running table: the engine that owns the match, the devices, the camera's thread, and people's commands."""
