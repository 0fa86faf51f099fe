"""What every scoreboard shows of a running match: the sides with their figures; and the clocks, from which pages count
down by themselves."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from controller.match import parts
from controller.match.parts import TIMERS, Points, TimerName
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.views import phrases
from controller.views.common import Seat, Sentence, SideId, Swatch

Range = Annotated[list[int], Field(min_length=2, max_length=2)]
"""The lowest and the highest, in points."""


@dataclass
class TakenSeat:
    """A seat of a side."""

    seat: Seat  #: Its number.
    player: str  #: The player there.


@dataclass
class HandCountedDisc:
    """A disc that people counted by hand."""

    id: int  #: The number of its event, for the command that undoes it.
    points: Points  #: Its points.


@dataclass
class SideNow:
    """The state of a side."""

    id: SideId  #: Its letter.
    name: str  #: Its name.
    seats: list[TakenSeat]  #: Its seat, or two seats in doubles.
    colour: str  #: The colour of its discs; empty if it is not known.
    swatch: Swatch  #: How its discs are drawn.
    score: int  #: Its score in the match, from confirmed rounds.
    total: int  #: Its total if the running round ended now, twenties included.
    total_range: Range  #: The lowest and highest possible total now, over all open questions and close calls.
    counted: list[HandCountedDisc]
    """The discs of the running round that people counted by hand, twenties included, the newest last."""
    by_hand: int  #: Their sum with all twenties of the round, on which both sides agree at its end.
    score_by_hand: int  #: Its score in the match if the running round ended with these sums.
    twenties: int  #: Its twenties in the running round.
    match_twenties: int | None  #: Its twenties in the whole match; null if nobody recorded those of some round.
    discs: int  #: The discs that it shoots in a round.
    shots_left: int  #: The discs that it still has to shoot in this round.
    shoots: bool  #: Whether it is its turn.
    hammer: bool  #: Whether it has the last shot of the round.

    @classmethod
    def all_of(cls, state: MatchState) -> "list[SideNow]":
        """Every side, in the order in which they were named."""
        return [cls.of(state, side, list(between)) for side, between in total_ranges(state).items()]

    @classmethod
    def of(cls, state: MatchState, id_: str, between: list[int]) -> "SideNow":
        """One side; `between`: its lowest and highest total of the round."""
        game, info = state.game, state.started.by_id[id_]
        round_ = game.round
        return cls(
            id=id_,
            name=info.name,
            seats=[TakenSeat(seat, state.player_of(seat)) for seat, side in game.terms.seats if side == id_],
            colour=info.colour,
            swatch=phrases.swatch(info.colour),
            score=state.score[id_],
            total=round_.totals[id_],
            total_range=between,
            counted=[HandCountedDisc(k, one.points) for k, one in state.counted_for(id_).items()],
            by_hand=state.by_hand[id_],
            score_by_hand=state.score[id_] + game.terms.format.award(state.by_hand)[id_],
            twenties=round_.twenty_counts[id_],
            match_twenties=game.match_twenties[id_],
            discs=game.terms.discs,
            shots_left=round_.shots_left[id_],
            shoots=round_.to_shoot == id_,
            hammer=round_.hammer == id_ and not game.terms.rules.practice,
        )


def total_ranges(state: MatchState) -> dict[str, tuple[int, int]]:
    """Each side's lowest and highest possible total of the running round, over all open questions and close calls."""
    number = state.game.round.number
    between = state.total_ranges(number)
    in_question = {q.asked.disc for q in state.decisive if q.asked.round == number}
    for name, disc in state.on_board.items():  # close calls without a question so far
        if disc.call == "close" and name not in state.ruled and name not in in_question:
            side, zones = state.side_of(name), disc.zones_in_doubt
            low, high = between[side]
            between[side] = max(0, low + min(zones) - disc.zone), high + max(zones) - disc.zone
    return between


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
    def of(cls, timer: parts.TimerSetting, state: MatchState) -> "ShownTimer":
        """One clock."""
        ends = state.running_timers.get(timer.timer)
        return cls(
            timer=timer.timer,
            seconds=timer.seconds,
            on_first_shot=timer.on_first_shot,
            word=_word(timer, running=ends is not None),
            left=(0.0 if timer.ended else round(timer.left, 1)) if ends is None else None,
            ends=None if ends is None else round(ends, 3),
            text=_text(timer, state) if timer.ended and not state.over else None,
        )


def _word(timer: parts.TimerSetting, *, running: bool) -> TimerWord:
    if timer.ended:
        return "ended"
    if running:
        return "running"
    return "waiting" if timer.waiting else "stopped"


def _text(timer: parts.TimerSetting, state: MatchState) -> Message:
    """The meaning of a clock's end: it blocks nothing; people call time."""
    if timer.timer == "match":
        return say("The time of the match is up.")
    if state.game.round.time_out is not None:
        return say("Time was called.")
    return say("The time of the round is up. The scorer calls it: a side with fewer shots has one more.")
