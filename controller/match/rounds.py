"""Rounds: their end, their figures as people counted or awarded them, and discs counted by hand."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from controller import rules
from controller.errors import Refused
from controller.match.base import SideNames, UndoableEvent
from controller.match.base_command import At, BaseCommand, Events, HowMany, RoundCommand, Totals
from controller.match.boards import BoardAdopted, as_strangers
from controller.match.lifecycle import Paused
from controller.match.model import Number, SideId
from controller.match.questions import LASTING
from controller.match.state import MatchState
from controller.messages import Message, counted, marked, say


class RoundEnded(UndoableEvent):
    """A round ended: the board was swept, or a person confirmed its end. `totals`, `twenties`: counted by hand, for the
    running round. `points`: for each side, awarded by the organiser, also to a `round` that had ended before."""

    webhook = "round_ended"
    ends_round = True
    how: Literal["swept", "confirmed"] = "confirmed"
    totals: dict[SideId, int] = Field(default={})
    twenties: dict[SideId, int] = Field(default={})
    round: int | None = None
    points: dict[SideId, int] = Field(default={})

    def in_words(self, names: SideNames) -> Message:
        if self.points:
            return self.filled(marked("Round {number} awarded: {points}"), names)
        return self.filled(marked("Round entered by hand: {totals}") if self.totals else marked("Round ended"), names)

    def undoing(self, names: SideNames) -> Message:
        points = marked("the points of round {number}")
        return self.filled(points if self.points else marked("the end of the round"), names)

    def apply(self, state: MatchState, id_: int) -> MatchState:
        if self.round is not None:
            state = replace(state, game=state.game.award(self.round, _figures(self.points)))
            running = self.round == state.game.round.number and self.round > state.confirmed
            return end_round(state) if running else state
        if self.totals:
            game = with_open_round(state, state.game.round.starter)
            game = game.enter_totals(game.round.number, _figures(self.totals), _figures(self.twenties))
            state = replace(state, game=game)
        return end_round(state, swept=self.how == "swept")


class RoundCorrected(UndoableEvent):
    """The totals of a finished round, or the number of twenties of a side in any, as people counted them."""

    round: int
    totals: dict[SideId, int] = Field(default={})
    twenties: dict[SideId, int] = Field(default={})

    def in_words(self, names: SideNames) -> Message:
        if self.totals:
            return self.filled(marked("Totals of round {number}: {totals}"), names)
        ((side, value),) = self.twenties.items()
        return self.filled(marked("Twenties of {side} in round {number}: {value}"), names, side=side, value=value)

    def apply(self, state: MatchState, id_: int) -> MatchState:
        if not self.totals:
            return replace(state, game=state.game.correct_twenties(self.round, _figures(self.twenties)))
        game = state.game.correct_totals(self.round, _figures(self.totals))
        questions = {q.id: q for q in state.questions.values() if q.asked.round != self.round}
        return replace(state, game=game, questions=questions)


class TimedOut(UndoableEvent):
    """Time ran out in the running round."""

    words = marked("Time called")

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return replace(state, game=state.game.time_out())


class ShootOutEntered(UndoableEvent):
    """The twenties of a shoot-out, as people counted them."""

    words = marked("Shoot-out: {twenties}")
    undo_words = marked("the shoot-out")
    twenties: dict[SideId, int]

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return replace(state, game=state.game.enter_shoot_out(_figures(self.twenties)))


def with_open_round(state: MatchState, starter: str) -> rules.Match:
    """The match with a running round. If a correction has since decided the match, but a further round was played, open
    that round with `starter`."""
    beyond = state.game.round.complete and not state.round_proposed
    return state.game.with_next_round(starter) if beyond else state.game


def end_round(state: MatchState, *, swept: bool = False) -> MatchState:
    """End the running round. Discs that were not swept off the board are then strangers."""
    game = state.game if state.game.round.complete else state.game.close_round()
    confirmed = game.round.number
    if not game.over and not game.awaits_shoot_out:
        game = game.next_round()
    return replace(
        state,
        game=game,
        measured={},
        to_remove={},
        ruled={},
        strangers=() if swept else (*state.strangers, *as_strangers(state)),
        hole=(),
        last_call=None,
        end_undone=False,
        questions={q.id: q for q in state.questions.values() if q.asked.what in LASTING},
        confirmed=confirmed,
        timers={name: timer.reset() if name == "round" else timer for name, timer in state.timers.items()},
    )


def _figures(by_side: Mapping[Any, int]) -> dict[str, int]:
    return {str(side): value for side, value in by_side.items()}


class Confirm(RoundCommand):
    """The confirm button: resume after a pause, confirm that the board is clear for a new match, or confirm the
    proposed end of the round."""

    only_running = True
    rereads = True
    do: Literal["confirm"]

    def events(self, at: At) -> Events:
        """Confirm the first of these that is pending: the end of a pause, the cleared board, the end of the round."""
        if at.state.paused:
            return [Paused(paused=False)]
        if at.state.uncleared:
            return [BoardAdopted(shots=(), measured={})]
        if at.state.round_proposed and not at.state.over:
            return [RoundEnded()]
        raise Refused(say("There is nothing to confirm."))


class EndRound(RoundCommand):
    """End the round, or confirm its proposed end."""

    rereads = True
    do: Literal["end_round"]

    def events(self, at: At) -> Events:
        at.check_running()
        return [RoundEnded()]


class EnterRound(RoundCommand):
    """End the running round with these totals, twenties included; `twenties` if they are known."""

    rereads = True
    do: Literal["enter_round"]
    totals: Totals = Field(min_length=1)
    twenties: dict[SideId, HowMany] = Field(default={})

    def events(self, at: At) -> Events:
        at.check_running()
        for side, count in self.twenties.items():
            total = self.totals.get(side)
            if side in at.state.sides and total is not None:  # the rules refuse an unknown side
                _check_possible(total, count, side, at.state)
        return [RoundEnded(totals=self.totals, twenties=self.twenties)]


def _check_possible(total: int, count: int, side: str, state: MatchState) -> None:
    """Raise `Refused` if a side's discs can't make this total with so many twenties."""
    least, most = 20 * count, 20 * count + 15 * (state.game.terms.discs - count)
    if not least <= total <= most:
        figures = {"name": state.name_of(side), "total": total, "least": least, "most": most}
        raise Refused(
            counted(
                "{name}: with {n} twenty the total is from {least} to {most}; {total} is not possible.",
                "{name}: with {n} twenties the total is from {least} to {most}; {total} is not possible.",
                count,
                **figures,
            )
        )


class TimeOut(RoundCommand):
    """Time ran out: a side with fewer shots gets one more; otherwise the round ends."""

    do: Literal["time_out"]

    def events(self, at: At) -> Events:
        at.check_running()
        return [TimedOut()]


class CorrectTwenties(BaseCommand):
    """Set the twenties of a side in a round."""

    do: Literal["correct_twenties"]
    round: Number
    side: SideId
    value: HowMany

    def at_stake(self, at: At) -> object:
        rounds = at.state.game.all_rounds[self.round - 1 : self.round]
        return [r.twenty_counts.get(self.side) for r in rounds]

    def events(self, at: At) -> Events:
        return [RoundCorrected(round=self.round, twenties={self.side: self.value})]


class FiguresCommand(BaseCommand):
    """A command that sets the figures of a round."""

    round: Number

    def at_stake(self, at: At) -> object:
        rounds = at.state.game.all_rounds[self.round - 1 : self.round]
        return [(r.totals, r.twenty_counts, r.awarded_by_hand, r.number <= at.state.confirmed) for r in rounds]


class CorrectRound(FiguresCommand):
    """Set the totals of a finished round."""

    do: Literal["correct_round"]
    totals: Totals = Field(min_length=1)

    def events(self, at: At) -> Events:
        return [RoundCorrected(round=self.round, totals=self.totals)]


class Award(FiguresCommand):
    """Award a finished or running round with points for each side."""

    do: Literal["award"]
    points: dict[SideId, Annotated[int, Field(ge=0, le=480)]] = Field(min_length=1)

    def events(self, at: At) -> Events:
        return [RoundEnded(round=self.round, points=self.points)]


class EnterShootOut(BaseCommand):
    """Enter the twenties of the shoot-out that decides a level match."""

    do: Literal["shoot_out"]
    twenties: dict[SideId, Annotated[int, Field(ge=0, le=100)]] = Field(min_length=2)

    def at_stake(self, at: At) -> object:
        return at.state.game.round.number, len(at.state.game.shoot_outs)

    def events(self, at: At) -> Events:
        return [ShootOutEntered(twenties=self.twenties)]
