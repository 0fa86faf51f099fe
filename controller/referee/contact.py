"""Which discs may have touched, from their places before and after a shot and from its film.

The difference of two pictures of one camera cancels nearly all of its bias: a third of a millimetre is visible.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from controller.referee.differences import distance
from controller.referee.filmed import Filmed
from controller.referee.read_board import ReadBoard
from controller.referee.settings import CONTACT, FILMED
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


@dataclass(frozen=True, slots=True)
class Weighed:
    """What boards and film together say of a single shot's contacts."""

    touched: tuple[str, ...] = ()  # lying still, and surely touched
    asked: tuple[Graze, ...] = ()


def weigh(
    board: ReadBoard,
    rest: Mapping[str, SeenDisc],
    moved: Sequence[str],
    still: Sequence[str],
    film: Filmed | None,
) -> Weighed:
    """Which opponents' discs the shot touched: `moved` are those that it moved or sent off, `still` the others.

    `rest` has the discs that may have touched them, each where it came to rest: the shot disc and those that it moved.

    | a disc, by the boards before and after | the film | |
    | --- | --- | --- |
    | lies still, with a sign of a contact | saw one, surely | it was touched |
    | lies still, with a sign of a contact | saw that nothing came near | it was not |
    | lies still, with a sign of a contact | says nothing, or is not sure | people are asked |
    | lies still, without any sign | saw a soft one | people are asked: one of the two is wrong |
    | moved | saw that nothing came near any disc that moved | people are asked: one of the two is wrong |
    """
    signs = _grazes(board, rest, still)
    if film is None:
        return Weighed(asked=tuple(signs))
    chances = [(graze, film.touched(graze.other, moved=False)) for graze in signs]
    touched = tuple(graze.other for graze, chance in chances if chance is not None and chance >= FILMED.sure)
    asked = [graze for graze, chance in chances if chance is None or 1 - FILMED.sure < chance < FILMED.sure]
    signed = {graze.other for graze in signs}
    asked += [graze for graze in _softly_touched(board, still, film) if graze.other not in signed]
    return Weighed(touched, (*asked, *_moved_by_nothing(board, rest, moved, film)))


def _softly_touched(board: ReadBoard, still: Iterable[str], film: Filmed) -> list[Graze]:
    """Discs that lie where they were, of which the film says that they were touched."""
    return [graze for graze in _lying(board, still) if (film.touched(graze.other, moved=False) or 0.0) > 0.5]


def _moved_by_nothing(
    board: ReadBoard, rest: Mapping[str, SeenDisc], moved: Sequence[str], film: Filmed
) -> list[Graze]:
    """One of the discs that moved, where the film saw that nothing came near any of them."""
    if not moved or any(film.touched(disc, moved=True) != FILMED.missed for disc in moved):
        return []
    return [Graze(disc, distance(board.known[disc], rest[disc]), None) for disc in moved if disc in rest][:1]


def _grazes(board: ReadBoard, rest: Mapping[str, SeenDisc], still: Iterable[str]) -> list[Graze]:
    """Discs that still count as lying where they were, and may have been touched.

    The signs are a motion above `CONTACT.still_mm`, and one of `rest` nearer than `CONTACT.touching_mm`.
    """
    found = []
    for graze in _lying(board, still):
        at = board.still[graze.other]
        gaps = [distance(disc, at) - 2 * TOURNAMENT.disc.radius for disc in rest.values() if disc.pose == "flat"]
        gap = min(gaps, default=math.inf)
        if graze.moved > CONTACT.still_mm or gap < CONTACT.touching_mm:
            found.append(replace(graze, gap=gap if gap < CONTACT.touching_mm else None))
    return found


def _lying(board: ReadBoard, discs: Iterable[str]) -> list[Graze]:
    """Of these discs those that count as lying where they were, and by how much less than a move they moved."""
    dx, dy = _shift(board)
    flat = [(name, at, board.known[name]) for name in discs if (at := board.still.get(name)) and at.pose == "flat"]
    return [Graze(name, math.hypot(at.x - was.x - dx, at.y - was.y - dy), None) for name, at, was in flat]


def _shift(board: ReadBoard) -> tuple[float, float]:
    """How far all discs moved together, in mm: the board was pushed, or the calibration was adjusted."""
    shifts = [(d.x - board.known[n].x, d.y - board.known[n].y) for n, d in board.still.items() if d.pose == "flat"]
    if len(shifts) < CONTACT.enough_discs:
        return 0.0, 0.0
    return median(x for x, _ in shifts), median(y for _, y in shifts)
