"""A match's clocks, one for each round and one for the whole match. Time is a parameter; events record readings. They
run on the steady clock, which runs on while the machine sleeps, can't be set, and restarts with each boot."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from controller.errors import Refused
from controller.match.base import At, BaseCommand, BaseEvent, BootClock, Events, SentEvent, SideNames, Stamped
from controller.match.counting import DiscCounted
from controller.match.parts import BeforeReboot, Seconds, TimerName, TimerSetting
from controller.match.shots import ShotSeen
from controller.match.state import MatchState
from controller.messages import Message, marked, say
from controller.rules import TWENTY

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

    def apply(self, state: MatchState) -> MatchState:
        return replace(state, timers={**state.timers, self.timer: self})


class TimerRemoved(SentEvent):
    """A clock was removed."""

    words = marked("A clock removed")
    timer: TimerName

    def apply(self, state: MatchState) -> MatchState:
        return replace(state, timers={name: timer for name, timer in state.timers.items() if name != self.timer})


class TimerEnded(BaseEvent):
    """A clock ran down. Play goes on: only people call time."""

    webhook = "time_up"
    timer: TimerName

    def apply(self, state: MatchState) -> MatchState:
        timer = state.timers.get(self.timer)
        ended = {self.timer: timer.model_copy(update={"ended": True})} if timer else {}
        return replace(state, timers={**state.timers, **ended})


def _last_set(history: Sequence[Stamped]) -> dict[TimerName, Stamped]:
    """The event that set each clock last."""
    return {s.event.timer: s for s in history if isinstance(s.event, TimerSet)}


def updated(was: TimerSetting, clock: BootClock, **changed: object) -> TimerSet:
    """The event that changes a clock's setting now, as `clock` shows."""
    before = {name: getattr(was, name) for name in TimerSetting.model_fields}
    return TimerSet.model_validate(
        {**before, "steady": clock.steady(), "boot": clock.boot, "across": None, "ended": False, **changed}
    )


class TimerCommand(BaseCommand):
    """A command about a clock."""

    only_running = True
    timer: TimerName

    def at_stake(self, at: At) -> object:
        """The event that set the clock."""
        return self.timer in at.state.timers and _last_set(at.history)[self.timer].id

    def timer_of(self, state: MatchState) -> TimerSetting:
        """Raises `Refused` if there is none."""
        if self.timer not in state.timers:
            raise Refused(say("There is no such clock: set it first."), "clock")
        return state.timers[self.timer]


class SetTimer(TimerCommand):
    """Set the clock of each round, or of the match: the `seconds` from which it runs down, what is `left` of them,
    whether it is `running`, and whether it starts with the first shot of the round or match. Without `seconds`, the
    clock that is there stays, except for what is given."""

    do: Literal["set_timer"]
    seconds: Seconds | None = None
    left: Seconds | None = None
    on_first_shot: bool | None = None
    running: bool | None = None

    def events(self, at: At) -> Events:
        changed = self.model_dump(include={"left", "on_first_shot", "running"}, exclude_none=True)
        if self.seconds is not None:
            new = TimerSetting(timer=self.timer, seconds=self.seconds, left=self.seconds)
            return [updated(new, at.clock, **changed)]
        timer = self.timer_of(at.state)
        if timer.ended and self.left is None:
            raise Refused(say("That clock has run down: set or correct it."), "clock")
        now = timer.left if timer.ends is None else max(0.0, timer.ends - at.clock.steady())
        return [updated(timer, at.clock, **{"left": now, **changed})]


class RemoveTimer(TimerCommand):
    """Remove a clock."""

    do: Literal["remove_timer"]

    def events(self, at: At) -> Events:
        self.timer_of(at.state)
        return [TimerRemoved(timer=self.timer)]


class Timekeeper:
    """Creates the events of clocks that no command asks for: the first shot, a reboot, time running out."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float], boot: str) -> None:
        """`wall`: the time of day; `steady`: a monotonic clock that restarts with each `boot`."""
        self._wall = wall
        self.clock = BootClock(steady, boot)

    def first_shot(self, events: Sequence[BaseEvent], state: MatchState) -> list[BaseEvent]:
        """Start the clocks that wait for a first shot, or a first twenty counted by hand."""
        if state.over or not any(
            isinstance(one, ShotSeen) or (isinstance(one, DiscCounted) and one.points == TWENTY) for one in events
        ):
            return []
        return [updated(timer, self.clock, running=True) for timer in state.timers.values() if timer.waiting]

    def for_next_match(self, before: MatchState | None) -> list[BaseEvent]:
        """The clocks of the last match, reset for the next one."""
        timers = before.timers.values() if before else ()
        return [updated(timer.reset(), self.clock) for timer in timers]

    def ended(self, state: MatchState) -> list[BaseEvent]:
        now = self.clock.steady()
        return [TimerEnded(timer=name) for name, ends in state.running_timers.items() if ends <= now]

    def after_boot(self, state: MatchState, history: Sequence[Stamped]) -> list[BaseEvent]:
        """Continue clocks of another boot by the time of day; if that went back, no time has passed."""
        return [
            self._resumed(timer, BeforeReboot(left=timer.left, at=_last_set(history)[name].at))
            for name, timer in state.timers.items()
            if name in state.running_timers and timer.boot != self.clock.boot
        ]

    def time_of_day_set(self, state: MatchState) -> list[BaseEvent]:
        """Recompute the clocks that depend on the time of day, once, after it was set."""
        return [
            self._resumed(timer, before).model_copy(update={"across": None})
            for timer in state.timers.values()
            if timer.ends is not None and (before := timer.across)
        ]

    def _resumed(self, was: TimerSetting, before: BeforeReboot) -> TimerSet:
        passed = max(0.0, self._wall() - before.at)
        return updated(was, self.clock, left=max(0.0, before.left - passed), across=before)
