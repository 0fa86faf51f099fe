"""One hypothesis of what happened between two boards, with what became of each disc."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller import rules
from controller.match.state import MatchState
from controller.referee.model.evidence import TABLE, mm, nats, nats_not
from controller.referee.model.observation import Observation
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT

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


@dataclass(slots=True)
class Account:
    """One disc to be accounted for. `at` gives what each column may mean, `unseen` the fates without a column."""

    name: str
    at: Callable[[int], list[Fate]]
    unseen: list[Fate]
    number: int = -1  # of the shot
    fates: list[list[Fate]] = field(default_factory=list)

    def ends(self, column: int | None) -> list[Fate]:
        """Its fates with this column, the likeliest first."""
        return sorted(self.unseen if column is None else self.fates[column], key=lambda f: f.cost)


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
    def still(self) -> dict[str, SeenDisc]:
        """The known discs that lie where they were, each as it lies now."""
        return {n: f.place for n, f in self.known.items() if f.became == "stays" and f.place is not None}

    @property
    def must_wait(self) -> bool:
        """Whether a later reading will show more: what is missing or strange may be a hand's, or under it."""
        return self.may_be_hidden or bool(self.seen.reading.obstructed and self.strange)

    @property
    def may_be_hidden(self) -> bool:
        """Whether what is missing may lie under a hand, or in the ditch under it."""
        fates = (*self.known.values(), *self.shot)
        gone = [f for f in fates if f.place is None and f.became != "nothing" and not (f.became == "lifted" and f.seen)]
        return bool(self.seen.reading.obstructed and (gone or len(self.shots) > 1))

    @property
    def contradicts(self) -> bool:
        """Whether discs lie there that the match can't have, by what was concluded earlier."""
        return bool(self.strange) or self.seen.foreign

    def became(self, *what: Became) -> list[str]:
        """The known discs that became one of these."""
        return [name for name, fate in self.known.items() if fate.became in what]


STRUCK = ("moved", "off", "into hole")
"""What a shot does to a disc that it strikes, as the table of evidence has it."""
ASTRAY = TABLE["shot astray"].value
REACHES = TOURNAMENT.fifteen_line + TOURNAMENT.line_width / 2 + TOURNAMENT.disc.radius
INSIDE = (1 - ASTRAY) * -math.expm1(-((REACHES / mm("shot from hole")) ** 2) / 2)
INSIDE += ASTRAY * (REACHES / TOURNAMENT.surface_radius) ** 2
BY_CHANCE = TABLE["shot in hole"].value + TABLE["shot rests"].value * INSIDE
"""How many shots end in the hole or reach the 15, wherever opponents' discs lie."""


def as_a_whole(opponents: int, *, strikes: bool, end: Fate) -> float:
    """What a shot costs beyond what became of each disc by itself; `opponents` of its opponents' discs lay there.

    Most shots do what they have to: strike an opponents' disc where one lies, however few lie there, and end in the
    middle where none does. And where the disc that was shot ends goes with that: one that missed flies on, over the
    edge.
    """
    how = "rests"
    if end.became in ("off", "hole") or (end.place is not None and end.place.pose != "flat"):
        how = "off" if end.became == "off" else "in hole"
    clear = (1 - sum(TABLE[f"struck {what}"].value for what in STRUCK)) ** opponents
    inside = how == "in hole" or (end.place is not None and rules.reaches_fifteen(end.place.x, end.place.y))
    by_chance, good = (1 - clear, strikes) if opponents else (BY_CHANCE, inside)
    if good:
        return nats("good") + math.log(by_chance)
    return nats_not("good") + math.log1p(-by_chance) + nats(f"shot {how}, missed") - nats(f"shot {how}")


def of_one_shot(state: MatchState, told: Explanation) -> float:
    """What its one shot costs as a whole; of several shots that depends on which of them moved which disc."""
    if len(told.shots) != 1:
        return 0.0
    side = told.shots[0].to_shoot
    theirs = [n for n in told.known if n in state.measured and n not in state.to_remove and state.side_of(n) != side]
    strikes = any(told.known[n].became in ("moved", "off", "hole") for n in theirs)
    return as_a_whole(len(theirs), strikes=strikes, end=told.shot[0])


def course(current: rules.Round, shots: int) -> list[rules.Round]:
    """The round as it stands, and then after each of so many further shots, as far as it lasts."""
    rounds = [current]
    while len(rounds) <= shots and not rounds[-1].complete:
        before = rounds[-1]
        disc = f"{before.to_shoot}{len(before.shots)}?"
        rounds.append(before.play(rules.Shot(str(before.to_shoot), disc, (), {disc: rules.DITCH})))
    return rounds
