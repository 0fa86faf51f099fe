"""A tournament: a log of events, and the state that is their fold.

>>> from controller.club.tournament.catalogue import FORMATS
>>> from controller.club.tournament.events import EntrantAdded, FormatSet
>>> from controller.club.tournament.planning import NextRound
>>> from controller.club.tournament.tables import standings
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

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from controller.club.tournament.changes import Change, changes
from controller.club.tournament.errors import Message, NotNow, Unknown, say
from controller.club.tournament.events import Entry, Event, MatchStarted, Result, Undone
from controller.club.tournament.fold import after, apply, fold, undone_numbers
from controller.club.tournament.planning import Action, planned
from controller.club.tournament.state import State


@dataclass(frozen=True)
class Tournament:
    """A log of events and the state after them. Frozen: every change returns a new tournament."""

    entries: tuple[Entry, ...] = ()
    state: State = field(default_factory=State)

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Self:
        """The tournament of a stored log."""
        kept = tuple(entries)
        return cls(kept, fold(kept))

    def preview(self, action: Action) -> "Preview":
        """The consequences of an action. Raises `TournamentError` if it is not possible."""
        plan = _Plan(self)
        notes = planned(self.state, action, plan.apply)
        return Preview(self, plan.now, notes)

    def do(self, action: Action) -> "Tournament":
        """The tournament after an action and its consequences. Raises `TournamentError`."""
        plan = _Plan(self)
        planned(self.state, action, plan.apply)
        return plan.now

    def undo(self, number: int) -> "Tournament":
        """The tournament as if this event, and what followed from it, had not happened. An undo can be undone."""
        return self.do(Undone(number))

    def receive(self, event: Result | MatchStarted) -> "Tournament":
        """The tournament with a table's report, which is always added to the log.

        | report | effect |
        |---|---|
        | a result of an open match | it counts |
        | the same report again, or the same result from elsewhere | nothing changes |
        | another result of the same match | the first counts, marked as contradicted until corrected |
        | a result of a match that was paired again, or is unknown | set aside, with the match it could count for |
        | figures that no such match ends with | set aside, with the reason |
        """
        if self._knows(event):
            return self
        entry = Entry(self.next_number, event)
        return Tournament((*self.entries, entry), after(self.state, entry))

    def _knows(self, event: Result | MatchStarted) -> bool:
        match = self.state.matches.get(event.match)
        if isinstance(event, MatchStarted):
            return match is not None and match.started
        gone = undone_numbers(self.entries)
        for entry in self.entries:
            if isinstance(entry.event, Result) and entry.event.match == event.match:
                same_report = bool(event.report) and entry.event.report == event.report
                if same_report or (entry.number not in gone and _same(entry.event, event)):
                    return True
        return match is not None and match.result is not None and _same(match.result, event)

    @property
    def next_number(self) -> int:
        return self.entries[-1].number + 1 if self.entries else 1

    def plus(self, event: Event, because: int | None = None) -> "Tournament":
        """The tournament with one more event, without consequences. Raises `TournamentError`."""
        entry = Entry(self.next_number, event, because)
        entries = (*self.entries, entry)
        if not isinstance(event, Undone):
            return Tournament(entries, apply(self.state, entry))
        if event.entry not in {each.number for each in self.entries}:
            raise Unknown(say("There is no entry {n} to undo.", n=event.entry))
        if event.entry in undone_numbers(self.entries):
            raise NotNow(say("Entry {n} is undone already.", n=event.entry))
        return Tournament.of(entries)


def _same(one: Result, other: Result) -> bool:
    """Whether both results say the same, the sides in either order."""
    if one.sides == other.sides[::-1]:
        other = other.swapped
    return one.same_result(other)


@dataclass(frozen=True)
class Preview:
    """A plan: the tournament before and after it, and notes for the organiser."""

    before: Tournament
    after: Tournament
    notes: tuple[Message, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The events that it adds to the log."""
        return self.after.entries[len(self.before.entries) :]

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        return changes(self.before.state, self.after.state)


class _Plan:
    """An action in progress: its first event, then those that follow from it."""

    def __init__(self, tournament: Tournament) -> None:
        self.now = tournament
        self._first: int | None = None

    def apply(self, event: Event) -> State:
        number = self.now.next_number
        self.now = self.now.plus(event, self._first)
        self._first = self._first or number
        return self.now.state
