"""A tournament's matches as assignments for tables, and their ids."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from controller.club.tournament.events import LogEntry, MatchMoved, RoundPaired
from controller.club.tournament.formats import Play
from controller.club.tournament.state import TournamentMatch, TournamentState
from controller.match import events as ev
from controller.match.club import Assigned, table_names
from controller.match.model import AND


def assignment_id(evening: str, match: TournamentMatch) -> str:
    """The unique id of a match's assignment, stable as long as the same two sides play it. The evening's id is random.
    A hub whose database was restored from an older copy, and that pairs the same match again, thus recognises it if a
    table has played it in the meantime; any other match has another id."""
    sides = hashlib.sha256("\n".join(match.sides).encode()).hexdigest()[:8]
    return f"{evening}:{match.id}:{sides}"


def assigned_matches(evening: str, state: TournamentState) -> dict[str, TournamentMatch]:
    """By the id of its assignment, every match of an evening."""
    return {assignment_id(evening, match): match for match in state.matches.values()}


def assigned(evening: str, state: TournamentState, board: str, rules: str) -> Assigned | None:
    """The match that a board plays now or next, by these rules; None if there is none."""
    match = next((match for match in state.open_matches if match.board == board), None)
    if match is None:
        return None
    pairs = len(state.entrant(match.sides[0]).players) == 2
    first, second = (tuple(name.split(AND, 1)) if pairs else (name,) for name in short_names(state, match))
    knock_out = state.known_format.stages[match.stage].knock_out
    return Assigned(
        id=assignment_id(evening, match),
        round=list(state.rounds).index(match.round) + 1,
        sides=(first, second),
        rules=rules,
        format=table_format(state.play_of(match), knock_out),
    )


def match_started(assigned: Assigned, **by: str) -> ev.MatchStarted:
    """The event that begins an assigned match; `by` as in every event."""
    return ev.MatchStarted.model_validate(
        {
            **by,
            "rules": assigned.rules,
            "format": assigned.format,
            "sides": tuple(ev.MatchSide(name=name) for name in assigned.names),
            "doubles": assigned.doubles,
            "assignment": assigned.id,
        }
    )


def table_format(play: Play, knock_out: bool) -> dict[str, Any]:
    """A match's format for tables. In a play-off, level sides play another round until one leads (WCC)."""
    tie = {"tie": "round"} if knock_out else {"tie": "stands"} if play.kind in ("rounds", "best_of") else {}
    if play.kind in ("rounds", "best_of"):
        return {"kind": "rounds", "rounds": play.rounds, "games": play.games, **tie}
    return {"kind": play.kind, "target": play.target, **tie}


def short_names(state: TournamentState, match: TournamentMatch) -> tuple[str, str]:
    """The names of the sides at a table."""
    a, b = match.sides
    return table_names(state.labels[a], state.labels[b], len(state.entrant(a).players))


def boards_ever(entries: Iterable[LogEntry]) -> Mapping[str, set[str | None]]:
    """For each match the boards that it was ever given to, even if that was undone: it may have begun there."""
    boards: defaultdict[str, set[str | None]] = defaultdict(set)
    for entry in entries:
        match entry.event:
            case RoundPaired(pairings=pairings):
                for k, pairing in enumerate(pairings, 1):
                    boards[f"{entry.number}.{k}"].add(pairing.board)
            case MatchMoved(match=id, board=board):
                boards[id].add(board)
    return boards
