"""What the club's database keeps, read and written in whole transactions. For any number of threads and processes."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, Engine, Table, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from controller.club.errors import Overtaken
from controller.club.store.credentials import Credentials
from controller.club.store.engine import open_engine, speaking_plainly, writing
from controller.club.store.tables import CLUBS, DECISIONS, EVENINGS, EVENTS, PEOPLE, TABLES
from controller.club.tournament import Entry, read, written
from controller.club.tournament.state import plain_name
from controller.messages import say

Journal = tuple[str, str]
"""A table's id and the id of its journal."""


class Kept(NamedTuple):
    """An event of a table's journal, as the table stored it in the form of the version `journal_schema`.

    `at` is by the table's clock; `body` is None where the table could not send it.
    """

    number: int
    match: int
    at: float
    kind: str
    body: dict[str, Any] | None
    journal_schema: int


class Decision(NamedTuple):
    """An entry in an evening's log, with who made it and when."""

    entry: Entry
    who: str
    at: float


class Evening(NamedTuple):
    """One evening of the club; `version` is the database's as it began: later events have a greater one. `opened`: that
    of when it last became the present one; so the present one has the greatest."""

    id: str
    title: str
    at: float
    version: int
    opened: int


class TableOfClub(NamedTuple):
    """A table that belongs to the club; `by_hand` where it has no hardware, and phones keep its score."""

    id: str
    name: str
    by_hand: bool = False


class Person(NamedTuple):
    """Somebody who has played here; `last` is when the name was last entered."""

    name: str
    last: float


_KEPT = tuple(EVENTS.c[name] for name in Kept._fields)


@dataclass(frozen=True)
class Store:
    """The database of one club."""

    engine: Engine
    club: str

    @classmethod
    def open(cls, url: str, club: str = "club") -> Self:
        """The club's part of a database, made where it is not there. Raises `StoreError`."""
        engine = open_engine(url)
        with speaking_plainly(engine):
            try:
                with writing(engine) as connection:
                    if connection.execute(select(CLUBS).filter_by(club=club)).first() is None:
                        connection.execute(insert(CLUBS).values(club=club, version=0))
            except IntegrityError:
                pass  # another process made it in the same moment
        return cls(engine, club)

    def close(self) -> None:
        """Close all connections. Safe to call twice."""
        self.engine.dispose()

    @property
    def credentials(self) -> Credentials:
        """Passwords, secrets and codes."""
        return Credentials(self.engine, self.club)

    # --- how far it is

    def version(self) -> int:
        """A number that grows with every change of events, evenings and decisions."""
        with self._reading() as connection:
            return int(connection.execute(select(CLUBS.c.version).filter_by(club=self.club)).scalar_one())

    # --- the tables' events

    def taken_to(self) -> dict[Journal, int]:
        """The number of the last event of every journal."""
        query = (
            select(EVENTS.c.table_id, EVENTS.c.journal, func.max(EVENTS.c.number))
            .filter_by(club=self.club)
            .group_by(EVENTS.c.table_id, EVENTS.c.journal)
        )
        with self._reading() as connection:
            return {(table, journal): number for table, journal, number in connection.execute(query)}

    def take(self, table: str, journal: str, after: int, events: Sequence[Kept]) -> None:
        """Keep events that follow the number `after`, which is the last one of this journal here.

        Raises `Overtaken` where it is not any more.
        """
        with self._writing() as (connection, version):
            if self._last(connection, table, journal) != after:
                raise Overtaken(f"Table {table} was heard by another process of the hub meanwhile.")
            rows = [
                {"club": self.club, "table_id": table, "journal": journal, **event._asdict()}
                | {"body": _json(event.body), "version": version}
                for event in events
            ]
            if rows:
                connection.execute(insert(EVENTS), rows)

    def last_of(self, table: str, journal: str) -> int:
        """The number of the last event of a journal; 0 where there is none."""
        with self._reading() as connection:
            return self._last(connection, table, journal)

    def events_between(self, table: str, journal: str, first: int, last: int) -> list[Kept]:
        """The events of a journal with these numbers, both included."""
        c = EVENTS.c
        query = (
            select(*_KEPT)
            .where(c.club == self.club, c.table_id == table, c.journal == journal, c.number.between(first, last))
            .order_by(c.number)
        )
        with self._reading() as connection:
            return [_kept(row) for row in connection.execute(query)]

    def events_since(self, version: int, to: int) -> list[tuple[Journal, Kept]]:
        """The events that came after one version and up to another, those of each journal in their order."""
        c = EVENTS.c
        query = (
            select(c.table_id, c.journal, *_KEPT)
            .where(c.club == self.club, c.version > version, c.version <= to)
            .order_by(c.version, c.table_id, c.journal, c.number)
        )
        with self._reading() as connection:
            return [((table, journal), _kept(row)) for table, journal, *row in connection.execute(query)]

    def events_of(self, table: str, journal: str, match: int, to: int) -> list[Kept]:
        """The events of one match of a journal that came up to a version, in their order."""
        c = EVENTS.c
        query = (
            select(*_KEPT)
            .where(c.club == self.club, c.table_id == table, c.journal == journal, c.match == match, c.version <= to)
            .order_by(c.number)
        )
        with self._reading() as connection:
            return [_kept(row) for row in connection.execute(query)]

    def _last(self, connection: Connection, table: str, journal: str) -> int:
        query = select(func.coalesce(func.max(EVENTS.c.number), 0)).filter_by(
            club=self.club, table_id=table, journal=journal
        )
        return int(connection.execute(query).scalar_one())

    # --- evenings and decisions

    def begin_evening(self, id: str, title: str, at: float) -> None:
        """A new evening. Raises `Overtaken` where its id is taken."""
        with self._writing() as (connection, version):
            row = {"club": self.club, "evening": id, "title": title, "at": at, "version": version, "opened": version}
            try:
                connection.execute(insert(EVENINGS).values(row))
            except IntegrityError as error:
                raise Overtaken(say("There is an evening {id} already; choose another id.", id=id)) from error

    def open_evening(self, id: str) -> None:
        """Make an evening the present one, for every process of the hub."""
        with self._writing() as (connection, version):
            connection.execute(update(EVENINGS).filter_by(club=self.club, evening=id).values(opened=version))

    def evenings(self) -> list[Evening]:
        """All evenings, in the order in which they were begun here."""
        c = EVENINGS.c
        query = select(c.evening, c.title, c.at, c.version, c.opened).filter_by(club=self.club).order_by(c.version)
        with self._reading() as connection:
            return [Evening(*row) for row in connection.execute(query)]

    def decide(self, evening: str, entries: Sequence[Entry], who: str, at: float) -> None:
        """Add entries to an evening's log. Raises `Overtaken` where it does not end right before the first of them."""
        with self._writing() as (connection, version):
            last = connection.execute(
                select(func.coalesce(func.max(DECISIONS.c.number), 0)).filter_by(club=self.club, evening=evening)
            ).scalar_one()
            if entries and entries[0].number != last + 1:
                raise Overtaken(say("Somebody else changed the evening meanwhile. Look at it again, then repeat this."))
            rows = [
                {
                    "club": self.club,
                    "evening": evening,
                    "number": entry.number,
                    "entry": _json(written(entry)),
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
        with self._reading() as connection:
            return [Decision(read(json.loads(entry)), who, at) for entry, who, at in connection.execute(query)]

    # --- people and tables

    def remember(self, names: Sequence[str], at: float) -> None:
        """Remember people, so that the next evening offers their names."""
        rows = [
            ({"plain": plain}, {"name": name, "last": at}) for plain, name in {plain_name(n): n for n in names}.items()
        ]
        self._put(PEOPLE, rows)

    def people(self) -> list[Person]:
        """Everybody who is remembered, those entered last first."""
        c = PEOPLE.c
        with self._reading() as connection:
            query = select(c.name, c.last).filter_by(club=self.club).order_by(c.last.desc(), c.plain)
            return [Person(*row) for row in connection.execute(query)]

    def put_table(self, table: TableOfClub) -> None:
        """Add a table to the club, or change what it is."""
        self._put(TABLES, [({"table_id": table.id}, {"name": table.name, "by_hand": table.by_hand})])

    def tables(self) -> list[TableOfClub]:
        """The club's tables, by id: table 10 comes after table 9."""
        c = TABLES.c
        with self._reading() as connection:
            query = select(c.table_id, c.name, c.by_hand).filter_by(club=self.club)
            return sorted((TableOfClub(*row) for row in connection.execute(query)), key=lambda table: _parts(table.id))

    def _put(self, table: Table, rows: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> None:
        """Write rows in place of those with the same key: pairs of a key and the other members."""
        with self._writing() as (connection, _):
            for key, members in rows:
                connection.execute(delete(table).filter_by(club=self.club, **key))
                connection.execute(insert(table).values(club=self.club, **key, **members))

    # --- transactions

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with speaking_plainly(self.engine), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[tuple[Connection, int]]:
        """A transaction that writes, and its version: until it ends, no other one writes for this club."""
        with speaking_plainly(self.engine), writing(self.engine) as connection:
            connection.execute(update(CLUBS).filter_by(club=self.club).values(version=CLUBS.c.version + 1))
            version = connection.execute(select(CLUBS.c.version).filter_by(club=self.club)).scalar_one()
            yield connection, version


def _parts(id: str) -> list[str | int]:
    """An id for sorting: texts and numbers in turn."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", id)]


def _kept(row: Sequence[Any]) -> Kept:
    event = Kept(*row)
    return event._replace(body=json.loads(row[4]))


def _json(document: Mapping[str, Any] | None) -> str:
    return json.dumps(document, separators=(",", ":"), allow_nan=False)
