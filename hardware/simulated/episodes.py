"""When a fault is there: times that depend on a seed and the fault's name alone."""

from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np


@dataclass(frozen=True, slots=True)
class Episodes:
    """Times at which one fault is there: one episode in every `period` seconds, at a random place in it."""

    name: str
    seed: int
    period: float
    shortest: float = 0.0
    longest: float = 0.0

    def random(self, k: int) -> np.random.Generator:
        """The randomness of the k-th period, whoever asks and in which order."""
        return np.random.default_rng([self.seed, crc32(self.name.encode()), k])

    def episode(self, k: int) -> tuple[float, float]:
        """Begin and end of the k-th episode."""
        return _episode(self, k)

    def inside(self, t: float) -> int | None:
        """The number of the episode that covers `t`, or None."""
        k = int(t // self.period)
        begin, end = self.episode(k)
        return k if begin <= t < end else None

    def until(self, t: float) -> float | None:
        """When the episode that covers `t` ends; None when none does."""
        k = self.inside(t)
        return None if k is None else self.episode(k)[1]

    def begun(self, t: float) -> list[tuple[int, float]]:
        """Number and begin of the last episodes that have begun by `t`, at most two."""
        k = int(t // self.period)
        episodes = [(i, self.episode(i)[0]) for i in range(max(k - 2, 0), k + 1)]
        return [(i, begin) for i, begin in episodes if begin <= t][-2:]


@lru_cache(maxsize=256)
def _episode(episodes: Episodes, k: int) -> tuple[float, float]:
    random = episodes.random(k)
    length = random.uniform(episodes.shortest, episodes.longest)
    begin = episodes.period * k + random.uniform(0.0, episodes.period - length)
    return begin, begin + length
