"""Minimum-cost perfect matching.

>>> min_cost_pairs([[None, 1, 9, 9], [1, None, 9, 9], [9, 9, None, 5], [9, 9, 5, None]])
[(0, 1), (2, 3)]
>>> min_cost_pairs([[None, 1, None, 1], [1, None, None, 1], [None, None, None, None], [1, 1, None, None]]) is None
True
"""

from collections.abc import Callable, Sequence

import rustworkx

Costs = Sequence[Sequence[int | None]]  # a symmetric matrix: the cost of each pair, None if the two can't be paired


def min_cost_pairs(costs: Costs) -> list[tuple[int, int]] | None:
    """The pairs (low, high) of least total cost, in order; None if not everybody can be paired. Costs are whole numbers
    below 10^30, so that the answer is exact. Equal costs give equal pairs each time."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(costs)))
    graph.add_edges_from(
        [(u, v, cost) for v, row in enumerate(costs) for u, cost in enumerate(row[:v]) if cost is not None]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int.__neg__)
    if 2 * len(found) < len(costs):
        return None
    return sorted((min(pair), max(pair)) for pair in found)


def min_cost_assignment(size: int, cost: Callable[[int, int], int]) -> list[int]:
    """For each of `size` things the one of `size` others that it gets, at least total cost."""
    rows: list[Sequence[int | None]] = [[cost(one, other) for other in range(size)] for one in range(size)]
    none = [None] * size
    found = min_cost_pairs(
        [*([*none, *row] for row in rows), *([*column, *none] for column in zip(*rows, strict=True))]
    )
    return [other - size for _, other in found or []]
