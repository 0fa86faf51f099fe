"""One SQLite file with one writer, guarded by a lock file, and readers with their own connections."""

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from controller.errors import DiskFull, JournalError
from controller.journal.files import Lock, Reserve
from controller.journal.schema import check_form, create, new_file
from controller.messages import say

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
    connection.text_factory = lambda data: data.decode(errors="replace")  # else one bad text makes a table unreadable
    return connection


class Readers:
    """A pool of read-only connections to one file, for any thread, also while the file is written."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._guard = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._closed = False

    def read(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """The rows of a query. Raises `sqlite3.Error`."""
        connection = self.connection()
        try:
            rows = connection.execute(query, values).fetchall()
        except BaseException:
            connection.close()
            raise
        with self._guard:
            if not self._closed and len(self._idle) < MAX_IDLE:
                self._idle.append(connection)
                return rows
        connection.close()
        return rows

    def connection(self) -> sqlite3.Connection:
        """A connection, which the caller must close. Raises `sqlite3.Error`."""
        with self._guard:
            if self._idle:
                return self._idle.pop()
        connection = open_to_read(self.path, isolation_level=None, check_same_thread=False, timeout=BUSY)
        connection.execute(f"PRAGMA cache_size = -{CACHE}")
        connection.execute("PRAGMA temp_store = MEMORY")  # sorting must not need room on a full disk
        return connection

    def close(self) -> None:
        with self._guard:
            self._closed = True
            for connection in self._idle:
                connection.close()
            self._idle.clear()


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file is damaged, or no database."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in DAMAGED


class Store(Readers):
    """The file's connections. Raises `JournalError` if it can't be used, `DiskFull` if the disk is full."""

    def __init__(self, path: Path, *, writing: bool) -> None:
        """`writing`: take the lock, and create the file if it is missing."""
        super().__init__(path)
        self._one_writer = threading.Lock()
        self.lock: Lock | None = None
        self.writer: sqlite3.Connection | None = None
        if writing:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            reserve = Reserve(self.path)
            try:
                self._open()
            except (sqlite3.Error, OSError):
                if not reserve.release():
                    raise
                self._open()
            reserve.make()
        else:
            with closing(open_to_read(self.path)) as connection:
                check_form(connection, self.path)

    def _open(self) -> None:
        self.lock = Lock(self.path)
        try:
            self.writer = self._open_writer()
        except BaseException:
            self.lock.release()
            raise

    def _open_writer(self) -> sqlite3.Connection:
        if not self.path.exists():
            self._create()
        if self.path.stat().st_size == 0:
            raise JournalError(
                f"The journal {self.path} is empty (0 bytes), which no journal ever is: something has emptied it. "
                "Put a backup in its place with `crokinole-table restore`, or remove the file to start over."
            )
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=BUSY)
        try:
            check_form(connection, self.path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        return connection

    def _create(self) -> None:
        newest = self.path.with_name(f"{self.path.name}-wal")
        if newest.exists():
            raise JournalError(
                f"The journal {self.path} is missing, but {newest.name}, which holds what was written to it last, is "
                "there. Put the journal back beside it; or, to start over, remove that file too."
            )
        with new_file(self.path) as connection:
            create(connection)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The writer's connection in a transaction: on disk at the end, or without any change if this raises."""
        if self.writer is None:
            raise JournalError(UNWRITABLE)
        with self._one_writer:
            try:
                self.writer.execute("BEGIN IMMEDIATE")
                try:
                    yield self.writer
                    self.writer.execute("COMMIT")
                except BaseException:
                    if self.writer.in_transaction:  # on a full disk SQLite rolls back by itself
                        self.writer.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise self._write_error(error) from error

    def _write_error(self, error: sqlite3.Error) -> JournalError:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return DiskFull(FULL)
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
            if self.writer is not None:
                self.writer.close()
        if self.lock is not None:
            self.lock.release()
            self.lock = None
