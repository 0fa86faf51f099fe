"""The result of a draw: pairs and byes; and who starts in each pair, fairly."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import rustworkx

from controller.club.tournament.errors import Message

Costs = Sequence[Sequence[int | None]]  # a symmetric matrix: the cost of each pair, None if the two can't be paired


def min_cost_pairs(costs: Costs) -> list[tuple[int, int]] | None:
    """The pairs (low, high) of least total cost, in order; None if not everybody can be paired.

    Costs are whole numbers below 10^30, so that the answer is exact. Equal costs give equal pairs each time.
    """
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(costs)))
    graph.add_edges_from(
        [(u, v, cost) for v, row in enumerate(costs) for u, cost in enumerate(row[:v]) if cost is not None]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int.__neg__)
    if 2 * len(found) < len(costs):
        return None
    return sorted((min(pair), max(pair)) for pair in found)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entrants who are to meet. With `sides_fixed` the first starts."""

    a: str
    b: str
    group: int = 0
    slot: str = ""
    sides_fixed: bool = False

    @property
    def sides(self) -> tuple[str, str]:
        return self.a, self.b


@dataclass(frozen=True, slots=True)
class Draw:
    """The pairs of a round, the most important first, the entrants with a bye, and notes for the organiser."""

    pairs: tuple[Pair, ...]
    byes: tuple[str, ...] = ()
    notes: tuple[Message, ...] = ()
    on_boards: bool = False  # whether the pairs belong on the boards in their order, as the tables of a ladder do


def assign_starters(pairs: Iterable[Pair], starts: Mapping[str, Sequence[int]]) -> list[Pair]:
    """The pairs with the starter first; `starts` has 1 for each match that an entrant started, else -1.

    The first of these that decides:

    1. who has started less often;
    2. who did not start when, counting back, the two last differed;
    3. in the first, third, fifth pair the first, in the others the second, has the choice: to start if it did not start
       its last match or has played none.

    Source: FIDE Handbook C.04.3, Dutch System, on the allocation of colours.
    """
    return [
        pair
        if pair.sides_fixed or _first_starts(starts[pair.a], starts[pair.b], k)
        else replace(pair, a=pair.b, b=pair.a)
        for k, pair in enumerate(pairs)
    ]


def _first_starts(a: Sequence[int], b: Sequence[int], k: int) -> bool:
    if sum(a) != sum(b):
        return sum(a) < sum(b)
    for own, other in zip(reversed(a), reversed(b), strict=False):
        if own != other:
            return own < other
    if a and b:
        return a[-1] < 0 if k % 2 == 0 else a[-1] > 0
    return k % 2 == 0
