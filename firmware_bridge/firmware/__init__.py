"""The microcontroller's program. Only `main.py` uses pins; the rest also runs on the host."""
