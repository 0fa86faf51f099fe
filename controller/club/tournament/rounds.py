"""The events of the evening: its format, stages and rounds, where matches are played, its end, and what is undone."""

from collections.abc import Iterable
from dataclasses import replace

from controller.club.errors import TournamentError
from controller.club.tournament.base import ByOrganiser, Event, Steps
from controller.club.tournament.formats import Count, TournamentFormat
from controller.club.tournament.state import Pairing, Stage, TournamentMatch, TournamentRound, TournamentState
from controller.messages import say


class FormatSet(ByOrganiser):
    """The format was chosen, or changed for later stages and rounds."""

    format: TournamentFormat

    def apply(self, state: TournamentState) -> TournamentState:
        if state.stages:
            begun, old, new = len(state.stages), state.known_format.stages, self.format.stages
            if [type(stage) for stage in new[:begun]] != [type(stage) for stage in old[:begun]]:
                raise TournamentError(
                    say("A stage can't be changed once it has begun. Undo its first round to change it.")
                )
        return replace(state, format=self.format)


class StageBegan(Event):
    """A stage began with these entrants by seed, one group for each pool (else one group)."""

    stage: int
    groups: tuple[tuple[str, ...], ...]

    def apply(self, state: TournamentState) -> TournamentState:
        if self.stage != len(state.stages) or self.stage >= len(state.known_format.stages):
            raise TournamentError(say("This is not the next stage of the format."))
        groups = tuple(tuple(each for each in group if each in state.entrants) for group in self.groups) or ((),)
        return replace(state, stages=(*state.stages, Stage(self.stage, groups)))


class StageJoined(Event):
    """A late arrival joined a group of the running stage."""

    entrant: str
    group: int = 0

    def apply(self, state: TournamentState) -> TournamentState:
        stage, entrant = state.stage, state.entrant(self.entrant)
        if entrant.id in stage.entrants or self.group >= len(stage.groups):
            raise TournamentError(say("{name} can't join this stage.", name=entrant.label))
        groups = tuple((*group, entrant.id) if k == self.group else group for k, group in enumerate(stage.groups))
        return replace(state, stages=(*state.stages[:-1], replace(stage, groups=groups)))


class RoundPaired(Event):
    """A round was drawn; `byes`: the entrants without an opponent. With `round`, an earlier round's id: more matches of
    it, replacing those `cancelled`; `byes` are then all of its byes."""

    pairings: tuple[Pairing, ...]
    byes: tuple[str, ...] = ()
    round: str = ""
    cancelled: tuple[str, ...] = ()

    @classmethod
    def without(cls, match: TournamentMatch, round: TournamentRound) -> "RoundPaired":
        """The round without this match."""
        return cls((), round.byes, round.id, (match.id,))

    def apply(self, state: TournamentState) -> TournamentState:
        """Those in none of the round's matches keep their byes. Raises `TournamentError` if somebody would be in two
        matches."""
        for id in self.cancelled:
            state = _without(state, state.match(id))
        round = state.round(self.round) if self.round else TournamentRound(str(state.number), state.stage.number)
        busy = [side for match in state.matches_of(round=round.id) for side in match.sides]
        made = _new_matches(state, self.pairings, round)
        for side in (side for match in made for side in match.sides):
            if side in busy:
                raise TournamentError(say("{name} would be in two matches of one round.", name=state.labels[side]))
            busy.append(side)
        byes = tuple(each for each in dict.fromkeys(self.byes) if each in state.entrants and each not in busy)
        return state.with_round(replace(round, byes=byes)).with_matches(*made)


def _without(state: TournamentState, match: TournamentMatch) -> TournamentState:
    if match.over:
        raise TournamentError(say("{match} is over; it can't be paired again.", match=state.label_of(match)))
    return state.with_matches(replace(match, cancelled=True))


def _new_matches(state: TournamentState, pairings: Iterable[Pairing], round: TournamentRound) -> list[TournamentMatch]:
    """The matches of the pairings with two known entrants, without unknown boards."""
    return [
        TournamentMatch(
            pairing.sides,
            pairing.board if pairing.board in state.boards else None,
            pairing.turn,
            pairing.slot,
            id=f"{state.number}.{k}",
            round=round.id,
            stage=round.stage,
        )
        for k, pairing in enumerate(pairings, 1)
        if all(side in state.entrants for side in pairing.sides)
    ]


class MatchMoved(ByOrganiser):
    """A match was moved to another board, or to none for now."""

    match: str
    board: str | None
    turn: Count = 1

    def apply(self, state: TournamentState) -> TournamentState:
        match = state.open_match(self.match)
        if self.board is not None and not state.board(self.board).works:
            raise TournamentError(say("{board} is broken; choose another.", board=state.board(self.board).heading))
        return state.with_matches(replace(match, board=self.board, turn=self.turn))

    def plan(self, state: TournamentState) -> Steps:
        """If another match has this board and turn, the two are swapped."""
        match = state.match(self.match)
        there = [m for m in state.open_matches if (m.board, m.turn) == (self.board, self.turn) and m.id != match.id]
        yield self
        if self.board is None:
            return
        for other in there:
            if other.started:
                raise TournamentError(
                    say("{match} is being played there; choose a later turn.", match=state.label_of(other))
                )
            yield MatchMoved(other.id, match.board, match.turn)


class MatchStarted(Event):
    """A match started, by its first shot or by its players' word."""

    match: str

    def apply(self, state: TournamentState) -> TournamentState:
        return state.with_matches(replace(state.open_match(self.match), started=True))


class EveningClosed(ByOrganiser):
    """The evening was closed: nothing more is paired."""

    def apply(self, state: TournamentState) -> TournamentState:
        state.check_all_over()
        return replace(state, closed=True)


class Undone(ByOrganiser):
    """An earlier event, and what followed from it, was undone. Undoing this restores it."""

    entry: int
