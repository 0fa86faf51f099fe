"""A match as its events: commands, events, and the state that follows. Pure: no clock, no I/O."""
