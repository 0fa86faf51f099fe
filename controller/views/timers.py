"""A match's clocks, from which pages count down by themselves."""

from dataclasses import dataclass
from typing import Literal

from controller.match import parts
from controller.match.parts import TIMERS, TimerName
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.views.common import Sentence

TimerWord = Literal["waiting", "running", "stopped", "ended"]


@dataclass
class ShownTimer:
    """A clock of the match. It never blocks play."""

    timer: TimerName  #: The clock of each round or of the match.
    seconds: float  #: The seconds from which it runs down.
    on_first_shot: bool  #: Whether the first shot of the round, or of the match, starts it.
    word: TimerWord
    """`waiting` for the first shot, `running`, `stopped`, or `ended`: run down."""
    left: float | None  #: The seconds that it shows while stopped; null while it runs.
    ends: float | None
    """The table's steady clock, in s, when it will have run down; null while stopped. That clock can't be set; each
    `beat` of the streams and the header `X-Steady-Clock` of `/api/v1/state` report it."""
    text: Sentence | None  #: The meaning of its end; null before it.

    @classmethod
    def all_of(cls, state: MatchState) -> "list[ShownTimer]":
        """The clocks in use, the round's first."""
        return [cls.of(state.timers[name], state) for name in TIMERS if name in state.timers]

    @classmethod
    def of(cls, timer: parts.Timer, state: MatchState) -> "ShownTimer":
        """One clock."""
        ends = None if state.over else timer.ends
        return cls(
            timer=timer.set.timer,
            seconds=timer.set.seconds,
            on_first_shot=timer.set.on_first_shot,
            word=_word(timer, state),
            left=(0.0 if timer.ended else round(timer.set.left, 1)) if ends is None else None,
            ends=None if ends is None else round(ends, 3),
            text=_text(timer, state) if timer.ended and not state.over else None,
        )


def _word(timer: parts.Timer, state: MatchState) -> TimerWord:
    if timer.ended:
        return "ended"
    if timer.ends is not None and not state.over:
        return "running"
    return "waiting" if timer.waiting else "stopped"


def _text(timer: parts.Timer, state: MatchState) -> Message:
    """The meaning of a clock's end: it blocks nothing; people call time."""
    if timer.set.timer == "match":
        return say("The time of the match is up.")
    if state.game.round.time_out is not None:
        return say("Time was called.")
    return say("The time of the round is up. The scorer calls it: a side with fewer shots has one more.")
