"""The journal: one append-only log on disk, and the only SQL of the project.

An event is on disk before anyone sees its effect: `append` returns after SQLite has synchronised its write-ahead log
(`synchronous=FULL`: a power cut loses no event that `append` returned for). State is the fold of the log.

One writer: the thread that owns the match. `picture`, `backup` and the readers may be called from any thread; they use
connections of their own.
"""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.errors import BadInput, JournalError

SCHEMA_VERSION = 4

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
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as it stands in the journal."""

    id: int
    match: int
    at: float
    kind: str
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Picture:
    """What people are shown of a shot or a question; of a question also what it was cut from, to be read again."""

    cut: bytes  # JPEG, lines and outlines drawn in
    frame: bytes | None = None  # JPEG, as it was read
    calibration: dict[str, Any] | None = None  # JSON, as it was read with


class Journal:
    """The log in one SQLite file. Raises `JournalError` when the file can't be used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._writer = self._connect()
            self._migrate()
        except (sqlite3.Error, OSError) as error:
            raise JournalError(
                f"The journal {path} can't be opened: {error}. Check the folder's rights and the disk's free space; "
                "a damaged file can be replaced with `crokinole-table restore`."
            ) from error
        self._lock = threading.Lock()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=5.0)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _migrate(self) -> None:
        (version,) = self._writer.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise JournalError(
                f"The journal {self.path} was written by a newer version of the program (schema {version}, this one "
                f"knows {SCHEMA_VERSION}). Update the program, or name another journal."
            )
        for step in range(version + 1, SCHEMA_VERSION + 1):
            self._writer.executescript(f"BEGIN IMMEDIATE; {MIGRATIONS[step]} PRAGMA user_version = {step}; COMMIT;")

    def append(
        self,
        match: int,
        at: float,
        events: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        cursor: tuple[int, int] | None = None,
        pictures: Mapping[str, Picture] | None = None,
    ) -> list[Entry]:
        """Put events on disk, all or none, and return them as they stand there.

        `cursor` is a hole unit's (stream, sequence) that these events stem from: an event of the unit that was taken
        over before is not taken again, and nothing is appended (an empty list is returned).
        """
        with self._lock:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    entries = self._append(match, at, events, cursor, pictures or {})
                except BaseException:
                    self._writer.execute("ROLLBACK")
                    raise
                self._writer.execute("COMMIT")
            except sqlite3.Error as error:
                raise JournalError(
                    f"The journal {self.path} can't be written: {error}. Is the disk full? The last event was not "
                    "taken; nothing that was shown is lost."
                ) from error
        return entries

    def _append(
        self,
        match: int,
        at: float,
        events: Sequence[tuple[str, Mapping[str, Any]]],
        cursor: tuple[int, int] | None,
        pictures: Mapping[str, Picture],
    ) -> list[Entry]:
        if cursor is not None:
            moved = self._writer.execute(
                "INSERT INTO cursors VALUES (?, ?) ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence "
                "WHERE excluded.sequence > cursors.sequence",
                cursor,
            )
            if moved.rowcount == 0:
                return []
        self._writer.executemany(
            "INSERT INTO pictures VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
            [(name, match, p.cut, p.frame, _json(p.calibration)) for name, p in pictures.items()],
        )
        entries = []
        for kind, body in events:
            text = json.dumps(body, separators=(",", ":"), allow_nan=False)
            row = self._writer.execute(
                "INSERT INTO events (match, at, kind, body) VALUES (?, ?, ?, ?)", (match, at, kind, text)
            )
            assert row.lastrowid is not None
            entries.append(Entry(row.lastrowid, match, at, kind, json.loads(text)))
        return entries

    def events(self, match: int) -> Iterator[Entry]:
        """A match's events, oldest first."""
        rows = self._read("SELECT id, match, at, kind, body FROM events WHERE match = ? ORDER BY id", (match,))
        for id_, match_, at, kind, body in rows:
            yield Entry(id_, match_, at, kind, json.loads(body))

    def since(self, event: int, most: int) -> list[Entry]:
        """At most `most` events of all matches after the one of this number, oldest first."""
        rows = self._read(
            "SELECT id, match, at, kind, body FROM events WHERE id > ? ORDER BY id LIMIT ?", (event, most)
        )
        return [Entry(id_, match, at, kind, json.loads(body)) for id_, match, at, kind, body in rows]

    def matches(self) -> list[int]:
        """The numbers of all matches, oldest first. Match 0 holds what happened outside any match."""
        return [row[0] for row in self._read("SELECT DISTINCT match FROM events WHERE match > 0 ORDER BY match", ())]

    def last(self) -> int:
        """The number of the newest event; 0 when there is none."""
        rows = self._read("SELECT seq FROM sqlite_sequence WHERE name = 'events'", ())
        return int(rows[0][0]) if rows else 0

    def begin_at(self, last: int, entries: Sequence[Entry]) -> None:
        """Take over another journal's newest match into this empty one; the next event follows the number `last`."""
        with self._lock:
            self._writer.executemany(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?)",
                [(e.id, e.match, e.at, e.kind, json.dumps(e.body)) for e in entries],
            )
            self._writer.execute("DELETE FROM sqlite_sequence WHERE name = 'events'")
            self._writer.execute("INSERT INTO sqlite_sequence VALUES ('events', ?)", (last,))

    def cursors(self) -> dict[int, int]:
        """How far each hole unit's journal has been taken over: stream to sequence."""
        return dict(self._read("SELECT stream, sequence FROM cursors", ()))

    def picture(self, name: str) -> bytes | None:
        """A stored picture as JPEG, or None."""
        rows = self._read("SELECT jpeg FROM pictures WHERE name = ?", (name,))
        return bytes(rows[0][0]) if rows else None

    def evidence(self, name: str) -> Picture | None:
        """A question's picture with what it was cut from, or None."""
        rows = self._read("SELECT jpeg, frame, calibration FROM pictures WHERE name = ?", (name,))
        if not rows or rows[0][1] is None:
            return None
        cut, frame, calibration = rows[0]
        return Picture(bytes(cut), bytes(frame), json.loads(calibration))

    def census(self) -> dict[str, Any]:
        """How much of everything there is, and the names of the facts without what they say. JSON."""
        counts = {
            "matches": "SELECT count(DISTINCT match) FROM events WHERE match > 0",
            "events": "SELECT count(*) FROM events",
            "newest event": "SELECT max(at) FROM events",
            "pictures": "SELECT count(*) FROM pictures",
            "bytes of pictures": "SELECT ifnull(sum(length(jpeg) + ifnull(length(frame), 0)), 0) FROM pictures",
        }
        return {
            "schema": SCHEMA_VERSION,
            **{name: self._read(query, ())[0][0] for name, query in counts.items()},
            "kinds": dict(self._read("SELECT kind, count(*) FROM events GROUP BY kind ORDER BY kind", ())),
            "cursors": {str(stream): sequence for stream, sequence in self.cursors().items()},
            "facts": [name for (name,) in self._read("SELECT name FROM facts ORDER BY name", ())],
        }

    def pictures_of(self, match: int) -> set[str]:
        """The names of a match's pictures that are kept."""
        return {name for (name,) in self._read("SELECT name FROM pictures WHERE match = ?", (match,))}

    def stale_pictures(self, now: float, keep: float, most: int) -> list[str]:
        """The names of the pictures that may go, the oldest first. The newest match keeps its own.

        They are those of matches whose last event is `keep` seconds old, and of the oldest matches besides until the
        journal needs at most `most` bytes. How old an event is, the newest event tells where `now` is later than that:
        so a clock that is set wrong to some day far ahead takes nothing.
        """
        ends = self._read(
            "SELECT match, at FROM events JOIN (SELECT max(id) AS id FROM events GROUP BY match) USING (id) "
            "WHERE match > 0 ORDER BY match",
            (),
        )
        newest = max((at for _, at in ends), default=now)
        beyond = self._bytes_used() - most
        stale: list[str] = []
        for match, at in ends[:-1]:
            old = at < min(now, newest) - keep
            if old or beyond > 0:
                names = self.pictures_of(match)
                stale += sorted(names)
                beyond -= self._bytes_of(match) if names else 0
        return stale

    def _bytes_used(self) -> int:
        """What the journal needs of its file: the rest will be used again."""
        rows = self._read(
            "SELECT (page_count - freelist_count) * page_size "
            "FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
            (),
        )
        return int(rows[0][0])

    def _bytes_of(self, match: int) -> int:
        """What a match's pictures need."""
        size = "SELECT ifnull(sum(length(jpeg) + ifnull(length(frame), 0)), 0) FROM pictures WHERE match = ?"
        return int(self._read(size, (match,))[0][0])

    def forget_pictures(self, names: Sequence[str]) -> None:
        """Remove these pictures. Their room in the file is used again."""
        marks = ", ".join("?" * len(names))
        self._write(f"DELETE FROM pictures WHERE name IN ({marks})", names)

    def fact(self, name: str) -> str | None:
        """What was remembered under this name."""
        rows = self._read("SELECT value FROM facts WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def remember(self, name: str, value: str) -> None:
        """Keep a fact, replacing an older one of the same name."""
        self._write(
            "INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, value)
        )

    def _write(self, statement: str, values: Sequence[Any]) -> None:
        with self._lock:
            try:
                self._writer.execute(statement, values)
            except sqlite3.Error as error:
                raise JournalError(f"The journal {self.path} can't be written: {error}. Is the disk full?") from error

    def remembered(self, name: str, make: Callable[[], str]) -> str:
        """A fact, made and kept when it was not known yet."""
        value = self.fact(name)
        if value is None:
            value = make()
            self.remember(name, value)
        return value

    def summaries(self, version: int) -> dict[int, dict[str, Any]]:
        """The summaries that this version computed and that no event has come after, by match."""
        rows = self._read(
            "SELECT match, body FROM summaries AS s WHERE version = ? "
            "AND last_event = (SELECT max(id) FROM events WHERE events.match = s.match)",
            (version,),
        )
        return {match: json.loads(body) for match, body in rows}

    def keep_summary(self, match: int, version: int, last_event: int, body: str) -> None:
        """Keep what was computed from a match's events up to the last."""
        self._write("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?)", (match, version, last_event, body))

    def _read(self, query: str, values: Sequence[Any]) -> list[Any]:
        connection = self._connect()
        try:
            return connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"The journal {self.path} can't be read: {error}.") from error
        finally:
            connection.close()

    def backup(self, target: Path) -> None:
        """Write a consistent copy while the journal is in use. Refuses to overwrite a file."""
        if target.exists():
            raise BadInput(f"{target} exists already: name a new file.")
        source = self._connect()
        try:
            copy = sqlite3.connect(target)
            try:
                source.backup(copy)
            finally:
                copy.close()
        except sqlite3.Error as error:
            raise JournalError(f"The backup {target} can't be written: {error}.") from error
        finally:
            source.close()

    def close(self) -> None:
        """Close the writer; the journal can't be appended to afterwards."""
        with self._lock:
            self._writer.close()


def _json(document: dict[str, Any] | None) -> str | None:
    return None if document is None else json.dumps(document)


def check(path: Path) -> int:
    """The number of events in a journal file. Raises `BadInput` when it is damaged or no journal."""
    if not path.is_file():
        raise BadInput(f"{path}: there is no such file.")
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            (health,) = connection.execute("PRAGMA integrity_check").fetchone()
            (count,) = connection.execute("SELECT count(*) FROM events").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise BadInput(f"{path} is no journal of this program, or damaged: {error}.") from error
    if health != "ok" or version > SCHEMA_VERSION:
        raise BadInput(f"{path} can't be used: integrity check says {health!r}, schema {version}.")
    return int(count)
