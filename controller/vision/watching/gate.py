"""The gate classifies each small picture: is the board still, moving, or is a hand in the way? And how far it is to be
trusted: it may be wrong about a board that was not seen for long."""

import math
from dataclasses import dataclass, replace
from typing import Literal

from controller.vision.calibration.camera import Bools, Floats
from controller.vision.watching.changes import Changes, Difference, Obstacle, Place
from hardware.board import TOURNAMENT, Board
from hardware.devices import Image

# How long stillness, hands and covers must last before the gate accepts them. Seconds.
REST_SECONDS = 0.16
"""Without any change before the board counts as still: 8 frames at 50 a second."""
BESIDE_SECONDS = 0.08
"""The same beside a hand, since the next shot may follow at once: a disc slides 3.5 mm in this time."""
SLOW_SECONDS = 0.4
"""Frames at least this far apart give no evidence of motion."""
RESTLESS_SECONDS = 5.0
"""Of change without a pause, longer than a shot takes: then the shadows of a fan or of leaves may be moving."""
FOLLOW_SECONDS = 0.5
"""Between updates for slow changes of light on a still board."""
ENTER_SECONDS = 0.04
"""That an obstacle must last to be accepted: 3 frames at 50 a second."""
LEAVE_SECONDS = 0.1
"""Without an obstacle before it counts as gone: 5 frames."""
ROUNDING = 1e-6
"""The error of the difference of two times."""

Word = Literal["still", "moving", "hand", "covered", "camera_moved", "light_changed"]


@dataclass(frozen=True, slots=True)
class GateState:
    """The gate's state."""

    word: Word
    since: float  # when the word began; with a slow source, it begins again with each picture
    calm: float  # when anything last moved
    resting_beside: float | None = None  # since when the discs rest beside a hand; None if they do not


class Gate:
    """Finds the word for each small picture, with hysteresis in seconds.

    `region`: the mask (h, w) of the board out to the rail's outer edge; everything outside is ignored. By default the
    whole picture, with the rail filling its height. `surface`: the mask within `surface_reach`, by default in the
    region's centre. The first picture counts as still, unless the pictures are `live`: then a shot may be under way.
    """

    def __init__(
        self,
        region: Bools | None = None,
        board: Board = TOURNAMENT,
        surface: Bools | None = None,
        *,
        live: bool = False,
    ) -> None:
        self._region = region
        self._board = board
        self._surface = surface
        self._live = live
        self._changes: Changes  # from the first picture on
        self._state: GateState | None = None
        self._t = 0.0
        self._slow = True  # the interval before the last picture was too long to detect motion
        self._lasting = _Lasting()
        self._place: Place = "home"
        self._placed = True  # the place was checked since the last motion
        self._settled = True
        self._doubted = False  # whether the hand's presence was checked since the calm began
        self._stirred = 0.0  # when anything but hands beside the surface last moved
        self._unread = False  # something moved over the surface since the board was last settled
        self._followed = 0.0
        self._quiet_since: float | None = None  # since when nothing changes, light included
        self._quiet_at = -math.inf  # when nothing had changed for long enough

    @property
    def state(self) -> GateState | None:
        """The newest state; None before the first picture."""
        return self._state

    @property
    def moved_mm(self) -> float:
        """The distance of the board's outer line from its first place when the board last came to rest."""
        return self._changes.moved_mm

    @property
    def hand_mask(self) -> Image | None:
        """The newest picture's pixels (h, w) that hands hide, 0 or 255; None if there are none."""
        return self._changes.hand_mask()

    @property
    def hidden_places(self) -> Floats:
        """The places (N, 2) of an apparent hand or cover in the newest picture, x and y in pixels."""
        return self._changes.hidden_places()

    @property
    def displaced(self) -> bool:
        """Whether the board was not found at its place when it last came to rest."""
        return self._place != "home"

    @property
    def restless(self) -> bool:
        """Whether something has changed for longer than discs move: hands or shadows do."""
        return self._t - self._quiet_at >= RESTLESS_SECONDS

    def stay(self, t: float) -> GateState:
        """Note that a measurement of the last picture found the board in place: only its light has changed."""
        assert self._state is not None
        self._changes.stay()
        self._place, self._placed = "home", True
        if self._slow:
            return self._alone(t)
        self._state = replace(self._state, word="moving", since=t)
        return self._state

    def evened(self, small: Image) -> Image:
        """The newest small picture (h, w) in the light of the settled board."""
        return self._changes.evened(small)

    def see(self, small: Image, t: float, dropped: int = 0) -> GateState:
        """Process a small grey picture (h, w) taken at `t` seconds, the next after `dropped` lost ones. A source that
        loses frames is not slow: the following pictures show what happened. Raises `BadInput` if its size differs from
        the region's or the earlier pictures'.
        """
        if self._state is None:
            return self._first(small, t)
        slow_before, self._slow = self._slow, self._is_slow(t, dropped)
        self._t = t
        seen = self._changes.look(small, light_moves=self.restless)
        self._note_quiet(seen, t)
        if self._slow and slow_before:
            self._place = self._changes.place()
            self._changes.settle()
            return self._alone(t)
        calm = self._calm_since(seen, t)
        obstacle = self._lasting.of(seen.obstacle, t)
        resting = t - calm >= REST_SECONDS - ROUNDING
        if resting and not self._settled:
            self._come_to_rest(obstacle or seen.obstacle)
        elif self._settled and obstacle in (seen.obstacle, "light_changed"):
            self._follow(t)
        if resting and obstacle == seen.obstacle == "hand" and self._is_no_hand():
            self._changes.settle()
            return self._alone(t)
        return self._say(self._word(obstacle), t, calm, self._beside(seen, obstacle, t))

    def _first(self, small: Image, t: float) -> GateState:
        """Begin with this picture."""
        self._changes = Changes(small, self._region, self._board, self._surface)
        self._t = self._quiet_at = t
        if not self._live:
            return self._alone(t)
        self._settled, self._state = False, GateState("moving", t, t)
        return self._state

    def _note_quiet(self, seen: Difference, t: float) -> None:
        self._quiet_since = (t if self._quiet_since is None else self._quiet_since) if seen.quiet else None
        if self._quiet_since is not None and t - self._quiet_since >= REST_SECONDS - ROUNDING:
            self._quiet_at = t

    def _is_slow(self, t: float, dropped: int) -> bool:
        """Whether the source's pause was too long to detect motion; lost pictures are no pause."""
        return not dropped and t - self._t >= SLOW_SECONDS - ROUNDING

    def _calm_since(self, seen: Difference, t: float) -> float:
        """The time of the last motion, this picture included. After a motion the board is neither settled nor
        placed."""
        assert self._state is not None
        if seen.stirred:
            self._stirred = t
        self._unread |= seen.over_surface
        if not seen.moved and (self._settled or not self._slow):
            return self._state.calm
        self._placed = self._settled = self._doubted = False
        return t

    def _follow(self, t: float) -> None:
        """Adapt to slow changes of light from time to time."""
        if t - self._followed >= FOLLOW_SECONDS:
            self._changes.follow()
            self._followed = t

    def _is_no_hand(self) -> bool:
        """Whether an apparent hand is the former place of one that has left. Checked once in each calm."""
        asked, self._doubted = self._doubted, True
        return not asked and self._changes.hand_has_left()

    def _beside(self, seen: Difference, obstacle: Obstacle | None, t: float) -> float | None:
        """When the discs came to rest beside a hand; None without a hand, with a hand over the board, or while discs
        move."""
        assert self._state is not None
        if obstacle != "hand":
            return None
        hand_beside = seen.obstacle == "hand" and seen.is_beside
        if hand_beside and self._unread and t - self._stirred >= BESIDE_SECONDS - ROUNDING:
            return self._rest_beside(t)
        if seen.stirred or (seen.obstacle == "hand" and not seen.is_beside):
            return None
        return self._state.resting_beside

    def accept(self, t: float, *, light: bool = False) -> GateState:
        """Accept the last picture as the whole board in place, since a reading has shown that the gate was wrong: it
        saw an object that stays, or only `light`.
        """
        self._changes.accept(light=light)
        self._place = "home"
        return self._alone(t)

    def _alone(self, t: float) -> GateState:
        """Judge the picture on its own: it is still, unless the camera moved."""
        self._lasting = _Lasting()
        self._placed = self._settled = True
        self._unread = False
        self._followed = t
        word: Word = "camera_moved" if self._place == "moved" else "still"
        self._state = GateState(word, t, t)
        return self._state

    def _come_to_rest(self, obstacle: Obstacle | None) -> None:
        if not self._placed:
            self._place, self._placed = self._changes.place(), True
        if self._place == "home" and obstacle in (None, "light_changed"):
            self._changes.settle()
            self._settled, self._followed = True, self._t
            self._unread = False

    def _rest_beside(self, t: float) -> float | None:
        """Settle the board beside a hand, if it is in place: the discs rest from now on."""
        if (self._place if self._placed else self._changes.place()) != "home":
            return None
        self._changes.settle_beside_hands()
        self._unread = False
        return t

    def _word(self, obstacle: Obstacle | None) -> Word:
        if self._place == "moved":
            return "camera_moved"
        if self._place == "lost":
            return "covered"
        return obstacle or ("still" if self._settled else "moving")

    def _say(self, word: Word, t: float, calm: float, beside: float | None) -> GateState:
        if self._state is None or self._state.word != word:
            self._state = GateState(word, t, calm, beside)
        elif (self._state.calm, self._state.resting_beside) != (calm, beside):
            self._state = replace(self._state, calm=calm, resting_beside=beside)
        return self._state


class _Lasting:
    """Accepts an obstacle once it has been seen for a while, until it has not been seen for a while."""

    def __init__(self) -> None:
        self._believed: Obstacle | None = None
        self._seen: Obstacle | None = None  # the candidate
        self._first = self._last = 0.0

    def of(self, obstacle: Obstacle | None, t: float) -> Obstacle | None:
        """The accepted obstacle, after `obstacle` was seen."""
        if obstacle == self._believed:
            self._seen, self._first, self._last = obstacle, t, t
        elif obstacle is None:
            self._seen = None
            if t - self._last >= LEAVE_SECONDS - ROUNDING:
                self._believed = None
        else:
            if obstacle != self._seen:
                self._seen, self._first = obstacle, t
            if t - self._first >= ENTER_SECONDS - ROUNDING:
                self._believed, self._last = obstacle, t
        return self._believed


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


class GateConfidence:
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
