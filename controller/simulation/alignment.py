"""Which shot that the table told is which that really happened: one shot missed must not make all that follow wrong."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

A = TypeVar("A")
B = TypeVar("B")

WRONG = 1.2  # the cost of a shot told wrongly: less than of one missed and another invented
UNPAIRED = 1.0


class Aligned(NamedTuple):
    """How many are told right and wrong, are missed, and were told without having happened."""

    right: int
    wrong: int
    missed: int
    invented: int


def align(
    true: Sequence[A], told: Sequence[B], may_be: Callable[[A, B], bool], same: Callable[[A, B], bool]
) -> Aligned:
    """The cheapest pairing in order. `may_be`: they can be one at all; `same`: and nothing about it is wrong.

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
