"""Rounds: their end, their figures as people counted or awarded them, and discs counted by hand."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from controller import rules
from controller.match.base import UndoableEvent
from controller.match.boards import as_strangers
from controller.match.model import SideId
from controller.match.parts import CountedDisc
from controller.match.questions import LASTING
from controller.match.state import MatchState
from controller.messages import marked

Ring = Literal[15, 10, 5]  # the values of a disc on the board


class RoundEnded(UndoableEvent):
    """The board was swept, or a person confirmed the end."""

    webhook = "round_ended"
    ends_round = True
    words = marked("Round ended")
    undo_words = marked("the end of the round")
    how: Literal["swept", "confirmed"]

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return end_round(state, swept=self.how == "swept")


class RoundEntered(UndoableEvent):
    """The running round was ended with figures counted by hand."""

    webhook = "round_ended"
    ends_round = True
    words = marked("Round entered by hand: {totals}")
    undo_words = marked("the end of the round")
    totals: dict[SideId, int]
    twenties: dict[SideId, int] = Field(default={})

    def apply(self, state: MatchState, id_: int) -> MatchState:
        game = with_open_round(state, state.game.round.starter)
        game = game.enter_totals(game.round.number, _figures(self.totals), _figures(self.twenties))
        return end_round(replace(state, game=game))


class RoundAwarded(UndoableEvent):
    """The organiser awarded a round with points for each side."""

    webhook = "round_ended"
    ends_round = True
    words = marked("Round {number} awarded: {points}")
    undo_words = marked("the points of round {number}")
    round: int
    points: dict[SideId, int]

    def apply(self, state: MatchState, id_: int) -> MatchState:
        state = replace(state, game=state.game.award(self.round, _figures(self.points)))
        running = self.round == state.game.round.number and self.round > state.confirmed
        return end_round(state) if running else state


class RoundCorrected(UndoableEvent):
    """The totals of a finished round, as people counted them."""

    words = marked("Totals of round {number}: {totals}")
    round: int
    totals: dict[SideId, int]

    def apply(self, state: MatchState, id_: int) -> MatchState:
        game = state.game.correct_totals(self.round, _figures(self.totals))
        questions = {q.id: q for q in state.questions.values() if q.asked.round != self.round}
        return replace(state, game=game, questions=questions)


class TwentiesCorrected(UndoableEvent):
    """The number of twenties of one side in one round, as people counted it."""

    words = marked("Twenties of {side} in round {number}: {value}")
    round: int
    side: SideId
    value: int

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return replace(state, game=state.game.correct_twenties(self.round, {self.side: self.value}))


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


class TwentyCounted(UndoableEvent):
    """One more twenty of a side, not from a shot: only the hole's sensor noticed it, or people counted it."""

    words = marked("One more twenty of {side} in round {number}")
    round: int
    side: SideId

    def apply(self, state: MatchState, id_: int) -> MatchState:
        state = _with_round(state, self.round)
        if self.round > state.game.round.number:
            return state
        more = {**dict.fromkeys(state.sides, 0), **state.game.all_rounds[self.round - 1].twenties_adjusted}
        more[self.side] += 1  # the other sides' are known now too: who counts one side's counts all
        game = state.game.adjust_twenties(self.round, more)
        state = replace(state, game=game, hole=())  # it explains the sensor's signal
        if self.by == "table":
            return state
        disc = CountedDisc(id_, self.round, self.side, rules.TWENTY, self.sender)
        return replace(state, counted=(*state.counted, disc))


class DiscCounted(UndoableEvent):
    """A disc on the board that people counted by hand, with its points for its side in the running round."""

    words = marked("{points} counted for {name} in round {number}")
    undo_words = marked("the {points} of {name}")
    round: int
    side: SideId
    points: Ring

    def apply(self, state: MatchState, id_: int) -> MatchState:
        state = _with_round(state, self.round)
        if self.round > state.game.round.number:
            return state
        game = state.game.count_by_hand(self.round, self.side, self.points)
        disc = CountedDisc(id_, self.round, self.side, self.points, self.sender)
        return replace(state, game=game, counted=(*state.counted, disc))


def with_open_round(state: MatchState, starter: str) -> rules.Match:
    """The match with a running round. If a correction has since decided the match, but a further round was played, open
    that round with `starter`."""
    beyond = state.game.round.complete and not state.round_proposed
    return state.game.with_next_round(starter) if beyond else state.game


def _with_round(state: MatchState, number: int) -> MatchState:
    """The state with that round open, unless it has not begun because the end of the one before was undone."""
    if number <= state.game.round.number:
        return state
    return replace(state, game=with_open_round(state, state.game.round.starter))


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
