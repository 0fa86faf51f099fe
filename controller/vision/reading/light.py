"""The light on the board, and the range of light that readings tolerate.

Measured by scaling pictures in linear light and adding camera noise (2.2 grey levels). The table counts the discs, sure
at light 1, that were lost, and the sure discs that appeared where there is none:

    the picture's light                          0.35   0.5   0.6 .. 1.15   1.2   1.3   1.4   1.6
    60 painted boards, 598 discs, lost              9     1             0     1     2     2     3
    22 ray-traced boards, 78 discs, lost            1     0             0     0     0     0     0
    22 ray-traced boards, appeared                  0     0             0     0     0     0     5

In pictures of light 1, with the empty board learnt in 0.35 to 1.3 of it, none of 408 painted and 78 ray-traced discs
was lost; at 1.5, 4 appeared.
"""

import numpy as np

from controller.vision.calibration.camera import Bools
from controller.vision.calibration.image_quality import BLOWN, DARK
from controller.vision.reading.colours import linear
from hardware.devices import Image

MIRRORS = 240
"""Grey levels: reflections, which move with the lamps and hide what is under them."""
CAMERA_NOISE = 4.0
"""Grey levels: noise after compression."""
USABLE = (16, 215)
"""Grey levels, least and most: between them neither noise nor saturation hides a change of light by a fifth."""
ENOUGH = 200
"""Samples: enough to measure the light to 1 %."""
SAMPLED = 4
"""Pixels between the samples of a small picture."""
BRIGHTEST = 99.0
"""Per cent: the lines of a dark board are 1.5 % of the picture, and lighter."""
BLACK = 16
"""Grey levels: video's black, below which a camera's noise is cut off."""

TOLERATED = (0.7, 1.15)
"""The tolerated light, relative to that in which the camera was locked: with less, discs are lost; with more as well,
and false ones appear."""

LEARNT = (TOLERATED[0] / TOLERATED[1], TOLERATED[1] / TOLERATED[0])
"""The same, relative to the light in which the empty board was learnt: that may have been at one end of `TOLERATED`,
and the picture at the other."""


class SurfaceLight:
    """The light on a part of a small picture, for comparison with later pictures."""

    def __init__(self, small: Image, part: Bools | None) -> None:
        """`part` (h, w): the place to measure; None for the whole picture."""
        self._part = part
        some = np.zeros(small.shape, np.bool_)
        some[::SAMPLED, ::SAMPLED] = True
        where = some if part is None else some & part
        usable = where & (small >= USABLE[0]) & (small <= USABLE[1])
        self._where = np.flatnonzero(usable if np.count_nonzero(usable) >= ENOUGH else where)
        self._then = np.maximum(linear(small.ravel()[self._where]), 1e-4)

    def measured_in(self, small: Image) -> "SurfaceLight":
        """The light on the same part of another picture."""
        return SurfaceLight(small, self._part)

    def ratio(self, small: Image) -> float:
        """The light in a later picture of the same size, relative to this one: discs and hands cover the smaller part.
        1 without anything to compare.
        """
        if not len(self._where):
            return 1.0
        ratios = linear(small.ravel()[self._where]) / self._then
        middle = len(ratios) // 2
        return float(np.partition(ratios, middle)[middle])


def within_tolerance(ratio: float, limits: tuple[float, float] = TOLERATED) -> bool:
    """Whether readings tolerate this light, so that their errors are known."""
    return limits[0] <= ratio <= limits[1]


def too_dark(small: Image) -> bool:
    """Whether a small picture, including the room around the board, is nearly black."""
    return float(np.percentile(small[::SAMPLED, ::SAMPLED], BRIGHTEST)) < DARK


def noisy(small: Image) -> bool:
    """Whether a small picture must show camera noise: not if nearly all of it is black or overexposed."""
    return bool(np.count_nonzero((small >= BLACK) & (small <= BLOWN)) > ENOUGH)
