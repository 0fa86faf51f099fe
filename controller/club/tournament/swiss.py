"""Draws of a Swiss: of all ways to pair everybody the one of least cost, exactly.

Points are those of the standings (`Play.counts`). These faults cost, the worst first; no number of lesser faults
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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from controller.club.tournament.drawn import Draw, Pair
from controller.club.tournament.errors import Message, NoPairing, NotNow, StageOver, counted, say
from controller.club.tournament.formats import Swiss, Within
from controller.club.tournament.matching import cheapest_pairs
from controller.club.tournament.ranking import Table, scores_of
from controller.club.tournament.state import State

MOST_STARTS = 2
"""More starts than the opponents had, or fewer. From this difference on a colour preference is absolute (FIDE Handbook
C.04.3, Dutch System, A.6: greater than +1 or less than -1)."""


@dataclass(frozen=True)
class Field:
    """What a draw looks at, in the order of points and then of seeds. The bye, where there is one, comes last.

    `met` holds for each the opponents so far, `starts` how many more matches it started than its opponents did.
    """

    points: Sequence[int]
    met: Sequence[frozenset[int]]
    byes: Sequence[int]
    starts: Sequence[int]
    within: Within = "halves"

    @property
    def size(self) -> int:
        """How many there are to pair, the bye included."""
        return len(self.points) + len(self.points) % 2

    @cached_property
    def _half(self) -> Mapping[int, int]:
        """Half the number of entrants who have so many points, by points."""
        return {points: number // 2 for points, number in Counter(self.points).items()}

    @cached_property
    def rematch(self) -> int:
        """What a second meeting costs: more than all other faults that a draw can have, together."""
        return self._again * (max(self.byes) - min(self.byes) + 1)

    @cached_property
    def _point(self) -> int:
        return self.size**3  # more than all distances in a draw: n / 2 squares, each below n squared

    @cached_property
    def _start(self) -> int:
        return self._point * (self.size * self._spread**2 + 1)

    @cached_property
    def _bye(self) -> int:
        return self._start * self.size

    @cached_property
    def _again(self) -> int:
        return self._bye * (self._spread + 1)

    @cached_property
    def _spread(self) -> int:
        return max(self.points) - min(self.points)

    def costs(self) -> list[list[int | None]]:
        """What each pair costs."""
        costs: list[list[int | None]] = [[None] * self.size for _ in range(self.size)]
        for v in range(self.size):
            for u in range(v):
                costs[u][v] = costs[v][u] = self.bye_cost(u) if v == len(self.points) else self.cost(u, v)
        return costs

    def bye_cost(self, u: int) -> int:
        """What it costs to leave this one free."""
        again = self.byes[u] - min(self.byes)
        behind = len(self.points) - 1 - u
        return self._again * again + self._bye * (self.points[u] - min(self.points)) + behind**2

    def cost(self, u: int, v: int) -> int:
        """What the pair costs, u being the better placed."""
        apart = self.points[u] - self.points[v]
        ideal = self._half[self.points[u]] if self.within == "halves" and not apart else 1
        cost = self._point * apart**2 + (v - u - ideal) ** 2
        if v in self.met[u]:
            cost += self.rematch
        a, b = self.starts[u], self.starts[v]
        if (a >= MOST_STARTS and b >= MOST_STARTS) or (a <= -MOST_STARTS and b <= -MOST_STARTS):
            cost += self._start
        return cost


def draw(state: State, form: Swiss) -> Draw:
    """The next round. Raises `StageOver` after the last round, `NotNow` for fewer than two entrants, and `NoPairing`
    where two would have to meet again and the format does not allow it."""
    points = _points(state, _to_pair(state, form))
    order = list(points)
    field = field_of(state, form, order, list(points.values()))
    found = cheapest_pairs(field.costs()) or []
    again = [(order[u], order[v]) for u, v in found if v < len(order) and v in field.met[u]]
    if again and form.rematches == "never":
        raise NoPairing(
            say(
                "Everybody can't be paired without a second meeting. End this stage here, or allow second meetings as "
                "a last resort."
            )
        )
    return Draw(
        tuple(Pair(order[u], order[v]) for u, v in found if v < len(order)),
        tuple(order[u] for u, v in found if v == len(order)),
        _meet_again(state, again),
    )


def _to_pair(state: State, form: Swiss) -> list[str]:
    """Everybody who is to be paired. Raises `StageOver` after the last round, `NotNow` for fewer than two."""
    stage = state.stage
    if len(state.rounds_of(stage.number)) >= form.rounds:
        raise StageOver(counted("The only round is paired.", "All {n} rounds are paired.", form.rounds))
    here = state.here(stage.entrants)
    if len(here) < 2:
        raise NotNow(say("A match needs two entrants; add some."))
    return here


def _points(state: State, here: Iterable[str]) -> dict[str, int]:
    """The points of everybody here, the most first; equals stay in the order of their seeds."""
    points = Table(scores_of(state, state.stage.number)).points
    order = sorted(here, key=lambda entrant: -points.get(entrant, 0))
    return {entrant: points.get(entrant, 0) for entrant in order}


def _meet_again(state: State, pairs: Iterable[tuple[str, str]]) -> tuple[Message, ...]:
    """What the organiser is told of second meetings."""
    labels = state.labels
    return tuple(say("{a} and {b} meet again.", a=labels[a], b=labels[b]) for a, b in pairs)


def field_of(state: State, form: Swiss, order: Sequence[str], points: Sequence[int]) -> Field:
    """The field of the next round for entrants in this order."""
    index = {entrant: k for k, entrant in enumerate(order)}
    met: list[set[int]] = [set() for _ in order]
    for pair in state.meetings(state.stage.number):
        a, b = pair
        if a in index and b in index:
            met[index[a]].add(index[b])
            met[index[b]].add(index[a])
    byes, starts = state.byes_of(state.stage.number), state.starts_of()
    return Field(
        points,
        [frozenset(each) for each in met],
        [byes[entrant] for entrant in order],
        [sum(starts[entrant]) for entrant in order],
        form.within,
    )
