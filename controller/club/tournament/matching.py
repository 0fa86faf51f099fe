"""Minimum-cost perfect matching.

>>> min_cost_pairs(4, lambda u, v: v - u)
[(0, 1), (2, 3)]
>>> min_cost_pairs(4, lambda u, v: 1 if v == 3 else None) is None
True
"""

from collections.abc import Callable

import rustworkx

Cost = Callable[[int, int], int | None]
"""The cost of a pair, the lower number first; None if the two can't be paired."""


def min_cost_pairs(size: int, cost: Cost) -> list[tuple[int, int]] | None:
    """The pairs (low, high) of the numbers below `size` at least total cost, in order; None if not everybody can be
    paired. Costs are whole numbers below 10^30, so that the answer is exact. Equal costs give equal pairs each time."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    priced = ((u, v, cost(u, v)) for v in range(size) for u in range(v))
    graph.add_edges_from([(u, v, price) for u, v, price in priced if price is not None])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int.__neg__)
    if 2 * len(found) < size:
        return None
    return sorted((min(pair), max(pair)) for pair in found)


def min_cost_assignment(size: int, cost: Callable[[int, int], int]) -> list[int]:
    """For each of `size` things the one of `size` others that it gets, at least total cost."""
    found = min_cost_pairs(2 * size, lambda one, other: cost(one, other - size) if one < size <= other else None)
    return [other - size for _, other in found or []]
