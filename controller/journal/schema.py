"""The journal file's tables."""

import secrets
import sqlite3
from pathlib import Path

from controller.errors import JournalError
from controller.match.base import SCHEMA_VERSION as SCHEMA_VERSION

EVENTS = "SELECT id, match, at, kind, body FROM events"
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
    missing = missing_tables(connection)
    if missing:
        raise JournalError(f"{path} is not a whole journal of this program: {missing[0]} is missing.")


def form(connection: sqlite3.Connection) -> int:
    """The form of the tables in this file; 0 if it has none."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def fact(connection: sqlite3.Connection, name: str) -> str | None:
    """A fact's value; None if it is missing."""
    return next((value for (value,) in connection.execute("SELECT value FROM facts WHERE name = ?", (name,))), None)


def missing_tables(connection: sqlite3.Connection) -> list[str]:
    """The journal's tables that are missing in this file or lack columns."""
    model = sqlite3.connect(":memory:")
    try:
        create(model)
        names = [name for (name,) in model.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return [name for name in names if not _columns(model, name) <= _columns(connection, name)]
    finally:
        model.close()


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}
