"""Which discs may have touched, from their places before and after a shot.

The difference of two pictures of one camera cancels nearly all of its bias: a third of a millimetre is visible.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from controller.referee.differences import distance
from controller.referee.read_board import ReadBoard
from controller.referee.settings import CONTACT
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT


@dataclass(frozen=True, slots=True)
class Graze:
    """A disc that may have been touched: how far it moved, how far from the other it rests, in mm."""

    other: str
    moved: float
    gap: float | None

    @property
    def figure(self) -> float:
        """The length that is in doubt, in mm: the gap where they lie side by side, else how far the disc moved."""
        return self.moved if self.gap is None else max(self.gap, 0.0)


def grazes(board: ReadBoard, rest: Mapping[str, SeenDisc], opponents: Iterable[str]) -> list[Graze]:
    """Opponents' discs that still count as lying where they were, and may have been touched.

    `rest` has the discs that may have touched them, each where it came to rest: the shot disc and those that it moved.
    The signs are a motion above `CONTACT.still_mm`, and one of `rest` nearer than `CONTACT.touching_mm`.
    """
    dx, dy = _shift(board)
    found = []
    for name in opponents:
        at, before = board.still.get(name), board.known[name]
        if at is None or at.pose != "flat":
            continue
        moved = math.hypot(at.x - before.x - dx, at.y - before.y - dy)
        gaps = [distance(disc, at) - 2 * TOURNAMENT.disc.radius for disc in rest.values() if disc.pose == "flat"]
        gap = min(gaps, default=math.inf)
        if moved > CONTACT.still_mm or gap < CONTACT.touching_mm:
            found.append(Graze(name, moved, gap if gap < CONTACT.touching_mm else None))
    return found


def _shift(board: ReadBoard) -> tuple[float, float]:
    """How far all discs moved together, in mm: the board was pushed, or the calibration was adjusted."""
    shifts = [(d.x - board.known[n].x, d.y - board.known[n].y) for n, d in board.still.items() if d.pose == "flat"]
    if len(shifts) < CONTACT.enough_discs:
        return 0.0, 0.0
    return median(x for x, _ in shifts), median(y for _, y in shifts)
