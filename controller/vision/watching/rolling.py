"""What rolls freely over the board: disc-sized pieces of change that move and are joined to no hand.

That is how a shot is told that leaves nothing behind to be read: its disc lies unseen in a dark ditch. Hands and
sleeves reach in over the rail, and what they carry is joined to them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.devices import Matrix

LEAST_MM2 = 150.0  # of a piece that moved since the picture before: a fifth of a disc
MOST_MM2 = 4000.0  # of a whole piece: five discs that came together
STEP = (6.0, 200.0)  # mm from one picture to the next: less is jitter, more is another piece
ROLL_MM = 40.0  # of a way, from picture to picture, before something has rolled
FILM_SECONDS = 0.12  # from picture to picture at most: in longer times hands place and take discs
PAUSE_SECONDS = 0.8  # without anything rolling: what rolls next is another shot, for which a hand had to come

GAP = np.ones((5, 5), np.uint8)  # pixels: pieces that are no farther apart belong together

Point = tuple[float, float]


def rolling(faint: Matrix, clear: Matrix, moved: Matrix, rim: NDArray[np.bool_], mm: float) -> list[Point]:
    """The middles, in mm of the picture, of the pieces that move freely.

    `faint` and `clear` are masks (h, w), 0 or 255, of what differs from the settled board, just visibly and clearly;
    `moved` of what of that differs clearly from the picture before. `rim` is the rail, `mm` the size of a pixel.
    """
    least = LEAST_MM2 / mm**2
    if cv2.countNonZero(moved) < least:
        return []
    count, pieces = cv2.connectedComponents(cv2.dilate(faint, GAP), connectivity=8, ltype=cv2.CV_16U)
    rows, columns = np.nonzero(moved)
    piece = pieces[rows, columns]
    size = np.bincount(piece, minlength=count)
    whole = np.bincount(pieces[clear > 0], minlength=count)
    on_rim = np.bincount(pieces[rim & (faint > 0)], minlength=count)
    free = np.flatnonzero((size >= least) & (whole * mm**2 <= MOST_MM2) & (on_rim == 0))
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
        if t - self._last > PAUSE_SECONDS:
            self._counted = False
        if t - self._t > FILM_SECONDS:
            self._ways = []
        self._t = t
        self._ways = [(place, self._way(place)) for place in places]
        if any(way > 0 for _, way in self._ways):
            self._last = t
        if not self._counted and any(way >= ROLL_MM for _, way in self._ways):
            self._counted = True
            return True
        return False

    def _way(self, place: Point) -> float:
        """How far what is here has come; 0 where nothing came from before."""
        steps = ((way, math.dist(before, place)) for before, way in self._ways)
        return max((way + step for way, step in steps if STEP[0] < step < STEP[1]), default=0.0)
