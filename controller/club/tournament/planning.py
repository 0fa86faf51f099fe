"""The consequences of an action: the events that it causes, so that they can be shown before it is confirmed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from controller.club.tournament import events as ev
from controller.club.tournament.boards import moved_off, moved_on, pairings, shortest_queue, working_boards
from controller.club.tournament.errors import EntrantNameTaken, Message, NotNow, StageOver, say
from controller.club.tournament.fold import check_all_over, match_label
from controller.club.tournament.stages import Pair, assign_starters, stage_kind
from controller.club.tournament.standings import next_groups
from controller.club.tournament.state import TournamentMatch, TournamentRound, TournamentState, normalized_name


@dataclass(frozen=True, slots=True)
class NextRound:
    """Pair the next round; if the stage is over, begin the next one and pair its first."""


@dataclass(frozen=True, slots=True)
class NextStage:
    """End the running stage and begin the next one."""


@dataclass(frozen=True, slots=True)
class PairAgain:
    """Draw a round again among those whose match has not begun; matches that have begun or are over stay."""

    round: str


Action = ev.Event | NextRound | NextStage | PairAgain
Apply = Callable[[ev.Event], TournamentState]  # adds one more event to the plan; returns the state after it


def planned(state: TournamentState, action: Action, apply: Apply) -> tuple[Message, ...]:
    """Apply an action and its consequences; returns notes for the organiser. Raises `TournamentError`."""
    plan = _PLANS.get(type(action))
    if plan is not None:
        return tuple(plan(state, action, apply) or ())
    assert not isinstance(action, NextRound | NextStage | PairAgain)
    apply(action)
    return ()


# --- rounds and stages


def _next_round(state: TournamentState, action: NextRound, apply: Apply) -> tuple[Message, ...]:
    if not state.stages:
        return _begin(state, apply)
    _check_ready(state)
    for match in stage_kind(state).displaced(state, state.stage.number):
        if match.open:
            round = state.rounds[match.round]
            state = apply(ev.RoundChanged(round.id, cancelled=(match.id,), byes=round.byes))
    try:
        event, notes = _draw_round(state)
    except StageOver:
        if len(state.stages) == len(state.known_format.stages):
            raise
        return _begin(state, apply)
    _walk_over_absentees(apply(event), apply)
    return notes


def _next_stage(state: TournamentState, action: NextStage, apply: Apply) -> tuple[Message, ...]:
    if state.stages:
        _check_ready(state, to_end=True)
    return _begin(state, apply)


def _begin(state: TournamentState, apply: Apply) -> tuple[Message, ...]:
    state = apply(ev.StageBegan(len(state.stages), next_groups(state)))
    event, notes = _draw_round(state)
    _walk_over_absentees(apply(event), apply)
    return notes


def _draw_round(state: TournamentState) -> tuple[ev.RoundPaired, tuple[Message, ...]]:
    """The next round of the running stage, and notes for the organiser."""
    draw = stage_kind(state).draw(state)
    pairs = assign_starters(draw.pairs, state.starts_of())
    return ev.RoundPaired(tuple(pairings(state, pairs, draw.on_boards)), draw.byes), draw.notes


def _walk_over_absentees(state: TournamentState, apply: Apply) -> None:
    """If one side of a play-off match has dropped out, the other wins by a walkover; if both have, nobody does."""
    for match in [match for match in state.open_matches if match.slot]:
        there = state.here(match.sides)
        if len(there) < 2:
            apply(ev.WalkedOver(match.id, there[0] if there else None))


def _check_ready(state: TournamentState, to_end: bool = False) -> None:
    """Raise `NotNow` while results are missing that the next round depends on."""
    if state.closed:
        raise NotNow(say("The evening is closed. Undo that in the list of what was done to go on."))
    form = stage_kind(state)
    if form.continuous and not to_end:
        return
    for match in state.matches_of(state.stage.number):
        if match.contradicted:
            raise NotNow(
                say("{match} has two different results; say which one is right.", match=match_label(state, match))
            )
    if to_end or not form.knock_out:
        check_all_over(state)


def _pair_again(state: TournamentState, action: PairAgain, apply: Apply) -> tuple[Message, ...]:
    round = state.round(action.round)
    if state.rounds_of(state.stage.number)[-1:] != [round] or stage_kind(state).knock_out:
        raise NotNow(say("Only the latest round can be paired again, and play-offs follow from their results."))
    matches = state.matches_of(round=round.id)
    again = [match for match in matches if match.open and not match.started]
    kept = {side for match in matches if match not in again for side in match.sides}
    event, notes = _draw_round(_before(state, round, again, kept))
    apply(ev.RoundChanged(round.id, tuple(match.id for match in again), event.pairings, event.byes))
    return notes


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


# --- entrants


def free_name(state: TournamentState, name: str) -> str:
    """The name if it is free, else with the first number from 2 on that makes it so."""
    free, number = name, 2
    while normalized_name(free) in state.names:
        free, number = f"{name} {number}", number + 1
    return free


def _check_names(state: TournamentState, event: ev.EntrantAdded | ev.EntrantRenamed) -> None:
    own = [normalized_name(player) for player in event.players]
    others = (each for each in state.entrants.values() if each.id != event.entrant)
    renamed = event.entrant in state.entrants
    names = {name: each.id for each in others for name in each.names} if renamed else state.names
    for name in (*event.players, " & ".join(event.players)):
        if normalized_name(name) in names or own.count(normalized_name(name)) > 1:
            other = names.get(normalized_name(name), event.entrant)
            words = say(
                "There is a {name} already, in {entrant}. Tell them apart, for example as {free}.",
                name=name,
                entrant=state.labels.get(other, name),
                free=free_name(state, name),
            )
            raise EntrantNameTaken(words)


def _added(state: TournamentState, event: ev.EntrantAdded, apply: Apply) -> tuple[Message, ...]:
    _check_names(state, event)
    return _admit(apply(event), event.entrant, apply)


def _renamed(state: TournamentState, event: ev.EntrantRenamed, apply: Apply) -> None:
    _check_names(state, event)
    apply(event)


def _admit(state: TournamentState, entrant: str, apply: Apply) -> tuple[Message, ...]:
    """A late arrival joins the stage, and plays in the running round if somebody has a bye."""
    if not state.stages:
        return ()
    stage, form = state.stage, stage_kind(state)
    if entrant not in stage.entrants:
        if form.knock_out or form.entrants is not None:
            name = state.labels[entrant]
            return (say("{name} does not play in this stage, which is for those who qualified.", name=name),)
        smallest = min(range(len(stage.groups)), key=lambda k: len(state.here(stage.groups[k])))
        state = apply(ev.StageJoined(entrant, smallest))
    round = _running_round(state)
    partner = _partner(state, round, entrant) if round is not None else None
    if round is not None and partner is not None:
        apply(_new_match(state, round, (entrant, partner), cancelled=()))
    return ()


def _here(state: TournamentState, event: ev.EntrantHere, apply: Apply) -> tuple[Message, ...]:
    """One who plays again is a late arrival. The opponent of one who leaves meets an entrant with a bye, if they may
    meet; else wins by a walkover."""
    state = apply(event)
    if event.here:
        return _admit(state, event.entrant, apply)
    for match in [match for match in state.open_matches if event.entrant in match.sides]:
        opponent = match.other(event.entrant)
        round = state.rounds[match.round]
        if stage_kind(state).continuous:
            state = apply(ev.RoundChanged(round.id, (match.id,), byes=round.byes))
            continue
        partner = None if match.started or match.slot else _partner(state, round, opponent)
        if partner is not None:
            state = apply(_new_match(state, round, (opponent, partner), cancelled=(match.id,)))
        else:
            state = apply(ev.WalkedOver(match.id, opponent if state.entrants[opponent].here else None))
    return ()


def _running_round(state: TournamentState) -> TournamentRound | None:
    rounds = state.rounds_of(state.stage.number)
    return rounds[-1] if rounds and any(match.round == rounds[-1].id for match in state.open_matches) else None


def _partner(state: TournamentState, round: TournamentRound, entrant: str) -> str | None:
    """An entrant with a bye in the round who may meet this one."""
    group = next((group for group in state.stages[round.stage].groups if entrant in group), ())
    busy = {side for match in state.matches_of(round=round.id) if match.over for side in match.sides}
    if entrant in busy:
        return None
    free = [other for other in state.here(round.byes) if other in group and other != entrant]
    form = stage_kind(state, round.stage)
    return next((other for other in free if form.may_meet(state, round.stage, entrant, other)), None)


def _new_match(
    state: TournamentState, round: TournamentRound, sides: tuple[str, str], cancelled: tuple[str, ...]
) -> ev.RoundChanged:
    """Another match of a round: on the board of the match that it replaces, else where it can begin first."""
    old = state.matches[cancelled[0]] if cancelled else None
    board, turn = (old.board, old.turn) if old is not None else shortest_queue(state)
    (pair,) = assign_starters([Pair(*sides)], state.starts_of())
    byes = tuple(each for each in round.byes if each not in sides)
    return ev.RoundChanged(round.id, cancelled, (ev.Pairing(pair.sides, board, turn),), byes)


def _seeded(state: TournamentState, event: ev.Seeded, apply: Apply) -> None:
    for entrant in event.order:
        state.entrant(entrant)
    apply(event)


# --- boards


def _changed(state: TournamentState, event: ev.BoardAdded | ev.BoardWorks | ev.BoardRemoved, apply: Apply) -> None:
    """A board that can be played on takes matches over; one that can't, or is gone, loses its own."""
    own = [match.id for match in state.open_matches if match.board == event.board]
    state = apply(event)
    boards = working_boards(state)
    if event.board not in boards:
        moves = moved_off(state, map(state.match, own), boards)
    else:
        moves = [] if own else moved_on(state, event.board)
    for move in moves:
        apply(move)


def _moved(state: TournamentState, event: ev.MatchMoved, apply: Apply) -> None:
    """If another match has this board and turn, the two are swapped."""
    match = state.match(event.match)
    there = [m for m in state.open_matches if (m.board, m.turn) == (event.board, event.turn) and m.id != match.id]
    apply(event)
    if event.board is None:
        return
    for other in there:
        if other.started:
            raise NotNow(say("{match} is being played there; choose a later turn.", match=match_label(state, other)))
        apply(ev.MatchMoved(other.id, match.board, match.turn))


def _counted(state: TournamentState, event: ev.Result, apply: Apply) -> None:
    """A report that was set aside and counts now, for another match, no longer waits."""
    apply(event)
    for aside in state.set_aside:
        if aside.source == event.report:
            apply(ev.Undone(aside.number))


_PLANS: dict[type[Any], Callable[[TournamentState, Any, Apply], tuple[Message, ...] | None]] = {
    NextRound: _next_round,
    NextStage: _next_stage,
    PairAgain: _pair_again,
    ev.EntrantAdded: _added,
    ev.EntrantRenamed: _renamed,
    ev.EntrantHere: _here,
    ev.Seeded: _seeded,
    ev.BoardRemoved: _changed,
    ev.BoardWorks: _changed,
    ev.BoardAdded: _changed,
    ev.MatchMoved: _moved,
    ev.Result: _counted,
}
