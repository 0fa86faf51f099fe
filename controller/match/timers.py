"""A match's clocks, one for each round and one for the whole match. Time is a parameter; events record readings. They
run on the steady clock, which runs on while the machine sleeps, can't be set, and restarts with each boot."""

from dataclasses import replace
from typing import Literal

from controller.match.base import BaseCommand, BaseEvent, SentEvent
from controller.match.parts import Seconds, Timer, TimerName, TimerSetting
from controller.match.state import MatchState
from controller.messages import marked


class TimerSet(SentEvent, TimerSetting):
    """A clock's new state, which replaces the earlier one."""

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return replace(state, timers={**state.timers, self.timer: Timer(id_, self)})


class TimerRemoved(SentEvent):
    """A clock was removed."""

    words = marked("A clock removed")
    timer: TimerName

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return replace(state, timers={name: timer for name, timer in state.timers.items() if name != self.timer})


class TimerEnded(BaseEvent):
    """A clock ran down. Play goes on: only people call time."""

    webhook = "time_up"
    timer: TimerName

    def apply(self, state: MatchState, id_: int) -> MatchState:
        ended = {name: timer.end() for name, timer in state.timers.items() if name == self.timer}
        return replace(state, timers={**state.timers, **ended})


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
