"""The microcontroller's program. `main.py` alone knows pins; all else runs on the host too."""
