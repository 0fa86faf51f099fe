"""The journal file's tables, from the first version to today's."""

import sqlite3
from collections.abc import Mapping

from controller.journal.old_sentences import rewritten
from controller.match.base import SCHEMA_VERSION as SCHEMA_VERSION

LAST_EVENT = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence"

MATCHES = """
    WITH RECURSIVE numbers (match) AS (
        SELECT min(match) FROM events WHERE match > :known
        UNION ALL
        SELECT (SELECT min(match) FROM events WHERE match > numbers.match) FROM numbers WHERE match IS NOT NULL
    ) """
"""The numbers of the matches after one, with one index lookup per match, independent of their events."""

MIGRATIONS: Mapping[int, str] = {
    1: """
    CREATE TABLE events (
        id    INTEGER PRIMARY KEY AUTOINCREMENT,
        match INTEGER NOT NULL,
        at    REAL NOT NULL,           -- seconds since 1970, UTC
        kind  TEXT NOT NULL,
        body  TEXT NOT NULL            -- JSON
    ) STRICT;
    CREATE INDEX events_by_match ON events (match, id);
    CREATE TABLE cursors (             -- how far each hole unit's own journal has been taken over
        stream   INTEGER PRIMARY KEY,
        sequence INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE pictures (
        name  TEXT PRIMARY KEY,
        match INTEGER NOT NULL,
        jpeg  BLOB NOT NULL
    ) STRICT;
    CREATE TABLE facts (               -- what the table remembers outside matches: its PIN, its calibration
        name  TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) STRICT;
    """,
    2: """
    CREATE TABLE summaries (           -- computed from a match's events; can be thrown away at any time
        match      INTEGER PRIMARY KEY,
        version    INTEGER NOT NULL,   -- of the computation
        last_event INTEGER NOT NULL,
        body       TEXT NOT NULL       -- JSON
    ) STRICT;
    """,
    3: """
    ALTER TABLE pictures ADD COLUMN frame BLOB;        -- the whole picture that `jpeg` was cut from, JPEG
    ALTER TABLE pictures ADD COLUMN calibration TEXT;  -- JSON: how it was read
    """,
    4: """
    CREATE INDEX pictures_by_match ON pictures (match, name);
    """,
    5: "DROP TABLE summaries;",  # since then in a file of its own: controller.views.history
    # Events hold codes where they held sentences: controller.journal.old_sentences. A body that can't be read stays.
    6: """
    UPDATE events SET body = coalesce(CAST(rewritten(kind, CAST(body AS BLOB)) AS TEXT), body)
    WHERE kind = 'question_asked' OR (kind = 'shot_seen' AND instr(body, '"doubt"'));
    """,
    # Nothing is rewritten; by the number an older program knows that it can't read the file. New were films (7),
    # renamings (8), assignments (9), amendments (10), and discs counted by hand and the keys of commands (11).
    **dict.fromkeys(range(7, 12), ""),
}

SENTENCES = 5  # the last version whose events hold sentences


def version_of(connection: sqlite3.Connection) -> int:
    """The version of the tables in this file; 0 for a new one."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def migrate(connection: sqlite3.Connection) -> None:
    """Migrate the tables to the newest version, one transaction per step."""
    connection.create_function("rewritten", 2, rewritten, deterministic=True)
    for step in range(version_of(connection) + 1, SCHEMA_VERSION + 1):
        connection.executescript(f"BEGIN IMMEDIATE; {MIGRATIONS[step]} PRAGMA user_version = {step}; COMMIT;")


def missing_tables(connection: sqlite3.Connection, version: int) -> list[str]:
    """The tables of this version that are missing in this file or lack columns."""
    model = sqlite3.connect(":memory:")
    try:
        model.create_function("rewritten", 2, rewritten)
        for step in range(1, version + 1):
            model.executescript(MIGRATIONS[step])
        names = [name for (name,) in model.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return [name for name in names if not _columns(model, name) <= _columns(connection, name)]
    finally:
        model.close()


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}
