"""A tournament: a log of events, and the state that is their fold.

>>> from controller.club.tournament.catalogue import FORMATS
>>> from controller.club.tournament.events import EntrantAdded, FormatSet
>>> from controller.club.tournament.planning import NextRound
>>> from controller.club.tournament.standings import standings
>>> evening = Tournament().do(FormatSet(FORMATS["round-robin"]))
>>> for name in ("Player 1", "Player 2", "Player 3"):
...     evening = evening.do(EntrantAdded(name[-1], (name,)))
>>> plan = evening.preview(NextRound())
>>> [str(change.words) for change in plan.changes]
['A stage begins with 3 entrants.', 'Player 2 – Player 3 has no board yet.', 'Player 1 has a bye.']
>>> evening = plan.after
>>> match = evening.state.open_matches[0]
>>> evening = evening.do(Result(match.id, match.sides, (5, 3), twenties=(7, 4)))
>>> [(row.place, row.entrant, row.points) for row in standings(evening.state)]
[(1, '2', 5), (2, '3', 3), (3, '1', 0)]
"""

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from controller.club.errors import TournamentError
from controller.club.tournament.changes import PlanDifference, changes
from controller.club.tournament.events import Action, Event, LogEntry, Result, Undone
from controller.club.tournament.fold import after, apply, fold, undone_numbers
from controller.club.tournament.state import TournamentState
from controller.messages import Message, say


@dataclass(frozen=True)
class Tournament:
    """A log of events and the state after them. Frozen: every change returns a new tournament."""

    entries: tuple[LogEntry, ...] = ()
    state: TournamentState = field(default_factory=TournamentState)

    @classmethod
    def of(cls, entries: Iterable[LogEntry]) -> Self:
        kept = tuple(entries)
        return cls(kept, fold(kept))

    def preview(self, *actions: Action) -> "Plan":
        """The consequences of these actions, in order. Raises `TournamentError` if one of them is not possible."""
        now, notes = self, list[Message]()
        for action in actions:
            first, steps = now.next_number, action.plan(now.state)
            with suppress(StopIteration):
                step = next(steps)
                while True:
                    if isinstance(step, tuple):
                        notes += step
                    else:
                        now = now.plus(step, None if now.next_number == first else first)
                    step = steps.send(now.state)
        return Plan(self, now, tuple(notes))

    def do(self, action: Action) -> "Tournament":
        """The tournament after an action and its consequences. Raises `TournamentError`."""
        return self.preview(action).after

    def receive(self, result: Result) -> "Tournament":
        """The tournament with a table's result, unless it is known already. What can't count is set aside, with the
        reason; another result of the same match marks that as contradicted until it is corrected."""
        if self._knows(result):
            return self
        entry = LogEntry(self.next_number, result)
        return Tournament((*self.entries, entry), after(self.state, entry))

    def _knows(self, result: Result) -> bool:
        gone = undone_numbers(self.entries)
        for entry in self.entries:
            if isinstance(entry.event, Result) and entry.event.match == result.match:
                same_report = bool(result.report) and entry.event.report == result.report
                if same_report or (entry.number not in gone and entry.event.same_result(result)):
                    return True
        match = self.state.matches.get(result.match)
        return match is not None and match.result is not None and match.result.same_result(result)

    @property
    def next_number(self) -> int:
        return self.entries[-1].number + 1 if self.entries else 1

    def plus(self, event: Event, because: int | None = None) -> "Tournament":
        """The tournament with one more event, without consequences. Raises `TournamentError`."""
        entry = LogEntry(self.next_number, event, because)
        entries = (*self.entries, entry)
        if not isinstance(event, Undone):
            return Tournament(entries, apply(self.state, entry))
        if event.entry not in {each.number for each in self.entries}:
            raise TournamentError(say("There is no entry {n} to undo.", n=event.entry))
        if event.entry in undone_numbers(self.entries):
            raise TournamentError(say("Entry {n} is undone already.", n=event.entry))
        return Tournament.of(entries)


@dataclass(frozen=True)
class Plan:
    """The tournament before and after some actions, and notes for the organiser. Confirming it takes its `token`, so
    that exactly what was shown is done."""

    before: Tournament
    after: Tournament
    notes: tuple[Message, ...] = ()

    @cached_property
    def changes(self) -> tuple[PlanDifference, ...]:
        return changes(self.before.state, self.after.state)

    @property
    def token(self) -> str:
        """Equal for plans that show the same."""
        shown = [[change.kind, change.id, str(change.words)] for change in self.changes]
        return hashlib.sha256(json.dumps([shown, [str(note) for note in self.notes]]).encode()).hexdigest()[:16]
