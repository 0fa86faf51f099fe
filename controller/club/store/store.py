"""Reads and writes the club's database in whole transactions, for any number of threads and processes."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeVar

from sqlalchemy import ColumnElement, Connection, Engine, Table, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from controller.club.errors import KeyTaken, Overtaken
from controller.club.store.credentials import Credentials
from controller.club.store.engine import open_engine, reading, writing
from controller.club.store.tables import CLUBS, DECISIONS, EVENINGS, EVENTS, PEOPLE, REPORTS, TABLES
from controller.club.tournament.events import Entry
from controller.club.tournament.record import entry_from_json, entry_to_json
from controller.club.tournament.state import normalized_name
from controller.match.club import Answer
from controller.messages import Message, say

Stored = TypeVar("Stored")
SEEN_EVERY = 20.0  # s between two notes that a table was heard and nothing else has changed
Journal = tuple[str, str]  # a table's id and the id of its journal


class StoredEvent(NamedTuple):
    """An event of a table's journal, in the table's stored form of the version `journal_schema`. `at`: by the table's
    clock; `body`: None if the table could not send it."""

    number: int
    match: int
    at: float
    kind: str
    body: dict[str, Any] | None
    journal_schema: int


class Decision(NamedTuple):
    """An entry in an evening's log, with its author and time."""

    entry: Entry
    who: str
    at: float


class Evening(NamedTuple):
    """One evening of the club; `version`: the database's when it began, so that later events have a greater one.
    `opened`: the version when it was last activated; the active evening has the greatest."""

    id: str
    title: str
    at: float
    version: int
    opened: int


class TableOfClub(NamedTuple):
    """A table of the club; `by_hand`: it has no hardware, and phones keep its score."""

    id: str
    name: str
    by_hand: bool = False


class Report(NamedTuple):
    """What a table said last: when (s since 1970, 0 when it has gone), its answer to its assignment, and what was wrong
    with what it sent."""

    seen: float = 0.0
    answer: Answer | None = None
    trouble: Message | None = None

    def is_heard(self, now: float, silent: float) -> bool:
        """Whether it was heard in the last `silent` seconds."""
        return self.seen > 0 and now - silent <= self.seen


class Person(NamedTuple):
    """A former player; `last`: when the name was last entered."""

    name: str
    last: float


_STORED = tuple(EVENTS.c[name] for name in StoredEvent._fields)


@dataclass(frozen=True)
class Store:
    """The database of one club."""

    engine: Engine
    club: str

    @classmethod
    def open(cls, url: str, club: str = "club") -> Self:
        """The club's part of a database, created if missing. Raises `StoreError`."""
        engine = open_engine(url)
        with suppress(KeyTaken), writing(engine) as connection:  # another process creates it at the same moment
            if connection.execute(select(CLUBS).filter_by(club=club)).first() is None:
                connection.execute(insert(CLUBS).values(club=club, version=0))
        return cls(engine, club)

    def close(self) -> None:
        """Close all connections. Safe to call twice."""
        self.engine.dispose()

    @property
    def credentials(self) -> Credentials:
        return Credentials(self.engine, self.club)

    # --- how far it is

    def version(self) -> int:
        """A number that grows with every change of events, evenings and decisions."""
        with reading(self.engine) as connection:
            return int(connection.execute(select(CLUBS.c.version).filter_by(club=self.club)).scalar_one())

    # --- the tables' events

    def append_events(self, table: str, journal: str, after: int, events: Sequence[StoredEvent]) -> None:
        """Append events after the number `after`. Raises `Overtaken` if that is no longer the journal's last one."""
        with self._writing() as (connection, version):
            if self._last(connection, table, journal) != after:
                raise Overtaken(f"Another process of the hub has stored events of table {table}.")
            rows = [
                {"club": self.club, "table_id": table, "journal": journal, **event._asdict()}
                | {"body": _json(event.body), "version": version}
                for event in events
            ]
            if rows:
                connection.execute(insert(EVENTS), rows)

    def last_of(self, table: str, journal: str) -> int:
        """The number of the last event of a journal; 0 if there is none."""
        with reading(self.engine) as connection:
            return self._last(connection, table, journal)

    def events_between(self, table: str, journal: str, first: int, last: int) -> list[StoredEvent]:
        """The events of a journal with these numbers, both included."""
        return self._events(table, journal, EVENTS.c.number.between(first, last))

    def events_since(self, version: int, to: int) -> list[tuple[Journal, StoredEvent]]:
        """The events that came after one version and up to another, those of each journal in their order."""
        c = EVENTS.c
        query = (
            select(c.table_id, c.journal, *_STORED)
            .where(c.club == self.club, c.version > version, c.version <= to)
            .order_by(c.version, c.table_id, c.journal, c.number)
        )
        with reading(self.engine) as connection:
            return [((table, journal), _stored_event(row)) for table, journal, *row in connection.execute(query)]

    def events_of(self, table: str, journal: str, match: int, to: int) -> list[StoredEvent]:
        """The events of one match of a journal that came up to a version, in their order."""
        return self._events(table, journal, EVENTS.c.match == match, EVENTS.c.version <= to)

    def _events(self, table: str, journal: str, *which: ColumnElement[bool]) -> list[StoredEvent]:
        own = select(*_STORED).filter_by(club=self.club, table_id=table, journal=journal)
        with reading(self.engine) as connection:
            return [_stored_event(row) for row in connection.execute(own.where(*which).order_by(EVENTS.c.number))]

    def _last(self, connection: Connection, table: str, journal: str) -> int:
        query = select(func.coalesce(func.max(EVENTS.c.number), 0)).filter_by(
            club=self.club, table_id=table, journal=journal
        )
        return int(connection.execute(query).scalar_one())

    # --- evenings and decisions

    def begin_evening(self, id: str, title: str, at: float) -> None:
        """A new evening. Raises `Overtaken` if its id is taken."""
        with self._writing() as (connection, version):
            row = {"club": self.club, "evening": id, "title": title, "at": at, "version": version, "opened": version}
            try:
                connection.execute(insert(EVENINGS).values(row))
            except IntegrityError as error:
                raise Overtaken(say("There is an evening {id} already; choose another id.", id=id)) from error

    def activate_evening(self, id: str) -> None:
        """Make an evening the active one, for every process of the hub."""
        with self._writing() as (connection, version):
            connection.execute(update(EVENINGS).filter_by(club=self.club, evening=id).values(opened=version))

    def evenings(self) -> list[Evening]:
        """All evenings, in the order in which they were begun here."""
        c = EVENINGS.c
        query = select(c.evening, c.title, c.at, c.version, c.opened).filter_by(club=self.club).order_by(c.version)
        with reading(self.engine) as connection:
            return [Evening(*row) for row in connection.execute(query)]

    def append_decisions(self, evening: str, entries: Sequence[Entry], who: str, at: float) -> None:
        """Append entries to an evening's log. Raises `Overtaken` if it does not end right before the first of them."""
        with self._writing() as (connection, version):
            last = connection.execute(
                select(func.coalesce(func.max(DECISIONS.c.number), 0)).filter_by(club=self.club, evening=evening)
            ).scalar_one()
            if entries and entries[0].number != last + 1:
                raise Overtaken(
                    say("Somebody else has changed the evening in the meantime. Check it, then repeat this.")
                )
            rows = [
                {
                    "club": self.club,
                    "evening": evening,
                    "number": entry.number,
                    "entry": _json(entry_to_json(entry)),
                    "who": who,
                    "at": at,
                    "version": version,
                }
                for entry in entries
            ]
            if rows:
                connection.execute(insert(DECISIONS), rows)

    def decisions(self, evening: str, after: int = 0) -> list[Decision]:
        """The entries of an evening's log after the one of this number."""
        c = DECISIONS.c
        query = (
            select(c.entry, c.who, c.at)
            .where(c.club == self.club, c.evening == evening, c.number > after)
            .order_by(c.number)
        )
        with reading(self.engine) as connection:
            return [
                Decision(entry_from_json(json.loads(entry)), who, at) for entry, who, at in connection.execute(query)
            ]

    # --- people and tables

    def remember(self, names: Sequence[str], at: float) -> None:
        """Store people's names, to suggest them on the next evening."""
        rows = [
            ({"plain": plain}, {"name": name, "last": at})
            for plain, name in {normalized_name(n): n for n in names}.items()
        ]
        self._put(PEOPLE, rows)

    def people(self) -> list[Person]:
        """All stored people, the last entered first."""
        c = PEOPLE.c
        with reading(self.engine) as connection:
            query = select(c.name, c.last).filter_by(club=self.club).order_by(c.last.desc(), c.plain)
            return [Person(*row) for row in connection.execute(query)]

    def put_table(self, table: TableOfClub) -> None:
        """Add a table to the club, or change what it is."""
        self._put(TABLES, [({"table_id": table.id}, {"name": table.name, "by_hand": table.by_hand})])

    def tables(self) -> list[TableOfClub]:
        """The club's tables, by id: table 10 comes after table 9."""
        c = TABLES.c
        with reading(self.engine) as connection:
            query = select(c.table_id, c.name, c.by_hand).filter_by(club=self.club)
            return sorted((TableOfClub(*row) for row in connection.execute(query)), key=lambda table: _parts(table.id))

    # --- what tables say besides

    def put_report(self, table: str, report: Report, silent: float) -> None:
        """Store a table's report. What pages show of it is a change: `silent` as in `Report.is_heard`."""
        before = self.reports().get(table, Report())
        row = {
            "seen": report.seen,
            "answer": _json(report.answer.model_dump() if report.answer else None),
            "trouble": _json(report.trouble.to_json() if report.trouble else None),
        }
        shown = before[1:] != report[1:] or before.is_heard(report.seen, silent) != bool(report.seen)
        if shown:
            self._put(REPORTS, [({"table_id": table}, row)])
        elif report.seen - before.seen >= SEEN_EVERY or report.seen < before.seen:
            with writing(self.engine) as connection:
                connection.execute(update(REPORTS).filter_by(club=self.club, table_id=table).values(seen=report.seen))

    def reports(self) -> dict[str, Report]:
        """The last report of each table."""
        c = REPORTS.c
        with reading(self.engine) as connection:
            rows = connection.execute(select(c.table_id, c.seen, c.answer, c.trouble).filter_by(club=self.club)).all()
        return {
            table: Report(seen, _loaded(answer, Answer.model_validate), _loaded(trouble, Message.from_json))
            for table, seen, answer, trouble in rows
        }

    def _put(self, table: Table, rows: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> None:
        """Replace rows by key: pairs of a key and the other members."""
        with self._writing() as (connection, _):
            for key, members in rows:
                connection.execute(delete(table).filter_by(club=self.club, **key))
                connection.execute(insert(table).values(club=self.club, **key, **members))

    # --- transactions

    @contextmanager
    def _writing(self) -> Iterator[tuple[Connection, int]]:
        """A write transaction and its version; until it ends, no other one writes for this club."""
        with writing(self.engine) as connection:
            connection.execute(update(CLUBS).filter_by(club=self.club).values(version=CLUBS.c.version + 1))
            version = connection.execute(select(CLUBS.c.version).filter_by(club=self.club)).scalar_one()
            yield connection, version


def _parts(id: str) -> list[str | int]:
    """A sort key: texts and numbers in turn."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", id)]


def _loaded(text: str, parse: Callable[[Any], Stored]) -> Stored | None:
    document = json.loads(text)
    return None if document is None else parse(document)


def _stored_event(row: Sequence[Any]) -> StoredEvent:
    event = StoredEvent(*row)
    return event._replace(body=json.loads(row[4]))


def _json(document: Mapping[str, Any] | None) -> str:
    return json.dumps(document, separators=(",", ":"), allow_nan=False)
