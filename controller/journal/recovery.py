"""Compares the journal with its mirror at a start, and makes a new one where something is missing: from the mirror, the
newest backup, and what can be read of the journal. The old files stay, and the screen says what could not be found."""

import heapq
import json
import logging
import re
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict
from itertools import groupby, islice, repeat
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from controller.errors import JournalError
from controller.journal.backup import RECOVERED, Ranges, Recovered, complete, damage, exchange, newest_of
from controller.journal.events import Journal
from controller.journal.files import Lock, Reserve, free_name
from controller.journal.mirror import Mirror, Stored
from controller.journal.store import (
    EVENTS,
    FACTS,
    ID,
    INSERT,
    JOURNAL_ID,
    KEEP,
    LAST_EVENT,
    SCHEMA_VERSION,
    create,
    fact,
    form,
    give_next,
    new_file,
    open_to_read,
)
from controller.match.events import read_event
from controller.messages import Message, say

LEAP = 10_000
"""Numbers that a recovery skips: more than a table gives in the seconds that a power cut can take. So of that many
numbers in a row without an event, the last ones were never given."""
MAX_EVENTS = 10**9  # more than any table writes: a greater number is damage
AT_ONCE = 200  # events in one query
LOG_HEADER, FRAME_HEADER = 32, 24  # bytes, as in https://www.sqlite.org/fileformat2.html#the_write_ahead_log
FORMER_LOGS = 10**6  # each log's salt is one more than that of the former one, whose frames may follow
LOG_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
SHOWN = 20  # ranges in a message
log = logging.getLogger(__name__)


def open_journal(path: Path) -> Journal:
    """Open a table's journal: recover it first if something is missing, open it for reading only if it can't be
    written. Raises `JournalError`."""
    try:
        try:
            _prepare(path)
        except (OSError, sqlite3.Error):
            if not Reserve(path).release():
                raise
            _prepare(path)
        return Journal(path)
    except (JournalError, OSError, sqlite3.Error) as error:
        if path.exists() and not _writable(path):
            log.error("The journal %s can't be written, nor anything beside it: it is shown as it is", path)
            return Journal(_copy(path), writing=False)
        if isinstance(error, JournalError):
            raise
        raise JournalError(f"The journal {path} can't be recovered: {error}. Is there room beside it?") from error


def _prepare(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    mirror = Mirror(path.with_name("mirror"))
    lock = Lock(path)
    try:
        if complete(path).exists():  # a recovery was interrupted
            exchange(path)
        if why := _trouble(path, mirror):
            log.error("The journal %s is recovered: %s", path, why)
            recover(path)
    finally:
        lock.release()


def _trouble(path: Path, mirror: Mirror) -> str | None:
    """Why the journal has to be recovered; None if it has all that its mirror has."""
    end, torn = mirror.end()
    if not path.exists():
        return "it is missing" if end or path.with_name(f"{path.name}-wal").exists() else None
    if why := damage(path):
        return why
    with closing(open_to_read(path)) as connection:
        return _lack(connection, path, mirror, end, torn=torn) if form(connection) == SCHEMA_VERSION else None


def _lack(connection: sqlite3.Connection, path: Path, mirror: Mirror, end: Stored | None, *, torn: bool) -> str | None:
    """What a sound journal lacks that its mirror has. A mirror of something else is put aside."""
    (last,) = connection.execute(f"{EVENTS} ORDER BY id DESC LIMIT 1").fetchall() or [(0, 0, 0.0, "", "")]
    if mirror.id in (None, fact(connection, JOURNAL_ID)):
        if end is None:
            return _end_is_lost(path, torn=torn, behind=last[0] > 0)
        if last[0] < end[0]:
            mirrored = next(mirror.events(last[0] - 1))
            if mirrored == last or mirrored[0] > last[0]:  # as after a line that can't be read
                return "its mirror has more events"
        elif connection.execute(f"{EVENTS} WHERE id = ?", (end[0],)).fetchone() == end:
            return _end_is_lost(path, torn=torn, behind=last != end)
    _put_aside(path, mirror.folder)
    return None


def _end_is_lost(path: Path, *, torn: bool, behind: bool) -> str | None:
    """Why events may be missing that neither has; `torn`, `behind`: the mirror, which the disk has not waited for."""
    if torn and not behind:
        return "the mirror's last line can't be read, and its event is missing"
    return "the ends of log and mirror are torn" if (torn or behind) and _log_is_torn(path) else None


def _log_is_torn(path: Path) -> bool:
    """Whether the write-ahead log has more than SQLite could read of it; what is left of former ones does not count."""
    log_file = path.with_name(f"{path.name}-wal")
    if not log_file.exists() or log_file.stat().st_size == 0:
        return False
    with closing(sqlite3.connect(path)) as connection, log_file.open("rb") as file:
        ((_, whole, _),) = connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        ((page,),) = connection.execute("PRAGMA page_size")
        magic, salt = struct.unpack(">4s12xI12x", file.read(LOG_HEADER).ljust(LOG_HEADER))
        size, frame = log_file.stat().st_size - LOG_HEADER, FRAME_HEADER + page
        for number in range(max(0, whole), size // frame):
            file.seek(LOG_HEADER + number * frame + 8)
            if not 0 < (salt - int.from_bytes(file.read(4), "big")) % 2**32 < FORMER_LOGS:
                return True
    return bool(size % frame or magic not in LOG_MAGIC)


def _put_aside(path: Path, mirror: Path) -> None:
    """The journal counts: keep the mirror of another one under another name."""
    kept = free_name(mirror, "")
    log.error("The mirror %s is of another journal, or of another course of it: it is kept as %s", mirror, kept)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(KEEP, (RECOVERED, json.dumps(asdict(Recovered(kept.name, why="other")))))
    mirror.rename(kept)


def recover(path: Path) -> None:
    """Make a new journal of all that can be found, and put it in the old one's place. Killed at any moment, it begins
    again. The caller holds the lock. Raises `OSError` or `sqlite3.Error`."""
    with new_file(complete(path)) as connection:
        create(connection)
        connection.execute("PRAGMA synchronous = OFF")  # `new_file` waits for the disk
        connection.execute("BEGIN")
        _fill(connection, path)
        connection.execute("COMMIT")
    exchange(path)


def _fill(fresh: sqlite3.Connection, path: Path) -> None:
    """Write all that can be found into new tables."""
    with ExitStack() as stack:
        found = _Remains(path, stack)
        while events := list(islice(found.events, AT_ONCE)):
            fresh.executemany(INSERT, events)
        facts = found.facts | {RECOVERED: json.dumps(asdict(found.result(path)))}
        fresh.executemany(KEEP, facts.items())
        give_next(fresh, found.last + LEAP)


class _Remains:
    """What mirror, backup and journal have. Of the same event the mirror's counts, which has a checksum."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self._mirror = Mirror(path.with_name("mirror"))
        old = _Source(path, stack)
        kept_id = old.facts.get(JOURNAL_ID, "")
        id_ = kept_id if re.fullmatch(ID, kept_id) else self._mirror.id  # a damaged page may have a part of it
        backup = _Source(newest_of(path.with_name("backups"), id_), stack)
        ours = self._mirror.id in (None, id_)
        end, torn = self._mirror.end() if ours else (None, False)
        mirrored = end[0] if end else 0
        self.last = max(old.last, backup.last, mirrored)
        self.facts = {**backup.facts, **old.facts, **({JOURNAL_ID: id_} if id_ else {})}
        self._unsure = torn or mirrored < max(1, self.last)
        self._of = [0, 0, 0]  # events that mirror, backup and journal have
        self._count = 0
        self._missing: Ranges = []
        self.events = self._joined(
            (self._mirror.events() if ours else iter(()), backup.events(self.last), old.events(self.last))
        )

    def _joined(self, sources: Sequence[Iterator[Stored]]) -> Iterator[Stored]:
        marked = [zip(source, repeat(number)) for number, source in enumerate(sources)]
        before = 0
        for id_, group in groupby(heapq.merge(*marked, key=lambda one: one[0][0]), lambda one: one[0][0]):
            (event, _), *_ = same = list(group)
            for _, source in same:
                self._of[source] += 1
            self._count += 1
            self._missing += _missing(before + 1, id_ - 1 - _reserved(event))
            before = id_
            yield event
        self._missing += _missing(before + 1, self.last)

    def result(self, path: Path) -> Recovered:
        """What was found, after all `events`."""
        mirror = self._mirror
        lacks = mirror.files() and self._of[0] < self._count
        return Recovered(
            free_name(path, "damaged-").name,
            free_name(mirror.folder, "").name if lacks else "",
            self._count,
            self._count - self._of[2],
            self._missing,
            self._unsure,
        )


class _Source:
    """What can be read of a journal that may be damaged, or is missing."""

    def __init__(self, path: Path | None, stack: ExitStack) -> None:
        self._connection = None
        if path is not None and path.exists():
            with suppress(sqlite3.Error):
                self._connection = stack.enter_context(closing(open_to_read(path)))
        self.facts: dict[str, str] = dict(self.rows(FACTS) or ())
        ends = ("SELECT max(id) FROM events", "SELECT max(id) FROM events INDEXED BY events_by_match")
        self.last = max(map(self._number, ends))
        given = self._number(LAST_EVENT)
        self.last = max(self.last, given - LEAP if given - self.last >= LEAP else given)

    def rows(self, query: str, values: tuple[int, ...] = ()) -> list[Any] | None:
        """The rows; None if they can't be read."""
        try:
            return self._connection.execute(query, values).fetchall() if self._connection else None
        except sqlite3.Error:
            return None

    def _number(self, query: str) -> int:
        ((number,),) = self.rows(query) or [(0,)]
        return number if isinstance(number, int) and number < MAX_EVENTS else 0

    def events(self, last: int) -> Iterator[Stored]:
        """The readable events up to the number `last`, in order."""
        after = 0
        while self._connection and after < last:
            rows = self.rows(f"{EVENTS} WHERE id > ? ORDER BY id LIMIT {AT_ONCE}", (after,))
            before, after = after, rows[-1][0] if rows else last
            if rows is None or not before < after <= last:  # one of them is damaged: each by itself
                after = before + AT_ONCE
                numbers = range(before + 1, after + 1)
                rows = [row for number in numbers for row in self.rows(f"{EVENTS} WHERE id = ?", (number,)) or ()]
            yield from filter(_is_event, rows)


def _missing(first: int, last: int) -> Ranges:
    """Of numbers without an event, those that one may have had."""
    last -= LEAP if last - first + 1 >= LEAP else 0
    return [[first, last]] if first <= last else []


def _is_event(event: Stored) -> bool:
    try:
        return isinstance(event[4], str) and isinstance(json.loads(event[4]), dict)
    except (ValueError, RecursionError):
        return False


def _reserved(event: Stored) -> int:
    """The numbers just before its own that it reserved."""
    _, _, _, kind, body = event
    if kind != "amended":
        return 0
    try:
        return read_event(kind, json.loads(body)).reserved
    except (ValidationError, ValueError):
        return 0


def report(journal: Journal) -> Message | None:
    """The message about a recovery, as long as the old file exists; None if there is none."""
    done = journal.facts.read(RECOVERED, lambda text: Recovered(**json.loads(text)))
    if done is None or done.why == "restored" or not journal.path.with_name(done.kept).exists():
        return None
    if done.why == "other":
        return say(
            "The journal's mirror was of another journal. The journal counts, and the mirror is kept as {file}; remove "
            "it when you have looked at the matches.",
            file=done.kept,
        )
    lost: list[Message | str] = [f"{first}–{last}" if last > first else str(first) for first, last in done.missing]
    lost[SHOWN:] = ["…"] if len(lost) > SHOWN else []
    if done.unsure:
        lost.append(say("perhaps the newest ones"))
    if not lost:
        return say(
            "The journal was damaged. All its {count} events are there, {back} of them from its mirror or a backup. "
            "The damaged file is kept as {file}; remove it when you have looked at the matches. Replace the card soon.",
            count=done.events,
            back=done.back,
            file=done.kept,
        )
    return say(
        "The journal was damaged. {count} events are there, {back} of them from its mirror or a backup. Missing: "
        "{lost}. Correct the newest matches by hand. The damaged file is kept as {file}; remove it when you are done. "
        "Replace the card soon.",
        count=done.events,
        back=done.back,
        lost=tuple(lost),
        file=done.kept,
    )


def _writable(path: Path) -> bool:
    trial = path.with_name(f"{path.name}.trial")
    try:
        trial.touch()
        trial.unlink()
        with path.open("r+b"):
            return True
    except OSError:
        return False


def _copy(path: Path) -> Path:
    """Copy an unwritable journal to a writable disk: SQLite needs room for its index to read the log."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="crokinole-table-"))
        for ending in ("", "-wal"):
            file = path.with_name(path.name + ending)
            if file.exists():
                shutil.copyfile(file, folder / file.name)
    except OSError as error:
        raise JournalError(f"The disk of {path} can't be written, and there is no other: {error}.") from error
    return folder / path.name
