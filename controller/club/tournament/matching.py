"""Pairs of least total cost, of all the ways to pair everybody.

>>> cheapest_pairs([[None, 1, 9, 9], [1, None, 9, 9], [9, 9, None, 5], [9, 9, 5, None]])
[(0, 1), (2, 3)]
>>> cheapest_pairs([[None, 1, None, 1], [1, None, None, 1], [None, None, None, None], [1, 1, None, None]]) is None
True
"""

from collections.abc import Sequence
from heapq import nsmallest

from controller.club.tournament.blossom import Blossoms

Costs = Sequence[Sequence[int | None]]
"""A square, the same on both sides of its diagonal: what each pair costs, None where the two can't be paired."""

FIRST_LOOK = 8
"""Pairs. Of each entrant's possible pairs so many are tried first, the cheapest. The others are added where the prices
show that they could help, so this number changes the time and never the answer. Measured with 8: a round of a Swiss
with 400 entrants takes 0.2 to 0.7 s of a laptop's processor, with starters and boards."""


def cheapest_pairs(costs: Costs) -> list[tuple[int, int]] | None:
    """The pairs (low, high) of least total cost, in order; None when not everybody can be paired.

    Costs are whole numbers, so that the answer is exact.
    """
    size = len(costs)
    if size % 2:
        return None
    partners = _partners(costs)
    tried: list[dict[int, int]] = [{} for _ in range(size)]
    look = FIRST_LOOK
    _try_cheapest(tried, partners, look)
    _try_neighbours(tried, costs)
    while True:
        blossoms = Blossoms(tried)
        if blossoms.solve():
            if not _try_what_helps(tried, costs, blossoms):
                return [(u, v) for u, v in enumerate(blossoms.mate) if u < v]
        elif look >= size:
            return None
        else:
            look *= 4
            _try_cheapest(tried, partners, look)


def _partners(costs: Costs) -> list[list[tuple[int, int]]]:
    """For each one (cost, other) of everybody with whom a pair is possible."""
    return [[(cost, v) for v, cost in enumerate(row) if cost is not None and v != u] for u, row in enumerate(costs)]


def _try_cheapest(tried: list[dict[int, int]], partners: list[list[tuple[int, int]]], look: int) -> None:
    for u, row in enumerate(partners):
        for cost, v in nsmallest(look, row):
            tried[u][v] = tried[v][u] = cost


def _try_neighbours(tried: list[dict[int, int]], costs: Costs) -> None:
    """Add the pairs of neighbours in the order, and those of one half against the other.

    With these nearly always everybody can be paired; where the order is that of the standings, often at the least cost.
    """
    size = len(costs)
    near = [(u, v) for u in range(size) for v in range(u + 1, min(size, u + 1 + FIRST_LOOK))]
    for u, v in [*near, *((u, size // 2 + u) for u in range(size // 2))]:
        cost = costs[u][v]
        if cost is not None:
            tried[u][v] = tried[v][u] = cost


def _try_what_helps(tried: list[dict[int, int]], costs: Costs, blossoms: Blossoms) -> bool:
    """Add every pair that is cheaper than the prices allow. False when there is none: the matching is the cheapest."""
    y, found = blossoms.y, False
    for u, row in enumerate(costs):
        limit = y[u]
        for v in range(u):
            cost = row[v]
            if cost is None or 2 * cost >= limit + y[v] or v in tried[u]:
                continue
            if 2 * cost + blossoms.shared(u, v) < limit + y[v]:
                tried[u][v] = tried[v][u] = cost
                found = True
    return found
