"""The cheapest assignment of rows to columns: shortest augmenting paths (Jonker and Volgenant 1987)."""

import math
from collections.abc import Sequence

FORBIDDEN = 1e9  # far above every price


def assign(costs: Sequence[Sequence[float]]) -> list[int]:
    """Assign each row of `costs` (n rows, m columns, n at most m) its own column, at the least total cost."""
    n, m = len(costs), len(costs[0]) if costs else 0
    u, v = [0.0] * (n + 1), [0.0] * (m + 1)
    row_of = [0] * (m + 1)  # rows and columns count from 1; 0 is none
    for i in range(1, n + 1):
        row_of[0] = i
        end, way = _shortest(costs, u, v, row_of)
        while end:
            row_of[end], end = row_of[way[end]], way[end]
    columns = [0] * n
    for k in range(1, m + 1):
        if row_of[k]:
            columns[row_of[k] - 1] = k - 1
    return columns


def _shortest(
    costs: Sequence[Sequence[float]], u: list[float], v: list[float], row_of: list[int]
) -> tuple[int, list[int]]:
    """The free column at the end of the shortest augmenting path, and each column's predecessor. Changes `u` and
    `v`."""
    size = len(v)
    least, used, way = [math.inf] * size, [False] * size, [0] * size
    j = 0
    while row_of[j]:
        used[j] = True
        at, delta, following = row_of[j], math.inf, 0
        for k in range(1, size):
            if used[k]:
                continue
            cost = costs[at - 1][k - 1] - u[at] - v[k]
            if cost < least[k]:
                least[k], way[k] = cost, j
            if least[k] < delta:
                delta, following = least[k], k
        for k in range(size):
            if used[k]:
                u[row_of[k]] += delta
                v[k] -= delta
            else:
                least[k] -= delta
        j = following
    return j, way


def assign_with_none(costs: Sequence[Sequence[float]], without: Sequence[float]) -> list[int | None]:
    """As `assign`, but a row may have no column, at its price in `without`; infinite costs are forbidden."""
    if not costs:
        return []
    m = len(costs[0])
    full = [
        [min(cost, FORBIDDEN) for cost in row] + [price if k == row_number else FORBIDDEN for k in range(len(costs))]
        for row_number, (row, price) in enumerate(zip(costs, without, strict=True))
    ]
    columns = assign(full)
    return [k if k < m and math.isfinite(costs[row][k]) else None for row, k in enumerate(columns)]
