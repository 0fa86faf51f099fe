"""A share with its confidence bounds, from a number of trials."""

import math
from dataclasses import dataclass

TAIL = 0.025  # of the probability, beyond each of the two bounds: together they hold with 95 %
HALVINGS = 50  # of the interval from 0 to 1: far finer than any count


@dataclass(frozen=True, slots=True)
class Proportion:
    """`count` of `of` tries, with the 95 % bounds of Clopper and Pearson (1934), which hold for every true share."""

    count: int
    of: int

    @property
    def least(self) -> float:
        """The lower bound of the true share; 0 without a try."""
        return 1 - highest(self.of - self.count, self.of)

    @property
    def most(self) -> float:
        """The upper bound of the true share; 1 without a try."""
        return highest(self.count, self.of)


def highest(count: int, of: int, tail: float = TAIL) -> float:
    """The largest share for which `count` or fewer of `of` trials have at least the probability `tail`."""
    if count == of:
        return 1.0
    ways = [math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1) for k in range(count + 1)]
    low, high = count / of, 1.0
    for _ in range(HALVINGS):
        p = (low + high) / 2
        one, other = math.log(p), math.log1p(-p)
        common = math.fsum(math.exp(way + k * one + (of - k) * other) for k, way in enumerate(ways)) > tail
        low, high = (p, high) if common else (low, p)
    return high
