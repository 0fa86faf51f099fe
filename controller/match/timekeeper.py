"""Creates the events of a match's clocks: commands, the first shot, a reboot, and time running out. Time is a
parameter."""

from collections.abc import Callable, Sequence

from controller.errors import Refused
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.parts import BeforeReboot, Timer, TimerSetting
from controller.match.state import MatchState
from controller.match.timers import CorrectTimer, RemoveTimer, SetTimer, TimerCommand
from controller.messages import say

NO_TIMER = say("There is no such clock: set it first.")


class Timekeeper:
    """Creates the events of clocks."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float], boot: str) -> None:
        """`wall`: the time of day; `steady`: a monotonic clock that restarts with each `boot`."""
        self._wall = wall
        self._steady = steady
        self._boot = boot

    def event_for(self, command: TimerCommand, state: MatchState) -> ev.TimerSet | ev.TimerRemoved:
        """The event that carries out a command about a clock, without its sender. Raises `Refused`."""
        if isinstance(command, SetTimer):
            new = ev.TimerSet(timer=command.timer, seconds=command.seconds, left=command.seconds)
            return self._updated(new, on_first_shot=command.on_first_shot, running=command.running)
        timer = state.timers.get(command.timer)
        if timer is None:
            raise Refused(NO_TIMER)
        match command:
            case RemoveTimer():
                return ev.TimerRemoved(timer=command.timer)
            case CorrectTimer(left=left):
                return self._updated(timer.set, left=left, running=timer.set.running)
        if timer.ended:
            raise Refused(say("That clock has run down: set or correct it."))
        return self._updated(timer.set, left=self.left(timer), running=command.running)

    def _updated(self, was: TimerSetting, **changed: object) -> ev.TimerSet:
        now = {"steady": self._steady(), "boot": self._boot, "across": None}
        before = {name: getattr(was, name) for name in TimerSetting.model_fields}
        return ev.TimerSet.model_validate({**before, **now, **changed})

    def left(self, timer: Timer) -> float:
        """The seconds left on a clock; 0 if it has run down."""
        return timer.set.left if timer.ends is None else max(0.0, timer.ends - self._steady())

    def first_shot(self, events: Sequence[ev.Event], state: MatchState) -> list[ev.Event]:
        """Start the clocks that wait for a first shot, or a first twenty counted by hand."""
        if state.over or not any(isinstance(event, ev.ShotSeen | ev.TwentyCounted) for event in events):
            return []
        return [self._updated(timer.set, running=True) for timer in state.timers.values() if timer.waiting]

    def for_next_match(self, before: MatchState | None) -> list[ev.Event]:
        """The clocks of the last match, reset for the next one."""
        timers = before.timers.values() if before else ()
        return [self._updated(timer.reset().set) for timer in timers]

    def ended(self, state: MatchState) -> list[ev.Event]:
        if state.over:
            return []
        run_down = (name for name, t in state.timers.items() if t.ends is not None and t.ends <= self._steady())
        return [ev.TimerEnded(timer=name) for name in run_down]

    def after_boot(self, state: MatchState, history: Sequence[Stamped]) -> list[ev.Event]:
        """Continue clocks of another boot by the time of day; if that went back, no time has passed."""
        at = {s.id: s.at for s in history}
        found: list[ev.Event] = []
        for timer in state.timers.values():
            if timer.ends is not None and timer.set.boot != self._boot and not state.over:
                found.append(self._resumed(timer.set, BeforeReboot(left=timer.set.left, at=at[timer.id])))
        return found

    def time_of_day_set(self, state: MatchState) -> list[ev.Event]:
        """Recompute the clocks that depend on the time of day, once, after it was set."""
        dependent = (t.set for t in state.timers.values() if t.ends is not None and t.set.across is not None)
        return [self._resumed(one, one.across).model_copy(update={"across": None}) for one in dependent if one.across]

    def _resumed(self, was: TimerSetting, before: BeforeReboot) -> ev.TimerSet:
        passed = max(0.0, self._wall() - before.at)
        return self._updated(was, left=max(0.0, before.left - passed), across=before)
