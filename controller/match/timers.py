"""A match's clocks, one for each round and one for the whole match. Time is a parameter; events record readings. They
run on the steady clock, which runs on while the machine sleeps, can't be set, and restarts with each boot."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from controller.match.base import BaseCommand, BaseEvent, SentEvent
from controller.match.cases import FrozenModel
from controller.messages import marked

if TYPE_CHECKING:
    from controller.match.state import MatchState

TimerName = Literal["round", "match"]
TIMERS: tuple[TimerName, ...] = ("round", "match")
LONGEST = 24 * 3600.0  # s: a match is over within a day
Seconds = Annotated[float, Field(gt=0, le=LONGEST)]


class BeforeReboot(FrozenModel):
    """A clock's reading before the machine was off: `left` seconds at a time of day (s since 1970, UTC)."""

    left: float
    at: float


class TimerSet(SentEvent):
    """A clock's new state, which replaces the earlier one. `left` seconds were left when the steady clock of this
    `boot` showed `steady`. `across`: the last reading before the machine was off, if `left` was computed from it by the
    time of day."""

    kind: Literal["timer_set"] = "timer_set"
    timer: TimerName
    seconds: Seconds
    on_first_shot: bool = False
    running: bool = False
    left: float
    steady: float = 0.0
    boot: str = ""
    across: BeforeReboot | None = None

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        return replace(state, timers={**state.timers, self.timer: Timer(id_, self)})


class TimerRemoved(SentEvent):
    """A clock was removed."""

    words = marked("A clock removed")
    kind: Literal["timer_removed"] = "timer_removed"
    timer: TimerName

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        return replace(state, timers={name: timer for name, timer in state.timers.items() if name != self.timer})


class TimerEnded(BaseEvent):
    """A clock ran down. Play goes on: only people call time."""

    webhook = "time_up"
    kind: Literal["timer_ended"] = "timer_ended"
    timer: TimerName

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        ended = {name: timer.end() for name, timer in state.timers.items() if name == self.timer}
        return replace(state, timers={**state.timers, **ended})


@dataclass(frozen=True, slots=True)
class Timer:
    """A clock: the event that set it last, and whether it has run down since."""

    id: int
    set: TimerSet
    ended: bool = False

    @property
    def waiting(self) -> bool:
        return self.set.on_first_shot and not self.set.running and not self.ended and self.set.left == self.set.seconds

    @property
    def ends(self) -> float | None:
        """The steady clock's time at which it runs down; None while it is stopped."""
        return self.set.steady + self.set.left if self.set.running and not self.ended else None

    def reset(self) -> "Timer":
        return Timer(self.id, self.set.model_copy(update={"running": False, "left": self.set.seconds, "across": None}))

    def end(self) -> "Timer":
        return replace(self, ended=True)


class SetTimer(BaseCommand):
    """Set the clock of each round, or of the match: the seconds from which it runs down, and what starts it. `running`:
    it starts now; `on_first_shot`: it starts with the first shot of the round, or of the match."""

    do: Literal["set_timer"]
    timer: TimerName
    seconds: Seconds
    on_first_shot: bool = False
    running: bool = False


class RunTimer(BaseCommand):
    """Start, stop or resume a clock."""

    do: Literal["run_timer"]
    timer: TimerName
    running: bool


class CorrectTimer(BaseCommand):
    """Correct the seconds left on a clock; it stays running or stopped."""

    do: Literal["correct_timer"]
    timer: TimerName
    left: Seconds


class RemoveTimer(BaseCommand):
    """Remove a clock."""

    do: Literal["remove_timer"]
    timer: TimerName


TimerCommand = SetTimer | RunTimer | CorrectTimer | RemoveTimer
