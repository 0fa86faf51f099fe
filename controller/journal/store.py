"""One SQLite file: its tables, its one writer, guarded by a lock file, and readers with their own connections; and the
facts in it, which the table remembers outside matches, such as its PIN, name and calibration."""

import logging
import secrets
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from controller.errors import JournalError
from controller.journal.files import fresh_file, locked, make_reserve, put_in_place, with_reserve
from controller.match.base import SCHEMA_VERSION as SCHEMA_VERSION
from controller.messages import say

Value = TypeVar("Value")
log = logging.getLogger(__name__)
Stored = tuple[int, int, float, str, str]  # an event as stored: its number, match, time, kind, body
EVENTS = "SELECT id, match, at, kind, body FROM events"
INSERT = "INSERT INTO events VALUES (?, ?, ?, ?, ?)"
FACTS = "SELECT name, value FROM facts"
KEEP = "INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
JOURNAL_ID = "journal_id"  # the name of the fact
ID = r"[0-9a-f]{32}"
LAST_EVENT = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence"

TABLES = f"""
CREATE TABLE events (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    match INTEGER NOT NULL,
    at    REAL NOT NULL,           -- seconds since 1970, UTC
    kind  TEXT NOT NULL,
    body  TEXT NOT NULL            -- JSON
) STRICT;
CREATE INDEX events_by_match ON events (match, id);
CREATE TABLE facts (               -- what the table remembers outside matches: its PIN, its calibration
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
PRAGMA user_version = {SCHEMA_VERSION};
"""


def create(connection: sqlite3.Connection) -> None:
    """Make the tables of a new journal in an empty file."""
    connection.executescript(f"BEGIN IMMEDIATE; {TABLES} COMMIT;")
    connection.execute(KEEP, (JOURNAL_ID, secrets.token_hex(16)))


def check_form(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `JournalError` if the tables in this file are not those of this program."""
    if form(connection) not in (0, SCHEMA_VERSION):
        raise JournalError(
            f"{path} was written by another version of the program (form {form(connection)}, this one knows "
            f"{SCHEMA_VERSION}) and stays as it is. Use the program that wrote it, or name another [table] data folder "
            "to start a journal of this form."
        )
    if missing := lack(connection):
        raise JournalError(f"{path} is not a whole journal of this program: {missing}.")


def form(connection: sqlite3.Connection) -> int:
    """The form of the tables in this file; 0 if it has none."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def fact(connection: sqlite3.Connection, name: str) -> str | None:
    """A fact's value; None if it is missing."""
    return next((value for (value,) in connection.execute("SELECT value FROM facts WHERE name = ?", (name,))), None)


def lack(connection: sqlite3.Connection) -> str | None:
    """Which of the journal's tables or columns this file lacks, in SQLite's words; None if it has all."""
    try:
        for query in (EVENTS, FACTS):
            connection.execute(f"{query} LIMIT 0")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:  # locked, for example
            raise
        return str(error)
    return None


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction: on disk at the end, or without any change if this raises."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # on a full disk SQLite rolls back by itself
            connection.execute("ROLLBACK")
        raise


def give_next(connection: sqlite3.Connection, last: int) -> None:
    """Let the next event follow the number `last`."""
    connection.execute("DELETE FROM sqlite_sequence WHERE name = 'events'")
    connection.execute("INSERT INTO sqlite_sequence VALUES ('events', ?)", (last,))


@contextmanager
def new_file(target: Path) -> Iterator[sqlite3.Connection]:
    """An empty database to be filled, which gets its name once it is complete: a power cut leaves no partial one, and
    after a failure nothing stays on disk."""
    part = fresh_file(target.with_name(f"{target.name}.part"))
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as connection:
            yield connection
            connection.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
        put_in_place(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


FULL = say("The disk is full: nothing can be written. Make room. Until then play on and keep the score on paper.")

UNWRITABLE = say(
    "The disk can't be written: nothing is accepted, and nothing that is played now is kept. Check "
    "the card. Until then keep the score on paper."
)

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
BUSY = 5.0  # s that a statement waits for another connection, such as a backup's last page or a checkpoint
CACHE = 500  # kB of pages per connection: the system caches the file as well
MAX_IDLE = 4  # connections kept open: as many as read at a time, see `web_ui.reader_pool`


def open_to_read(path: Path, **options: Any) -> sqlite3.Connection:
    """A read-only connection. Raises `sqlite3.Error`."""
    address = f"{path.resolve().as_uri()}?mode=ro"  # a path may contain # and ? and %
    connection: sqlite3.Connection = sqlite3.connect(address, uri=True, **options)
    # invalid UTF-8 then spoils one text, not the whole query: \x is not valid in JSON
    connection.text_factory = lambda data: data.decode(errors="backslashreplace")
    return connection


class Readers:
    """A pool of read-only connections to one file, for any thread, also while the file is written."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._idle: deque[sqlite3.Connection] = deque()
        self._most = MAX_IDLE

    def read(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """The rows of a query. Raises `sqlite3.Error`."""
        connection = self.connection()
        try:
            rows = connection.execute(query, values).fetchall()
        except BaseException:
            connection.close()
            raise
        self._idle.append(connection)
        self._trim()
        return rows

    def connection(self) -> sqlite3.Connection:
        """A connection, which the caller must close. Raises `sqlite3.Error`."""
        with suppress(IndexError):
            return self._idle.pop()
        connection = open_to_read(self.path, isolation_level=None, check_same_thread=False, timeout=BUSY)
        connection.execute(f"PRAGMA cache_size = -{CACHE}")
        connection.execute("PRAGMA temp_store = MEMORY")  # sorting must not need room on a full disk
        return connection

    def close(self) -> None:
        self._most = 0
        self._trim()

    def _trim(self) -> None:
        """Close idle connections that are too many, also one that came back while they were closed."""
        while len(self._idle) > self._most:
            with suppress(IndexError):
                self._idle.pop().close()


def is_damage(error: Exception) -> bool:
    """Whether the file is damaged, or no database."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in DAMAGED


class Store(Readers):
    """The file's connections. Raises `JournalError` if it can't be used."""

    def __init__(self, path: Path, *, writing: bool) -> None:
        """`writing`: take the lock, and create the file if it is missing."""
        super().__init__(path)
        self._one_writer = threading.Lock()
        self._opened = ExitStack()
        self.writer: sqlite3.Connection | None = None
        if writing:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with_reserve(self.path, self._open)
            make_reserve(self.path)
        else:
            with closing(open_to_read(self.path)) as connection:
                check_form(connection, self.path)

    def _open(self) -> None:
        with ExitStack() as opened:
            opened.enter_context(locked(self.path))
            if not self.path.exists():
                with new_file(self.path) as connection:
                    create(connection)
            self.writer = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=BUSY)
            opened.callback(self.writer.close)
            check_form(self.writer, self.path)
            self.writer.execute("PRAGMA journal_mode = WAL")
            self.writer.execute("PRAGMA synchronous = FULL")
            self._opened = opened.pop_all()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The writer's connection in a transaction: on disk at the end, or without any change if this raises."""
        if self.writer is None:
            raise JournalError(UNWRITABLE)
        with self._one_writer:
            try:
                with transaction(self.writer):
                    yield self.writer
            except sqlite3.Error as error:
                raise self._write_error(error) from error

    def _write_error(self, error: sqlite3.Error) -> JournalError:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return JournalError(FULL)
        if is_damage(error):
            return JournalError(
                say(
                    "The journal is damaged: nothing is accepted. Restart the table: it saves what can be read, and "
                    "says what is missing. Until then keep the score on paper."
                )
            )
        return JournalError(
            say(
                "The journal can't be written ({why}): nothing is accepted. Check the disk. Until then play on "
                "and keep the score on paper.",
                why=str(error),
            )
        )

    def read(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """The rows of a query, without blocking the writer. Thread-safe."""
        try:
            return super().read(query, values)
        except sqlite3.Error as error:
            raise JournalError(f"The journal {self.path} can't be read: {error}.") from error

    def close(self) -> None:
        """Close every connection and release the lock. Safe to call twice."""
        super().close()
        with self._one_writer:  # last: SQLite then merges its log into the file
            self._opened.close()


@dataclass
class Facts:
    """Texts by name. An unreadable one counts as missing, so that the table learns it again."""

    store: Store
    _creation: threading.Lock = field(default_factory=threading.Lock)

    def get(self, name: str) -> str | None:
        try:
            rows = self.store.read("SELECT value FROM facts WHERE name = ?", (name,))
        except JournalError as error:
            log.warning("What was kept as %s can't be read and will be learnt again: %s", name, error)
            return None
        return str(rows[0][0]) if rows else None

    def read(self, name: str, parse: Callable[[str], Value]) -> Value | None:
        """The parsed text of this name; None if it is missing or `parse` fails."""
        kept = self.get(name)
        if kept is None:
            return None
        try:
            return parse(kept)
        except Exception as error:  # the table must start, whatever is wrong with the text
            log.warning("What was kept as %s can't be used and will be learnt again: %r", name, error)
            return None

    def keep(self, name: str, value: str) -> None:
        """Store a text, replacing an older one of the same name. Raises `JournalError` if it can't be written."""
        with self.store.transaction() as writer:
            writer.execute(KEEP, (name, value))

    def try_to_keep(self, name: str, value: str) -> None:
        """Store a text that the table can learn again. If that fails, only the log says so."""
        try:
            self.keep(name, value)
        except JournalError as error:
            log.warning("%s could not be kept: %s", name, error)

    def forget(self, name: str) -> None:
        """Remove the text of this name. Raises `JournalError` if that can't be written."""
        with self.store.transaction() as writer:
            writer.execute("DELETE FROM facts WHERE name = ?", (name,))

    def get_or_create(self, name: str, parse: Callable[[str], Value], make: Callable[[], str]) -> Value:
        """The parsed text of this name; if it is missing or unreadable, `make` it and store it. Thread-safe. Concurrent
        callers make it only once."""
        with self._creation:
            known = self.read(name, parse)
            if known is not None:
                return known
            value = make()
            self.keep(name, value)
            return parse(value)
