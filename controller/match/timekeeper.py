"""Creates the events of a match's clocks that no command asks for: the first shot, a reboot, time running out. Time is
a parameter."""

from collections.abc import Callable, Sequence

from controller.match import events as ev
from controller.match.base import BootClock, Stamped
from controller.match.parts import BeforeReboot, TimerSetting
from controller.match.state import MatchState
from controller.match.timers import updated
from controller.rules import TWENTY


class Timekeeper:
    """Creates the events of clocks."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float], boot: str) -> None:
        """`wall`: the time of day; `steady`: a monotonic clock that restarts with each `boot`."""
        self._wall = wall
        self.clock = BootClock(steady, boot)

    def first_shot(self, events: Sequence[ev.Event], state: MatchState) -> list[ev.Event]:
        """Start the clocks that wait for a first shot, or a first twenty counted by hand."""
        if state.over or not any(_begins_play(event) for event in events):
            return []
        return [updated(timer.set, self.clock, running=True) for timer in state.timers.values() if timer.waiting]

    def for_next_match(self, before: MatchState | None) -> list[ev.Event]:
        """The clocks of the last match, reset for the next one."""
        timers = before.timers.values() if before else ()
        return [updated(timer.reset().set, self.clock) for timer in timers]

    def ended(self, state: MatchState) -> list[ev.Event]:
        if state.over:
            return []
        run_down = (name for name, t in state.timers.items() if t.ends is not None and t.ends <= self.clock.steady())
        return [ev.TimerEnded(timer=name) for name in run_down]

    def after_boot(self, state: MatchState, history: Sequence[Stamped]) -> list[ev.Event]:
        """Continue clocks of another boot by the time of day; if that went back, no time has passed."""
        at = {s.id: s.at for s in history}
        found: list[ev.Event] = []
        for timer in state.timers.values():
            if timer.ends is not None and timer.set.boot != self.clock.boot and not state.over:
                found.append(self._resumed(timer.set, BeforeReboot(left=timer.set.left, at=at[timer.id])))
        return found

    def time_of_day_set(self, state: MatchState) -> list[ev.Event]:
        """Recompute the clocks that depend on the time of day, once, after it was set."""
        dependent = (t.set for t in state.timers.values() if t.ends is not None and t.set.across is not None)
        return [self._resumed(one, one.across).model_copy(update={"across": None}) for one in dependent if one.across]

    def _resumed(self, was: TimerSetting, before: BeforeReboot) -> ev.TimerSet:
        passed = max(0.0, self._wall() - before.at)
        return updated(was, self.clock, left=max(0.0, before.left - passed), across=before)


def _begins_play(event: ev.Event) -> bool:
    return isinstance(event, ev.ShotSeen) or (isinstance(event, ev.DiscCounted) and event.points == TWENTY)
