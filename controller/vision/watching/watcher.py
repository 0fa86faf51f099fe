"""Frames in, observations out: the gate sees every small picture, the reader a full one whenever the board has settled.

No threads and no clock: whoever owns the camera calls `see` for each frame, and time is the frame's own.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from controller.errors import BadInput
from controller.vision.reading.light import noisy
from controller.vision.readings import BoardReading
from controller.vision.watching.gate import ROUNDING, Gate, GateState, Word
from hardware.devices import Frame, Image

BETWEEN_READINGS = 0.4  # seconds at least: a slow computer must still see every frame's small picture
STUCK_SECONDS = 15.0  # longer than anybody aims: what keeps so still is no hand, or a shadow, or left on the board
ENDLESS_SECONDS = 30.0  # in which hands never left the board: three times what slow players need for a shot
FROZEN_SECONDS = 0.5  # of the same picture: shots may have been missed
CALM_SECONDS = 1.0  # without a stir, to look anyway
AGAIN_SECONDS = 5.0  # between two such looks: a full reading each

Reader = Callable[[Image, float, str], BoardReading]
"""(full picture, its time, its name) -> what it shows; raises `BadInput` for a picture that can't be read."""


@dataclass(frozen=True, slots=True)
class GateChanged:
    """The gate has a new word."""

    t: float
    word: Word


@dataclass(frozen=True, slots=True)
class DiscRolled:
    """Something rolled over the board that no hand held: once for whatever rolls at the same time.

    `arms` are the directions from the hole of the arms that reached in just then, degrees in the board frame.
    """

    t: float
    arms: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardRead:
    """The board had settled and was read."""

    t: float
    reading: BoardReading
    picture: Image  # the full frame that was read: the evidence


@dataclass(frozen=True, slots=True)
class ReadingFailed:
    """The board had settled, but its picture can't be read; `text` says why and what helps."""

    t: float
    text: str
    picture: Image


Observation = GateChanged | DiscRolled | BoardRead | ReadingFailed


@dataclass(slots=True)
class Figures:
    """What the technician wants to know of the watching."""

    frames: int = 0
    dropped: int = 0  # exposures that never arrived, by the gaps in the frames' numbers
    readings: int = 0
    gate_seconds: float = 0.0  # spent in all
    read_seconds: float = 0.0
    frozen_seconds: float = 0.0  # since any pixel changed: a live camera that exceeds a second is stuck

    @property
    def ms_per_gate(self) -> float:
        """Milliseconds that the gate takes for a frame, on average."""
        return 1000 * self.gate_seconds / max(1, self.frames)

    @property
    def ms_per_read(self) -> float:
        """Milliseconds from fetching a full picture to its reading, on average."""
        return 1000 * self.read_seconds / max(1, self.readings)


class Watcher:
    """Watches one camera's frames; see `see`. `timer` only measures how long things take.

    No two `live` pictures in which anything can be seen are the same, if only by their noise: where they are, the
    camera is stuck.

    After a new calibration, as when the camera moved, assign a new `gate` with the new region: the next frame is read.
    """

    def __init__(
        self,
        reader: Reader,
        gate: Gate | None = None,
        timer: Callable[[], float] = time.perf_counter,
        *,
        live: bool = False,
    ) -> None:
        self._live = live
        self.figures = Figures()
        self.gate = gate or Gate()
        self._reader = reader
        self._timer = timer
        self._word: Word | None = None
        self._still_at = -np.inf  # when the gate last said so
        self._small: Image | None = None
        self._number = 0
        self._changed = 0.0  # when the small picture last differed from the one before
        self._repeated = 0  # pictures since then that were the same
        self._read_since: float | None = None  # the still period that was read
        self._restless = 0.0  # seconds of motion since the board was last seen
        self._told_at = 0.0
        self._doubted = False  # the gate took a hand for the board: that will seem one when it leaves
        self._read_at = -np.inf
        self.waits = False
        """Whether pictures are not to be read: the camera has not settled, or the light is not what it is set for."""

    def read_again(self) -> None:
        """Read the board in the next picture that shows it still, although it was read."""
        self._read_since = None

    def see(self, frame: Frame) -> list[Observation]:
        """Look at the next frame. Fetches its full picture only to read it: once in each time of stillness.

        A board is read while a hand stays beside it, too: the reading says what that hides.
        """
        dropped = self._count(frame)
        if self._live and self.figures.frozen_seconds > 0:
            return self._frozen(frame.t)
        began = self._timer()
        state = self.gate.see(frame.small, frame.t, dropped)
        self.figures.gate_seconds += self._timer() - began
        observations: list[Observation] = []
        if self.gate.rolled:
            observations.append(DiscRolled(frame.t))
        word = self._to_tell(state, frame.t)
        if word != self._word:
            self._word = word
            observations.append(GateChanged(state.since if word == state.word else frame.t, word))
        return observations if self.waits else observations + self._look(frame, state)

    def _look(self, frame: Frame, state: GateState) -> list[Observation]:
        """The reading of a board that has come to rest and was not read since, or of one that is seen wrongly."""
        since = state.since if state.word == "still" else state.beside
        rested = frame.t - self._read_at >= BETWEEN_READINGS - ROUNDING
        if since is not None and since != self._read_since and rested:
            self._read_since, self._restless = since, 0.0
            seen = self._read(frame)
            if state.word == "still" and isinstance(seen, BoardRead):
                self._doubted = seen.reading.obstructed
            return [seen]
        if state.word in ("hand", "covered") and self._may_be_wrong(frame.t, state.calm):
            return self._look_anyway(frame, stuck=frame.t - state.calm >= STUCK_SECONDS)
        return []

    def _frozen(self, t: float) -> list[Observation]:
        """A camera that repeats itself shows nothing: least of all that the discs have come to rest."""
        if self.figures.frozen_seconds < FROZEN_SECONDS or self._word == "covered":
            return []
        self._word = "covered"
        return [GateChanged(t, "covered")]

    def _to_tell(self, state: GateState, t: float) -> Word:
        """The gate's word; but after long coming and going over an unseen board nobody knows what happened."""
        if state.word == "still":
            self._still_at, self._restless = t, 0.0
        elif t - state.calm < CALM_SECONDS:
            self._restless += min(t - self._told_at, CALM_SECONDS)
        self._told_at = t
        unwatched = self._restless >= ENDLESS_SECONDS and state.word in ("hand", "moving")
        return "covered" if unwatched else state.word

    def _may_be_wrong(self, t: float, calm: float) -> bool:
        """Nothing has stirred for long, or nobody's hand stays so long: the gate may hold to a wrong picture."""
        stuck = t - max(calm, self._read_at) >= STUCK_SECONDS
        doubted = (self._doubted or t - self._still_at >= ENDLESS_SECONDS) and t - calm >= CALM_SECONDS
        return stuck or (doubted and t - self._read_at >= AGAIN_SECONDS)

    def _look_anyway(self, frame: Frame, *, stuck: bool) -> list[Observation]:
        """What the gate takes for an obstacle has not stirred: if the board can be read in full, it is none.

        Nor is what keeps off the surface and has been `stuck` for long.
        """
        observation = self._read(frame)
        if not isinstance(observation, BoardRead) or observation.reading.obstructed:
            return []
        if observation.reading.hidden and not stuck:
            return []
        state = self.gate.accept(frame.t)
        self._word, self._read_since = state.word, state.since
        return [GateChanged(state.since, state.word), observation]

    def _read(self, frame: Frame) -> BoardRead | ReadingFailed:
        self._read_at = frame.t
        began = self._timer()
        picture = frame.full()
        try:
            return BoardRead(frame.t, self._reader(picture, frame.t, frame.name), picture)
        except BadInput as error:
            return ReadingFailed(frame.t, str(error), picture)
        finally:
            self.figures.readings += 1
            self.figures.read_seconds += self._timer() - began

    def _count(self, frame: Frame) -> int:
        """Keep the figures, and say how many exposures before this one never arrived, repeated ones among them."""
        self.figures.frames += 1
        dropped = max(0, frame.number - self._number - 1) if self._small is not None else 0
        self.figures.dropped += dropped
        if self._small is None or not np.array_equal(self._small, frame.small):
            dropped, self._repeated = dropped + self._repeated, 0
            self._changed = frame.t
        elif not noisy(frame.small):
            self._changed = frame.t
        elif self._live:
            self._repeated += 1
        self.figures.frozen_seconds = frame.t - self._changed
        self._small, self._number = frame.small, frame.number
        return dropped
