"""Reads a SQLite file from any thread, also while it is written."""

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

BUSY = 5.0  # s that a statement waits for another connection, such as a backup's last page or a checkpoint
CACHE = 500  # kB of pages per connection: the system caches the file as well
MAX_IDLE = 4  # connections kept open: as many as read at a time, see `web_ui.reader_pool`


def open_to_read(path: Path, **options: Any) -> sqlite3.Connection:
    """A read-only connection. Raises `sqlite3.Error`."""
    address = f"{path.resolve().as_uri()}?mode=ro"  # a path may contain # and ? and %
    connection: sqlite3.Connection = sqlite3.connect(address, uri=True, **options)
    return connection


class Readers:
    """A pool of read-only connections to one file."""

    def __init__(self, path: Path) -> None:
        self._path = path.resolve()
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
        connection = open_to_read(self._path, isolation_level=None, check_same_thread=False, timeout=BUSY)
        connection.execute(f"PRAGMA cache_size = -{CACHE}")
        connection.execute("PRAGMA temp_store = MEMORY")  # sorting must not need room on a full disk
        return connection

    def close(self) -> None:
        with self._guard:
            self._closed = True
            for connection in self._idle:
                connection.close()
            self._idle.clear()
