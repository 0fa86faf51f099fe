"""The verbs of the one command that run beside the table: examine, read, calibrate, replay, teach, export."""
