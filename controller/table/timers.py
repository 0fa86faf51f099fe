"""Running a match's clocks: what people command, the first shot, a machine that was off, and when time is up."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from controller.errors import Refused
from controller.match import commands as cm
from controller.match import events as ev
from controller.match.state import MatchState, Stamped
from controller.match.timers import Across, Timer
from controller.messages import say

BOOT = Path("/proc/sys/kernel/random/boot_id")

TIMER_COMMANDS = (cm.SetTimer, cm.RunTimer, cm.CorrectTimer, cm.RemoveTimer)

NO_TIMER = say("There is no such clock: set it first.")


def boot_id() -> str:
    """What tells this boot of the machine from others; empty where the system does not say."""
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


class Timers:
    """Makes the events of clocks."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float], boot: str) -> None:
        """`wall` is the time of day, `steady` a clock that nobody sets and that begins anew with each `boot`."""
        self._wall = wall
        self._steady = steady
        self._boot = boot

    def commanded(self, command: cm.Command, state: MatchState) -> Sequence[ev.Event]:
        """The events that carry out a command about a clock. Raises `Refused`."""
        assert isinstance(command, TIMER_COMMANDS)
        return [self._commanded(command, state).model_copy(update={"by": command.by, "who": command.who})]

    def _commanded(
        self, command: cm.SetTimer | cm.RunTimer | cm.CorrectTimer | cm.RemoveTimer, state: MatchState
    ) -> ev.TimerSet | ev.TimerRemoved:
        if isinstance(command, cm.SetTimer):
            new = ev.TimerSet(timer=command.timer, seconds=command.seconds, left=command.seconds)
            return self._now(new, on_first_shot=command.on_first_shot, running=command.running)
        timer = state.timers.get(command.timer)
        if timer is None:
            raise Refused(NO_TIMER)
        match command:
            case cm.RemoveTimer():
                return ev.TimerRemoved(timer=command.timer)
            case cm.CorrectTimer(left=left):
                return self._now(timer.set, left=left, running=timer.set.running)
        if timer.ended:
            raise Refused(say("That clock has run down: set or correct it."))
        return self._now(timer.set, left=self.left(timer), running=command.running)

    def _now(self, was: ev.TimerSet, **changed: object) -> ev.TimerSet:
        now = {"steady": self._steady(), "boot": self._boot, "across": None, "by": "table", "who": ""}
        return was.model_copy(update={**now, **changed})

    def left(self, timer: Timer) -> float:
        """How many seconds are left on a clock now; 0 when it has run down."""
        return timer.set.left if timer.ends is None else max(0.0, timer.ends - self._steady())

    def first_shot(self, events: Sequence[ev.Event], state: MatchState) -> list[ev.Event]:
        """What a shot sets going: the clocks that wait for it."""
        if state.over or not any(isinstance(event, ev.ShotSeen) for event in events):
            return []
        return [self._now(timer.set, running=True) for timer in state.timers.values() if timer.waiting]

    def for_next_match(self, before: MatchState | None) -> list[ev.Event]:
        """The clocks of the match before, wound up: the next match is played by the same."""
        timers = before.timers.values() if before else ()
        return [self._now(timer.anew().set) for timer in timers]

    def ended(self, state: MatchState) -> list[ev.Event]:
        """The clocks that have run down by now."""
        if state.over:
            return []
        run_down = (name for name, t in state.timers.items() if t.ends is not None and t.ends <= self._steady())
        return [ev.TimerEnded(timer=name) for name in run_down]

    def after_boot(self, state: MatchState, history: Sequence[Stamped]) -> list[ev.Event]:
        """Running clocks of another boot go on by the time of day; one that is set back counts as no time."""
        at = {s.id: s.at for s in history}
        found: list[ev.Event] = []
        for timer in state.timers.values():
            if timer.ends is not None and timer.set.boot != self._boot and not state.over:
                found.append(self._reckoned(timer.set, Across(left=timer.set.left, at=at[timer.id])))
        return found

    def time_of_day_set(self, state: MatchState) -> list[ev.Event]:
        """A clock that was reckoned by the time of day is reckoned anew by the right one, once."""
        reckoned = (t.set for t in state.timers.values() if t.ends is not None and t.set.across is not None)
        return [self._reckoned(one, one.across).model_copy(update={"across": None}) for one in reckoned if one.across]

    def _reckoned(self, was: ev.TimerSet, before: Across) -> ev.TimerSet:
        passed = max(0.0, self._wall() - before.at)
        return self._now(was, left=max(0.0, before.left - passed), across=before)


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
