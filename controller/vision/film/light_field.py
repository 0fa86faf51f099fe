"""How the light on a board differs between two pictures of it: a smooth field of gains, one for each place.

A lamp that is switched on close by, a cloud's edge or a body that shades lights one side of the board more than the
other. Hands and discs have outlines, so the median over the cells around them leaves them out of the field.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.devices import Matrix


@dataclass(frozen=True, slots=True)
class LightFieldSettings:
    """The light of one picture beside that of another."""

    cell_mm: float = 40.0
    """mm: the light is compared in cells of this size, in which grain and lines are averaged out."""
    around: int = 5
    """Cells each way whose median is taken: an arm is half as wide as these 200 mm."""
    offset: float = 4.0
    """Grey levels that are added before a ratio, which would be noise in the dark."""
    arm_pixels: int = 5
    """Half-size pixels: 35 mm. A rail's shadow that another lamp moves is 25 mm wide, a wrist 50."""
    explains: float = 0.5
    """Share of what is unlike the board that another light may leave: a hand leaves more, since it has an outline."""


LIGHT_FIELD = LightFieldSettings()


class LightField:
    """The gain at each place of a picture; `cells` (m, k) are its medians over cells."""

    def __init__(self, cells: Matrix) -> None:
        self._cells = cells

    @classmethod
    def between(cls, then: Matrix, now: Matrix, mm: float) -> "LightField":
        """The field that turns `then` into `now`, both (h, w) grey, of pixels `mm` millimetres wide."""
        height, width = then.shape
        size = tuple(max(LIGHT_FIELD.around, round(side * mm / LIGHT_FIELD.cell_mm)) for side in (width, height))
        before, after = (
            cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32) + LIGHT_FIELD.offset
            for picture in (then, now)
        )
        return cls(cv2.GaussianBlur(cv2.medianBlur(after / before, LIGHT_FIELD.around), (0, 0), 1.0))

    def gain(self, shape: tuple[int, ...]) -> Matrix:
        """(h, w) for a picture of this shape."""
        return cv2.resize(self._cells, shape[1::-1], interpolation=cv2.INTER_LINEAR)

    def lit(self, picture: Matrix) -> Matrix:
        """What a picture (h, w) of the light before shows in this light."""
        return cv2.multiply(picture, self.gain(picture.shape), dtype=cv2.CV_8U)

    def evened(self, picture: Matrix) -> Matrix:
        """What a picture (h, w) of this light shows in the light before."""
        return cv2.divide(picture, self.gain(picture.shape), dtype=cv2.CV_8U)
