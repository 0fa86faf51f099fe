"""The command line's verbs other than the table itself: doctor, read, calibrate, replay, export and others."""
