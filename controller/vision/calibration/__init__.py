"""The camera's calibration: found once, and updated when camera or board moves."""
