"""The gate: is the board still, moving, or is a hand in the way? One word for each small picture."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.lens import Bools
from controller.vision.watching.changes import Changes, Difference, Obstacle, Place
from controller.vision.watching.settings import GATE
from hardware.board import TOURNAMENT, Board
from hardware.devices import Image

Word = Literal["still", "moving", "hand", "covered", "camera_moved", "light_changed"]


@dataclass(frozen=True, slots=True)
class GateState:
    """What the gate sees."""

    word: Word
    since: float  # when the word began; with a slow source, it begins again with each picture
    calm: float  # when anything last moved
    resting_beside: float | None = None  # since when the discs rest beside a hand; None where they do not


class Gate:
    """Finds the word for each small picture, with hysteresis in seconds.

    `region` is the mask (h, w) of the board out to the rail's outer edge; what lies outside is not looked at. Without
    one the whole picture counts and the rail is taken to fill its height. `surface` is the mask of what lies within
    `surface_reach`; without one it is taken to lie in the region's middle. The first picture counts as still, unless
    the pictures are `live`: then a shot may be under way.
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
        self._slow = True  # the interval before the last picture was too long to tell of motion
        self._lasting = _Lasting()
        self._place: Place = "home"
        self._placed = True  # the place was checked since anything moved
        self._settled = True
        self._doubted = False  # whether it was asked, since the calm began, if the hand is still there
        self._stirred = 0.0  # when anything but hands beside the surface last moved
        self._unread = False  # something moved over the surface since the board was last settled
        self._followed = 0.0

    @property
    def state(self) -> GateState | None:
        """The newest state; None before the first picture."""
        return self._state

    @property
    def moved_mm(self) -> float:
        """How far the board's outer line was from its first place when the board last came to rest."""
        return self._changes.moved_mm

    @property
    def hands(self) -> list[NDArray[np.float64]]:
        """What hands hide of surface and ditch in the newest picture: hulls (N, 2), x and y in its pixels."""
        return self._changes.hands()

    @property
    def hand_mask(self) -> Image | None:
        """The newest picture's pixels (h, w) that hands hide, 0 or 255; None where there are none."""
        return self._changes.hand_mask()

    @property
    def hidden_places(self) -> NDArray[np.float64]:
        """Where the newest picture seems to show a hand or a cover: (N, 2), x and y in its pixels."""
        return self._changes.hidden_places()

    @property
    def displaced(self) -> bool:
        """Whether the board was not found at its place when it last came to rest."""
        return self._place != "home"

    def stay(self, t: float) -> GateState:
        """The board is at its place, since somebody has measured it in the last picture: only its light has changed."""
        assert self._state is not None
        self._changes.stay()
        self._place, self._placed = "home", True
        if self._slow:
            return self._alone(t)
        self._state = replace(self._state, word="moving", since=t)
        return self._state

    def evened(self, small: Image) -> Image:
        """The newest small picture (h, w) as the light of the settled board would show it."""
        return self._changes.evened(small)

    def see(self, small: Image, t: float, dropped: int = 0) -> GateState:
        """Look at one small grey picture (h, w) taken at `t` seconds, the next after `dropped` lost ones.

        A source that loses frames is not a slow one: what happened meanwhile shows in the pictures that follow.
        Raises `BadInput` when its size is not the region's or that of the pictures before it.
        """
        if self._state is None:
            return self._first(small, t)
        slow_before, self._slow = self._slow, self._is_slow(t, dropped)
        self._t = t
        seen = self._changes.look(small)
        if self._slow and slow_before:
            self._place = self._changes.place()
            self._changes.settle()
            return self._alone(t)
        calm = self._calm_since(seen, t)
        obstacle = self._lasting.of(seen.obstacle, t)
        resting = t - calm >= GATE.rest_seconds - GATE.rounding
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
        self._t = t
        if not self._live:
            return self._alone(t)
        self._settled, self._state = False, GateState("moving", t, t)
        return self._state

    def _is_slow(self, t: float, dropped: int) -> bool:
        """Whether the source made no picture for too long to tell of motion; one that was lost is no such pause."""
        return not dropped and t - self._t >= GATE.slow_seconds - GATE.rounding

    def _calm_since(self, seen: Difference, t: float) -> float:
        """When anything last moved, this picture included. After a motion the board is neither settled nor placed."""
        assert self._state is not None
        if seen.stirred:
            self._stirred = t
        self._unread |= seen.over_surface
        if not seen.moved and (self._settled or not self._slow):
            return self._state.calm
        self._placed = self._settled = self._doubted = False
        return t

    def _follow(self, t: float) -> None:
        """Take a slow change of light for the board, now and then."""
        if t - self._followed >= GATE.follow_seconds:
            self._changes.follow()
            self._followed = t

    def _is_no_hand(self) -> bool:
        """Whether what seems a hand is the place of one that has left. It is asked once in each calm."""
        asked, self._doubted = self._doubted, True
        return not asked and self._changes.hand_has_left()

    def _beside(self, seen: Difference, obstacle: Obstacle | None, t: float) -> float | None:
        """Since when the discs rest beside a hand; None while there is no hand, it is over the board, or discs move."""
        assert self._state is not None
        if obstacle != "hand":
            return None
        hand_beside = seen.obstacle == "hand" and seen.is_beside
        if hand_beside and self._unread and t - self._stirred >= GATE.beside_seconds - GATE.rounding:
            return self._rest_beside(t)
        if seen.stirred or (seen.obstacle == "hand" and not seen.is_beside):
            return None
        return self._state.resting_beside

    def accept(self, t: float, *, light: bool = False) -> GateState:
        """Take the last picture for the whole board at its place, since somebody has read it: the gate was wrong.

        It saw a thing that is left there, or only `light`.
        """
        self._changes.accept(light=light)
        self._place = "home"
        return self._alone(t)

    def _alone(self, t: float) -> GateState:
        """Judge the picture by itself, without those before it: it is still, unless the camera moved."""
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
        """Settle the board as it is beside a hand, if it is at its place: the discs rest since now."""
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
    """Believes in an obstacle once it has been seen for a while, until it has not been seen for a while."""

    def __init__(self) -> None:
        self._believed: Obstacle | None = None
        self._seen: Obstacle | None = None  # the candidate
        self._first = self._last = 0.0

    def of(self, obstacle: Obstacle | None, t: float) -> Obstacle | None:
        """What to believe, having just seen `obstacle`."""
        if obstacle == self._believed:
            self._seen, self._first, self._last = obstacle, t, t
        elif obstacle is None:
            self._seen = None
            if t - self._last >= GATE.leave_seconds - GATE.rounding:
                self._believed = None
        else:
            if obstacle != self._seen:
                self._seen, self._first = obstacle, t
            if t - self._first >= GATE.enter_seconds - GATE.rounding:
                self._believed, self._last = obstacle, t
        return self._believed
