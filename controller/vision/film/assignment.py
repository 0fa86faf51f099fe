"""The cheapest assignment of rows to columns: shortest augmenting paths (Jonker and Volgenant 1987)."""

import math

import numpy as np

from controller.vision.calibration.lens import Floats


def assign(costs: Floats) -> list[int]:
    """For each row of `costs` (n, m), n at most m, the column that it gets; no column twice, the sum the least."""
    n, m = costs.shape
    rows: list[list[float]] = costs.tolist()
    u, v = [0.0] * (n + 1), [0.0] * (m + 1)
    row_of, way = [0] * (m + 1), [0] * (m + 1)
    for i in range(1, n + 1):
        row_of[0], j = i, 0
        least, used = [math.inf] * (m + 1), [False] * (m + 1)
        while row_of[j]:
            used[j] = True
            at, delta, following = row_of[j], math.inf, 0
            row = rows[at - 1]
            for k in range(1, m + 1):
                if used[k]:
                    continue
                cost = row[k - 1] - u[at] - v[k]
                if cost < least[k]:
                    least[k], way[k] = cost, j
                if least[k] < delta:
                    delta, following = least[k], k
            for k in range(m + 1):
                if used[k]:
                    u[row_of[k]] += delta
                    v[k] -= delta
                else:
                    least[k] -= delta
            j = following
        while j:
            row_of[j], j = row_of[way[j]], way[j]
    columns = [0] * n
    for k in range(1, m + 1):
        if row_of[k]:
            columns[row_of[k] - 1] = k - 1
    return columns


def assign_with_none(costs: Floats, without: Floats) -> list[int | None]:
    """The same where a row may stay without a column at its price in `without` (n,)."""
    n, m = costs.shape
    if not n:
        return []
    none = np.full((n, n), np.inf)
    np.fill_diagonal(none, without)
    full = np.hstack((costs, none))
    columns = assign(np.where(np.isfinite(full), full, _FORBIDDEN))
    return [k if k < m and math.isfinite(costs[row, k]) else None for row, k in enumerate(columns)]


_FORBIDDEN = 1e9  # far above every price
