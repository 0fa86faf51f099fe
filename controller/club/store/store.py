"""Reads and writes the club's database in whole transactions, for any number of threads and processes."""

import datetime as dt
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, ClassVar, NamedTuple, Self

from sqlalchemy import ColumnElement, Connection, Engine, Select, delete, func, insert, select, update

from controller.club.errors import KeyTaken, Overtaken, StoreError
from controller.club.store.engine import CLUBS, EVENTS, REPORTS, open_engine, rows, write, writing
from controller.club.tournament.catalogue import event_from_json, event_to_json
from controller.club.tournament.events import BoardRenamed, EntrantAdded, EntrantRenamed, LogEntry, Undone
from controller.club.tournament.fold import undone_numbers
from controller.club.tournament.state import normalized_name
from controller.errors import Refused
from controller.match.club import AssignmentAnswer
from controller.messages import Message, say

SILENT = 150.0  # s without a request after which a table is not connected: two of its reports are missing
SEEN_EVERY = 20.0  # s between two notes that a table was heard and nothing else has changed
Body = dict[str, Any]
Journal = tuple[str, str]  # a table's id and the id of its journal


class StoredEvent(NamedTuple):
    """An event of a table's journal, in the table's stored form of the version `journal_schema`. `at`: by the table's
    clock; `body`: None if the table could not send it."""

    number: int
    match: int
    at: float
    kind: str
    body: Body | None
    journal_schema: int


class StoredEvening(NamedTuple):
    """One evening of the club; `version`: the database's when it began, so that later events have a greater one.
    `opened`: the version when it was last activated; the active evening has the greatest."""

    id: str
    title: str
    at: float
    version: int
    opened: int

    @property
    def day(self) -> str:
        """The day on which it began, by this machine's clock and time zone."""
        return dt.datetime.fromtimestamp(self.at).date().isoformat()


NO_EVENING = StoredEvening("", "", 0.0, 0, 0)
"""Before the club's first one begins."""


class TableOfClub(NamedTuple):
    """A table of the club; `by_hand`: it has no hardware, and phones keep its score."""

    id: str
    name: str
    by_hand: bool = False


class TableStatus(NamedTuple):
    """What a table said last: when (s since 1970, 0 when it has gone), its answer to its assignment, and what was wrong
    with what it sent."""

    seen: float = 0.0
    answer: AssignmentAnswer | None = None
    trouble: Message | None = None

    def is_heard(self, now: float, silent: float) -> bool:
        """Whether it was heard in the last `silent` seconds."""
        return self.seen > 0 and now - silent <= self.seen


OWN = ""  # in the place of a table: the hub's own events
CLUB = "club"  # the journal of the club's evenings and tables; every other one of the hub's is an evening's log
OWN_FORM = 2
_STORED = tuple(EVENTS.c[name] for name in StoredEvent._fields)


@dataclass
class ClubStore:
    """The database of one club."""

    engine: Engine
    club: str
    _known: "_Club" = field(default_factory=lambda: _Club())
    _guard: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, url: str, club: str = "club") -> Self:
        """The club's part of a database, created if missing. Raises `StoreError`."""
        engine = open_engine(url)
        with suppress(KeyTaken), writing(engine) as connection:  # it was there before
            connection.execute(insert(CLUBS).values(club=club, version=0))
        return cls(engine, club)

    def close(self) -> None:
        """Close all connections. Safe to call twice."""
        self.engine.dispose()

    # --- how far it is

    def version(self) -> int:
        """A number that grows with every change of events, evenings and decisions."""
        ((version,),) = rows(self.engine, select(CLUBS.c.version).filter_by(club=self.club))
        return int(version)

    # --- events

    def append_events(self, table: str, journal: str, after: int, events: Sequence[StoredEvent]) -> None:
        """Append events after the number `after`. Raises `Overtaken` if that is no longer the journal's last one."""
        with self._writing() as (connection, version):
            if connection.execute(self._last(table, journal)).scalar_one() != after:
                raise Overtaken(f"Another process of the hub has stored events of table {table}.")
            made = [
                {"club": self.club, "table_id": table, "journal": journal, **event._asdict(), "version": version}
                for event in events
            ]
            if made:
                connection.execute(insert(EVENTS), made)

    def last_of(self, table: str, journal: str) -> int:
        """The number of the last event of a journal; 0 if there is none."""
        return int(rows(self.engine, self._last(table, journal))[0][0])

    def events_between(self, table: str, journal: str, first: int, last: int) -> list[StoredEvent]:
        """The events of a journal with these numbers, both included."""
        return self._events(table, journal, EVENTS.c.number.between(first, last))

    def events_since(self, version: int, to: int) -> list[tuple[Journal, StoredEvent]]:
        """The tables' events that came after one version and up to another, those of each journal in their order."""
        c = EVENTS.c
        query = (
            select(c.table_id, c.journal, *_STORED)
            .where(c.club == self.club, c.table_id != OWN, c.version > version, c.version <= to)
            .order_by(c.version, c.table_id, c.journal, c.number)
        )
        return [((table, journal), StoredEvent(*row)) for table, journal, *row in rows(self.engine, query)]

    def events_of(self, table: str, journal: str, match: int, to: int) -> list[StoredEvent]:
        """The events of one match of a journal that came up to a version, in their order."""
        return self._events(table, journal, EVENTS.c.match == match, EVENTS.c.version <= to)

    def _events(self, table: str, journal: str, *which: ColumnElement[bool]) -> list[StoredEvent]:
        own = select(*_STORED).filter_by(club=self.club, table_id=table, journal=journal)
        return [StoredEvent(*row) for row in rows(self.engine, own.where(*which).order_by(EVENTS.c.number))]

    def _last(self, table: str, journal: str) -> Select[Any]:
        number = func.coalesce(func.max(EVENTS.c.number), 0)
        return select(number).filter_by(club=self.club, table_id=table, journal=journal)

    # --- the hub's own events

    def begin_evening(self, id: str, title: str, at: float) -> None:
        """Begin an evening, unless one has this id."""
        self._append_own("evening_begun", at, lambda club: None if id in club.evenings else {"id": id, "title": title})

    def activate_evening(self, id: str) -> None:
        """Make an evening the active one, for every process of the hub. Raises `Refused` if there is none."""
        body = {"id": self.evening(id).id}
        self._append_own("evening_activated", 0.0, lambda _: body)

    def put_table(self, table: TableOfClub) -> None:
        """Add a table to the club, or change what it is."""
        self._append_own("table_set", 0.0, lambda _: table._asdict())

    def add_table(self, name: str, by_hand: bool) -> str:
        """Add a table to the club; its id is the first number that none has."""

        def new(club: _Club) -> Body:
            id = next(str(k) for k in count(1) if str(k) not in club.tables)
            return TableOfClub(id, name, by_hand)._asdict()

        return str(self._append_own("table_set", 0.0, new)["id"])

    def evenings(self) -> list[StoredEvening]:
        """All evenings, in the order in which they were begun here."""
        return list(self._club().evenings.values())

    def evening(self, id: str) -> StoredEvening:
        """An evening by its id. Raises `Refused` if there is none."""
        found = self._club().evenings.get(id)
        if found is None:
            raise Refused(say("There is no such evening."))
        return found

    def tables(self) -> list[TableOfClub]:
        """The club's tables, by id: table 10 comes after table 9."""
        return sorted(self._club().tables.values(), key=lambda table: _parts(table.id))

    def people(self) -> list[str]:
        """The names of everybody who was ever entered, as they were corrected, the last entered first. Who was entered
        by mistake, which was undone, is not among them."""
        return list(self._club().people)

    def append_decisions(self, evening: str, entries: Sequence[LogEntry]) -> None:
        """Append entries to an evening's log. Raises `Overtaken` if it does not end right before the first of them."""
        events = []
        for entry in entries:
            body = {"entry": event_to_json(entry.event), "because": entry.because, "who": entry.who}
            events.append(StoredEvent(entry.number, 0, entry.at, entry.event.kind, body, OWN_FORM))
        self.append_events(OWN, evening, entries[0].number - 1, events)

    def decisions(self, evening: str, after: int = 0) -> list[LogEntry]:
        """The entries of an evening's log after the one of this number."""
        return [_entry(event) for event in self._events(OWN, evening, EVENTS.c.number > after)]

    def _append_own(self, kind: str, at: float, make: Callable[["_Club"], Body | None]) -> Body:
        """Append the event that `make` makes of the club as it is then, None for nothing."""
        while True:
            last = self.last_of(OWN, CLUB)
            if (body := make(self._club())) is None:
                return {}
            with suppress(Overtaken):  # another process was quicker: the club is another one now
                self.append_events(OWN, CLUB, last, [StoredEvent(last + 1, 0, at, kind, body, OWN_FORM)])
                return body

    def _club(self) -> "_Club":
        """What follows from the hub's own events; only what is new is read."""
        c = EVENTS.c
        own = (
            select(c.version, c.journal, *_STORED)
            .where(c.club == self.club, c.table_id == OWN, c.kind.in_(_Club.KINDS))
            .order_by(c.version, c.number)
        )
        with self._guard:
            now, known = self.version(), self._known
            if now < known.version:  # the database was restored from an older copy
                known = _Club()
            if now != known.version:
                found = rows(self.engine, own.where(c.version > known.version, c.version <= now))
                new = [(version, journal, _own(journal, StoredEvent(*row))) for version, journal, *row in found]
                known = replace(_Club.of([*known.own, *new]) if new else known, version=now)
            self._known = known
            return known

    # --- what tables say besides

    def put_report(self, table: str, report: TableStatus) -> None:
        """Store a table's report. What pages show of it is a change."""
        before = self.reports()[table]
        row = {
            "seen": report.seen,
            "answer": report.answer and report.answer.model_dump(),
            "trouble": report.trouble and report.trouble.to_json(),
        }
        shown = before[1:] != report[1:] or before.is_heard(report.seen, SILENT) != bool(report.seen)
        if shown:
            with self._writing() as (connection, _):
                connection.execute(delete(REPORTS).filter_by(club=self.club, table_id=table))
                connection.execute(insert(REPORTS).values(club=self.club, table_id=table, **row))
        elif report.seen - before.seen >= SEEN_EVERY or report.seen < before.seen:
            write(self.engine, update(REPORTS).filter_by(club=self.club, table_id=table).values(seen=report.seen))

    def reports(self) -> defaultdict[str, TableStatus]:
        """The last report of each table, an empty one of any that has said nothing."""
        c = REPORTS.c
        kept = rows(self.engine, select(c.table_id, c.seen, c.answer, c.trouble).filter_by(club=self.club))
        said = {
            table: TableStatus(
                seen, answer and AssignmentAnswer.model_validate(answer), trouble and Message.from_json(trouble)
            )
            for table, seen, answer, trouble in kept
        }
        return defaultdict(TableStatus, said)

    # --- transactions

    @contextmanager
    def _writing(self) -> Iterator[tuple[Connection, int]]:
        """A write transaction and its version; until it ends, no other one writes for this club."""
        with writing(self.engine) as connection:
            connection.execute(update(CLUBS).filter_by(club=self.club).values(version=CLUBS.c.version + 1))
            version = connection.execute(select(CLUBS.c.version).filter_by(club=self.club)).scalar_one()
            yield connection, version


@dataclass(frozen=True, slots=True)
class _Club:
    """The evenings, tables and people of a club at a version: a fold of the hub's own events."""

    version: int = 0
    own: Sequence[tuple[int, str, StoredEvent | LogEntry]] = ()
    """The events, and the entries of evenings' logs, each with its version and its journal."""
    evenings: Mapping[str, StoredEvening] = field(default_factory=dict)
    tables: Mapping[str, TableOfClub] = field(default_factory=dict)
    people: Sequence[str] = ()

    DECISIONS: ClassVar = (BoardRenamed, EntrantAdded, EntrantRenamed, Undone)
    KINDS: ClassVar = ("evening_begun", "evening_activated", "table_set", *(event.kind for event in DECISIONS))

    @classmethod
    def of(cls, own: Sequence[tuple[int, str, StoredEvent | LogEntry]]) -> Self:
        """The club after these events."""
        gone = _undone(own)
        evenings: dict[str, StoredEvening] = {}
        tables: dict[str, TableOfClub] = {}
        entered: dict[tuple[str, str], tuple[float, tuple[str, ...]]] = {}  # by evening and entrant
        for version, journal, each in own:
            match each:
                case StoredEvent(kind="evening_begun", body={"id": id, "title": title}):
                    evenings.setdefault(id, StoredEvening(id, title, each.at, version, version))
                case StoredEvent(kind="evening_activated", body={"id": id}):
                    evenings[id] = evenings[id]._replace(opened=version)
                case StoredEvent(kind="table_set", body={"id": id, "name": name, "by_hand": by_hand}):
                    tables[id] = TableOfClub(id, name, by_hand)
                case LogEntry() if (journal, each.number) in gone:
                    pass
                case LogEntry(event=BoardRenamed(board=id, name=name)) if id in tables:
                    tables[id] = tables[id]._replace(name=name)
                case LogEntry(
                    event=EntrantAdded(entrant=id, players=names) | EntrantRenamed(entrant=id, players=names)
                ):
                    entered[journal, id] = each.at, names
        people = {normalized_name(name): (-at, name) for at, names in sorted(entered.values()) for name in names}
        newest = sorted(people, key=lambda name: (people[name][0], name))
        return cls(0, own, evenings, tables, [people[name][1] for name in newest])


def _undone(own: Sequence[tuple[int, str, StoredEvent | LogEntry]]) -> set[tuple[str, int]]:
    """By evening and number, the entries that were undone."""
    logs: defaultdict[str, list[LogEntry]] = defaultdict(list)
    for _, evening, each in own:
        if isinstance(each, LogEntry):
            logs[evening].append(each)
    return {(evening, number) for evening, log in logs.items() for number in undone_numbers(log)}


def _own(journal: str, stored: StoredEvent) -> StoredEvent | LogEntry:
    return stored if journal == CLUB else _entry(stored)


def _parts(id: str) -> list[str | int]:
    """A sort key: texts and numbers in turn."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", id)]


def _entry(stored: StoredEvent) -> LogEntry:
    if stored.journal_schema != OWN_FORM:
        raise StoreError(
            "The club's database was written by another version of this program: install that one again, or name "
            "another database in club.toml."
        )
    body = stored.body or {}
    return LogEntry(stored.number, event_from_json(body["entry"]), body["because"], body["who"], stored.at)
