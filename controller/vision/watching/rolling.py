"""What rolls freely over the board: disc-sized pieces of change that move and are joined to no hand.

A shot may leave nothing that can be read: its disc lies unseen in a dark ditch. Its rolling shows that it was
shot. Hands and sleeves differ from it because they reach in over the rail, and what they carry is joined to them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.watching.settings import ROLLING
from hardware.devices import Matrix

GAP = np.ones((ROLLING.gap_pixels,) * 2, np.uint8)

Point = tuple[float, float]


def rolling(faint: Matrix, clear: Matrix, moved: Matrix, rim: NDArray[np.bool_], mm: float) -> list[Point]:
    """The middles, in mm of the picture, of the pieces that move freely.

    `faint` and `clear` are masks (h, w), 0 or 255, of what differs from the settled board, just visibly and clearly;
    `moved` of what of that differs clearly from the picture before. `rim` is the rail, `mm` the size of a pixel.
    """
    least = ROLLING.least_mm2 / mm**2
    if cv2.countNonZero(moved) < least:
        return []
    count, pieces = cv2.connectedComponents(cv2.dilate(faint, GAP), connectivity=8, ltype=cv2.CV_16U)
    rows, columns = np.nonzero(moved)
    piece = pieces[rows, columns]
    size = np.bincount(piece, minlength=count)
    whole = np.bincount(pieces[clear > 0], minlength=count)
    on_rim = np.bincount(pieces[rim & (faint > 0)], minlength=count)
    free = np.flatnonzero((size >= least) & (whole * mm**2 <= ROLLING.most_mm2) & (on_rim == 0))
    x = np.bincount(piece, weights=columns, minlength=count)
    y = np.bincount(piece, weights=rows, minlength=count)
    return [(float(x[k] / size[k]) * mm, float(y[k] / size[k]) * mm) for k in free if k > 0]


@dataclass(slots=True)
class Rolls:
    """Follows what moves freely from picture to picture."""

    _ways: list[tuple[Point, float]] = field(default_factory=list)  # where each piece is, and how far it came
    _t: float = -math.inf  # of the picture before
    _last: float = -math.inf  # when something was last seen on its way
    _counted: bool = False  # what is on its way

    def see(self, places: Sequence[Point], t: float) -> bool:
        """Whether something has just rolled, from what moves freely in the picture at `t`: once for each time."""
        if t - self._last > ROLLING.pause_seconds:
            self._counted = False
        if t - self._t > ROLLING.film_seconds:
            self._ways = []
        self._t = t
        self._ways = [(place, self._way(place)) for place in places]
        if any(way > 0 for _, way in self._ways):
            self._last = t
        if not self._counted and any(way >= ROLLING.roll_mm for _, way in self._ways):
            self._counted = True
            return True
        return False

    def _way(self, place: Point) -> float:
        """How far what is here has come; 0 where nothing came from before."""
        steps = ((way, math.dist(before, place)) for before, way in self._ways)
        return max((way + step for way, step in steps if ROLLING.least_step < step < ROLLING.most_step), default=0.0)
