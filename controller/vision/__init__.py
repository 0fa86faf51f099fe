"""Sees the board. `calibration`: once; `watching`: every frame; `reading`: when the board is at rest; `film`: shots."""
