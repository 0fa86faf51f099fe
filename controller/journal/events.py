"""The log of events. An event is on disk before anyone sees its effect; state is nothing but the fold of the log."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from controller.errors import JournalError
from controller.journal.backup import Keeping, copy, keep_before_update
from controller.journal.clips import Clips
from controller.journal.facts import Facts
from controller.journal.old_sentences import in_codes
from controller.journal.pictures import Picture, Pictures
from controller.journal.players import Players
from controller.journal.schema import SCHEMA_VERSION, SENTENCES, migrate, version_of
from controller.journal.store import Store
from controller.match.events import Entry
from controller.messages import say

MATCHES = """
    WITH RECURSIVE numbers (match) AS (
        SELECT min(match) FROM events WHERE match > 0
        UNION ALL
        SELECT (SELECT min(match) FROM events WHERE match > numbers.match) FROM numbers WHERE match IS NOT NULL
    ) """
"""The numbers of all matches, one step in the index for each, however many events they have."""


Row = tuple[int, int, float, bytes, bytes]
"""An event as it is stored: id, match, at, kind, body."""

ENTRY = "id, match, at, CAST(kind AS BLOB), CAST(body AS BLOB)"  # what is no UTF-8 spoils one event, not the query

LATEST = 253_402_300_799.0  # s since 1970: the end of the year 9999, beyond which Python tells no time

TRIAL = 64_000  # bytes: the longest step, a whole board taken over, needs some 20 kB


@dataclass(frozen=True, slots=True)
class Span:
    """A match of the journal: when its first event and its last were written, and the last one's number."""

    first_at: float
    last: int
    last_at: float


class Journal:
    """The log in one SQLite file, and with it what else that file keeps. Raises `JournalError` when it can't be used.

    `append` returns after SQLite has synchronised its write-ahead log (`synchronous=FULL`: a power cut loses no event
    that `append` returned for). One process writes, and in it one thread at a time; any thread reads.
    """

    def __init__(self, path: Path, *, writing: bool = True) -> None:
        """`writing`: False to look into a journal, also while a table uses it; nothing on disk changes."""
        try:
            self._store = Store(path, writing=writing)
            try:
                self._prepare()
            except BaseException:
                self._store.close()
                raise
        except (sqlite3.Error, OSError) as error:
            raise JournalError(
                f"The journal {path} can't be opened: {error}. Check the folder's rights and the disk's free space; "
                "a damaged file can be replaced with `crokinole-table restore`."
            ) from error
        self.path = self._store.path
        self.facts = Facts(self._store)
        self.pictures = Pictures(self._store)
        self.clips = Clips(self.path.with_name("clips"))
        self.players = Players(self._store)
        self.backups = Keeping(self._store)
        self.on_written: list[Callable[[], None]] = []
        """Called after each append, on the writer's thread: to return at once and not raise."""
        self._last = self.last()

    def _prepare(self) -> None:
        writer = self._store.connection
        version = self._store.read("PRAGMA user_version")[0][0] if writer is None else version_of(writer)
        if version > SCHEMA_VERSION:
            raise JournalError(
                f"The journal {self._store.path} was written by a newer version of the program (schema {version}, this "
                f"one knows {SCHEMA_VERSION}). Update the program, or name another journal."
            )
        if writer is not None and version < SCHEMA_VERSION:
            keep_before_update(self._store, version)
            migrate(writer)
            version = SCHEMA_VERSION
        self._sentences = version <= SENTENCES

    def append(
        self,
        match: int,
        at: float,
        events: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        cursor: tuple[int, int] | None = None,
        pictures: Mapping[str, Picture] | None = None,
        left_out: Sequence[int] = (),
    ) -> list[Entry]:
        """Put events on disk, all or none, and return them as they stand there.

        `left_out`: for each event, how many numbers before its own no event gets; none where it is empty.

        `cursor` is a hole unit's (stream, sequence) that these events stem from: an event of the unit that was taken
        over before is not taken again, and nothing is appended (an empty list is returned).

        Raises `JournalError` with nothing changed; also when the log is longer than this writer left it, for then
        somebody else has written to it and what is in memory is not what it says.
        """
        with self._store.transaction() as writer:
            (last,) = writer.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence").fetchone()
            if last != self._last:
                raise JournalError(
                    say(
                        "The journal ends with event {last}, but this table wrote {own} last: another program has "
                        "changed it. Nothing is written. Restart the table, and see that only one runs.",
                        last=last,
                        own=self._last,
                    )
                )
            if cursor is not None and not _taken_over(writer, cursor):
                return []
            self.pictures.add(writer, match, pictures or {})
            entries = [
                _insert(writer, match, at, *event, left_out=count)
                for event, count in zip(events, left_out or [0] * len(events), strict=True)
            ]
        self._last = entries[-1].id if entries else last
        for tell in self.on_written:
            tell()
        return entries

    def events(self, match: int, *, but: str = "") -> Iterator[Entry]:
        """A match's events, oldest first; without those of the kind `but`.

        Raises `JournalError` naming the event that can't be read.
        """
        rows = self._store.read(f"SELECT {ENTRY} FROM events WHERE match = ? AND kind <> ? ORDER BY id", (match, but))
        return (self._entry(row) for row in rows)

    def raw(self, match: int) -> list[Row]:
        """A match's events as they stand there, readable or not."""
        return self._store.read(f"SELECT {ENTRY} FROM events WHERE match = ? ORDER BY id", (match,))

    def since(self, event: int, most: int) -> list[Entry]:
        """At most `most` events of all matches after the one of this number, oldest first; no unreadable ones."""
        found: list[Entry] = []
        while not found:
            rows = self._store.read(f"SELECT {ENTRY} FROM events WHERE id > ? ORDER BY id LIMIT ?", (event, most))
            if not rows:
                break
            event = rows[-1][0]
            for row in rows:
                with suppress(JournalError):
                    found.append(self._entry(row))
        return found

    def stored_after(self, event: int, most: int) -> list[Row]:
        """At most `most` events of all matches after the one of this number, as they stand there, readable or not."""
        return self._store.read(f"SELECT {ENTRY} FROM events WHERE id > ? ORDER BY id LIMIT ?", (event, most))

    def first_of(self, match: int) -> int | None:
        """The number of a match's first event; None when there is no such match."""
        return self._store.read("SELECT min(id) FROM events WHERE match = ?", (match,))[0][0]  # type: ignore[no-any-return]

    def matches(self) -> list[int]:
        """The numbers of all matches, oldest first. Match 0 holds what happened outside any match."""
        rows = self._store.read(MATCHES + "SELECT match FROM numbers WHERE match IS NOT NULL")
        return [number for (number,) in rows]

    def newest(self) -> int:
        """The number of the newest match; 0 before the first."""
        return int(self._store.read("SELECT coalesce(max(match), 0) FROM events")[0][0])

    def has(self, match: int) -> bool:
        """Whether there is a match of this number."""
        return match > 0 and bool(self._store.read("SELECT 1 FROM events WHERE match = ? LIMIT 1", (match,)))

    def written_after(self, event: int) -> list[int]:
        """The matches that have an event after the one of this number."""
        rows = self._store.read("SELECT DISTINCT match FROM events WHERE id > ? AND match > 0 ORDER BY match", (event,))
        return [match for (match,) in rows]

    def spans(self) -> dict[int, Span]:
        """Every match from its first event to its last, by number."""
        rows = self._store.read(
            MATCHES
            + """
            SELECT numbers.match, first.at, last.id, last.at FROM numbers
            JOIN events AS first ON first.id = (SELECT min(id) FROM events WHERE match = numbers.match)
            JOIN events AS last ON last.id = (SELECT max(id) FROM events WHERE match = numbers.match)
            """
        )
        return {match: Span(first_at, last, last_at) for match, first_at, last, last_at in rows}

    def span(self, match: int) -> Span | None:
        """A match from its first event to its last; None when there is none."""
        rows = self._store.read(
            "SELECT first.at, last.id, last.at FROM events AS first, events AS last "
            "WHERE first.id = (SELECT min(id) FROM events WHERE match = :match) "
            "AND last.id = (SELECT max(id) FROM events WHERE match = :match)",
            {"match": match},
        )
        return Span(*rows[0]) if rows else None

    def last(self) -> int:
        """The number of the newest event; 0 when there is none."""
        return int(self._store.read("SELECT coalesce(max(seq), 0) FROM sqlite_sequence")[0][0])

    def begin_at(self, last: int, entries: Sequence[Entry]) -> None:
        """Take over another journal's newest match into this empty one; the next event follows the number `last`.

        An earlier version of the program may have written it.
        """
        with self._store.transaction() as writer:
            writer.executemany(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?)",
                [(e.id, e.match, e.at, e.kind, json.dumps(in_codes(e.kind, e.body))) for e in entries],
            )
            writer.execute("DELETE FROM sqlite_sequence WHERE name = 'events'")
            writer.execute("INSERT INTO sqlite_sequence VALUES ('events', ?)", (last,))
        self._last = last

    def unreadable(self) -> dict[int, str]:
        """The matches with an event whose text is no JSON, and which event that is. Looks at every event."""
        rows = self._store.read("SELECT match, min(id) FROM events WHERE NOT json_valid(body) GROUP BY match")
        return {match: f"event {number} is no JSON" for match, number in rows}

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
            **{name: self._store.read(query)[0][0] for name, query in counts.items()},
            "kinds": dict(self._store.read("SELECT kind, count(*) FROM events GROUP BY kind ORDER BY kind")),
            "cursors": {str(stream): sequence for stream, sequence in self.cursors().items()},
            "facts": [name for (name,) in self._store.read("SELECT name FROM facts ORDER BY name")],
        }

    def cursors(self) -> dict[int, int]:
        """How far each hole unit's journal has been taken over: stream to sequence."""
        return dict(self._store.read("SELECT stream, sequence FROM cursors"))

    def try_to_write(self) -> None:
        """Write as much as any step does, and take it out again, to see whether it can be. Raises `JournalError`."""
        self.facts.keep("trial", "." * TRIAL)
        self.facts.forget("trial")

    def _entry(self, row: Row) -> Entry:
        """An event as today's program writes it, also of an older journal that is only read."""
        entry = _entry(row)
        return replace(entry, body=in_codes(entry.kind, entry.body)) if self._sentences else entry

    def backup(self, target: Path) -> None:
        """See `controller.journal.backup.copy`."""
        copy(self._store, target)

    def close(self) -> None:
        """Close everything; the journal can't be used afterwards. Safe to call twice."""
        self._store.close()


def _taken_over(writer: sqlite3.Connection, cursor: tuple[int, int]) -> bool:
    """Note how far a hole unit's journal is taken over; False where it was that far already."""
    moved = writer.execute(
        "INSERT INTO cursors VALUES (?, ?) ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence "
        "WHERE excluded.sequence > cursors.sequence",
        cursor,
    )
    return moved.rowcount > 0


def _insert(
    writer: sqlite3.Connection, match: int, at: float, kind: str, body: Mapping[str, Any], *, left_out: int
) -> Entry:
    if left_out:
        writer.execute("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'events'", (left_out,))
    text = json.dumps(body, separators=(",", ":"), allow_nan=False)
    row = writer.execute("INSERT INTO events (match, at, kind, body) VALUES (?, ?, ?, ?)", (match, at, kind, text))
    assert row.lastrowid is not None
    return Entry(row.lastrowid, match, at, kind, json.loads(text))


def _entry(row: Row) -> Entry:
    id_, match, at, kind, text = row
    try:
        body = from_json(text, allow_inf_nan=False)  # twice as quick as json.loads
        if not isinstance(body, dict):
            raise ValueError("it is no JSON object")
        if not 0 <= at <= LATEST:
            raise ValueError("its time is none")
        return Entry(id_, match, at, kind.decode(), body)
    except ValueError as error:
        raise JournalError(f"Event {id_} of match {match} can't be read: {error}.") from error
