"""The consequences of an action: the events that it causes, so that they can be shown before it is confirmed."""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from typing import Any

from controller.club.errors import StageOver, TournamentError
from controller.club.tournament import events as ev
from controller.club.tournament.boards import moved_on, pairings, shortest_queue, working_boards
from controller.club.tournament.fold import check_all_over, match_label
from controller.club.tournament.stages import stage_kind, with_starters
from controller.club.tournament.standings import next_groups
from controller.club.tournament.state import TournamentMatch, TournamentRound, TournamentState, normalized_name
from controller.messages import Message, say


class NextRound:
    """Pair the next round; if the stage is over, begin the next one and pair its first."""


class NextStage:
    """End the running stage and begin the next one."""


@dataclass(frozen=True, slots=True)
class PairAgain:
    """Draw a round again among those whose match has not begun; matches that have begun or are over stay."""

    round: str


Action = ev.Event | NextRound | NextStage | PairAgain
Steps = Generator[ev.Event | tuple[Message, ...], TournamentState]
"""The events that an action causes, each answered with the state after it, and notes for the organiser."""


def planned(state: TournamentState, action: Action) -> Steps:
    """An action and its consequences. Raises `TournamentError`."""
    yield from _PLANS.get(type(action), _as_it_is)(state, action)


def _as_it_is(state: TournamentState, event: ev.Event) -> Steps:
    yield event


# --- rounds and stages


def _next_round(state: TournamentState, action: NextRound) -> Steps:
    if not state.stages:
        yield from _begin(state)
        return
    _check_ready(state)
    for match in stage_kind(state).displaced(state, state.stage.number):
        if match.open:
            round = state.rounds[match.round]
            state = yield ev.RoundPaired((), round.byes, round.id, (match.id,))
    try:
        yield from _draw(state)
    except StageOver:
        if len(state.stages) == len(state.known_format.stages):
            raise
        yield from _begin(state)


def _next_stage(state: TournamentState, action: NextStage) -> Steps:
    if state.stages:
        _check_ready(state, to_end=True)
    yield from _begin(state)


def _begin(state: TournamentState) -> Steps:
    state = yield ev.StageBegan(len(state.stages), next_groups(state))
    yield from _draw(state)


def _draw(state: TournamentState) -> Steps:
    """The next round of the running stage. If one side of a play-off match has dropped out, the other wins by a
    walkover; if both have, nobody does."""
    event, notes = _draw_round(state)
    state = yield event
    for match in state.open_matches:
        there = state.here(match.sides)
        if match.slot and len(there) < 2:
            yield ev.WalkedOver(match.id, there[0] if there else None)
    yield notes


def _draw_round(state: TournamentState) -> tuple[ev.RoundPaired, tuple[Message, ...]]:
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
                say("{match} has two different results; say which one is right.", match=match_label(state, match))
            )
    if to_end or not form.knock_out:
        check_all_over(state)


def _pair_again(state: TournamentState, action: PairAgain) -> Steps:
    round = state.round(action.round)
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
    for name in (*event.players, " & ".join(event.players)):
        other = state.names.get(normalized_name(name), event.entrant)
        if other != event.entrant or own.count(normalized_name(name)) > 1:
            words = say(
                "There is a {name} already, in {entrant}. Tell them apart, for example as {free}.",
                name=name,
                entrant=state.labels.get(other, name),
                free=free_name(state, name),
            )
            raise TournamentError(words)


def _added(state: TournamentState, event: ev.EntrantAdded) -> Steps:
    _check_names(state, event)
    state = yield event
    yield from _admit(state, event.entrant)


def _renamed(state: TournamentState, event: ev.EntrantRenamed) -> Steps:
    _check_names(state, event)
    yield event


def _admit(state: TournamentState, entrant: str) -> Steps:
    """A late arrival joins the stage, and plays in the running round if somebody has a bye."""
    if not state.stages:
        return
    stage, form = state.stage, stage_kind(state)
    if entrant not in stage.entrants:
        if form.knock_out or form.entrants is not None:
            name = state.labels[entrant]
            yield (say("{name} does not play in this stage, which is for those who qualified.", name=name),)
            return
        smallest = min(range(len(stage.groups)), key=lambda k: len(state.here(stage.groups[k])))
        state = yield ev.StageJoined(entrant, smallest)
    round = _running_round(state)
    partner = _partner(state, round, entrant) if round is not None else None
    if round is not None and partner is not None:
        yield _new_match(state, round, (entrant, partner), cancelled=())


def _here(state: TournamentState, event: ev.EntrantHere) -> Steps:
    """One who plays again is a late arrival. The opponent of one who leaves meets an entrant with a bye, if they may
    meet; else wins by a walkover."""
    state = yield event
    if event.here:
        yield from _admit(state, event.entrant)
        return
    for match in [match for match in state.open_matches if event.entrant in match.sides]:
        opponent = match.other(event.entrant)
        round = state.rounds[match.round]
        if stage_kind(state).continuous:
            state = yield ev.RoundPaired((), round.byes, round.id, (match.id,))
            continue
        partner = None if match.started or match.slot else _partner(state, round, opponent)
        if partner is not None:
            state = yield _new_match(state, round, (opponent, partner), cancelled=(match.id,))
        else:
            state = yield ev.WalkedOver(match.id, opponent if state.entrants[opponent].here else None)


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
) -> ev.RoundPaired:
    """Another match of a round: on the board of the match that it replaces, else where it can begin first."""
    old = state.matches[cancelled[0]] if cancelled else None
    board, turn = (old.board, old.turn) if old is not None else shortest_queue(state)
    (pairing,) = with_starters(state, [sides])
    byes = tuple(each for each in round.byes if each not in sides)
    return ev.RoundPaired((replace(pairing, board=board, turn=turn),), byes, round.id, cancelled)


def _seeded(state: TournamentState, event: ev.Seeded) -> Steps:
    for entrant in event.order:
        state.entrant(entrant)
    yield event


# --- boards


def _changed(state: TournamentState, event: ev.BoardAdded | ev.BoardWorks | ev.BoardRemoved) -> Steps:
    """A board that can be played on takes matches over. The matches of one that can't, or is gone, move to the board
    with the then shortest queue, each in a turn of its own; to none if none works."""
    own = [match.id for match in state.open_matches if match.board == event.board]
    state = yield event
    if event.board in working_boards(state):
        if not own:
            yield from moved_on(state, event.board)
        return
    for id in own:
        board, turn = shortest_queue(state)
        state = yield ev.MatchMoved(id, board, state.match(id).turn if board is None else turn)


def _moved(state: TournamentState, event: ev.MatchMoved) -> Steps:
    """If another match has this board and turn, the two are swapped."""
    match = state.match(event.match)
    there = [m for m in state.open_matches if (m.board, m.turn) == (event.board, event.turn) and m.id != match.id]
    yield event
    if event.board is None:
        return
    for other in there:
        if other.started:
            raise TournamentError(
                say("{match} is being played there; choose a later turn.", match=match_label(state, other))
            )
        yield ev.MatchMoved(other.id, match.board, match.turn)


def _counted(state: TournamentState, event: ev.Result) -> Steps:
    """A report that was set aside and counts now, for another match, no longer waits."""
    yield event
    for aside in state.set_aside:
        if aside.source == event.report:
            yield ev.Undone(aside.number)


_PLANS: dict[type[Any], Callable[[TournamentState, Any], Steps]] = {
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
