"""The journal file's tables."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from controller.errors import JournalError
from controller.journal.files import fresh_file, put_in_place
from controller.match.base import SCHEMA_VERSION as SCHEMA_VERSION

EVENTS = "SELECT id, match, at, kind, body FROM events"
INSERT = "INSERT INTO events VALUES (?, ?, ?, ?, ?)"
FACTS = "SELECT name, value FROM facts"
KEEP = "INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
JOURNAL_ID = "journal_id"  # the name of the fact
ID = r"[0-9a-f]{32}"
LAST_EVENT = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence"

MATCHES = """
    WITH RECURSIVE numbers (match) AS (
        SELECT min(match) FROM events WHERE match > :known
        UNION ALL
        SELECT (SELECT min(match) FROM events WHERE match > numbers.match) FROM numbers WHERE match IS NOT NULL
    ) """
"""The numbers of the matches after one, with one index lookup per match, independent of their events."""

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
