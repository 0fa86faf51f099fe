"""Which discs touched, from where they lie before and after: a difference between two pictures of one camera cancels
nearly all of its bias, so that a third of a millimetre is visible.
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
    """Opponents' discs that lie still, or all but, and may have been touched by the shot disc or a disc that it moved.

    `rest` has where these came to rest.
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
    """How far everything moved together: the board was pushed, or the calibration followed it."""
    shifts = [(d.x - board.known[n].x, d.y - board.known[n].y) for n, d in board.still.items() if d.pose == "flat"]
    if len(shifts) < CONTACT.enough_discs:
        return 0.0, 0.0
    return median(x for x, _ in shifts), median(y for _, y in shifts)
