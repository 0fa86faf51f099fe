"""Noticing that the machine's time of day was set: by its network, or by hand."""

import time
from collections.abc import Callable

LEAST = 60.0  # s: a smaller step is the usual correction of a drifting clock, and hardly changes a shown minute


def steady() -> float:
    """Seconds that pass also while the machine sleeps, and that nobody sets."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class ClockJumps:
    """Compares the time of day with a clock that nobody sets."""

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = steady) -> None:
        self._wall = wall
        self._steady = steady
        self._apart = wall() - steady()

    def look(self) -> float | None:
        """By how many seconds the time of day was set ahead since the last look; None when it was not."""
        apart = self._wall() - self._steady()
        ahead, self._apart = apart - self._apart, apart
        return ahead if abs(ahead) >= LEAST else None
