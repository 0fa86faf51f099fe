"""The running table: the engine that owns the match, its devices, its camera's thread, and what people command."""
