"""Decides when the gate may be wrong about the board, by how long the board was not seen."""

import math

from controller.vision.watching.gate import REST_SECONDS, ROUNDING, GateState, Word

# How long the gate is trusted while it reports a hidden board. Seconds.
STUCK_SECONDS = 15.0
"""Without motion, longer than anybody aims: a hand does not keep so still; a shadow or an object does."""
ENDLESS_SECONDS = 30.0
"""In which hands never left the board: three times what slow players need for a shot."""
BLIND_SECONDS = 5.0
"""Of motion since the board was last seen, if it could not be read at rest since then: longer than a shot takes."""
CALM_SECONDS = 1.0
"""Without motion, before the board is read although the gate sees a hand."""
AGAIN_SECONDS = 5.0
"""Between two such checks, each a full reading."""
LIGHT_SECONDS = 1.0
"""Between two checks for light that looks like a hand: as long as somebody aims, so that few are in vain."""


class Distrust:
    """Follows the gate's states and the readings of the board."""

    def __init__(self) -> None:
        self._still_at = -math.inf  # when the gate last said still
        self._restless = 0.0  # seconds of motion since the board was last seen
        self._told_at = 0.0
        self.read_at = -math.inf
        """When a full picture was last examined."""
        self.light_at = -math.inf
        """When one was last checked for light that the gate may mistake for a hand."""
        self.doubted = False
        """Whether the last board that the gate called still was obstructed."""
        self.in_vain = False
        """Whether a picture of a hidden board at rest was read, and did not show it, since the board was last seen."""

    def word(self, state: GateState, t: float) -> Word:
        """The gate's word, or `covered` after hands came and went for so long that play may have been missed: sooner if
        the board could not be read even while they rested.
        """
        if state.word == "still":
            self._still_at = t
            self.at_rest()
        elif t - state.calm < CALM_SECONDS:
            self._restless += min(t - self._told_at, CALM_SECONDS)
        self._told_at = t
        least = BLIND_SECONDS if self.in_vain else ENDLESS_SECONDS
        unwatched = self._restless >= least and state.word in ("hand", "moving")
        return "covered" if unwatched else state.word

    def at_rest(self) -> None:
        """Note that the discs have come to rest and are read."""
        self._restless, self.in_vain = 0.0, False

    def lies_still(self, t: float, since: float) -> bool:
        """Whether to read a board that is still `since` then once more: what lay on it has not moved for
        `STUCK_SECONDS`, so that the referee need not wait for it any longer.
        """
        return self.doubted and self.read_at - since < STUCK_SECONDS <= t - self.read_at

    def may_be_light(self, t: float, calm: float) -> bool:
        """Whether to check if the gate mistakes light for a hand: once in each calm, when the board is at rest."""
        due = calm > self.light_at and t - max(self.light_at, self.read_at) >= LIGHT_SECONDS
        return due and t - calm >= REST_SECONDS - ROUNDING

    def may_be_wrong(self, t: float, calm: float) -> bool:
        """Whether to read the board although the gate sees an obstacle; `calm`: when anything last moved.

            nothing has moved for `STUCK_SECONDS`               a hand does not keep so still
            no still board was seen for `ENDLESS_SECONDS`       hands do not stay so long
            the still board was read with something on it       when that leaves, its place looks like a hand

        In the second and third case it is read as soon as nothing moves for `CALM_SECONDS`, and then now and then.
        """
        stuck = t - max(calm, self.read_at) >= STUCK_SECONDS
        doubted = (self.doubted or t - self._still_at >= ENDLESS_SECONDS) and t - calm >= CALM_SECONDS
        return stuck or (doubted and t - self.read_at >= AGAIN_SECONDS)
