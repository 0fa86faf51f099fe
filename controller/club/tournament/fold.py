"""Folds events into the state, without those undone.

The fold is total. An event that does not fit, because an earlier one was undone or because two tables contradict each
other, changes nothing and is *set aside* with the reason: it stays in the log, visible, and counts as soon as the
reason disappears."""

from collections.abc import Sequence
from dataclasses import replace

from controller.club.errors import TournamentError
from controller.club.tournament.base import LogEntry
from controller.club.tournament.match_ends import Result
from controller.club.tournament.rounds import Undone
from controller.club.tournament.state import SetAside, TournamentState


def fold(entries: Sequence[LogEntry]) -> TournamentState:
    """The state after all these entries, in the order of their numbers."""
    gone = undone_numbers(entries)
    state = TournamentState()
    for entry in entries:
        if entry.number not in gone and not isinstance(entry.event, Undone):
            state = after(state, entry)
    return state


def undone_numbers(entries: Sequence[LogEntry]) -> set[int]:
    """The numbers of the entries that were undone, or follow from one that was. An undo can be undone."""
    gone: set[int] = set()
    for entry in reversed(entries):
        counts = entry.number not in gone and entry.because not in gone
        if counts and isinstance(entry.event, Undone) and entry.event.entry < entry.number:
            gone.add(entry.event.entry)
    return gone | {entry.number for entry in entries if entry.because in gone}


def after(state: TournamentState, entry: LogEntry) -> TournamentState:
    """The state after one more entry that is not an undo."""
    try:
        return apply(state, entry)
    except TournamentError as error:
        return _set_aside(state, entry, error)


def apply(state: TournamentState, entry: LogEntry) -> TournamentState:
    """The state after one more entry. Raises `TournamentError` if it does not fit."""
    return entry.event.apply(replace(state, number=entry.number))


def _set_aside(state: TournamentState, entry: LogEntry, error: TournamentError) -> TournamentState:
    event = entry.event
    if isinstance(event, Result):
        match = state.decided(event)
        if match is not None and (match.result is None or not match.in_order(event).same_result(match.result)):
            contradicted = (*match.contradicted, match.in_order(event))
            state = state.with_matches(replace(match, contradicted=contradicted))
    return replace(state, set_aside=(*state.set_aside, SetAside(entry.number, event, error.args[0])))
