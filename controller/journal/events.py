"""The log of events. An event is on disk before its effect is visible; state is only the fold of the log."""

import json
import logging
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from controller.errors import JournalError
from controller.journal.backup import AutomaticBackups, copy
from controller.journal.media import Clips, Pictures
from controller.journal.mirror import Mirror
from controller.journal.store import (
    EVENTS,
    INSERT,
    JOURNAL_ID,
    KEEP,
    LAST_EVENT,
    UNWRITABLE,
    Facts,
    Store,
    Stored,
    give_next,
)
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.events import Entry
from controller.match.model import key, tidy
from controller.match.players import Names, typed_names
from controller.messages import Message, say

SPANS = """
    SELECT ends.match, begin.at, last, final.at
    FROM (SELECT match, min(id) AS first, max(id) AS last FROM events WHERE match BETWEEN ? AND ? GROUP BY match) ends
    JOIN events AS begin ON begin.id = first JOIN events AS final ON final.id = last ORDER BY ends.match
"""
LATEST = 253_402_300_799.0  # s since 1970: the end of the year 9999, Python's last
BATCH = 500  # events in one append to a mirror that lacks many
TRIAL = 64_000  # bytes: the largest step, adopting a whole board, needs some 20 kB


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MatchSpan:
    """A match's extent: the times of its first and last event, and the last one's number."""

    first_at: float
    last: int
    last_at: float


class Journal(Store):
    """The log and small facts in one SQLite file. Raises `JournalError` if it can't be used. `append` returns
    after SQLite has synchronised its write-ahead log (`synchronous=FULL`): a power cut loses no event for which it
    returned. One process writes, one thread at a time; any thread may read."""

    def __init__(self, path: Path, *, writing: bool = True) -> None:
        """`writing`: False to read a journal, also while a table uses it, without changing anything on disk."""
        try:
            super().__init__(path, writing=writing)
        except (sqlite3.Error, OSError) as error:
            raise JournalError(
                f"The journal {path} can't be opened: {error}. Check the folder's permissions and the disk's free "
                "space; a damaged file can be replaced with `crokinole-table restore`."
            ) from error
        self.facts = Facts(self)
        self.pictures = Pictures(self.path.with_name("pictures"), self)
        self.clips = Clips(self.path.with_name("clips"))
        self.players = PlayerNames(self)
        self.backups = AutomaticBackups(self)
        self._mirror = Mirror(self.path.with_name("mirror"))
        self._id = self.facts.get(JOURNAL_ID) or ""
        self._mirrored: int | None = None  # the mirror's last event, if that is known
        self._mirror_fails = False
        self.on_written: list[Callable[[], None]] = []
        """Callbacks after each append, on the writer's thread; they must return at once and not raise."""
        self.trouble: Message | str | None = None if writing else UNWRITABLE
        """Why the last attempt to write events has failed; None if it has not."""
        self.end = self.last()  # the number of the last event that this process knows
        if writing:
            self._mirror_rest()

    def append(
        self,
        match: int,
        at: float,
        events: Sequence[tuple[str, dict[str, Any]]],
        *,
        facts: Mapping[str, str] | None = None,
    ) -> list[Entry]:
        """Write events, (kind, body) each, under the next numbers, and return them. Otherwise as `write`."""
        entries = [Entry(number, match, at, *event) for number, event in enumerate(events, start=self.end + 1)]
        self.write(entries, facts)
        return entries

    def write(self, entries: Sequence[Entry], facts: Mapping[str, str] | None = None) -> None:
        """Write events to disk, all or none, whose numbers rise and follow `end`. `facts`: texts by name, kept together
        with them.

        Raises `JournalError` with nothing changed, also if another process has written to the log, which makes the
        state in memory obsolete."""
        stored = list(map(_to_store, entries))
        with self._attempt(), self.transaction() as writer:
            (last,) = writer.execute(LAST_EVENT).fetchone()
            if last != self.end:
                raise JournalError(
                    say(
                        "The journal ends with event {last}, but this table wrote {own} last: another program has "
                        "changed it. Nothing is written. Restart the table, and see that only one runs.",
                        last=last,
                        own=self.end,
                    )
                )
            writer.executemany(KEEP, list((facts or {}).items()))
            writer.executemany(INSERT, stored)
        self.end = stored[-1][0] if stored else last
        self._mirror_rest()
        for callback in self.on_written:
            callback()

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        try:
            yield
        except JournalError as error:
            self.trouble = error.args[0]
            raise
        self.trouble = None

    def _mirror_rest(self) -> None:
        """Append to the mirror what it lacks. A failure refuses nothing."""
        try:
            if self._mirrored is None:
                self._mirrored = self._mirror.end()[0][0]
            while rest := self.read(f"{EVENTS} WHERE id > ? ORDER BY id LIMIT {BATCH}", (self._mirrored,)):
                self._mirror.append(self._id, rest)
                self._mirrored = rest[-1][0]
                if len(rest) < BATCH:
                    break
            if self._mirror_fails:
                log.warning("The journal's mirror is written again, and has every event")
            self._mirror_fails = False
        except (OSError, JournalError) as error:
            if not self._mirror_fails:
                log.warning("The journal's mirror can't be written; what it lacks is made up later: %s", error)
            self._mirrored, self._mirror_fails = None, True

    def events(self, match: int, *, without_kind: str = "") -> Iterator[Entry]:
        """A match's events, oldest first, except those of the kind `without_kind`. Raises `JournalError`, which names
        an unreadable event."""
        return map(_entry, self._stored("match = ? AND kind <> ? ORDER BY id", match, without_kind))

    def raw(self, match: int) -> list[Stored]:
        """A match's events as stored, readable or not."""
        return self._stored("match = ? ORDER BY id", match)

    def since(self, event: int, most: int) -> list[Entry]:
        """At most `most` readable events of all matches after this event number, oldest first."""
        found: list[Entry] = []
        while not found and (rows := self.stored_after(event, most)):
            event = rows[-1][0]
            for row in rows:
                with suppress(JournalError):
                    found.append(_entry(row))
        return found

    def stored_after(self, event: int, most: int) -> list[Stored]:
        """At most `most` events of all matches after this event number, as stored, readable or not."""
        return self._stored("id > ? ORDER BY id LIMIT ?", event, most)

    def _stored(self, which: str, *values: object) -> list[Stored]:
        return self.read(f"{EVENTS} WHERE {which}", values)

    def newest(self) -> int:
        return int(self.read("SELECT coalesce(max(match), 0) FROM events")[0][0])

    def written_after(self, event: int) -> list[int]:
        rows = self.read("SELECT DISTINCT match FROM events WHERE id > ? AND match > 0 ORDER BY match", (event,))
        return [match for (match,) in rows]

    def spans(self) -> dict[int, MatchSpan]:
        """The extents of all matches, by number, without match 0, which holds events outside matches."""
        return {match: MatchSpan(*span) for match, *span in self.read(SPANS, (1, sys.maxsize))}

    def span(self, match: int) -> MatchSpan | None:
        """The extent of a match; None if there is none of this number."""
        found = self.read(SPANS, (match, match)) if match else []
        return next((MatchSpan(*span) for _, *span in found), None)

    def last(self) -> int:
        return int(self.read(LAST_EVENT)[0][0])

    def continue_from(self, last: int, entries: Sequence[Entry]) -> None:
        """Copy another journal's newest match into this empty one; the next event follows the number `last`."""
        with self.transaction() as writer:
            writer.executemany(INSERT, map(_to_store, entries))
            give_next(writer, last)
        self.end = last

    def census(self) -> dict[str, Any]:
        """Counts of all contents, and the names of the facts without their values. JSON."""
        counts = "SELECT count(DISTINCT match) FILTER (WHERE match > 0), count(*), max(at) FROM events"
        return {
            **dict(zip(("matches", "events", "newest event"), *self.read(counts), strict=True)),
            "pictures": len(self.pictures.all()),
            "clips": len(self.clips.all()),
            "kinds": dict(self.read("SELECT kind, count(*) FROM events GROUP BY kind ORDER BY kind")),
            "facts": [name for (name,) in self.read("SELECT name FROM facts ORDER BY name")],
        }

    def try_to_write(self) -> None:
        """Check that the largest step can be written, by writing and removing that much. Raises `JournalError`."""
        with self._attempt():
            self.facts.keep("trial", "." * TRIAL)
            self.facts.forget("trial")

    def backup(self, target: Path) -> None:
        copy(self, target)


def _to_store(entry: Entry) -> Stored:
    text = json.dumps(entry.body, separators=(",", ":"), allow_nan=False)
    return entry.id, entry.match, entry.at, entry.kind, text


def _entry(row: Stored) -> Entry:
    id_, match, at, kind, text = row
    try:
        body = from_json(text, allow_inf_nan=False)  # twice as fast as json.loads
        if not isinstance(body, dict):
            raise ValueError("it is not a JSON object")
        if not 0 <= at <= LATEST:
            raise ValueError("its time is invalid")
        return Entry(id_, match, at, kind, body)
    except ValueError as error:
        raise JournalError(f"Event {id_} of match {match} can't be read: {error}.") from error


STARTS = """
    SELECT starts.match, body
    FROM (SELECT match, min(id) AS first FROM events WHERE match > ? GROUP BY match) AS starts
    JOIN events ON id = first ORDER BY starts.match
"""
"""The first events of the matches after one."""

CHANGES = """
    SELECT id, at, kind, body FROM events
    WHERE match = 0 AND id > ? AND kind IN ('player_called', 'undone') ORDER BY id
"""


@dataclass
class PlayerNames:
    """Reads only events of the journal that are new since the last call."""

    store: Store
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _names: Names = field(default_factory=Names)
    _match: int = 0  # the last match read, readable or not
    _change: int = 0  # the last change read, readable or not

    def names(self) -> Names:
        """All players' present names; the same object until something changes. Raises `JournalError`."""
        with self._guard:
            starts = self.store.read(STARTS, (self._match,))
            changes = self.store.read(CHANGES, (self._change,))
            if starts or changes:
                typed, matches = dict(self._names.typed), dict(self._names.matches)
                for number, body in starts:
                    with suppress(ValueError):  # an unreadable match is reported where it is looked up
                        names = typed_names(ev.MatchStarted.model_validate(from_json(body)))
                        matches[number] = tuple(map(key, names))
                        for name in names:
                            typed.setdefault(key(name), tidy(name))
                self._names = Names(typed, [*self._names.changes, *_changes(changes)], matches)
                self._match = starts[-1][0] if starts else self._match
                self._change = changes[-1][0] if changes else self._change
            return self._names


def _changes(rows: Iterable[tuple[int, float, str, str]]) -> Iterator[Stamped]:
    """The readable changes: an unreadable one must not make all matches unreadable. `doctor` reports it too."""
    for id_, at, kind, body in rows:
        try:
            yield Stamped(id_, at, ev.read_event(kind, from_json(body)))
        except (ValueError, TypeError) as error:
            log.warning(
                "Event %d, which changes what a player is called, can't be read and is left out: %s", id_, error
            )
