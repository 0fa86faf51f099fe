"""The cheapest assignment of rows to columns: shortest augmenting paths (Jonker and Volgenant 1987)."""

import math
from collections.abc import Sequence

FORBIDDEN = 1e9  # far above every cost


def assign(costs: Sequence[Sequence[float]]) -> list[int]:
    """Assign each row of `costs` (n rows, m columns, n at most m) its own column, at the least total cost."""
    n, m = len(costs), len(costs[0]) if costs else 0
    u, v = [0.0] * (n + 1), [0.0] * (m + 1)
    row_of = [0] * (m + 1)  # rows and columns count from 1; 0 is none
    for i in range(1, n + 1):
        row_of[0], j, used, free = i, 0, [0], list(range(1, m + 1))
        least, way = [math.inf] * (m + 1), [0] * (m + 1)
        while at := row_of[j]:
            for k in free:
                cost = costs[at - 1][k - 1] - u[at] - v[k]
                if cost < least[k]:
                    least[k], way[k] = cost, j
            j = min(free, key=least.__getitem__)
            delta = least[j]
            for k in used:
                u[row_of[k]] += delta
                v[k] -= delta
            for k in free:
                least[k] -= delta
            free.remove(j)
            used.append(j)
        while j:
            row_of[j], j = row_of[way[j]], way[j]
    column_of = {row: k - 1 for k, row in enumerate(row_of)}
    return [column_of[row] for row in range(1, n + 1)]


def assign_with_none(costs: Sequence[Sequence[float]], without: Sequence[float]) -> list[int | None]:
    """As `assign`, but a row may have no column, at its cost in `without`; infinite costs are forbidden."""
    if not costs:
        return []
    m = len(costs[0])
    full = [
        [min(cost, FORBIDDEN) for cost in row] + [own if k == row_number else FORBIDDEN for k in range(len(costs))]
        for row_number, (row, own) in enumerate(zip(costs, without, strict=True))
    ]
    columns = assign(full)
    return [k if k < m and math.isfinite(costs[row][k]) else None for row, k in enumerate(columns)]
