"""One hypothesis of what happened between two boards, with what became of each disc."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from controller import rules
from controller.match.state import MatchState
from controller.referee.model.evidence import TABLE, nats, nats_not
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


STRUCK = ("moved", "off", "into hole")
"""What a shot does to a disc that it strikes, as the table of evidence has it."""


def as_a_whole(state: MatchState, told: Explanation) -> float:
    """What one shot costs beyond what became of each disc by itself.

    Nearly every shot strikes an opponents' disc where one lies, however few lie there; and where its own disc ends goes
    with that: one that missed flies on, over the edge.
    """
    if len(told.shots) != 1:
        return 0.0
    side = told.shots[0].to_shoot
    theirs = [n for n in told.known if n in state.on_board and state.side_of(n) != side]
    strikes = any(told.known[n].became in ("moved", "off", "hole") for n in theirs)
    end = told.shot[0]
    rests = "rests" if end.place is None or end.place.pose == "flat" else "in hole"
    how = {"off": "off", "hole": "in hole"}.get(end.became, rests)
    cost = nats(f"shot {how}, {'open' if not theirs else 'struck' if strikes else 'missed'}") - nats(f"shot {how}")
    if theirs:
        clear = math.log1p(-sum(TABLE[f"struck {what}"].value for what in STRUCK)) * len(theirs)
        cost += nats("strikes") + math.log(-math.expm1(clear)) if strikes else nats_not("strikes") + clear
    return cost
