"""Separates objects and a lamp's reflection from hands: they stay in place while hands come and go."""

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np

from controller.vision.reading.obstruction import counts_within
from controller.vision.readings import BoardReading, Outline
from hardware.board import Board

STAYS_SECONDS = 5.0
"""For which it must be in one place. Judged: a hand over the board lies still for the seconds of a shot."""
SAME_PLACE = 0.6
"""Share of the two outlines' union that both cover, if they are one object's. Judged: a lamp's reflection has 0.7 as
discs come to lie beside it."""
UNDER = 0.8
"""Share of an object that a hand over it hides."""
PLAYED_AROUND = 0.5
"""Share of the surface within the outer line: whatever hides more keeps obstructing the board, since nobody
plays around it. Judged: books and reflections hide up to 0.2."""


class LyingParts:
    """Remembers since when parts of the board are hidden."""

    def __init__(self) -> None:
        self._since: dict[Outline, float] = {}

    def separated(self, reading: BoardReading, board: Board) -> BoardReading:
        """The reading, in which parts that have been hidden for long are `laid` and no longer obstruct the board."""
        since = {part: self._hidden_since(part, reading.t) for part in reading.hidden}
        under = {part: t for part, t in self._since.items() if _is_under(part, reading.hidden)}
        self._since = under | since
        laid = tuple(part for part, t in since.items() if reading.t - t >= STAYS_SECONDS)
        if not laid or not leaves_room(replace(reading, hidden=laid), board):
            return reading
        share = replace(reading, hidden=laid).hidden_share(0.0, counts_within(board)) or 0.0
        left = replace(reading, hidden=tuple(part for part in since if part not in laid))
        obstructed = reading.obstructed and bool(left.hidden_share(0.0, counts_within(board)))
        return replace(left, obstructed=obstructed, laid=laid, surface_unseen=reading.surface_unseen + share)

    def _hidden_since(self, part: Outline, t: float) -> float:
        return min((since for then, since in self._since.items() if _are_same(part, then)), default=t)


def leaves_room(reading: BoardReading, board: Board) -> bool:
    """Whether people can play around what hides parts of the board."""
    return (reading.hidden_share(0.0, counts_within(board)) or 0.0) <= PLAYED_AROUND


def _are_same(part: Outline, then: Outline) -> bool:
    both = _common(part, then)
    return both > SAME_PLACE * (_area(part) + _area(then) - both)


def _is_under(part: Outline, parts: Iterable[Outline]) -> bool:
    """Whether something larger hides this part now."""
    return any(_common(part, other) > UNDER * _area(part) and not _are_same(part, other) for other in parts)


def _area(part: Outline) -> float:
    return cv2.contourArea(np.array(part, np.float32))


def _common(part: Outline, other: Outline) -> float:
    return cv2.intersectConvexConvex(np.array(part, np.float32), np.array(other, np.float32))[0]
