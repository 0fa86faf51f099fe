"""Which disc ended where, between two boards at rest: outcomes, and one best assignment of them to what was seen."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from controller import rules
from controller.match.state import MatchState
from controller.referee.evidence import TABLE, cost_of, cost_of_absence, mm
from controller.referee.observation import Observation
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT

Became = Literal[
    "stays", "moved", "nudged", "off", "hole", "taken", "lifted", "overlooked", "back", "ready", "strange", "nothing"
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one disc, and what that costs."""

    became: Became
    cost: float
    place: SeenDisc | None = None  # where it lies, on the surface or in the hole
    away: float = 0.0  # mm from where it lay, of one that lies on the surface
    seen: bool = True  # its end was seen, in the ditch or by the sensor where it lies no more


@dataclass(frozen=True, slots=True)
class AssignmentRow:
    """One disc: its outcomes for each column, and those without one."""

    name: str
    outcomes: Sequence[Sequence[Outcome]]
    unseen: Sequence[Outcome]
    number: int = -1  # of the shot

    def ends(self, column: int | None) -> list[Outcome]:
        """Its outcomes with this column, the likeliest first."""
        return sorted(self.unseen if column is None else self.outcomes[column], key=lambda f: f.cost)


@dataclass(frozen=True, slots=True)
class InferredShot:
    """One shot: what it touched and where each disc that it moved came to rest."""

    side: str
    disc: str
    rest: Mapping[str, SeenDisc | None]  # None for off the surface
    contacts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Association:
    """So many shots with one assignment: what became of each disc."""

    shots: tuple[rules.Round, ...]  # the round before each shot
    known: Mapping[str, Outcome]
    shot: tuple[Outcome, ...]  # of the disc of each shot
    ready: tuple[SeenDisc, ...]
    strange: tuple[SeenDisc, ...]
    cost: float
    seen: Observation
    others: tuple[tuple[str, int, Outcome], ...] = ()  # other outcomes: of a known disc, or "" and the shot's number

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
        outcomes = (*self.known.values(), *self.shot)
        gone = [
            f for f in outcomes if f.place is None and f.became != "nothing" and not (f.became == "lifted" and f.seen)
        ]
        return bool(self.seen.reading.obstructed and (gone or len(self.shots) > 1))

    @property
    def contradicts(self) -> bool:
        """Whether discs lie there that the match can't have, by what was concluded earlier."""
        return bool(self.strange) or self.seen.foreign

    def became(self, *what: Became) -> list[str]:
        """The known discs that became one of these."""
        return [name for name, outcome in self.known.items() if outcome.became in what]


MOVED_BY_SHOT: tuple[Became, ...] = ("moved", "off", "hole")
STRUCK = ("moved", "off", "into hole")
"""What a shot does to a disc that it strikes, as the table of evidence has it."""
ASTRAY = TABLE["shot astray"].value
REACHES = TOURNAMENT.fifteen_line + TOURNAMENT.line_width / 2 + TOURNAMENT.disc.radius
INSIDE = (1 - ASTRAY) * -math.expm1(-((REACHES / mm("shot from hole")) ** 2) / 2)
INSIDE += ASTRAY * (REACHES / TOURNAMENT.surface_radius) ** 2
BY_CHANCE = TABLE["shot in hole"].value + TABLE["shot rests"].value * INSIDE
"""How many shots end in the hole or reach the 15, wherever opponents' discs lie."""


def cost_of_whole_shot(opponents: int, *, strikes: bool, end: Outcome) -> float:
    """What a shot costs beyond what became of each disc by itself; `opponents` of its opponents' discs lay there.

    Most shots do what they have to: strike an opponent's disc where one lies, however few lie there, and end in the
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
        return cost_of("good") + math.log(by_chance)
    return cost_of_absence("good") + math.log1p(-by_chance) + cost_of(f"shot {how}, missed") - cost_of(f"shot {how}")


def cost_of_one_shot(state: MatchState, association: Association) -> float:
    """What its one shot costs as a whole; of several shots that depends on which of them moved which disc."""
    if len(association.shots) != 1:
        return 0.0
    side = association.shots[0].to_shoot
    theirs = [
        n for n in association.known if n in state.measured and n not in state.to_remove and state.side_of(n) != side
    ]
    strikes = any(association.known[n].became in MOVED_BY_SHOT for n in theirs)
    return cost_of_whole_shot(len(theirs), strikes=strikes, end=association.shot[0])


def course(current: rules.Round, shots: int) -> list[rules.Round]:
    """The round as it stands, and then after each of so many further shots, as far as it lasts."""
    rounds = [current]
    while len(rounds) <= shots and not rounds[-1].complete:
        before = rounds[-1]
        disc = f"{before.to_shoot}{len(before.shots)}?"
        rounds.append(before.play(rules.Shot(str(before.to_shoot), disc, (), {disc: rules.DITCH})))
    return rounds
