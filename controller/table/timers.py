"""The machine's part in a match's clocks: the id of this boot, and an alarm when time is up."""

import threading
from collections.abc import Callable
from pathlib import Path

from controller.match.state import MatchState

BOOT = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str:
    """The id of this boot of the machine; empty if the system has none."""
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


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
        """The thread's body; returns after `stop`."""
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
        """Make `run` return."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
