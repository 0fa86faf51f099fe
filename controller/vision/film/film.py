"""The film of a shot: tracks of the discs that moved, what touched what, and what was watched. mm, seconds."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

SHOT = "shot"
"""The name of the shot disc if it is not one of the settled board's."""


@dataclass(frozen=True, slots=True)
class KnownDisc:
    """A disc of the settled board; mm in the board frame."""

    id: str
    colour: str
    x: float
    y: float


Began = Literal["flicked", "struck", "unknown"]
Ended = Literal["rest", "hole", "left", "hand", "lost"]


@dataclass(frozen=True, slots=True)
class Sample:
    """A disc in one picture; `sigma`: the standard error of its place per direction."""

    t: float
    x: float
    y: float
    sigma: float


def way(samples: Sequence[Sample], within: float = math.inf) -> float:
    """The largest distance from the first sample to those up to `within` from the hole, mm."""
    first = samples[0]
    inside = (s for s in samples if math.hypot(s.x, s.y) <= within)
    return max((math.dist((s.x, s.y), (first.x, first.y)) for s in inside), default=0.0)


@dataclass(frozen=True, slots=True)
class Track:
    """The track of one disc."""

    disc: str  # of the settled board, or `SHOT`, `SHOT` 2 ..
    colour: str
    samples: tuple[Sample, ...]
    began: Began
    ended: Ended
    end: tuple[float, float]  # its resting place, where it was last seen, or where it left the surface
    speed: float | None  # at its beginning, mm/s; None if it touched something before it was seen twice
    came_back: bool = False  # left the surface and returned

    @property
    def way(self) -> float:
        """The disc's largest distance from its first sample, mm."""
        return way(self.samples)


@dataclass(frozen=True, slots=True)
class Contact:
    """Two discs touched at `t`."""

    t: float
    discs: tuple[str, str]  # first the disc that caused it
    closing: float  # mm/s along the line of centres; if not seen, the struck disc's speed afterwards
    probability: float


@dataclass(frozen=True, slots=True)
class Span:
    """A period in which the board was seen without gaps."""

    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class Watched:
    """What was watched."""

    spans: tuple[Span, ...]
    unseen_colours: frozenset[str]  # of discs that look like the wood
    hidden: float  # share of the pictures in which hands were over the board


@dataclass(frozen=True, slots=True)
class Film:
    """What was seen between the settled board and rest. `settled`: the discs of that board, whose names tracks and
    contacts use.
    """

    settled: tuple[KnownDisc, ...]
    tracks: tuple[Track, ...]
    contacts: tuple[Contact, ...]
    watched: Watched

    def of(self, disc: str) -> Track | None:
        """The track of a disc, if it moved."""
        return next((track for track in self.tracks if track.disc == disc), None)
