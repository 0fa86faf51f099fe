"""Pairs the shots of two accounts of a round, such as what the table recorded and what really happened. One missed shot
must not make all the shots after it count as wrong."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

A = TypeVar("A")
B = TypeVar("B")
UNPAIRED = 1.0  # the cost of a shot that only one account has
WRONG = 1.2  # the cost of a pair that differs: less than of two unpaired shots instead


def paired(
    some: Sequence[A], others: Sequence[B], may_be: Callable[[A, B], bool], same: Callable[[A, B], bool]
) -> tuple[tuple[A | None, B | None], ...]:
    """The cheapest pairing that keeps both orders; None stands for the shot that an account lacks.

    `may_be`: whether two shots can be the same one. `same`: whether the accounts agree on it.

    >>> paired("abc", "bcx", lambda a, b: True, lambda a, b: a == b)
    (('a', None), ('b', 'b'), ('c', 'c'), (None, 'x'))
    """
    best: dict[tuple[int, int], tuple[float, tuple[tuple[A | None, B | None], ...]]] = {(0, 0): (0.0, ())}
    for i in range(len(some) + 1):
        for k in range(len(others) + 1):
            ways = []
            if i:
                cost, pairs = best[i - 1, k]
                ways.append((cost + UNPAIRED, (*pairs, (some[i - 1], None))))
            if k:
                cost, pairs = best[i, k - 1]
                ways.append((cost + UNPAIRED, (*pairs, (None, others[k - 1]))))
            if i and k and may_be(some[i - 1], others[k - 1]):
                cost, pairs = best[i - 1, k - 1]
                wrong = not same(some[i - 1], others[k - 1])
                ways.append((cost + WRONG * wrong, (*pairs, (some[i - 1], others[k - 1]))))
            if ways:
                best[i, k] = min(ways, key=lambda way: way[0])
    return best[len(some), len(others)][1]


class Aligned(NamedTuple):
    """How many shots were recorded rightly, recorded wrongly, missed, and invented (recorded but never made)."""

    right: int
    wrong: int
    missed: int
    invented: int


def align(
    true: Sequence[A], recorded: Sequence[B], may_be: Callable[[A, B], bool], same: Callable[[A, B], bool]
) -> Aligned:
    """How well a record agrees with the truth, by the cheapest pairing; see `paired`.

    >>> align("abcd", "bcx", lambda a, b: True, lambda a, b: a == b)
    Aligned(right=2, wrong=1, missed=1, invented=0)
    """
    pairs = paired(true, recorded, may_be, same)
    both = [(happened, record) for happened, record in pairs if happened is not None and record is not None]
    right = sum(same(happened, record) for happened, record in both)
    return Aligned(right, len(both) - right, len(true) - len(both), len(recorded) - len(both))
