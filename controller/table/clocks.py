"""The machine's clocks: a steady one, and the time of day by which the journal is dated."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from controller.errors import JournalError
from controller.journal import Journal
from controller.match.state import MatchState

STEP = 1.0  # s: less is what a clock drifts
MIN_JUMP = 60.0  # s: a smaller step is the usual correction of a drifting clock, and hardly changes a shown minute

BOOT = "boot"  # the name of the fact


def steady() -> float:
    """Seconds on a clock that also runs while the machine sleeps, and that nobody can set."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def next_end(state: MatchState | None) -> float | None:
    """The time on the steady clock at which a match's next clock runs down; None if none is running."""
    return None if state is None else min(state.running_timers.values(), default=None)


@dataclass(frozen=True, slots=True)
class _Boot:
    """A boot of the machine. `after`: the last event before it; `apart`: s by which the time of day is ahead of the
    steady clock."""

    id: str
    after: int
    apart: float


BOOTS = TypeAdapter(_Boot)


class DateClock:
    """The time of day for the journal, counted by a clock that nobody can set. It follows the machine's on the thread
    that writes events, so that each is dated as it was before a correction or as after it. What it knows about this
    boot outlives the process."""

    def __init__(
        self,
        journal: Journal,
        boot: str,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = steady,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._facts = journal.facts
        kept = journal.facts.read(BOOT, BOOTS.validate_json)
        if kept is None or kept.id != boot or not boot:
            kept = _Boot(boot, journal.last(), wall() - steady())
        self._boot = kept
        self._keep()

    def _keep(self) -> None:
        self._facts.try_to_keep(BOOT, BOOTS.dump_json(self._boot).decode())

    @property
    def begins_after(self) -> int:
        """The last event before this boot of the machine."""
        return self._boot.after

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        return self._steady() + self._boot.apart

    def follow(self, correct: Callable[[float], None]) -> None:
        """Follow the machine's time of day. If that was set by `MIN_JUMP` or more, call `correct` with the seconds by
        which it was set ahead. If that raises `JournalError`, nothing is changed, and the next call tries again."""
        before, ahead = self._boot, self._wall() - self.now()
        self._boot = replace(before, apart=before.apart + ahead)
        if abs(ahead) >= MIN_JUMP:
            try:
                correct(ahead)
            except JournalError:
                self._boot = before
                raise
        if abs(ahead) >= STEP:
            self._keep()
