"""The history's tables: summaries and sums of all matches, in a separate file beside the journal. Everything in it is
computed from the journal. So the file is in no backup, and one that can't be read, or has another form, is removed and
made again."""

import logging
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from controller.journal.events import Journal, MatchSpan
from controller.journal.files import open_own
from controller.journal.store import Readers, transaction
from controller.match.players import Names
from controller.messages import encoded
from controller.views.history.figures import NEAR, Row
from controller.views.history.one_match import MatchInShort

log = logging.getLogger(__name__)
Answer = TypeVar("Answer")
VERSION = 9  # the version of the tables and of their computation: a file of another version is rebuilt
PASSING = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_FULL})
PASSING_EXTENDED = frozenset({sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_NOMEM})
"""SQLite's result codes of a read that failed although the file is sound: it is locked, or the disk or memory is full
(https://www.sqlite.org/rescode.html)."""

SCHEMA = f"""
CREATE TABLE about (made TEXT NOT NULL, changes INTEGER NOT NULL) STRICT;
CREATE TABLE matches (
    match    INTEGER PRIMARY KEY,
    first_at REAL NOT NULL,        -- of the journal's events, see `controller.journal.events.Span`
    last     INTEGER NOT NULL,
    last_at  REAL NOT NULL,
    day      TEXT NOT NULL,        -- the local date; empty for one that can't be read
    line     TEXT,                 -- JSON, as the list of matches shows it
    trouble  TEXT,                 -- why it can't be read
    deleted  INTEGER NOT NULL      -- 1: people took it out of lists and figures
) STRICT;
CREATE INDEX matches_by_day ON matches (day, match);
CREATE INDEX matches_set_aside ON matches (match) WHERE trouble IS NOT NULL;
CREATE INDEX matches_deleted ON matches (match) WHERE deleted;
CREATE TABLE names (               -- what people call the player of each key: see `controller.match.players`
    key    TEXT PRIMARY KEY,
    player TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX names_by_player ON names (player, key);
CREATE TABLE played_by (           -- a match's players, by their seats
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
    day TEXT NOT NULL, seat INTEGER NOT NULL, key TEXT NOT NULL, side TEXT NOT NULL,
    over INTEGER NOT NULL, won INTEGER NOT NULL, tied INTEGER NOT NULL,
    twenties INTEGER,              -- of the side; NULL: not known
    shots INTEGER NOT NULL, fouls INTEGER NOT NULL, run_of_twenties INTEGER NOT NULL,
    flicks INTEGER NOT NULL, speeds INTEGER NOT NULL, fastest INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX played_by_player ON played_by (key, match);
CREATE INDEX played_by_day ON played_by (day);
CREATE TABLE rounds_of (           -- a player's finished rounds
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
    day TEXT NOT NULL, seat INTEGER NOT NULL, round INTEGER NOT NULL,
    total INTEGER, twenties INTEGER,                      -- of the side; NULL: not known
    won INTEGER NOT NULL, hammer INTEGER NOT NULL,
    PRIMARY KEY (match, seat, round)
) STRICT, WITHOUT ROWID;
CREATE TABLE kinds_of (            -- what kinds of shots a player played in a match
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
    day TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, distance TEXT NOT NULL,
    shots INTEGER NOT NULL, hits INTEGER NOT NULL,
    PRIMARY KEY (match, key, kind, distance)
) STRICT, WITHOUT ROWID;
CREATE TABLE practised_by (        -- the finished rounds of one player alone
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
    day TEXT NOT NULL, round INTEGER NOT NULL, key TEXT NOT NULL, counts TEXT NOT NULL,
    discs INTEGER NOT NULL, twenties INTEGER, total INTEGER NOT NULL,
    PRIMARY KEY (key, counts, discs, day, match, round)
) STRICT, WITHOUT ROWID;
CREATE INDEX practised_by_match ON practised_by (match);
CREATE TABLE places_of (           -- where shots came to rest
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
    day TEXT NOT NULL, round INTEGER NOT NULL, number INTEGER NOT NULL,
    key TEXT NOT NULL, seat INTEGER NOT NULL, x REAL NOT NULL, y REAL NOT NULL, zone INTEGER NOT NULL,
    clearance REAL NOT NULL,       -- mm, of the line that decides the zone
    PRIMARY KEY (day, match, round, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX places_by_match ON places_of (match);
CREATE INDEX places_by_player ON places_of (key, day, match, round, number);
CREATE INDEX near_a_line ON places_of (day, key, abs(clearance)) WHERE abs(clearance) <= {NEAR};
CREATE TABLE labels_of (           -- the table's errors in a match that it refereed, according to people
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
    day TEXT NOT NULL, kind TEXT NOT NULL, version TEXT NOT NULL,
    label TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (match, label)
) STRICT, WITHOUT ROWID;
-- By the players' present names, so that a renaming changes only one row of `names`:
CREATE VIEW played AS SELECT * FROM played_by LEFT JOIN names USING (key);
CREATE VIEW places AS SELECT * FROM places_of LEFT JOIN names USING (key);
CREATE VIEW practised AS SELECT * FROM practised_by LEFT JOIN names USING (key);
CREATE VIEW kinds AS SELECT * FROM kinds_of LEFT JOIN names USING (key);
CREATE VIEW rounds AS              -- one without a number of a match without any
SELECT played.match, played.day, player, round, total, rounds_of.twenties, rounds_of.won, hammer
FROM played LEFT JOIN rounds_of USING (match, seat);
CREATE VIEW meetings AS            -- opponents in a finished match; the name that comes first in order is `first`
SELECT one.match, one.day, one.player AS first, other.player AS second, one.tied,
    one.won AS won_first, other.won AS won_second, one.twenties AS twenties_first, other.twenties AS twenties_second
FROM played AS one JOIN played AS other ON one.match = other.match
WHERE one.over AND one.side <> other.side AND (one.player, one.side) < (other.player, other.side);
PRAGMA user_version = {VERSION};
"""


def history_path(journal: Journal) -> Path:
    """The file of a journal's history."""
    return journal.path.with_suffix(".history.sqlite")


def kept(journal: Journal, ask: Callable[[Readers], Answer]) -> Answer | None:
    """What `ask` finds in the tables beside a journal; None if there are none of this version."""
    path = history_path(journal)
    if path.exists():
        with closing(Readers(path)) as readers, suppress(sqlite3.Error):  # another version, or damaged: it is rebuilt
            return ask(readers)
    return None


def set_aside(readers: Readers) -> dict[int, str]:
    """The unreadable matches with reasons."""
    return dict(readers.read("SELECT match, trouble FROM matches WHERE trouble IS NOT NULL ORDER BY match"))


@dataclass(frozen=True, slots=True)
class Summed:
    """One match, summed up for the tables, with its players' keys. `rows`: by table, without match and day. `trouble`:
    why it can't be read."""

    match: int
    span: MatchSpan
    line: MatchInShort | None = None
    rows: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    trouble: str | None = None
    deleted: bool = False


class Tables:
    """The tables' file. One thread writes at a time; any thread may read, without waiting for the writer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._guard = threading.Lock()  # of the writer
        self._names: Names | None = None  # as in the file
        self.generation: object | None = object()  # changes whenever the tables are rebuilt; None while they are
        try:
            self._writer = self._open()
        except sqlite3.Error as error:
            log.warning("The history %s can't be used and is rebuilt: %s", path, error)
            self._remove()
            self._writer = self._open()
        self._readers = Readers(path)

    def _open(self) -> sqlite3.Connection:
        # SQLite gives its log the rights of the file
        os.close(open_own(self.path))
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")  # what a power cut loses is computed again
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")
                connection.execute("INSERT INTO about VALUES (?, 0)", (secrets.token_hex(8),))
            elif version != VERSION:
                connection.close()
                self._remove()
                return self._open()
            connection.execute("SELECT made FROM about").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection

    def _remove(self) -> None:
        for ending in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)

    def spans(self) -> dict[int, MatchSpan]:
        """The known version of each match, by number."""
        rows = self.read("SELECT match, first_at, last, last_at FROM matches")
        return {match: MatchSpan(first_at, last, last_at) for match, first_at, last, last_at in rows}

    def put(self, summed: Iterable[Summed], gone: Iterable[int] = ()) -> None:
        """Replace matches in the tables, and remove those that are `gone`. Raises `sqlite3.Error` with nothing
        changed."""
        with self._changing():
            for number in gone:
                self._take_out(number)
            for one in summed:
                self._take_out(one.match)
                self._put_in(one)

    def set_names(self, names: Names) -> None:
        """Set the players' names in all answers. Raises `sqlite3.Error` with nothing changed."""
        if names is self._names:
            return
        wanted = names.everybody()
        known = dict(self.read("SELECT key, player FROM names"))
        if changed := wanted.items() - known.items():
            with self._changing():
                self._writer.executemany("INSERT OR REPLACE INTO names VALUES (?, ?)", changed)
        self._names = names

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with self._guard, transaction(self._writer):
            yield
            self._writer.execute("UPDATE about SET changes = changes + 1")

    def _take_out(self, number: int) -> None:
        self._writer.execute("DELETE FROM matches WHERE match = ?", (number,))

    def _put_in(self, one: Summed) -> None:
        match, span, day = one.match, one.span, one.line.day if one.line else ""
        line = encoded(one.line) if one.line else None
        self._insert("matches", [(match, span.first_at, span.last, span.last_at, day, line, one.trouble, one.deleted)])
        players = [player for side in (one.line.sides if one.line else ()) for player in side.players]
        self._insert("names", [(player, player) for player in players])  # until `set_names` changes it
        for table, rows in one.rows.items():
            self._insert(table, [(match, day, *row) for row in rows])

    def _insert(self, table: str, rows: Sequence[Row]) -> None:
        """Insert whole rows. A name that is known stays as it is."""
        if rows:
            anyhow = "OR IGNORE" if table == "names" else ""
            marks = ", ".join("?" * len(rows[0]))
            self._writer.executemany(f"INSERT {anyhow} INTO {table} VALUES ({marks})", rows)

    def stamp(self) -> str:
        """A text that changes whenever the tables do."""
        ((made, changes),) = self.read("SELECT made, changes FROM about")
        return f"{made}-{changes}"

    def read(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        return self._readers.read(query, values)

    def is_intact_despite(self, error: Exception) -> bool:
        """Whether a read failed with a temporary error, although the file is sound."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        if code & 0xFF == sqlite3.SQLITE_CANTOPEN:  # too many files are open, or this one is gone
            return self.path.exists()
        return code & 0xFF in PASSING or code in PASSING_EXTENDED

    def reset(self) -> None:
        """Start again with empty tables, since the file can't be read."""
        with self._guard:
            self.generation = None
            self.close()
            self._remove()
            self._writer, self._readers = self._open(), Readers(self.path)
            self._names = None
            self.generation = object()

    def close(self) -> None:
        self._writer.close()
        self._readers.close()
