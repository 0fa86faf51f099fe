"""Discs counted by hand, and rounds that end with such figures."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from pydantic import Field

from controller.errors import Refused, Stale
from controller.match.base import At, BaseCommand, BaseEvent, Events, HowMany, SideNames, Totals, UndoableEvent
from controller.match.lifecycle import ScoringModeChanged
from controller.match.model import Number, SideId
from controller.match.parts import CountedDisc
from controller.match.rounds import RoundEnded, with_open_round
from controller.match.state import MatchState
from controller.messages import Message, counted, marked, say
from controller.rules import TWENTY


class DiscCounted(UndoableEvent, CountedDisc):
    """One more disc for its side in the running round: people counted it, or only the hole's sensor noticed a
    twenty."""

    words = marked("{points} counted for {name} in round {round}")
    undo_words = marked("the {points} of {name}")

    def in_words(self, names: SideNames) -> Message:
        text = marked("One more twenty of {name} in round {round}") if self.points == TWENTY else self.words
        return self.filled(text, names)

    def apply(self, state: MatchState) -> MatchState:
        state = _with_round(state, self.round)
        if self.round > state.game.round.number:
            return state
        if self.points == TWENTY:
            state = self._one_more_twenty(state)
        else:
            state = replace(state, game=state.game.count_by_hand(self.round, self.side, self.points))
        if self.by == "table":
            return state
        return replace(state, counted={**state.counted, state.last_id: self})

    def _one_more_twenty(self, state: MatchState) -> MatchState:
        more = {**dict.fromkeys(state.sides, 0), **state.game.all_rounds[self.round - 1].twenties_adjusted}
        more[self.side] += 1  # the other sides' are known now too: who counts one side's counts all
        return replace(state, game=state.game.adjust_twenties(self.round, more), hole=())  # it explains the signal


def _with_round(state: MatchState, number: int) -> MatchState:
    """The state with that round open, unless it has not begun because the end of the one before was undone."""
    if number <= state.game.round.number:
        return state
    return replace(state, game=with_open_round(state, state.game.round.starter))


class Count(BaseCommand, CountedDisc):
    """Count one more disc of a side in the running round: a twenty, or a disc on the board. Counting a disc on the
    board hands the match to the scorer, as `manual` does."""

    only_running = True
    do: Literal["count"]

    def at_stake(self, at: At) -> object:
        """The side's count, excluding counts by the sender itself."""
        counted, running = at.state.counted_for(self.side), at.state.game.round
        own = {id_: one for id_, one in counted.items() if isinstance(one, DiscCounted) and self.caused(one)}
        twenties = running.twenty_counts.get(self.side, 0) - sum(one.points == TWENTY for one in own.values())
        return running.number, at.state.manual, twenties, counted.keys() - own.keys()

    def caused(self, event: BaseEvent) -> bool:
        """Whether its sender caused this event by counting just before."""
        return isinstance(event, DiscCounted | ScoringModeChanged) and event.sender == self.sender != ""

    def events(self, at: At) -> Events:
        """Raises `Refused` if all discs of the side are counted."""
        state = at.state
        at.check_running(self.round)
        at.check_side(self.side)
        discs, twenties = state.game.terms.discs, state.game.round.twenty_counts[self.side]
        if twenties + sum(one.points != TWENTY for one in state.counted_for(self.side).values()) >= discs:
            raise Refused(say("All {n} discs of {name} are counted already.", n=discs, name=state.name_of(self.side)))
        disc = DiscCounted(round=self.round, side=self.side, points=self.points)
        by_hand = state.manual or self.points == TWENTY
        return [disc] if by_hand else [ScoringModeChanged(manual=True, recount=True), disc]


class Agree(BaseCommand):
    """End the round with the figures counted by hand that both sides agreed on. Refused if the figures have changed
    since."""

    only_running = True
    do: Literal["agree"]
    round: Number
    totals: Totals = Field(min_length=1)
    twenties: dict[SideId, HowMany] = Field(min_length=1)

    def events(self, at: At) -> Events:
        """Raises `Stale` with both totals if the round counts otherwise."""
        at.check_running(self.round)
        _check_seen(self.totals, self.twenties, at.state)
        return [RoundEnded(totals=self.totals, twenties=self.twenties)]


class WinRound(BaseCommand):
    """End the running round with the winner (null: level) and the twenties that both sides agreed on, without totals.
    For two sides that play for rounds won."""

    only_running = True
    do: Literal["win_round"]
    round: Number
    winner: SideId | None
    twenties: dict[SideId, HowMany] = Field(min_length=1)

    def events(self, at: At) -> Events:
        """Raises `Stale` if the twenties differ, `Refused` if the totals are needed."""
        state, terms = at.state, at.state.game.terms
        at.check_running(self.round)
        if len(state.sides) != 2 or terms.format.kind not in ("rounds", "race"):
            raise Refused(say("In this match the totals count: count the discs."))
        if self.winner is not None:
            at.check_side(self.winner)
        if state.game.round.counted_by_hand or state.game.round.shots:
            raise Refused(say("Discs are counted in this round already: agree to the totals."))
        _check_seen(state.by_hand, self.twenties, state)
        points = terms.format.award({side: int(side == self.winner) for side in state.sides})
        return [RoundEnded(round=self.round, points=points)]


def check_counted(event: int, state: MatchState) -> None:
    """Raise `Refused` unless the count of a disc by this event can be taken back."""
    counted = state.counted.get(event)
    if counted is None or counted.round != state.game.round.number or state.confirmed >= counted.round:
        raise Refused(say("That was taken back already."), "undo")


def _check_seen(totals: Mapping[str, int], twenties: Mapping[str, int], state: MatchState) -> None:
    now = state.game.round.twenty_counts
    if (totals, twenties) == (state.by_hand, now):
        return
    words = say(
        "The round has changed since you saw it. You saw {seen}; it now counts {now}.",
        seen=_figures(totals, twenties, state),
        now=_figures(state.by_hand, now, state),
    )
    raise Stale(words, ())


def _figures(totals: Mapping[str, int], twenties: Mapping[str, int], state: MatchState) -> tuple[Message, ...]:
    return tuple(
        counted(
            "{name} {total} with {n} twenty",
            "{name} {total} with {n} twenties",
            twenties.get(side, 0),
            name=state.name_of(side),
            total=totals.get(side, 0),
        )
        for side in state.sides
    )
