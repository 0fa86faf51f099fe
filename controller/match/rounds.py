"""Rounds: their end, their figures as people counted or awarded them, and discs counted by hand."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from controller import rules
from controller.errors import Refused
from controller.match.base import At, BaseCommand, Events, HowMany, RoundCommand, SideNames, Totals, UndoableEvent
from controller.match.boards import BoardAdopted
from controller.match.discs import with_unplayed
from controller.match.lifecycle import Paused
from controller.match.model import FrozenModel, Number, SideId
from controller.match.questions import LASTING
from controller.match.state import MatchState
from controller.messages import Message, counted, marked, say


class EnteredFigures(FrozenModel):
    """What people say about a round: its `totals`, twenties included, and the `twenties` if those are known."""

    totals: Totals = Field(default={})
    twenties: dict[SideId, HowMany] = Field(default={})


class RoundEnded(UndoableEvent, EnteredFigures):
    """A round ended: the board was swept, or a person confirmed its end. `totals`, `twenties`: counted by hand, for the
    running round. `points`: for each side, awarded by the organiser, also to a `round` that had ended before."""

    webhook = "round_ended"
    how: Literal["swept", "confirmed"] = "confirmed"
    round: int | None = None
    points: dict[SideId, int] = Field(default={})

    def in_words(self, names: SideNames) -> Message:
        if self.points:
            return self.filled(marked("Round {round} awarded: {points}"), names)
        return self.filled(marked("Round entered by hand: {totals}") if self.totals else marked("Round ended"), names)

    def undoing(self, names: SideNames) -> Message:
        points = marked("the points of round {round}")
        return self.filled(points if self.points else marked("the end of the round"), names)

    def apply(self, state: MatchState) -> MatchState:
        if self.round is not None:
            state = replace(state, game=state.game.award(self.round, self.points))
            running = self.round == state.game.round.number and self.round > state.confirmed
            return end_round(state) if running else state
        if self.totals:
            game = with_open_round(state, state.game.round.starter)
            game = game.enter_totals(game.round.number, self.totals, self.twenties)
            state = replace(state, game=game)
        return end_round(state, swept=self.how == "swept")


class RoundCorrected(UndoableEvent, EnteredFigures):
    """The totals of a finished round, with twenties if people gave them too, or the number of twenties of a side in any
    round."""

    round: int

    def in_words(self, names: SideNames) -> Message:
        if self.totals:
            both = marked("Totals of round {round}: {totals}; twenties: {twenties}")
            return self.filled(both if self.twenties else marked("Totals of round {round}: {totals}"), names)
        ((side, value),) = self.twenties.items()
        return self.filled(marked("Twenties of {name} in round {round}: {value}"), names, side=side, value=value)

    def apply(self, state: MatchState) -> MatchState:
        game = state.game.correct_twenties(self.round, self.twenties)
        if not self.totals:
            return replace(state, game=game)
        game = game.correct_totals(self.round, self.totals)
        questions = state.questions_without(lambda q: q.asked.round == self.round)
        return replace(state, game=game, questions=questions)


class TimedOut(UndoableEvent):
    """Time ran out in the running round."""

    words = marked("Time called")

    def apply(self, state: MatchState) -> MatchState:
        return replace(state, game=state.game.time_out())


class ShootOutEntered(UndoableEvent):
    """The twenties of a shoot-out, as people counted them."""

    words = marked("Shoot-out: {twenties}")
    undo_words = marked("the shoot-out")
    twenties: dict[SideId, int]

    def apply(self, state: MatchState) -> MatchState:
        return replace(state, game=state.game.enter_shoot_out(self.twenties))


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
        strangers=() if swept else with_unplayed(state.strangers, state.measured),
        hole=(),
        last_call=None,
        end_undone=False,
        questions=state.questions_without(lambda q: q.asked.what not in LASTING),
        confirmed=confirmed,
        timers={name: timer.reset() if name == "round" else timer for name, timer in state.timers.items()},
    )


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
        raise Refused(say("There is nothing to confirm."), "next")


class EndRound(RoundCommand, EnteredFigures):
    """End the running round, or confirm its proposed end: with these totals, twenties included, else with what its
    discs count. `twenties` if they are known."""

    rereads = True
    do: Literal["end_round"]

    def events(self, at: At) -> Events:
        at.check_running()
        if not self.totals:
            return [*_corrected(at.state.game.round.number, self.twenties), RoundEnded()]
        _check_possible(self.totals, self.twenties, at.state)
        return [RoundEnded(totals=self.totals, twenties=self.twenties)]


def _corrected(number: int, twenties: Mapping[SideId, int]) -> list[RoundCorrected]:
    return [RoundCorrected(round=number, twenties={side: count}) for side, count in twenties.items()]


def _check_possible(totals: Totals, twenties: Mapping[SideId, int], state: MatchState) -> None:
    """Raise `Refused` if a side's discs can't make its total with so many twenties."""
    for side, count in twenties.items():
        total, least, most = totals.get(side), 20 * count, 20 * count + 15 * (state.game.terms.discs - count)
        if total is not None and side in state.sides and not least <= total <= most:  # the rules refuse unknown sides
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


class CorrectRound(BaseCommand, EnteredFigures):
    """Set figures of a round: the twenties of sides; the totals, once it is finished; the points that it is awarded,
    which end it if it is running."""

    do: Literal["correct_round"]
    round: Number
    points: dict[SideId, Annotated[int, Field(ge=0, le=480)]] = Field(default={})

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.totals or self.twenties or self.points):
            raise ValueError(say("Nothing was changed: give totals, twenties or points."))
        return self

    def at_stake(self, at: At) -> object:
        rounds = at.state.game.all_rounds[self.round - 1 : self.round]
        if not (self.totals or self.points):
            return [r.twenty_counts.get(side) for r in rounds for side in self.twenties]
        return [(r.totals, r.twenty_counts, r.awarded_by_hand, r.number <= at.state.confirmed) for r in rounds]

    def events(self, at: At) -> Events:
        _check_possible(self.totals, self.twenties, at.state)
        awarded = [RoundEnded(round=self.round, points=self.points)] if self.points else []
        if not self.totals:
            return [*_corrected(self.round, self.twenties), *awarded]
        return [RoundCorrected(round=self.round, totals=self.totals, twenties=self.twenties), *awarded]


class EnterShootOut(BaseCommand):
    """Enter the twenties of the shoot-out that decides a level match."""

    do: Literal["shoot_out"]
    twenties: dict[SideId, Annotated[int, Field(ge=0, le=100)]] = Field(min_length=2)

    def at_stake(self, at: At) -> object:
        return at.state.game.round.number, len(at.state.game.shoot_outs)

    def events(self, at: At) -> Events:
        return [ShootOutEntered(twenties=self.twenties)]
