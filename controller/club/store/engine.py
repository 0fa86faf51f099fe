"""Opens the club's database, SQLite or PostgreSQL, and makes its tables: one log of events, and beside it what is no
event. Every row names its club, so that many clubs can share one PostgreSQL.

`version` counts the changes of a club: a write transaction takes the next number, which locks out all other writers of
the club until it ends. So the numbers follow the order in which changes become visible, and a reader at version 7 has
missed exactly the rows with a greater one."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Connection,
    Delete,
    Engine,
    Float,
    Index,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    Update,
    create_engine,
    event,
    inspect,
    make_url,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError

from controller.club.errors import KeyTaken, StoreError

LONGEST_ID = 64  # characters of a club's, a table's or a journal's id
LONGEST_HASH = 200  # characters of a password's, with its salt and how it was made
LONGEST_NAME = 80  # characters of what people call something
METADATA = MetaData()


def _club() -> Column[str]:
    return Column("club", String(LONGEST_ID), primary_key=True)


CLUBS = Table(
    "clubs",
    METADATA,
    _club(),
    Column("version", BigInteger, nullable=False),
    # seconds since 1970 when all password attempts are there again: see `HubTokens.take_attempt`
    Column("guesses_until", Float, nullable=False, server_default="0"),
)

EVENTS = Table(
    "events",
    METADATA,
    _club(),
    Column("table_id", String(LONGEST_ID), primary_key=True),  # "" for the hub's own
    Column("journal", String(LONGEST_ID), primary_key=True),  # of the hub's own: the evening, or "club"
    Column("number", BigInteger, primary_key=True, autoincrement=False),  # the event's own, in its journal
    Column("match", BigInteger, nullable=False),
    Column("at", Float, nullable=False),  # by the table's clock, for people; never used for ordering
    Column("kind", String(LONGEST_ID), nullable=False),
    Column("body", JSON, nullable=False),  # as in the journal; null if it could not be sent
    Column("journal_schema", Integer, nullable=False),  # the version of its stored form
    Column("version", BigInteger, nullable=False),
    Index("events_by_version", "club", "version"),
)

REPORTS = Table(
    "reports",
    METADATA,
    _club(),
    Column("table_id", String(LONGEST_ID), primary_key=True),  # "" for requests without a valid token
    Column("seen", Float, nullable=False),  # seconds since 1970: when it was last heard, 0 when it had gone
    Column("answer", JSON, nullable=False),  # what it says to its assignment
    Column("trouble", JSON, nullable=False),  # a message, what was wrong with what it sent
)

TOKENS = Table(
    "tokens",
    METADATA,
    _club(),
    Column("hash", String(LONGEST_HASH), primary_key=True),
    Column("kind", String(LONGEST_ID), nullable=False),  # as in `controller.api.Tokens`, "join" or "password"
    Column("holder", String(LONGEST_NAME), nullable=False),
    Column("used", Float, nullable=False),  # seconds since 1970: when it was last used, give or take an hour
)


OWNER_ONLY = 0o600
PATIENCE = 10  # seconds to wait for another process that writes, or for a database that does not answer
MAKING = 7_463_011  # PostgreSQL's advisory lock while tables are made: any number that no other program uses
_KNOWN = ("sqlite", "postgresql")


def open_engine(url: str) -> Engine:
    """The database, with its tables. Raises `StoreError`."""
    engine = _engine(url)
    try:
        with writing(engine) as connection:
            _make_tables(connection, engine)
    except StoreError:
        engine.dispose()
        raise
    return engine


def _engine(url: str) -> Engine:
    try:
        address = make_url(url)
        if address.drivername == "postgresql":
            address = address.set(drivername="postgresql+psycopg")
        if address.get_backend_name() not in _KNOWN:
            raise NoSuchModuleError(address.drivername)
    except (ArgumentError, NoSuchModuleError, ValueError) as error:  # ValueError: a port that is no number
        raise StoreError(
            "The club's database must be sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME."
        ) from error
    if address.get_backend_name() == "sqlite":
        if address.database:
            _owner_only(Path(address.database))
        engine = create_engine(address, connect_args={"timeout": PATIENCE})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    return create_engine(address, pool_pre_ping=True, connect_args={"connect_timeout": PATIENCE})


def _owner_only(file: Path) -> None:
    """It holds password hashes and sessions: only the hub's user may read it and its log."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))
        for ending in ("", "-wal", "-shm"):
            if (beside := file.with_name(file.name + ending)).exists():
                beside.chmod(OWNER_ONLY)
    except OSError as error:
        raise StoreError(f"The club's database {file} can't be opened: {error.strerror}.") from error


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Leave transactions to `_begin_sqlite`, and sync each one to disk before it returns."""
    connection.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """A write transaction takes the lock at once: otherwise it would fail if another one wrote in between."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def rows(engine: Engine, query: Select[Any]) -> Sequence[Any]:
    """What a query finds. Raises `StoreError`."""
    with _readable_errors(engine), engine.connect() as connection:
        return connection.execute(query).all()


def write(engine: Engine, statement: Update | Delete) -> int:
    """Carry out one statement, and return how many rows it has met. Raises `StoreError`."""
    with writing(engine) as connection:
        return connection.execute(statement).rowcount


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A write transaction: all or nothing. Raises `StoreError`."""
    with _readable_errors(engine), engine.execution_options(writes=True).begin() as connection:
        yield connection


@contextmanager
def _readable_errors(engine: Engine) -> Iterator[None]:
    """Turn the database's errors into `StoreError`, without the password in its URL."""
    try:
        yield
    except DBAPIError as error:
        where = engine.url.render_as_string(hide_password=True)
        why = " ".join(str(error.orig).split())
        kind = KeyTaken if isinstance(error, IntegrityError) else StoreError
        raise kind(f"The club's database {where} does not answer as it should: {why}") from error


def _make_tables(connection: Connection, engine: Engine) -> None:
    """Make the tables of an empty database. Raises `StoreError` for tables of another form."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MAKING})
    there = inspect(connection)
    known = {table: {column["name"] for column in there.get_columns(table)} for table in there.get_table_names()}
    wanted = {name: set(table.columns.keys()) for name, table in METADATA.tables.items()}
    if not known.keys() & wanted.keys():
        METADATA.create_all(connection)
    elif any(known.get(name) != columns for name, columns in wanted.items()):
        where = engine.url.render_as_string(hide_password=True)
        raise StoreError(
            f"The club's database {where} was written by another version of this program: install that one again, or "
            "name another database."
        )
