"""The views of a match's clocks, from which pages count down by themselves."""

from controller.match.parts import TIMERS, Timer
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.views.schema import table_state as sc


def timers_view(state: MatchState) -> list[sc.Timer]:
    """The clocks in use, the round's first."""
    return [timer_view(state.timers[name], state) for name in TIMERS if name in state.timers]


def timer_view(timer: Timer, state: MatchState) -> sc.Timer:
    """One clock."""
    stands = state.over or timer.ends is None
    return {
        "timer": timer.set.timer,
        "seconds": timer.set.seconds,
        "on_first_shot": timer.set.on_first_shot,
        "word": _word(timer, state),
        "left": (0.0 if timer.ended else round(timer.set.left, 1)) if stands else None,
        "ends": None if stands or timer.ends is None else round(timer.ends, 3),
        "text": _text(timer, state) if timer.ended and not state.over else None,
    }


def _word(timer: Timer, state: MatchState) -> sc.TimerWord:
    if timer.ended:
        return "ended"
    if timer.ends is not None and not state.over:
        return "running"
    return "waiting" if timer.waiting else "stopped"


def _text(timer: Timer, state: MatchState) -> Message:
    """The meaning of a clock's end: it blocks nothing; people call time."""
    if timer.set.timer == "match":
        return say("The time of the match is up.")
    if state.game.round.time_out is not None:
        return say("Time was called.")
    return say("The time of the round is up. The scorer calls it: a side with fewer shots has one more.")
