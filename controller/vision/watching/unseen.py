"""How long the board has not been seen, and when the gate may therefore be wrong about it."""

import math

from controller.vision.watching.gate import GateState, Word

STUCK_SECONDS = 15.0  # longer than anybody aims: what keeps so still is no hand, or a shadow, or left on the board
ENDLESS_SECONDS = 30.0  # in which hands never left the board: three times what slow players need for a shot
CALM_SECONDS = 1.0  # without a stir, to look anyway
AGAIN_SECONDS = 5.0  # between two such looks: a full reading each


class Unseen:
    """Follows the gate's states and the readings of the board."""

    def __init__(self) -> None:
        self._still_at = -math.inf  # when the gate last said so
        self._restless = 0.0  # seconds of motion since the board was last seen
        self._told_at = 0.0
        self._read_at = -math.inf
        self._doubted = False  # the gate took a hand for the board: that will seem one when it leaves

    def word(self, state: GateState, t: float) -> Word:
        """The gate's word; but `covered` after hands came and went for so long that nobody knows what happened."""
        if state.word == "still":
            self._still_at, self._restless = t, 0.0
        elif t - state.calm < CALM_SECONDS:
            self._restless += min(t - self._told_at, CALM_SECONDS)
        self._told_at = t
        unwatched = self._restless >= ENDLESS_SECONDS and state.word in ("hand", "moving")
        return "covered" if unwatched else state.word

    def tried(self, t: float) -> None:
        """A full picture was looked at."""
        self._read_at = t

    def at_rest(self) -> None:
        """The discs have come to rest, and are read."""
        self._restless = 0.0

    def still_board(self, *, obstructed: bool) -> None:
        """A board that the gate calls still was read, `obstructed` by something."""
        self._doubted = obstructed

    def rested(self, t: float, seconds: float) -> bool:
        """Whether no full picture has been looked at for so long."""
        return t - self._read_at >= seconds

    def may_be_wrong(self, t: float, calm: float) -> bool:
        """Whether the gate may see an obstacle where there is none: `calm` is when anything last moved.

        It may where nothing has moved for longer than hands keep still; and where hands seem to be there for longer
        than anybody's are, or the board was last read with one on it, as soon as nothing moves for a moment.
        """
        stuck = t - max(calm, self._read_at) >= STUCK_SECONDS
        doubted = (self._doubted or t - self._still_at >= ENDLESS_SECONDS) and t - calm >= CALM_SECONDS
        return stuck or (doubted and t - self._read_at >= AGAIN_SECONDS)
