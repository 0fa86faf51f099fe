"""A table and a hub of its own are attacked over loopback: `make attack`. It shares no code with what it attacks."""
