"""Boards without hardware: phones keep their score, and the table's own engine counts it.

What people enter becomes events of a journal that the hub keeps for the board, in the form that tables send. After that
such a board is like any other."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controller import rules
from controller.club.errors import Overtaken
from controller.club.hub.assignments import assigned, match_started
from controller.club.hub.hub import Hub
from controller.club.hub.matches import MatchKey
from controller.club.store import StoredEvent
from controller.errors import BadInput, Refused
from controller.match import events as ev
from controller.match.base import SCHEMA_VERSION, At, Stamped
from controller.match.commands import Command, parse_command, unseen_changes
from controller.match.fold import fold
from controller.match.timers import Timekeeper
from controller.messages import say

JOURNAL = "by-hand {evening}"
"""A board's journal of an evening; a table's has 32 digits. Each evening has its own, so that one started by mistake
does not block the matches of another."""
_STALE = say("Another phone has entered something here in the meantime. Check it, then go on.")

SCORING = (
    "count",
    "agree",
    "win_round",
    "end_round",
    "undo",
    "correct_round",
    "set_timer",
    "remove_timer",
)
"""The table's own commands that a board takes."""


class ByHand:
    """The boards of one hub that have no hardware."""

    def __init__(self, hub: Hub, steady: Callable[[], float], boot: str = "") -> None:
        """`steady` is a monotonic clock that restarts with each `boot`."""
        self._hub = hub
        self._timers = Timekeeper(hub.clock, steady, boot)

    def command(self, board: str, document: Mapping[str, Any]) -> None:
        """Carry out a phone's command: one of `SCORING`, or `begin` with the `assignment` that the page showed. Raises
        `BadInput` and `Refused`."""
        if board not in {table.id for table in self._hub.store.tables() if table.by_hand}:
            raise BadInput(say("There is no board {board} whose score is kept by hand.", board=board))
        self._hub.refresh()
        match document:
            case {"do": "begin", "assignment": str(assignment)}:
                self._begin(board, assignment)
            case {"do": "begin"}:
                raise BadInput(say("{place} is missing.", place="assignment"))
            case {"do": str(do)} if do in SCORING:
                self._score(board, parse_command({**document, "by": "phone", "who": ""}))
            case _:
                known = ", ".join(("begin", *SCORING))
                raise BadInput(say("{place} must be one of {expected}{given}.", place="do", expected=known, given=""))
        self._hub.refresh()

    def _score(self, board: str, command: Command) -> None:
        """Carry out a table's command once, even if it arrives twice, unless its sender has missed something."""
        now = self._hub.playing().get(board)
        if now is None or now.state is None or command.match not in (None, now.key.match):
            raise Refused(say("This match has been given to another board. Check what is next here."))
        if unseen_changes(command, now.history):
            raise Refused(_STALE)
        found = command.carry_out(At(now.history, now.state, self._timers.clock))
        if not found:
            return
        begun = self._timers.after_boot(now.state, now.history)
        events = [*begun, *self._timers.ended(now.state), *found, *self._timers.first_shot(found, now.state)]
        write(self._hub, now.key, now.state.last_id, events, now.history)

    def _begin(self, board: str, shown: str) -> None:
        hub, now = self._hub, self._hub.playing().get(board)
        next = assigned(hub.evening.id, hub.tournament.state, board, hub.rules)
        if next is None or next.id != shown:
            raise Refused(say("This match has been given to another board. Check what is next here."))
        if now is not None and now.assignment == next.id:
            raise Refused(say("This match has begun already."))
        begin(hub, board, match_started(next, by="phone"))


def begin(hub: Hub, board: str, started: ev.MatchStarted) -> None:
    """Begin the next match of the board's journal on this evening. Raises as `write` does."""
    journal = JOURNAL.format(evening=hub.evening.id)
    last = hub.store.last_of(board, journal)
    write(hub, MatchKey(board, journal, last + 1), last, [started])


def write(hub: Hub, key: MatchKey, last: int, events: Sequence[ev.Event], history: Sequence[Stamped] = ()) -> None:
    """Write events of a match to its journal, which ends with the number `last`. Raises `Refused` if they do
    not fit the match's history, or if somebody else wrote first."""
    numbered = list(enumerate(events, last + 1))
    try:
        fold(key.match, [*history, *(Stamped(number, 0.0, event) for number, event in numbered)])
    except rules.RulesError as error:
        raise Refused(error.words) from error
    at = hub.clock()
    stored = [
        StoredEvent(number, key.match, at, event.kind, ev.body(event), SCHEMA_VERSION) for number, event in numbered
    ]
    try:
        hub.store.append_events(key.table, key.journal, last, stored)
    except Overtaken as error:
        raise Refused(_STALE) from error
