"""Which disc ended where between two boards at rest: outcomes, and their assignment to seen ends."""

import math
from collections.abc import Container, Iterator, Mapping, Sequence
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
    """The outcome of one disc, and its cost."""

    became: Became
    cost: float
    place: SeenDisc | None = None  # its place on the surface or in the hole
    away: float = 0.0  # mm from its earlier place, of a disc on the surface
    seen: bool = True  # its end was seen, in the ditch or by the hole's sensor


@dataclass(frozen=True, slots=True)
class AssignmentRow:
    """One disc's outcomes for each column, and last those without one; the likeliest first."""

    name: str
    outcomes: Sequence[Sequence[Outcome]]


@dataclass(frozen=True, slots=True)
class InferredShot:
    """One shot: its contacts, and the resting place of each disc that it moved."""

    side: str
    disc: str
    rest: Mapping[str, SeenDisc | None]  # None for off the surface
    contacts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Association:
    """A number of shots with one assignment: the outcome of each disc."""

    shots: tuple[rules.Round, ...]  # the round before each shot
    known: Mapping[str, Outcome]
    shot: tuple[Outcome, ...]  # of the disc of each shot
    ready: tuple[SeenDisc, ...]
    strange: tuple[SeenDisc, ...]
    cost: float
    likeliest: float  # the cost of its assignment with the likeliest outcome of each disc
    seen: Observation
    ghost: SeenDisc | None = None  # what was read in the empty hole
    felt_alone: bool = False  # no disc explains one that the sensor felt

    @property
    def still(self) -> dict[str, SeenDisc]:
        """The known discs that did not move, as seen now."""
        return {n: f.place for n, f in self.known.items() if f.became == "stays" and f.place is not None}

    def may_be_hidden(self, overlooked: Container[str] = ()) -> bool:
        """Whether a missing disc may be under a hand, on the surface or in the ditch. `overlooked`: the discs that were
        missed on the board before too."""
        outcomes = (*(f for name, f in self.known.items() if name not in overlooked), *self.shot)
        gone = [
            f for f in outcomes if f.place is None and f.became != "nothing" and not (f.became == "lifted" and f.seen)
        ]
        return bool(self.seen.reading.obstructed and (gone or len(self.shots) > 1))

    def became(self, *what: Became) -> list[str]:
        """The known discs with one of these outcomes."""
        return [name for name, outcome in self.known.items() if outcome.became in what]


MOVED_BY_SHOT: tuple[Became, ...] = ("moved", "off", "hole")
STRIKES = sum(TABLE[f"struck {how}"].value for how in ("moved", "off", "into hole"))
"""The probability that a shot strikes a disc, whatever the effect."""
ASTRAY = TABLE["shot astray"].value
REACHES = TOURNAMENT.fifteen_line + TOURNAMENT.line_width / 2 + TOURNAMENT.disc.radius
INSIDE = (1 - ASTRAY) * -math.expm1(-((REACHES / mm("shot from hole")) ** 2) / 2)
INSIDE += ASTRAY * (REACHES / TOURNAMENT.surface_radius) ** 2
BY_CHANCE = TABLE["shot in hole"].value + TABLE["shot rests"].value * INSIDE
"""The share of shots that end in the hole or reach the 15, wherever opponents' discs are."""


def cost_of_whole_shot(opponents: int, *, strikes: bool, end: Outcome) -> float:
    """The cost of a shot beyond the outcomes of single discs; `opponents`: the number of opponents' discs on the board.

    Most shots do what the rules require: they strike an opponent's disc if there is one, and end in the middle if there
    is none. The shot disc's end depends on it: one that missed goes on, over the edge.
    """
    how = "rests"
    if end.became in ("off", "hole") or (end.place is not None and end.place.pose != "flat"):
        how = "off" if end.became == "off" else "in hole"
    clear = (1 - STRIKES) ** opponents
    inside = how == "in hole" or (end.place is not None and math.hypot(end.place.x, end.place.y) <= REACHES)
    by_chance, good = (1 - clear, strikes) if opponents else (BY_CHANCE, inside)
    if good:
        return cost_of("good") + math.log(by_chance)
    return cost_of_absence("good") + math.log1p(-by_chance) + cost_of(f"shot {how}, missed") - cost_of(f"shot {how}")


def cost_of_one_shot(state: MatchState, association: Association) -> float:
    """The cost of a single shot as a whole; with several it depends on which of them moved which disc."""
    if len(association.shots) != 1:
        return 0.0
    side = association.shots[0].to_shoot
    theirs = [
        n for n in association.known if n in state.measured and n not in state.to_remove and state.side_of(n) != side
    ]
    strikes = any(association.known[n].became in MOVED_BY_SHOT for n in theirs)
    return cost_of_whole_shot(len(theirs), strikes=strikes, end=association.shot[0])


def course(current: rules.Round) -> Iterator[rules.Round]:
    """The round before and after each further shot, until it is complete."""
    yield current
    while not current.complete:
        disc = f"{current.to_shoot}{len(current.shots)}?"
        current = current.play(rules.Shot(str(current.to_shoot), disc, (), {disc: rules.DITCH}))
        yield current
