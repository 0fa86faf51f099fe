"""A Swiss: of all ways to pair everybody, the one with exactly the least faults.

Points are those of the standings (`Play.counts`). These are the faults, the worst first; no number of lesser faults
outweighs a greater one:

1. two who have met meet again (never, unless the format allows it as a last resort);
2. a bye for one who has had one, while another has not (FIDE Handbook C.04.1, Basic rules for Swiss Systems);
3. a bye for one with more points than another (scorekinole, TIEBREAKER.md; FIDE Handbook C.04.3, Dutch System);
4. two meet who both have at least two starts more than their opponents had, or both at least two fewer (FIDE Handbook
   C.04.3, Dutch System, criterion C.3: two with the same absolute colour preference do not meet);
5. the squares of the differences in points;
6. within equal points, distance from the upper half against the lower half, or from neighbours; the bye from the last.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from controller.club.errors import TournamentError
from controller.club.tournament.formats import Count, in_form
from controller.club.tournament.rounds import RoundPaired
from controller.club.tournament.stages import (
    Draw,
    Faults,
    StageKind,
    check_round_left,
    check_two,
    min_cost_pairs,
    with_starters,
)
from controller.club.tournament.standings import Ranking, scores_of
from controller.club.tournament.state import TournamentState
from controller.messages import marked, say

Within = Literal["halves", "neighbours"]
Rematches = Literal["never", "last_resort"]
MOST_STARTS = 2
"""More starts than the opponents had, or fewer. From this difference on a colour preference is absolute (FIDE Handbook
C.04.3, Dutch System, A.6: greater than +1 or less than -1)."""


@dataclass
class Field:
    """The input of a draw, by points and then by seeds. The bye, if there is one, comes last. `met`: each entrant's
    opponents so far; `starts`: how many more matches it started than its opponents did."""

    points: Sequence[int]
    met: Sequence[frozenset[int]]
    byes: Sequence[int]
    starts: Sequence[int]
    within: Within = "halves"

    def __post_init__(self) -> None:
        self.size = len(self.points) + len(self.points) % 2  # how many to pair, the bye included
        self._half = {points: number // 2 for points, number in Counter(self.points).items()}

    def cost(self, u: int, v: int) -> Faults:
        """The faults of pairing u with v: u is placed higher, or v is the bye."""
        if v == len(self.points):
            return 0, self.byes[u], self.points[u] - min(self.points), 0, 0, (v - 1 - u) ** 2
        apart = self.points[u] - self.points[v]
        ideal = self._half[self.points[u]] if self.within == "halves" and not apart else 1
        low, high = sorted((self.starts[u], self.starts[v]))
        same_start = low >= MOST_STARTS or high <= -MOST_STARTS
        return v in self.met[u], 0, 0, same_start, apart**2, (v - u - ideal) ** 2


@dataclass(frozen=True, slots=True)
class Swiss(StageKind):
    """Everybody meets opponents with about as many points, and nobody twice. With an odd number one has a bye.

    `within` a group of equal points the upper half meets the lower half (FIDE Handbook C.04.3, Dutch System), or
    neighbours in the standings meet (Monrad). If not everybody can be paired without a rematch, `rematches` decides:
    "last_resort" draws one, "never" refuses the draw. A late arrival has no points for the rounds before."""

    title: ClassVar[str] = marked("Swiss")
    byes_score: ClassVar[bool] = True
    rounds: Count = field(default=5, metadata=in_form(marked("Rounds of the stage")))
    within: Within = field(
        default="halves",
        metadata=in_form(
            marked("Who meets among those with equal points"),
            halves=marked("upper half and lower half"),
            neighbours=marked("neighbours in the standings"),
        ),
    )
    rematches: Rematches = field(
        default="never",
        metadata=in_form(
            marked("A second meeting"), never=marked("never"), last_resort=marked("only where nothing else is left")
        ),
    )
    type: Literal["swiss"] = "swiss"

    def draw(self, state: TournamentState) -> Draw:
        """The next round. Raises `TournamentError` if two would have to meet again and the format does not allow it."""
        check_round_left(state, self.rounds)
        here = state.here(state.stage.entrants)
        check_two(here)
        points = Ranking(scores_of(state, state.stage.number)).points
        order = sorted(here, key=lambda entrant: -points[entrant])  # equals stay in the order of their seeds
        field = field_of(state, self, order, points)
        found = min_cost_pairs(field.size, field.cost) or []
        pairs = [(u, v) for u, v in found if v < len(order)]
        again = [(u, v) for u, v in pairs if v in field.met[u]]
        if again and self.rematches == "never":
            raise TournamentError(
                say(
                    "Not everybody can be paired without a second meeting. End this stage here, or allow second "
                    "meetings as a last resort."
                )
            )
        byes = tuple(order[u] for u, v in found if v == len(order))
        return (
            RoundPaired(with_starters(state, ((order[u], order[v]) for u, v in pairs)), byes),
            tuple(say("{a} and {b} meet again.", a=state.labels[order[u]], b=state.labels[order[v]]) for u, v in again),
        )

    def all_drawn(self, state: TournamentState) -> bool:
        """Whether all rounds are paired; drawing one to find out takes long."""
        return len(state.rounds_of(state.stage.number)) >= self.rounds

    def may_meet(self, state: TournamentState, stage: int, entrant: str, other: str) -> bool:
        return not state.meetings(stage)[frozenset((entrant, other))]


def field_of(state: TournamentState, form: Swiss, order: Sequence[str], points: Counter[str]) -> Field:
    """The field of the next round for entrants in this order."""
    met, byes, starts = state.meetings(state.stage.number), state.byes_of(state.stage.number), state.starts_of()
    return Field(
        [points[entrant] for entrant in order],
        [frozenset(k for k, other in enumerate(order) if met[frozenset((entrant, other))]) for entrant in order],
        [byes[entrant] for entrant in order],
        [sum(starts[entrant]) for entrant in order],
        form.within,
    )
