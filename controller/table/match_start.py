"""The events that start a match, and that undo a start."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from controller.match import commands as cm
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.conflicts import already_carried_out
from controller.match.state import MatchState
from controller.match.timeline import undoable
from controller.referee.read_board import lying_on
from controller.vision.readings import BoardReading

CHOSEN = ("format", "sides", "starter", "discs", "doubles", "seat", "assignment")  # taken over as they are


def match_started(
    command: cm.Start, own_rules: Mapping[str, Any] | None, before: MatchState | None, *, cleared: bool
) -> ev.MatchStarted:
    """The event that starts a match; `before`: the match before it. `own_rules`: the club's own rule set of that name,
    stored whole with the match."""
    return ev.MatchStarted(
        rules=dict(own_rules or {}) or command.rules,
        seats={int(seat): name for seat, name in command.seats.items()},
        directions=dict(before.seating.directions) if before else {},
        cleared=cleared,
        before=before.number if before else None,
        **{name: getattr(command, name) for name in CHOSEN},
        **command.sent,
    )


def undoes_start(command: cm.Command, history: Sequence[Stamped]) -> TypeGuard[cm.Undo]:
    """Whether this is an undo of the match's start, because there is nothing else to undo."""
    if not isinstance(command, cm.Undo) or command.event is not None or already_carried_out(command, history):
        return False
    last = undoable(history)
    return last is not None and isinstance(last.event, ev.MatchStarted)


def start_undone(command: cm.Undo, state: MatchState) -> tuple[ev.MatchDeleted, ev.StartUndone]:
    """The events that undo a match's start: one in that match, and one in the match that continues."""
    return ev.MatchDeleted(resumed=state.started.before, **command.sent), ev.StartUndone(
        match=state.number, **command.sent
    )


def resumed(history: Iterable[Stamped]) -> int | None:
    """The number of the match that continues instead of this one, if this one's start was undone."""
    undone = (s.event for s in history if isinstance(s.event, ev.MatchDeleted))
    return next((event.resumed for event in undone if event.resumed), None)


def known_empty(before: MatchState | None, reading: BoardReading | None, *, camera_lost: bool, still: bool) -> bool:
    """Whether the board is known to be free of discs of the previous match."""
    if before is None:
        return True
    if reading is None:
        return camera_lost or not (before.measured or before.strangers)
    return still and not reading.obstructed and not lying_on(reading)
