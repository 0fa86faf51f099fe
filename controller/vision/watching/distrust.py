"""Decides when the gate may be wrong about the board, by how long the board was not seen."""

import math

from controller.vision.watching.gate import GateState, Word
from controller.vision.watching.settings import DISTRUST, GATE


class Distrust:
    """Follows the gate's states and the readings of the board."""

    def __init__(self) -> None:
        self._still_at = -math.inf  # when the gate last said still
        self._restless = 0.0  # seconds of motion since the board was last seen
        self._told_at = 0.0
        self._read_at = self._light_at = -math.inf
        self.doubted = False
        """Whether the last board that the gate called still was obstructed."""
        self._in_vain = False  # a picture of a hidden board at rest was read since the board was last seen

    def word(self, state: GateState, t: float) -> Word:
        """The gate's word, or `covered` after hands came and went for so long that play may have been missed: sooner if
        the board could not be read even while they rested.
        """
        if state.word == "still":
            self._still_at = t
            self.at_rest()
        elif t - state.calm < DISTRUST.calm_seconds:
            self._restless += min(t - self._told_at, DISTRUST.calm_seconds)
        self._told_at = t
        least = DISTRUST.blind_seconds if self._in_vain else DISTRUST.endless_seconds
        unwatched = self._restless >= least and state.word in ("hand", "moving")
        return "covered" if unwatched else state.word

    def looked(self, t: float) -> None:
        """Note that a full picture was examined."""
        self._read_at = t

    def at_rest(self) -> None:
        """Note that the discs have come to rest and are read."""
        self._restless, self._in_vain = 0.0, False

    def in_vain(self) -> None:
        """Note that a picture of a hidden board at rest was read, and does not show it."""
        self._in_vain = True

    def still_board(self, *, obstructed: bool) -> None:
        """Note that a board that the gate calls still was read, and whether it was `obstructed`."""
        self.doubted = obstructed

    def is_due(self, t: float, seconds: float) -> bool:
        """Whether no full picture was examined for this long."""
        return t - self._read_at >= seconds

    def may_be_light(self, t: float, calm: float) -> bool:
        """Whether to check if the gate mistakes light for a hand: once in each calm, when the board is at rest."""
        due = calm > self._light_at and t - max(self._light_at, self._read_at) >= DISTRUST.light_seconds
        return due and t - calm >= GATE.rest_seconds - GATE.rounding

    def looked_for_light(self, t: float) -> None:
        """Note that a full picture was checked for light that the gate may mistake for a hand."""
        self._light_at = t

    def may_be_wrong(self, t: float, calm: float) -> bool:
        """Whether to read the board although the gate sees an obstacle; `calm`: when anything last moved.

            nothing has moved for `stuck_seconds`               a hand does not keep so still
            no still board was seen for `endless_seconds`       hands do not stay so long
            the still board was read with something on it       when that leaves, its place looks like a hand

        In the second and third case it is read as soon as nothing moves for `calm_seconds`, and then now and then.
        """
        stuck = t - max(calm, self._read_at) >= DISTRUST.stuck_seconds
        doubted = (self.doubted or t - self._still_at >= DISTRUST.endless_seconds) and t - calm >= DISTRUST.calm_seconds
        return stuck or (doubted and t - self._read_at >= DISTRUST.again_seconds)
