"""The hub of one club: stores what tables send, carries out what the organiser confirms, and publishes what follows.

The database alone holds the truth. Several hubs may run on one PostgreSQL; each follows what the others write. Time is
a parameter: `clock` for people, `steady` for waiting."""

import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from controller.club.errors import Overtaken, TournamentError
from controller.club.hub.assignments import assigned
from controller.club.hub.matches import MatchKey, ReportedMatches, TableMatch
from controller.club.hub.message_intake import MessageIntake
from controller.club.hub.results import LeftOut, Outcome, apply_reports, claimed, set_aside
from controller.club.store import NO_EVENING, SILENT, ClubStore, StoredEvening
from controller.club.tournament.events import Action, LogEntry
from controller.club.tournament.planning import NextRound, NextStage
from controller.club.tournament.tournament import Plan, Tournament
from controller.errors import Refused
from controller.match.club import Assignment, Have, serialize
from controller.messages import Message, Sentence, say

BY_TABLE = "table"  # who made an entry that follows from a table's report
Claimed = Annotated[int, Field(ge=0, le=1_000)]  # points or twenties of one side
MOST_TRIES = 50
"""Attempts to append a decision while other processes append theirs. Each time one of them succeeds, so it takes this
many processes at once to fail."""


class PlanChanged(Refused):
    """The plan that was confirmed is outdated: make another."""


class Hub:
    """One club's active evening. Thread-safe."""

    def __init__(
        self,
        store: ClubStore,
        rules: str = "nca",
        *,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        """`rules`: the rule set that matches are played by. Loads the active evening, if there is one."""
        self.store = store
        self.rules = rules
        self.intake = MessageIntake(store, clock, steady)
        self.clock = clock
        self.reports = store.reports()
        self.online: frozenset[str] = frozenset()  # the tables that were heard a short time ago
        self._lock = threading.RLock()
        self.on_changed: list[Callable[[], None]] = []
        """Callbacks after each change, on the thread that made it."""
        self._reset()
        self.refresh()

    def _reset(self, evening: StoredEvening = NO_EVENING) -> None:
        self.evening = evening
        self.tournament = Tournament()
        self._matches = ReportedMatches(reload=lambda key, to: self.store.events_of(*key, to=to))
        self._outcomes: dict[MatchKey, Outcome] = {}
        self._words: dict[int, list[Sentence]] = {}
        self.version = evening.version  # of the database, as far as it was read
        self._settled = evening is NO_EVENING  # whether the tournament includes all that was read

    # --- evenings

    def begin(self, title: str, actions: Sequence[Action] = (), who: str = "", id: str | None = None) -> None:
        """Begin an evening with these actions; it becomes the active one. With the `id` of one that has begun, nothing
        begins: a request that was sent again only finishes what it has not done before."""
        with self._lock:
            id = id or secrets.token_hex(4)
            self.store.begin_evening(id, title, self.clock())
            self.refresh()
            if actions and self.evening.id == id and not self.tournament.entries:
                self.confirm(actions, self.plan(actions).token, who)

    def activate_evening(self, evening: str) -> None:
        """Make an evening of this club the active one, by its id. Raises `Refused` if there is none."""
        with self._lock:
            self.store.activate_evening(evening)
            self.refresh()

    # --- changes, made here or by another process

    def refresh(self) -> bool:
        """Load everything new in the database, also another evening. Returns whether anything was new."""
        with self._lock:
            version = self.store.version()
            if version == self.version and self._settled:
                return False
            self._read_reports()
            if version < self.version:  # the database was restored from an older copy
                self._reset()
            active = max(self.store.evenings(), key=lambda evening: evening.opened, default=NO_EVENING)
            if self.evening.id != active.id:
                self._reset(active)
            if active is NO_EVENING:
                self.version = version
            else:
                self._catch_up(version)
        self._notify()
        return True

    def _notify(self) -> None:
        for listener in tuple(self.on_changed):
            listener()

    def _catch_up(self, version: int) -> None:
        unsettled = not self._settled
        changed: Iterable[TableMatch] = self._matches.append(self.store.events_since(self.version, version), version)
        self.version, self._settled = version, False
        if self._load_decisions() or unsettled:
            changed = self._matches
        self._settle(changed)

    def _load_decisions(self) -> bool:
        known = self.tournament.entries
        new = self.store.decisions(self.evening.id, after=len(known))
        if not new:
            return False
        self.tournament = Tournament.of((*known, *new))
        return True

    def _settle(self, reports: Iterable[TableMatch]) -> None:
        """Enter what tables reported of these matches into the tournament."""
        self._settled = False
        for _ in range(MOST_TRIES):
            after, outcomes = apply_reports(self.tournament, self.evening.id, reports)
            if self._append(after, BY_TABLE):
                self._outcomes |= outcomes
                self._settled = True
                return
            reports = self._matches
        raise Overtaken(say("Too many others are changing the evening. Try again."))

    def _append(self, after: Tournament, who: str) -> bool:
        """Append a tournament's new entries to the log. Returns False and reloads if another process wrote first."""
        known, at = self.tournament.entries, self.clock()
        new = [replace(entry, who=who, at=at) for entry in after.entries[len(known) :]]
        if new:
            try:
                self.store.append_decisions(self.evening.id, new)
            except Overtaken:
                self._load_decisions()
                return False
            self.tournament = replace(after, entries=(*known, *new))
        return True

    # --- the organiser

    @property
    def reopened(self) -> frozenset[str]:
        """The matches whose end counts and was taken back at their table."""
        with self._lock:
            return frozenset(each for each in self._outcomes.values() if isinstance(each, str))

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What was reported and does not count."""
        with self._lock:
            reports = (each for each in self._outcomes.values() if isinstance(each, LeftOut))
            return (*reports, *set_aside(self.tournament.state))

    @property
    def logged(self) -> tuple[tuple[LogEntry, ...], dict[int, list[Sentence]]]:
        """The evening's log; and by the number of an action's entry what it changed, for `organiser.log` to fill: that
        stays the same."""
        with self._lock:
            return self.tournament.entries, self._words

    def playing(self) -> dict[str, TableMatch]:
        """By table, the last match of this evening that it began."""
        with self._lock:
            found = {match.at: match for match in self._matches}
            return {table: match for (table, evening), match in found.items() if evening == self.evening.id}

    def plan(self, actions: Sequence[Action]) -> Plan:
        """The consequences of these actions, in order. Raises `TournamentError` if one of them is not possible, as a
        further round is while matches are played again."""
        with self._lock:
            self.refresh()
            if self.evening is NO_EVENING:
                raise TournamentError(say("Begin an evening first."))
            if self.reopened and any(isinstance(action, NextRound | NextStage) for action in actions):
                state = self.tournament.state
                names = [state.label_of(state.match(match)) for match in sorted(self.reopened)]
                raise TournamentError(
                    say("Being played again at their tables: {matches}. Wait, or correct the results.", matches=names)
                )
            return self.tournament.preview(*actions)

    def confirm(self, actions: Sequence[Action], token: str, who: str) -> None:
        """Carry out the plan with this token. Raises as `plan` does, and `PlanChanged`."""
        with self._lock:
            for _ in range(MOST_TRIES):
                plan = self.plan(actions)
                if plan.token != token:
                    raise PlanChanged(say("Something has happened that changes this plan. Check it again."))
                if self._append(plan.after, who):
                    self._settle(self._matches)
                    self.refresh()
                    return
            raise Overtaken(say("Too many others are changing the evening. Try again."))

    def claim(
        self, match: str, by: str, points: Sequence[Claimed], phone: str, twenties: Sequence[Claimed] | None = None
    ) -> None:
        """Enter the result that one of the two claims. Raises `TournamentError`, and `PlanChanged` if somebody was
        quicker."""
        with self._lock:
            self.refresh()
            event = claimed(self.tournament, match, by, points, twenties, phone)
            if event is not None:
                self.confirm([event], self.plan([event]).token, self.tournament.state.labels[by])

    # --- tables

    def receive(self, table: str, payload: bytes) -> Have:
        """Store what a table sends: see `MessageIntake.receive`."""
        with self._lock:
            try:
                return self.intake.receive(table, payload)
            finally:
                self.refresh()

    def heard(self, table: str, here: bool = True) -> None:
        """A table listens, or has just gone."""
        with self._lock:
            report = self.store.reports()[table]
            self.store.put_report(table, report._replace(seen=self.clock() if here else 0.0))
            self.refresh()

    def refused(self, table: str, why: Message) -> None:
        """Show the organiser what a table sent in vain, or "" for somebody without a valid token."""
        with self._lock:
            self.intake.note(table, self.store.reports()[table]._replace(trouble=why))
            self.refresh()

    def _read_reports(self) -> None:
        self.reports, now = self.store.reports(), self.clock()
        self.online = frozenset(table for table, report in self.reports.items() if report.is_heard(now, SILENT))

    def watch_tables(self) -> None:
        """Notice which tables have fallen silent."""
        with self._lock:
            before = self.online
            self._read_reports()
            if self.online != before:
                self._notify()

    def assignments(self) -> dict[str, bytes]:
        """By table, its assignment as it is sent."""
        with self._lock:
            id, state = self.evening.id, self.tournament.state
            tables = [table.id for table in self.store.tables() if not table.by_hand]
            return {table: serialize(Assignment(match=assigned(id, state, table, self.rules))) for table in tables}
