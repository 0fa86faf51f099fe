"""The machine's clocks: a steady one with an alarm, and jumps of the time of day."""

import threading
import time
from collections.abc import Callable

from controller.match.state import MatchState

MIN_JUMP = 60.0  # s: a smaller step is the usual correction of a drifting clock, and hardly changes a shown minute


def steady() -> float:
    """Seconds on a clock that also runs while the machine sleeps, and that nobody can set."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def next_end(state: MatchState | None) -> float | None:
    """The time on the steady clock at which a match's next clock runs down; None if none is running."""
    running = [] if state is None or state.over else [timer.ends for timer in state.timers.values()]
    return min((ends for ends in running if ends is not None), default=None)


class Alarm:
    """Calls `ring` once, on a thread, when the steady clock reaches the time that was set last."""

    def __init__(self, steady: Callable[[], float], ring: Callable[[], None]) -> None:
        self._steady = steady
        self._ring = ring
        self._at: float | None = None
        self._wake = threading.Condition()
        self._stopping = False

    def set(self, at: float | None) -> None:
        """Ring at this time only; None: not at all. May be called on any thread."""
        with self._wake:
            if at != self._at:
                self._at = at
                self._wake.notify()

    def run(self) -> None:
        while (at := self._due()) is not None:
            self._ring()
            with self._wake:
                if self._at == at:
                    self._at = None

    def _due(self) -> float | None:
        """Wait for the set time and return it; None after `stop`."""
        with self._wake:
            while not self._stopping:
                pause = None if self._at is None else self._at - self._steady()
                if pause is not None and pause <= 0:
                    return self._at
                self._wake.wait(pause)
        return None

    def stop(self) -> None:
        with self._wake:
            self._stopping = True
            self._wake.notify()


class ClockJumps:
    """Compares the time of day with a clock that nobody can set."""

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = steady) -> None:
        self._wall = wall
        self._steady = steady
        self._apart = wall() - steady()

    def seconds_ahead(self) -> float | None:
        """Seconds by which the time of day was set ahead since the last call; None if it was not."""
        apart = self._wall() - self._steady()
        ahead, self._apart = apart - self._apart, apart
        return ahead if abs(ahead) >= MIN_JUMP else None
