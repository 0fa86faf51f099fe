"""What an organiser does with rounds and stages. The events that follow can be shown before they are confirmed."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.club.errors import StageOver, TournamentError
from controller.club.tournament.base import Action, Steps
from controller.club.tournament.boards import pairings
from controller.club.tournament.match_ends import WalkedOver
from controller.club.tournament.rounds import RoundPaired, StageBegan
from controller.club.tournament.stages import stage_kind
from controller.club.tournament.standings import next_groups
from controller.club.tournament.state import TournamentMatch, TournamentRound, TournamentState
from controller.messages import Message, say


class NextRound(Action):
    """Pair the next round; if the stage is over, begin the next one and pair its first."""

    def plan(self, state: TournamentState) -> Steps:
        if not state.stages:
            yield from _begin(state)
            return
        _check_ready(state)
        for match in stage_kind(state).displaced(state, state.stage.number):
            if match.open:
                state = yield RoundPaired.without(match, state.rounds[match.round])
        try:
            yield from _draw(state)
        except StageOver:
            if len(state.stages) == len(state.known_format.stages):
                raise
            yield from _begin(state)


class NextStage(Action):
    """End the running stage and begin the next one."""

    def plan(self, state: TournamentState) -> Steps:
        if state.stages:
            _check_ready(state, to_end=True)
        yield from _begin(state)


@dataclass(frozen=True, slots=True)
class PairAgain(Action):
    """Draw a round again among those whose match has not begun; matches that have begun or are over stay."""

    round: str

    def plan(self, state: TournamentState) -> Steps:
        round = state.round(self.round)
        if state.rounds_of(state.stage.number)[-1:] != [round] or stage_kind(state).knock_out:
            raise TournamentError(
                say("Only the latest round can be paired again, and play-offs follow from their results.")
            )
        matches = state.matches_of(round=round.id)
        again = [match for match in matches if match.open and not match.started]
        kept = {side for match in matches if match not in again for side in match.sides}
        event, notes = _draw_round(_before(state, round, again, kept))
        yield replace(event, round=round.id, cancelled=tuple(match.id for match in again))
        yield notes


def _begin(state: TournamentState) -> Steps:
    state = yield StageBegan(len(state.stages), next_groups(state))
    yield from _draw(state)


def _draw(state: TournamentState) -> Steps:
    """The next round of the running stage. If one side of a play-off match has dropped out, the other wins by a
    walkover; if both have, nobody does."""
    event, notes = _draw_round(state)
    state = yield event
    for match in state.open_matches:
        there = state.here(match.sides)
        if match.slot and len(there) < 2:
            yield WalkedOver(match.id, there[0] if there else None)
    yield notes


def _draw_round(state: TournamentState) -> tuple[RoundPaired, tuple[Message, ...]]:
    """The next round of the running stage, and notes for the organiser."""
    form = stage_kind(state)
    event, notes = form.draw(state)
    return replace(event, pairings=pairings(state, event.pairings, form.on_boards)), notes


def _check_ready(state: TournamentState, to_end: bool = False) -> None:
    """Raise `TournamentError` while results are missing that the next round depends on."""
    if state.closed:
        raise TournamentError(say("The evening is closed. Undo that in the list of what was done to go on."))
    form = stage_kind(state)
    if form.continuous and not to_end:
        return
    for match in state.matches_of(state.stage.number):
        if match.contradicted:
            raise TournamentError(
                say("{match} has two different results; say which one is right.", match=state.label_of(match))
            )
    if to_end or not form.knock_out:
        state.check_all_over()


def _before(
    state: TournamentState, round: TournamentRound, again: Iterable[TournamentMatch], kept: Iterable[str]
) -> TournamentState:
    """The state for drawing a round again: without the round and the matches to pair `again`. Entrants whose match is
    `kept` are marked as absent, so that the draw ignores them."""
    rest = {id: each for id, each in state.rounds.items() if id != round.id}
    before = replace(state, rounds=rest)
    before = before.with_matches(*(replace(match, cancelled=True) for match in again))
    for entrant in kept:
        before = before.with_entrant(replace(before.entrant(entrant), here=False))
    return before
