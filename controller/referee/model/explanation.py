"""One hypothesis of what happened between two boards, with what became of each disc."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from controller import rules
from controller.referee.model.observation import Observation
from controller.vision.readings import SeenDisc

Became = Literal[
    "stays", "moved", "nudged", "off", "hole", "taken", "lifted", "overlooked", "back", "ready", "strange", "nothing"
]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one disc, and what that costs."""

    became: Became
    cost: float
    place: SeenDisc | None = None  # where it lies, on the surface or in the hole
    away: float = 0.0  # mm from where it lay, of one that lies on the surface
    seen: bool = True  # its end was seen, in the ditch or by the sensor where it lies no more


@dataclass(frozen=True, slots=True)
class OneShot:
    """One shot as it is told: what it touched and where each disc that it moved came to rest."""

    side: str
    disc: str
    rest: Mapping[str, SeenDisc | None]  # None for off the surface
    contacts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """One hypothesis with the best assignment: what became of each disc."""

    shots: tuple[rules.Round, ...]  # the round before each shot
    known: Mapping[str, Fate]
    shot: tuple[Fate, ...]  # of the disc of each shot
    ready: tuple[SeenDisc, ...]
    strange: tuple[SeenDisc, ...]
    cost: float
    seen: Observation
    others: tuple[tuple[str, int, Fate], ...] = ()  # other fates: of a known disc, or "" and the shot's number

    @property
    def placed(self) -> tuple[SeenDisc, ...]:
        """The discs that lie ready."""
        return self.ready

    def became(self, *what: Became) -> list[str]:
        """The known discs that became one of these."""
        return [name for name, fate in self.known.items() if fate.became in what]
