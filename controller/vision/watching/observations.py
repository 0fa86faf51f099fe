"""What a frame watcher observes, its diagnostic figures, and the frames that it counts into them."""

from dataclasses import dataclass

import numpy as np

from controller.vision.film.film import Film
from controller.vision.reading.light import noisy
from controller.vision.readings import BoardReading
from controller.vision.watching.gate import Word
from hardware.devices import Frame, Image


@dataclass(frozen=True, slots=True)
class GateChanged:
    """The gate has a new word."""

    t: float
    word: Word


@dataclass(frozen=True, slots=True)
class BoardRead:
    """The board had settled and was read."""

    t: float
    reading: BoardReading
    picture: Image  # the full frame that was read: the evidence
    film: Film | None = None  # since the last reading; None if it was not filmed


@dataclass(frozen=True, slots=True)
class ReadingFailed:
    """The board had settled, but its picture can't be read; `text`: the reason and the remedy."""

    t: float
    text: str
    picture: Image


Observation = GateChanged | BoardRead | ReadingFailed


@dataclass(slots=True)
class WatchFigures:
    """Figures for the technician."""

    frames: int = 0
    dropped: int = 0  # lost exposures, by gaps in the frames' numbers
    readings: int = 0
    gate_seconds: float = 0.0  # in total
    film_seconds: float = 0.0
    read_seconds: float = 0.0  # from fetching full pictures to their readings
    frozen_seconds: float = 0.0  # since any pixel changed: over a second, a live camera is stuck


class FrameCount:
    """Counts the frames into `figures`.

    Two `live` pictures that show anything differ at least by noise; if they are equal, the camera is stuck.
    """

    def __init__(self, figures: WatchFigures, *, live: bool) -> None:
        self._figures = figures
        self._live = live
        self._small: Image | None = None
        self._number = 0
        self._changed = 0.0  # when the small picture last differed from the one before
        self._repeated = 0  # equal pictures since then

    @property
    def stuck(self) -> bool:
        """Whether a live camera's newest frame equals the one before it."""
        return self._live and self._figures.frozen_seconds > 0

    def add(self, frame: Frame) -> int:
        """Update the figures, and return how many exposures before this one were lost, repeated ones included."""
        figures = self._figures
        figures.frames += 1
        dropped = max(0, frame.number - self._number - 1) if self._small is not None else 0
        figures.dropped += dropped
        if self._small is None or not np.array_equal(self._small, frame.small):
            dropped, self._repeated = dropped + self._repeated, 0
            self._changed = frame.t
        elif not noisy(frame.small):
            self._changed = frame.t
        elif self._live:
            self._repeated += 1
        figures.frozen_seconds = frame.t - self._changed
        self._small, self._number = frame.small, frame.number
        return dropped
