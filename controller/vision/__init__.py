"""From pictures to board readings: calibration, gate, reading."""
