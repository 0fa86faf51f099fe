"""A match's clocks, one for each round and one for the whole match. Time is a parameter; events record readings. They
run on the steady clock, which runs on while the machine sleeps, can't be set, and restarts with each boot."""

from dataclasses import replace
from typing import Literal

from controller.errors import Refused
from controller.match.base import BaseEvent, SentEvent, SideNames
from controller.match.base_command import At, BaseCommand, Clock, Events
from controller.match.parts import Seconds, Timer, TimerName, TimerSetting
from controller.match.state import MatchState
from controller.messages import Message, marked, say

_CHANGES = {
    ("match", True): marked("Match clock runs from {time}"),
    ("match", False): marked("Match clock stopped at {time}"),
    ("round", True): marked("Round clock runs from {time}"),
    ("round", False): marked("Round clock stopped at {time}"),
}


class TimerSet(SentEvent, TimerSetting):
    """A clock's new state, which replaces the earlier one."""

    def in_words(self, names: SideNames) -> Message:
        minutes, seconds = divmod(round(self.left), 60)
        return say(_CHANGES[self.timer, self.running], time=f"{minutes}:{seconds:02d}")

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


def updated(was: TimerSetting, clock: Clock, **changed: object) -> TimerSet:
    """The event that changes a clock's setting now, as `clock` shows."""
    before = {name: getattr(was, name) for name in TimerSetting.model_fields}
    return TimerSet.model_validate({**before, "steady": clock.steady(), "boot": clock.boot, "across": None, **changed})


def left(timer: Timer, clock: Clock) -> float:
    """The seconds left on a clock; 0 if it has run down."""
    return timer.set.left if timer.ends is None else max(0.0, timer.ends - clock.steady())


class TimerCommand(BaseCommand):
    """A command about a clock."""

    only_running = True
    timer: TimerName

    def at_stake(self, at: At) -> object:
        timer = at.state.timers.get(self.timer)
        return timer.id if timer else None

    def _timer(self, state: MatchState) -> Timer:
        """Raises `Refused` if there is none."""
        if self.timer not in state.timers:
            raise Refused(say("There is no such clock: set it first."))
        return state.timers[self.timer]


class SetTimer(TimerCommand):
    """Set the clock of each round, or of the match: the seconds from which it runs down, and what starts it. `running`:
    it starts now; `on_first_shot`: it starts with the first shot of the round, or of the match."""

    do: Literal["set_timer"]
    seconds: Seconds
    on_first_shot: bool = False
    running: bool = False

    def events(self, at: At) -> Events:
        new = TimerSetting(timer=self.timer, seconds=self.seconds, left=self.seconds)
        return [updated(new, at.clock, on_first_shot=self.on_first_shot, running=self.running)]


class RunTimer(TimerCommand):
    """Start, stop or resume a clock."""

    do: Literal["run_timer"]
    running: bool

    def events(self, at: At) -> Events:
        timer = self._timer(at.state)
        if timer.ended:
            raise Refused(say("That clock has run down: set or correct it."))
        return [updated(timer.set, at.clock, left=left(timer, at.clock), running=self.running)]


class CorrectTimer(TimerCommand):
    """Correct the seconds left on a clock; it stays running or stopped."""

    do: Literal["correct_timer"]
    left: Seconds

    def events(self, at: At) -> Events:
        return [updated(self._timer(at.state).set, at.clock, left=self.left)]


class RemoveTimer(TimerCommand):
    """Remove a clock."""

    do: Literal["remove_timer"]

    def events(self, at: At) -> Events:
        self._timer(at.state)
        return [TimerRemoved(timer=self.timer)]
