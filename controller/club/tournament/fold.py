"""Folds events into the state, without those undone.

The fold is total. An event that does not fit, because an earlier one was undone or because two tables contradict each
other, changes nothing and is *set aside* with the reason: it stays in the log, visible, and counts as soon as the
reason disappears."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from controller.club.errors import TournamentError
from controller.club.tournament import events as ev
from controller.club.tournament.state import (
    ClubBoard,
    Entrant,
    SetAside,
    Stage,
    TournamentMatch,
    TournamentRound,
    TournamentState,
    normalized_name,
)
from controller.messages import marked, say


def fold(entries: Sequence[ev.LogEntry]) -> TournamentState:
    """The state after all these entries, in the order of their numbers."""
    gone = undone_numbers(entries)
    state = TournamentState()
    for entry in entries:
        if entry.number not in gone and not isinstance(entry.event, ev.Undone):
            state = after(state, entry)
    return state


def undone_numbers(entries: Sequence[ev.LogEntry]) -> set[int]:
    """The numbers of the entries that were undone, or follow from one that was. An undo can be undone."""
    gone: set[int] = set()
    for entry in reversed(entries):
        counts = entry.number not in gone and entry.because not in gone
        if counts and isinstance(entry.event, ev.Undone) and entry.event.entry < entry.number:
            gone.add(entry.event.entry)
    return gone | {entry.number for entry in entries if entry.because in gone}


def after(state: TournamentState, entry: ev.LogEntry) -> TournamentState:
    """The state after one more entry that is not an undo."""
    try:
        return apply(state, entry)
    except TournamentError as error:
        return _set_aside(state, entry, error)


def apply(state: TournamentState, entry: ev.LogEntry) -> TournamentState:
    """The state after one more entry. Raises `TournamentError` if it does not fit."""
    return _APPLIES[type(entry.event)](replace(state, number=entry.number), entry.event)


def _set_aside(state: TournamentState, entry: ev.LogEntry, error: TournamentError) -> TournamentState:
    event = entry.event
    if isinstance(event, ev.Result):
        match = state.matches.get(event.match)
        if match is not None and match.over and not match.cancelled and set(match.sides) == set(event.sides):
            other = in_match_order(event, match)
            if match.result is None or not other.same_result(match.result):
                state = state.with_matches(replace(match, contradicted=(*match.contradicted, other)))
    return replace(state, set_aside=(*state.set_aside, SetAside(entry.number, event, error.args[0])))


# --- entrants and boards


def _format_set(state: TournamentState, event: ev.FormatSet) -> TournamentState:
    if state.stages:
        begun, old, new = len(state.stages), state.known_format.stages, event.format.stages
        if [type(stage) for stage in new[:begun]] != [type(stage) for stage in old[:begun]]:
            raise TournamentError(say("A stage can't be changed once it has begun. Undo its first round to change it."))
    return replace(state, format=event.format)


def _check_players(players: tuple[str, ...]) -> None:
    if len(players) not in (1, 2) or not all(player.strip() for player in players):
        raise TournamentError(say("An entrant is one player or the two of a team; give each a name."))


def _entrant_added(state: TournamentState, event: ev.EntrantAdded) -> TournamentState:
    if event.entrant in state.entrants:
        raise TournamentError(say("There is an entrant {id} already; choose another id.", id=event.entrant))
    _check_players(event.players)
    return state.with_entrant(Entrant(event.entrant, event.players))


def _entrant_renamed(state: TournamentState, event: ev.EntrantRenamed) -> TournamentState:
    _check_players(event.players)
    return state.with_entrant(replace(state.entrant(event.entrant), players=event.players))


def _entrant_here(state: TournamentState, event: ev.EntrantHere) -> TournamentState:
    entrant = state.entrant(event.entrant)
    if entrant.here is event.here:
        words = marked("{name} is here already.") if event.here else marked("{name} has left already.")
        raise TournamentError(say(words, name=entrant.label))
    return state.with_entrant(replace(entrant, here=event.here))


def _board_added(state: TournamentState, event: ev.BoardAdded) -> TournamentState:
    if event.board in state.boards:
        raise TournamentError(say("There is a board {id} already; choose another id.", id=event.board))
    return state.with_board(ClubBoard(event.board, event.name))


def _board_renamed(state: TournamentState, event: ev.BoardRenamed) -> TournamentState:
    if any(
        normalized_name(board.label) == normalized_name(event.name)
        for board in state.boards.values()
        if board.id != event.board
    ):
        raise TournamentError(say("The club has a table {name} already; give this one another name.", name=event.name))
    return state.with_board(replace(state.board(event.board), name=event.name))


def _board_removed(state: TournamentState, event: ev.BoardRemoved) -> TournamentState:
    """Matches waiting for the board lose it. Raises `TournamentError` while one is played there."""
    board = state.board(event.board)
    waiting = [match for match in state.open_matches if match.board == board.id]
    for match in waiting:
        if match.started:
            words = say(
                "{match} is being played at {board}. Enter its result or move it to another board first.",
                match=match_label(state, match),
                board=board.heading,
            )
            raise TournamentError(words)
    return state.with_matches(*(replace(match, board=None, turn=1) for match in waiting)).without_board(board)


# --- stages and rounds


def _stage_began(state: TournamentState, event: ev.StageBegan) -> TournamentState:
    if event.stage != len(state.stages) or event.stage >= len(state.known_format.stages):
        raise TournamentError(say("This is not the next stage of the format."))
    groups = tuple(tuple(each for each in group if each in state.entrants) for group in event.groups) or ((),)
    return replace(state, stages=(*state.stages, Stage(event.stage, groups)))


def _stage_joined(state: TournamentState, event: ev.StageJoined) -> TournamentState:
    stage, entrant = state.stage, state.entrant(event.entrant)
    if entrant.id in stage.entrants or event.group >= len(stage.groups):
        raise TournamentError(say("{name} can't join this stage.", name=entrant.label))
    groups = tuple((*group, entrant.id) if k == event.group else group for k, group in enumerate(stage.groups))
    return replace(state, stages=(*state.stages[:-1], replace(stage, groups=groups)))


def _round_paired(state: TournamentState, event: ev.RoundPaired) -> TournamentState:
    """The byes are of those who are in none of the round's matches. Raises `TournamentError` if somebody would be in
    two."""
    cancelled = []
    for id in event.cancelled:
        match = state.match(id)
        if match.over:
            raise TournamentError(say("{match} is over; it can't be paired again.", match=match_label(state, match)))
        cancelled.append(replace(match, cancelled=True))
    state = state.with_matches(*cancelled)
    round = state.round(event.round) if event.round else TournamentRound(str(state.number), state.stage.number)
    busy = [side for match in state.matches_of(round=round.id) for side in match.sides]
    made = _new_matches(state, event.pairings, round)
    for side in (side for match in made for side in match.sides):
        if side in busy:
            raise TournamentError(say("{name} would be in two matches of one round.", name=state.labels[side]))
        busy.append(side)
    byes = tuple(entrant for entrant in dict.fromkeys(event.byes) if entrant in state.entrants and entrant not in busy)
    return state.with_round(replace(round, byes=byes)).with_matches(*made)


def _new_matches(
    state: TournamentState, pairings: Iterable[ev.Pairing], round: TournamentRound
) -> list[TournamentMatch]:
    """The matches of the pairings with two known entrants, without unknown boards."""
    return [
        TournamentMatch(
            id=f"{state.number}.{k}",
            round=round.id,
            stage=round.stage,
            sides=pairing.sides,
            board=pairing.board if pairing.board in state.boards else None,
            turn=pairing.turn,
            slot=pairing.slot,
        )
        for k, pairing in enumerate(pairings, 1)
        if all(side in state.entrants for side in pairing.sides)
    ]


# --- matches


def match_label(state: TournamentState, match: TournamentMatch) -> str:
    """The name of a match: its two sides."""
    return " – ".join(state.names_of(match))


def check_all_over(state: TournamentState) -> None:
    """Raise `TournamentError` while a match has no result."""
    if waiting := [match_label(state, match) for match in state.open_matches]:
        raise TournamentError(say("Without a result: {matches}. Enter it, or give a walkover.", matches=waiting))


def _match(state: TournamentState, id: str) -> TournamentMatch:
    """A match that is played. Raises `TournamentError` for one that was paired again."""
    match = state.match(id)
    if match.cancelled:
        raise TournamentError(say("{match} was paired again and is no longer played.", match=match_label(state, match)))
    return match


def _open_match(state: TournamentState, id: str) -> TournamentMatch:
    """An open match. Raises `TournamentError` for any other."""
    match = _match(state, id)
    if match.over:
        raise TournamentError(say("{match} is over; correct its result instead.", match=match_label(state, match)))
    return match


def _match_moved(state: TournamentState, event: ev.MatchMoved) -> TournamentState:
    match = _open_match(state, event.match)
    if event.board is not None and not state.board(event.board).works:
        raise TournamentError(say("{board} is broken; choose another.", board=state.board(event.board).heading))
    return state.with_matches(replace(match, board=event.board, turn=event.turn))


def in_match_order(result: ev.Result, match: TournamentMatch) -> ev.Result:
    """A result with its sides in the order of the match. Raises `TournamentError` if others played."""
    result = replace(result, match=match.id)
    if result.sides == match.sides:
        return result
    if result.swapped.sides != match.sides:
        raise TournamentError(say("This result belongs to other entrants; open the match that they played."))
    return result.swapped


def _checked(state: TournamentState, result: ev.Result, match: TournamentMatch) -> ev.Result:
    result = in_match_order(result, match)
    trouble = state.play_of(match).trouble(result.points, result.short)
    if trouble is not None:
        raise TournamentError(trouble)
    level = result.points[0] == result.points[1]
    if result.winner is not None and not level:
        raise TournamentError(say("A shoot-out decides level matches only; leave its winner out."))
    if state.known_format.stages[match.stage].knock_out and level and result.winner is None:
        raise TournamentError(
            say("A play-off match needs a winner: play one more round, or enter who won the shoot-out.")
        )
    return result


def _result(state: TournamentState, event: ev.Result) -> TournamentState:
    match = _open_match(state, event.match)
    return state.with_matches(replace(match, result=_checked(state, event, match)))


def _corrected(state: TournamentState, event: ev.Corrected) -> TournamentState:
    match = _match(state, event.result.match)
    if not match.over:
        raise TournamentError(say("{match} has no result yet; enter it.", match=match_label(state, match)))
    result = _checked(state, event.result, match)
    # the organiser decides between all reports, a table corrects what it reported itself
    left = tuple(other for other in match.contradicted if result.report and not other.same_result(result))
    right = replace(match, result=result, walkover=False, winner_by_walkover=None, contradicted=left)
    return state.with_matches(right)


def _walked_over(state: TournamentState, event: ev.WalkedOver) -> TournamentState:
    match = _open_match(state, event.match)
    if event.winner is not None and event.winner not in match.sides:
        raise TournamentError(say("The winner of a walkover must be one of the two; choose one."))
    return state.with_matches(replace(match, walkover=True, winner_by_walkover=event.winner))


def _shoot_out(state: TournamentState, event: ev.ShootOut) -> TournamentState:
    if (
        len(event.entrants) != len(event.twenties)
        or len(set(event.entrants)) != len(event.entrants)
        or not event.entrants
    ):
        raise TournamentError(say("A shoot-out needs one number of twenties for each who took part."))
    for entrant in event.entrants:
        state.entrant(entrant)
    return replace(state, shoot_outs=(*state.shoot_outs, event))


def _claimed(state: TournamentState, event: ev.ResultClaimed) -> TournamentState:
    match = _open_match(state, event.result.match)
    return state.with_matches(replace(match, claim=replace(event, result=_checked(state, event.result, match))))


def _closed(state: TournamentState, event: ev.EveningClosed) -> TournamentState:
    check_all_over(state)
    return replace(state, closed=True)


_APPLIES: dict[type[ev.Event], Callable[[TournamentState, Any], TournamentState]] = {
    ev.FormatSet: _format_set,
    ev.EntrantAdded: _entrant_added,
    ev.EntrantRenamed: _entrant_renamed,
    ev.EntrantHere: _entrant_here,
    ev.Seeded: lambda state, event: replace(state, seeds=tuple(dict.fromkeys(event.order))),
    ev.BoardAdded: _board_added,
    ev.BoardRenamed: _board_renamed,
    ev.BoardRemoved: _board_removed,
    ev.BoardWorks: lambda state, event: state.with_board(replace(state.board(event.board), works=event.works)),
    ev.StageBegan: _stage_began,
    ev.StageJoined: _stage_joined,
    ev.RoundPaired: _round_paired,
    ev.MatchMoved: _match_moved,
    ev.MatchStarted: lambda state, event: state.with_matches(replace(_open_match(state, event.match), started=True)),
    ev.Result: _result,
    ev.Corrected: _corrected,
    ev.WalkedOver: _walked_over,
    ev.ShootOut: _shoot_out,
    ev.ResultClaimed: _claimed,
    ev.EveningClosed: _closed,
}
