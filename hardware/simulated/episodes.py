"""The times of a fault, which depend only on a seed and the fault's name."""

from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np


@dataclass(frozen=True, slots=True)
class Episodes:
    """The times of one fault: one episode at a random time in every `period` seconds."""

    name: str
    seed: int
    period: float
    shortest: float = 0.0
    longest: float = 0.0

    def random(self, k: int) -> np.random.Generator:
        """The random generator of the k-th period, independent of the order of calls."""
        return np.random.default_rng([self.seed, crc32(self.name.encode()), k])

    def episode(self, k: int) -> tuple[float, float]:
        """Begin and end of the k-th episode."""
        return _episode(self, k)

    def inside(self, t: float) -> int | None:
        """The number of the episode that covers `t`; None if there is none."""
        k = int(t // self.period)
        begin, end = self.episode(k)
        return k if begin <= t < end else None

    def until(self, t: float) -> float | None:
        """The end of the episode that covers `t`; None if there is none."""
        k = self.inside(t)
        return None if k is None else self.episode(k)[1]

    def begun(self, t: float) -> list[tuple[int, float]]:
        """Number and begin of at most two episodes, the last that have begun by `t`."""
        k = int(t // self.period)
        episodes = [(i, self.episode(i)[0]) for i in range(max(k - 2, 0), k + 1)]
        return [(i, begin) for i, begin in episodes if begin <= t][-2:]


@lru_cache(maxsize=256)
def _episode(episodes: Episodes, k: int) -> tuple[float, float]:
    random = episodes.random(k)
    length = random.uniform(episodes.shortest, episodes.longest)
    begin = episodes.period * k + random.uniform(0.0, episodes.period - length)
    return begin, begin + length
