"""Clocks of a match: one for each round, one for the whole match. No time passes here; events say what a clock showed.

How long a clock has run is told on the steady clock: it counts on while the machine sleeps, nobody can set it, and it
begins anew with each boot.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from controller.match.event_base import Closed, Said

TimerName = Literal["round", "match"]
TIMERS: tuple[TimerName, ...] = ("round", "match")
LONGEST = 24 * 3600.0  # s of a clock: a match is over within a day


class Across(Closed):
    """What a clock showed before the machine was off: `left` seconds, at a time of day (s since 1970, UTC)."""

    left: float
    at: float


class TimerSet(Said):
    """A clock as it stands from now on; what it was before counts no more.

    `left` seconds were left when the steady clock of this `boot` showed `steady`. `across`: that was reckoned by the
    time of day, since the machine had been off meanwhile.
    """

    kind: Literal["timer_set"] = "timer_set"
    timer: TimerName
    seconds: Annotated[float, Field(gt=0, le=LONGEST)]
    on_first_shot: bool = False
    running: bool = False
    left: float
    steady: float = 0.0
    boot: str = ""
    across: Across | None = None


class TimerRemoved(Said):
    """There is no such clock any more."""

    kind: Literal["timer_removed"] = "timer_removed"
    timer: TimerName


class TimerEnded(Closed):
    """A clock ran down. Play goes on: only people call time."""

    kind: Literal["timer_ended"] = "timer_ended"
    timer: TimerName


@dataclass(frozen=True, slots=True)
class Timer:
    """A clock: the event that set it last, and whether it has run down since."""

    id: int
    set: TimerSet
    ended: bool = False

    @property
    def waiting(self) -> bool:
        """Whether it waits for the first shot."""
        return self.set.on_first_shot and not self.set.running and not self.ended and self.set.left == self.set.seconds

    @property
    def ends(self) -> float | None:
        """What the steady clock will show when it has run down; None while it stands."""
        return self.set.steady + self.set.left if self.set.running and not self.ended else None

    def anew(self) -> "Timer":
        """As it begins with the next round."""
        return Timer(self.id, self.set.model_copy(update={"running": False, "left": self.set.seconds, "across": None}))

    def over(self) -> "Timer":
        """Run down."""
        return replace(self, ended=True)
