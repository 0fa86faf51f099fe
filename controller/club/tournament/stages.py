"""The interface of every kind of stage: how its rounds are drawn and its entrants ranked; who starts in each pair,
fairly; and the pairs with the least faults.

>>> min_cost_pairs(4, lambda u, v: (v - u,))
[(0, 1), (2, 3)]
>>> min_cost_pairs(4, lambda u, v: (v - u != 2, v - u))  # a greater fault first
[(0, 2), (1, 3)]
>>> min_cost_pairs(4, lambda u, v: (1,) if v == 3 else None) is None
True
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import mul
from typing import Any

import rustworkx

from controller.club.errors import StageOver, TournamentError
from controller.club.tournament.formats import StageFormat
from controller.club.tournament.rounds import RoundPaired
from controller.club.tournament.state import Pairing, TournamentMatch, TournamentState
from controller.messages import Message, counted, say

Draw = tuple[RoundPaired, tuple[Message, ...]]
"""A round without boards, the most important pairs first, and notes for the organiser."""


def with_starters(state: TournamentState, pairs: Iterable[tuple[str, str]]) -> tuple[Pairing, ...]:
    """The pairs with the starter first.

    The first of these that decides:

    1. who has started less often;
    2. who did not start when, counting back, the two last differed;
    3. in the first, third, fifth pair the first, in the others the second, has the choice: to start if it did not start
       its last match or has played none.

    Source: FIDE Handbook C.04.3, Dutch System, on the allocation of colours."""
    starts = state.starts_of()
    return tuple(
        Pairing((a, b) if _first_starts(starts[a], starts[b], k) else (b, a)) for k, (a, b) in enumerate(pairs)
    )


def _first_starts(a: Sequence[int], b: Sequence[int], k: int) -> bool:
    if sum(a) != sum(b):
        return sum(a) < sum(b)
    for own, other in zip(reversed(a), reversed(b), strict=False):
        if own != other:
            return own < other
    if a and b:
        return a[-1] < 0 if k % 2 == 0 else a[-1] > 0
    return k % 2 == 0


class StageKind(StageFormat):
    """How a kind of stage is drawn and ranked. A new kind is a frozen dataclass in a module of its own, a line in
    `catalogue.STAGES`, and the words of its own criterion, if it has one."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        cls.kinds[cls.__name__] = cls

    def draw(self, state: TournamentState) -> Draw:
        """The next round. Raises `StageOver` after the last one, and `TournamentError` with what to do."""
        raise NotImplementedError

    def all_drawn(self, state: TournamentState) -> bool:
        """Whether no round is left to draw."""
        try:
            self.draw(state)
        except StageOver:
            return True
        except TournamentError:
            pass
        return False

    def groups(self, state: TournamentState, order: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """The pools that these entrants begin in, the best seed first; `state` before the stage begins."""
        return (tuple(order),)

    def own_ranking(self, state: TournamentState, stage: int) -> Mapping[str, Mapping[str, Any]]:
        """The criteria that rank this stage in place of the format's, with each entrant's value; more is better."""
        return {}

    def may_meet(self, state: TournamentState, stage: int, entrant: str, other: str) -> bool:
        """Whether the two may meet without a draw, when somebody arrives late or leaves."""
        return False

    def displaced(self, state: TournamentState, stage: int) -> list[TournamentMatch]:
        """Matches that no longer fit, because an earlier result was corrected."""
        return []

    def leavers(self, state: TournamentState, stage: int) -> tuple[set[str], list[tuple[str, str]]]:
        """The entrants whose matches do not count because they left, and (winner, leaver) of each forfeited match."""
        return set(), []


def stage_kind(state: TournamentState, stage: int | None = None) -> StageKind:
    """The kind of a stage of the format; None: of the running one. Raises `TournamentError` before the first."""
    kind = state.known_format.stages[state.stage.number if stage is None else stage]
    assert isinstance(kind, StageKind)
    return kind


def check_round_left(state: TournamentState, rounds: int | None) -> None:
    """Raises `StageOver` if the running stage has had all its rounds; None: it has no fixed number."""
    if rounds is not None and len(state.rounds_of(state.stage.number)) >= rounds:
        raise StageOver(counted("The only round is paired.", "All {n} rounds are paired.", rounds))


def check_two(entrants: Sequence[str]) -> None:
    """Raises `TournamentError` unless there are two."""
    if len(entrants) < 2:
        raise TournamentError(say("A match needs two entrants; add some."))


Faults = tuple[int, ...]
"""What is wrong with a pair, the worst kind of fault first: no number of lesser faults outweighs a greater one."""
Cost = Callable[[int, int], Faults | None]
"""The faults of a pair, the lower number first; None if the two can't be paired."""


def min_cost_pairs(size: int, cost: Cost) -> list[tuple[int, int]] | None:
    """The pairs (low, high) of the numbers below `size` with the least faults in total, in order; None if not everybody
    can be paired. Faults are whole numbers from 0, the products of what they sum up to below 10^36, so that the answer
    is exact. Equal faults give equal pairs each time."""
    priced = [(u, v, faults) for v in range(size) for u in range(v) if (faults := cost(u, v)) is not None]
    units, unit = list[int](), 1
    for kind in zip(*(reversed(faults) for _, _, faults in priced), strict=True):
        units.append(unit)
        unit *= size // 2 * max(kind) + 1
    graph: rustworkx.PyGraph[int, Faults] = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(priced)
    found = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=lambda faults: -sum(map(mul, reversed(faults), units))
    )
    if 2 * len(found) < size:
        return None
    return sorted((min(pair), max(pair)) for pair in found)


def min_cost_assignment(size: int, cost: Callable[[int, int], Faults]) -> list[int]:
    """For each of `size` things the one of `size` others that it gets, with the least faults in total."""
    found = min_cost_pairs(2 * size, lambda one, other: cost(one, other - size) if one < size <= other else None)
    return [other - size for _, other in found or []]
