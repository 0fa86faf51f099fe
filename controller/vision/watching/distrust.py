"""How long the board has not been seen, and when the gate may therefore be wrong about it."""

import math

from controller.vision.watching.gate import GateState, Word
from controller.vision.watching.settings import DISTRUST, GATE


class Distrust:
    """Follows the gate's states and the readings of the board."""

    def __init__(self) -> None:
        self._still_at = -math.inf  # when the gate last said so
        self._restless = 0.0  # seconds of motion since the board was last seen
        self._told_at = 0.0
        self._read_at = self._light_at = -math.inf
        self._doubted = False  # something lay on the board that the gate called still

    def word(self, state: GateState, t: float) -> Word:
        """The gate's word; but `covered` after hands came and went for so long that nobody knows what happened."""
        if state.word == "still":
            self._still_at, self._restless = t, 0.0
        elif t - state.calm < DISTRUST.calm_seconds:
            self._restless += min(t - self._told_at, DISTRUST.calm_seconds)
        self._told_at = t
        unwatched = self._restless >= DISTRUST.endless_seconds and state.word in ("hand", "moving")
        return "covered" if unwatched else state.word

    def looked(self, t: float) -> None:
        """A full picture was looked at."""
        self._read_at = t

    def at_rest(self) -> None:
        """The discs have come to rest, and are read."""
        self._restless = 0.0

    def still_board(self, *, obstructed: bool) -> None:
        """A board that the gate calls still was read, `obstructed` by something."""
        self._doubted = obstructed

    def is_due(self, t: float, seconds: float) -> bool:
        """Whether no full picture has been looked at for so long."""
        return t - self._read_at >= seconds

    def may_be_light(self, t: float, calm: float) -> bool:
        """Whether it is to be seen if the gate takes light for a hand: once in each calm, when the board is at rest."""
        due = calm > self._light_at and t - max(self._light_at, self._read_at) >= DISTRUST.light_seconds
        return due and t - calm >= GATE.rest_seconds - GATE.rounding

    def looked_for_light(self, t: float) -> None:
        """A full picture was looked at for light that the gate takes for a hand."""
        self._light_at = t

    def may_be_wrong(self, t: float, calm: float) -> bool:
        """Whether the board is to be read although the gate sees an obstacle; `calm` is when anything last moved.

            nothing has moved for `stuck_seconds`               a hand does not keep so still
            no still board was seen for `endless_seconds`       hands do not stay so long
            the still board was read with something on it       when that leaves, its place looks like a hand

        In the second and third case it is read as soon as nothing moves for `calm_seconds`, and then now and then.
        """
        stuck = t - max(calm, self._read_at) >= DISTRUST.stuck_seconds
        doubted = (
            self._doubted or t - self._still_at >= DISTRUST.endless_seconds
        ) and t - calm >= DISTRUST.calm_seconds
        return stuck or (doubted and t - self._read_at >= DISTRUST.again_seconds)
