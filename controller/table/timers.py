"""What the clocks of a match need of the machine: which boot it is, and an alarm when time is up."""

import threading
from collections.abc import Callable
from pathlib import Path

from controller.match.state import MatchState

BOOT = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str:
    """What tells this boot of the machine from others; empty where the system does not say."""
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def next_end(state: MatchState | None) -> float | None:
    """When the next clock of a match runs down, on the steady clock; None while all stand, or the match is over."""
    running = [] if state is None or state.over else [timer.ends for timer in state.timers.values()]
    return min((ends for ends in running if ends is not None), default=None)


class Alarm:
    """A thread that calls `ring` once when the steady clock shows what was set last."""

    def __init__(self, steady: Callable[[], float], ring: Callable[[], None]) -> None:
        self._steady = steady
        self._ring = ring
        self._at: float | None = None
        self._wake = threading.Condition()
        self._stopping = False

    def set(self, at: float | None) -> None:
        """Ring then, and at no other time; None: not at all. May be called on any thread."""
        with self._wake:
            if at != self._at:
                self._at = at
                self._wake.notify()

    def run(self) -> None:
        """The thread's body, until `stop`."""
        while (at := self._due()) is not None:
            self._ring()
            with self._wake:
                if self._at == at:
                    self._at = None

    def _due(self) -> float | None:
        """Wait for what is set; None when it is time to stop."""
        with self._wake:
            while not self._stopping:
                pause = None if self._at is None else self._at - self._steady()
                if pause is not None and pause <= 0:
                    return self._at
                self._wake.wait(pause)
        return None

    def stop(self) -> None:
        """Have `run` return."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
