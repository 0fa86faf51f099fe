"""One SQLite file with one writer, guarded by a lock file, and readers on connections of their own."""

import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from controller.errors import DiskFull, JournalError
from controller.journal.access_rights import OWNER_ONLY, belongs_to
from controller.journal.readers import BUSY, Readers
from controller.journal.reserve import Reserve
from controller.journal.schema import migrate
from controller.messages import say

FULL = say("The disk is full: nothing can be written. Make room. Until then play on and keep the score on paper.")


class Lock:
    """The right to write a journal: one process at a time has it. The system takes it back when that process ends."""

    def __init__(self, journal: Path) -> None:
        """Take the lock. Raises `JournalError` naming the process that has it."""
        path = journal.with_name(f"{journal.name}.lock")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(self._file, 20).decode("ascii", "replace").strip()
            os.close(self._file)
            raise JournalError(
                f"The journal {journal} is in use: a table is already running as process {holder or 'unknown'}. Stop "
                "it first (sudo systemctl stop crokinole-table), or give this one a [table] data folder of its own."
            ) from error
        try:
            belongs_to(path, journal.parent)
            os.ftruncate(self._file, os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0))
        except BaseException:  # a full disk
            os.close(self._file)
            raise

    def release(self) -> None:
        """Give the lock back. The file stays: removing it could let two processes each lock a file of that name."""
        os.close(self._file)


def put_in_place(fresh: Path, target: Path) -> None:
    """Give a complete new file its name for good: a power cut leaves the one that was there, or this one."""
    belongs_to(fresh, target if target.exists() else target.parent)
    _synchronise(fresh)
    fresh.replace(target)
    _synchronise(target.parent)


def _synchronise(path: Path) -> None:
    number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(number)
    finally:
        os.close(number)


class Store:
    """The file's connections. Raises `JournalError` when it can't be used, `DiskFull` when that is why."""

    def __init__(self, path: Path, *, writing: bool) -> None:
        """`writing`: take the lock, and make the file where there is none."""
        self.path = path.resolve()
        self._guard = threading.Lock()  # of the writer
        self._readers = Readers(self.path)
        self.lock: Lock | None = None
        self.connection: sqlite3.Connection | None = None
        if writing:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            reserve = Reserve(self.path)
            try:
                self._open()
            except (sqlite3.Error, OSError):
                if not reserve.give():
                    raise
                self._open()
            reserve.make()

    def _open(self) -> None:
        self.lock = Lock(self.path)
        try:
            self.connection = self._open_writer()
        except BaseException:
            self.lock.release()
            raise

    def _open_writer(self) -> sqlite3.Connection:
        if not self.path.exists():
            self._make()
        if self.path.stat().st_size == 0:
            raise JournalError(
                f"The journal {self.path} is empty (0 bytes), which no journal ever is: something has emptied it. "
                "Put a backup in its place with `crokinole-table restore`, or remove the file to begin anew."
            )
        self.path.chmod(OWNER_ONLY)  # one that an earlier version made may be open to others
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=BUSY)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        return connection

    def _make(self) -> None:
        """A new journal, complete before it has its name: a power cut leaves no half of one."""
        newest = self.path.with_name(f"{self.path.name}-wal")
        if newest.exists():
            raise JournalError(
                f"The journal {self.path} is missing, but {newest.name}, which holds what was written to it last, is "
                "there. Put the journal back beside it; or, to begin anew, remove that file too."
            )
        fresh = self.path.with_name(f"{self.path.name}.new")
        fresh.unlink(missing_ok=True)
        os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))
        with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
            migrate(connection)
        put_in_place(fresh, self.path)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The writer, in a transaction that is on disk when this ends, or has changed nothing when it raises."""
        if self.connection is None:
            raise JournalError(f"The journal {self.path} was opened to be read only.")
        with self._guard:
            try:
                self.connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self.connection
                    self.connection.execute("COMMIT")
                except BaseException:
                    if self.connection.in_transaction:  # a full disk makes SQLite roll back by itself
                        self.connection.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise self._unwritten(error) from error

    def _unwritten(self, error: sqlite3.Error) -> JournalError:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return DiskFull(FULL)
        return JournalError(
            say(
                "The journal can't be written ({why}): nothing is taken. Look at the disk. Until then play on and keep "
                "the score on paper.",
                why=str(error),
            )
        )

    def read(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """The rows of a query, on a connection that no writer waits for. May be called from any thread."""
        try:
            return self._readers.read(query, values)
        except sqlite3.Error as error:
            raise JournalError(f"The journal {self.path} can't be read: {error}.") from error

    def copy(self, target: sqlite3.Connection) -> None:
        """Copy the whole file as it stands now into another. Raises `sqlite3.Error`."""
        with closing(self._readers.connection()) as source:
            source.backup(target)

    def close(self) -> None:
        """Close every connection and give the lock back. Safe to call twice."""
        self._readers.close()
        with self._guard:  # the writer last: then SQLite folds its log into the file
            if self.connection is not None:
                self.connection.close()
        if self.lock is not None:
            self.lock.release()
            self.lock = None
