"""The lookout's observations, and its diagnostic figures."""

from dataclasses import dataclass

from controller.vision.film.film import Film
from controller.vision.readings import BoardReading
from controller.vision.watching.gate import Word
from hardware.devices import Image


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
    read_seconds: float = 0.0
    frozen_seconds: float = 0.0  # since any pixel changed: over a second, a live camera is stuck

    @property
    def ms_per_gate(self) -> float:
        """The gate's mean time for a frame, in milliseconds."""
        return 1000 * self.gate_seconds / max(1, self.frames)

    @property
    def ms_per_read(self) -> float:
        """The mean time in milliseconds from fetching a full picture to its reading."""
        return 1000 * self.read_seconds / max(1, self.readings)
