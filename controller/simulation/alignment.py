"""Pairs the shots that the table told with those that really happened.

One missed shot must not make all the shots after it count as wrong.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

A = TypeVar("A")
B = TypeVar("B")

UNPAIRED = 1.0  # the cost of a missed shot, and of an invented one
WRONG = 1.2  # the cost of a pair that was told wrongly: less than of a missed and an invented shot instead


class Aligned(NamedTuple):
    """How many shots were told right, told wrong, missed, and invented (told without having happened)."""

    right: int
    wrong: int
    missed: int
    invented: int


def align(
    true: Sequence[A], told: Sequence[B], may_be: Callable[[A, B], bool], same: Callable[[A, B], bool]
) -> Aligned:
    """The cheapest pairing that keeps both orders.

    `may_be` (true, told): whether the two can be the same shot. `same`: whether nothing about it was told wrongly.

    >>> align("abcd", "bcx", lambda a, b: True, lambda a, b: a == b)
    Aligned(right=2, wrong=1, missed=1, invented=0)
    """
    best: list[list[tuple[float, Aligned]]] = [[(0.0, Aligned(0, 0, 0, 0))]]
    for k in range(len(told)):
        best[0].append((best[0][k][0] + UNPAIRED, Aligned(0, 0, 0, k + 1)))
    for i, happened in enumerate(true):
        row = [(best[i][0][0] + UNPAIRED, Aligned(0, 0, i + 1, 0))]
        for k, said in enumerate(told):
            (missed, a), (invented, b), (both, c) = best[i][k + 1], row[k], best[i][k]
            ways = [
                (missed + UNPAIRED, a._replace(missed=a.missed + 1)),
                (invented + UNPAIRED, b._replace(invented=b.invented + 1)),
            ]
            if may_be(happened, said):
                right = same(happened, said)
                pair = c._replace(right=c.right + 1) if right else c._replace(wrong=c.wrong + 1)
                ways.append((both + (0.0 if right else WRONG), pair))
            row.append(min(ways, key=lambda way: way[0]))
        best.append(row)
    return best[-1][-1][1]
