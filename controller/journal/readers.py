"""Reading a SQLite file from any thread, also while it is written."""

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

BUSY = 5.0  # s that a statement waits for another connection: a backup's last page, a checkpoint

CACHE = 500  # kB of pages that each connection keeps: the system keeps the file in its own cache besides

MOST_IDLE = 4  # connections that are kept open: as many as read at one time, see `web_ui.reader_pool`


class Readers:
    """Connections that read one file, each for one query at a time."""

    def __init__(self, path: Path) -> None:
        self._address = f"{path.resolve().as_uri()}?mode=ro"  # a path may hold # and ? and %
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
            if not self._closed and len(self._idle) < MOST_IDLE:
                self._idle.append(connection)
                return rows
        connection.close()
        return rows

    def connection(self) -> sqlite3.Connection:
        """A connection for whoever asks, to be closed by them. Raises `sqlite3.Error`."""
        with self._guard:
            if self._idle:
                return self._idle.pop()
        connection = sqlite3.connect(
            self._address, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY
        )
        connection.execute(f"PRAGMA cache_size = -{CACHE}")
        connection.execute("PRAGMA temp_store = MEMORY")  # what is sorted must not need room on a disk that is full
        return connection

    def close(self) -> None:
        """Close what nobody uses; what is used is closed after it."""
        with self._guard:
            self._closed = True
            for connection in self._idle:
                connection.close()
            self._idle.clear()
