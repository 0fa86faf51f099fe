"""A ring of WS2812 lamps whose colours stand in the file that BOARD_RING names, one lamp a line."""

import os


class NeoPixel:
    def __init__(self, pin, count):
        self._lamps = [(0, 0, 0)] * count

    def __setitem__(self, k, colour):
        assert all(0 <= part <= 255 for part in colour)
        self._lamps[k] = colour

    def write(self):
        name = os.getenv("BOARD_RING")
        with open(name + ".new", "w") as f:
            f.write("\n".join(" ".join(str(part) for part in lamp) for lamp in self._lamps))
        os.rename(name + ".new", name)
