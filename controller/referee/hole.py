"""The 20 hole's sensor between two settled boards: what lay in it, and for how long."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee.read_board import ReadBoard
from controller.referee.settings import HOLE
from controller.vision.readings import AT_HOLE, BoardReading


@dataclass(frozen=True, slots=True)
class InHole:
    """What the sensor alone says of the hole since the last shot."""

    lifted: int  # discs that lay in it and are gone again
    occupied: bool  # one lies in it still, and the camera sees none there
    side: str | None  # whose the last one was, if the unit can tell colours


@dataclass(slots=True)
class Trust:
    """Whether the sensor is believed: not while it contradicts again and again what the camera sees of the hole."""

    contradictions: int = 0
    _filled: bool | None = None  # as the camera saw it last
    _level: bool | None = None

    @property
    def believed(self) -> bool:
        """Whether what the sensor says counts."""
        return self.contradictions < HOLE.contradictions

    def compare(self, state: MatchState, reading: BoardReading) -> None:
        """Take note of what both say of the hole after it was filled or emptied.

        | sensor | counts as |
        | --- | --- |
        | differs from the camera | a contradiction |
        | agrees, and has changed too | trusted again |
        | agrees, and has not changed | nothing: a dead sensor agrees half of the time |

        Nothing is compared while the camera is not sure of the hole, something hides the board, or the sensor has
        changed so lately that the disc may still move.
        """
        filled, level = any(d.pose == "in_hole" for d in reading.discs), state.hole_level
        unclear = any(d.pose in AT_HOLE and (d.pose == "leaning" or d.call == "close") for d in reading.discs)
        if level is None or unclear or reading.hole_unclear or reading.obstructed:
            return
        last = state.hole[-1].t if state.hole else -math.inf
        if reading.t - last < HOLE.seated_seconds:
            return  # the disc may still move
        if self._filled is not None and filled != self._filled:
            self._weigh(filled == level, level != self._level)
        self._filled, self._level = filled, level

    def _weigh(self, agrees: bool, changed: bool) -> None:
        if not agrees:
            self.contradictions += 1
        elif changed:
            self.contradictions = 0


def in_hole(state: MatchState, board: ReadBoard, now: float) -> InHole:
    """What the sensor knows and the camera does not see, at the time of a reading."""
    occupied = _felt(state, now) and not _seen_at_hole(board)
    side = next((change.side for change in reversed(state.hole) if change.side is not None), None)
    return InHole(_lifted(state, board), occupied, side)


def _lifted(state: MatchState, board: ReadBoard) -> int:
    """How many discs lay in the hole and are out of it again, without the one that the match knew to lie there."""
    lifted = sum(span >= HOLE.seated_seconds for span in dwells(state.hole))
    left = any(m.pose in AT_HOLE and name not in board.still for name, m in board.known.items())
    if left and state.hole and state.hole[0].occupied:
        lifted -= 1  # the sensor told late of the disc that was known to lie there
    return max(lifted, 0)


def _felt(state: MatchState, now: float) -> bool:
    """Whether by the sensor a disc lies in the hole, and has lain there long enough for a twenty."""
    last = state.hole[-1] if state.hole else None
    return last is not None and last.occupied and now - last.t >= HOLE.seated_seconds


def _seen_at_hole(board: ReadBoard) -> bool:
    return any(d.pose in AT_HOLE for d in (*board.still.values(), *board.all_appeared))


def dwells(changes: Iterable[ev.HoleChanged]) -> list[float]:
    """How long each disc lay in the hole that came and is out of it again, in seconds.

    A gap shorter than `HOLE.seated_seconds` is chatter of the contact: the same disc lies there.
    """
    stays: list[tuple[float | None, float | None]] = []  # on and off; None: before the first change, after the last
    for change in changes:
        on, off = stays[-1] if stays else (None, None)
        if not change.occupied:
            if not stays:
                stays.append((None, change.t))
            elif off is None:
                stays[-1] = (on, change.t)
        elif not stays or (off is not None and change.t - off >= HOLE.seated_seconds):
            stays.append((change.t, None))
        else:
            stays[-1] = (on, None)
    return [off - on for on, off in stays if on is not None and off is not None]
