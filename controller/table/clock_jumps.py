"""Detects that the machine's time of day was set, by the network or by hand."""

import time
from collections.abc import Callable

MIN_JUMP = 60.0  # s: a smaller step is the usual correction of a drifting clock, and hardly changes a shown minute


def steady() -> float:
    """Seconds on a clock that also runs while the machine sleeps, and that nobody can set."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class ClockJumps:
    """Compares the time of day with a clock that nobody can set."""

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = steady) -> None:
        self._wall = wall
        self._steady = steady
        self._apart = wall() - steady()

    def look(self) -> float | None:
        """Seconds by which the time of day was set ahead since the last call; None if it was not."""
        apart = self._wall() - self._steady()
        ahead, self._apart = apart - self._apart, apart
        return ahead if abs(ahead) >= MIN_JUMP else None
