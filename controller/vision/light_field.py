"""The difference of the light on a board between two pictures: a smooth field of gains.

A nearby lamp, a cloud's edge or a shading body changes the light on one side of the board more than on the other. The
field is smooth: hands and discs have outlines, so the median over the surrounding cells excludes them.
"""

import cv2
import numpy as np

from hardware.devices import Matrix

CELL_MM = 40.0
"""mm: the size of the cells in which the light is compared; grain and lines average out in it."""
AROUND = 5
"""Cells along each side of the median's window: 200 mm, twice an arm's width."""
OFFSET = 4.0
"""Grey levels added before a ratio, which would otherwise be noise in the dark."""
MOVING_CELL_MM = 16.0
"""mm, the same as `CELL_MM` for light that moves: the edges of its soft shadows are 100 mm wide, discs 32."""


class LightField:
    """The gain at each place of a picture; `cells` (m, k) or (m, k, 3): its medians over cells."""

    def __init__(self, cells: Matrix) -> None:
        self._cells = cells

    @classmethod
    def between(cls, then: Matrix, now: Matrix, mm: float, cell_mm: float = CELL_MM) -> "LightField":
        """The field that turns `then` into `now`, both (h, w) or (h, w, 3), of pixels `mm` millimetres wide."""
        scale = 1 / max(1, round(cell_mm / mm))  # whole pixels, which OpenCV averages in a third of the time
        before, after = (
            cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32) + OFFSET
            for picture in (then, now)
        )
        return cls(cv2.GaussianBlur(cv2.medianBlur(after / before, AROUND), (0, 0), 1.0))

    def gain(self, shape: tuple[int, ...]) -> Matrix:
        """(h, w) for a picture of this shape."""
        return cv2.resize(self._cells, shape[1::-1], interpolation=cv2.INTER_LINEAR)

    def lit(self, picture: Matrix) -> Matrix:
        """Convert a picture (h, w) from the earlier light to this light."""
        return cv2.multiply(picture, self.gain(picture.shape), dtype=cv2.CV_8U)

    def evened(self, picture: Matrix) -> Matrix:
        """Convert a picture (h, w) from this light to the earlier light."""
        return cv2.divide(picture, self.gain(picture.shape), dtype=cv2.CV_8U)
