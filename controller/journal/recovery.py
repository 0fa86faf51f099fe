"""Compares the journal with its mirror at a start, and makes a new one where something is missing: from the mirror, the
newest backup, and what can be read of the journal. The old files stay, and the screen says what could not be found."""

import json
import logging
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict
from itertools import chain, islice
from pathlib import Path
from typing import Any

from controller.errors import JournalError
from controller.journal.backup import RECOVERED, Ranges, Recovered, complete, damage, exchange, newest_of
from controller.journal.events import Journal
from controller.journal.files import free_name, locked, with_reserve
from controller.journal.mirror import NONE, Mirror
from controller.journal.store import (
    EVENTS,
    FACTS,
    ID,
    INSERT,
    JOURNAL_ID,
    KEEP,
    LAST_EVENT,
    SCHEMA_VERSION,
    Stored,
    create,
    fact,
    form,
    give_next,
    new_file,
    open_to_read,
    transaction,
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
SHOWN = 20  # ranges in a message
log = logging.getLogger(__name__)


def open_journal(path: Path) -> Journal:
    """Open a table's journal: recover it first if something is missing, open it for reading only if it can't be
    written. Raises `JournalError`."""
    try:
        with_reserve(path, lambda: _prepare(path))
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
    with locked(path):
        if complete(path).exists():  # a recovery was interrupted
            exchange(path)
        if why := _trouble(path, mirror):
            log.error("The journal %s is recovered: %s", path, why)
            recover(path)


def _trouble(path: Path, mirror: Mirror) -> str | None:
    """Why the journal has to be recovered; None if it has all that its mirror has."""
    end, torn = mirror.end()
    if path.exists():
        return damage(path) or _lack(path, mirror, end, torn=torn)
    return "it is missing" if end != NONE or path.with_name(f"{path.name}-wal").exists() else None


def _lack(path: Path, mirror: Mirror, newest: Stored, *, torn: bool) -> str | None:
    """What a sound journal lacks compared with its mirror, whose newest event is given. Another journal's mirror is put
    aside.
    """
    with closing(open_to_read(path)) as connection:
        if form(connection) != SCHEMA_VERSION:
            return None
        ((last,),) = connection.execute("SELECT coalesce(max(id), 0) FROM events")
        ours = _is_of(connection, mirror, newest, min(last, newest[0]))
    end = newest[0]
    if not ours:
        _put_aside(path, mirror.folder)
        return None
    if last < end:
        return "its mirror has more events"
    behind = last > end  # the disk has not waited for the mirror
    if torn and not behind:
        return "the mirror's last line can't be read, and its event is missing"
    return "the ends of log and mirror are torn" if (torn or behind) and _log_is_torn(path) else None


def _is_of(connection: sqlite3.Connection, mirror: Mirror, newest: Stored, common: int) -> bool:
    """Whether the mirror, with its newest event, belongs to this journal: both have the same id, and the same event of
    the last `common` number.
    """
    # after a line that can't be read, a later event comes next
    mirrored = newest if common == newest[0] else next(mirror.events(common - 1), NONE)
    own = connection.execute(f"{EVENTS} WHERE id = ?", (common,)).fetchone() or NONE
    return mirror.id in (None, fact(connection, JOURNAL_ID)) and (mirrored[0] > common or mirrored == own)


def _log_is_torn(path: Path) -> bool:
    """Whether the write-ahead log has more than SQLite could read of it; what is left of former ones does not count."""
    log_file = path.with_name(f"{path.name}-wal")
    if not log_file.exists() or log_file.stat().st_size == 0:
        return False
    with closing(sqlite3.connect(path)) as connection, log_file.open("rb") as file:
        ((_, whole, _),) = connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        ((page,),) = connection.execute("PRAGMA page_size")
        salt = int.from_bytes(file.read(LOG_HEADER)[16:20], "big")
        size, frame = log_file.stat().st_size - LOG_HEADER, FRAME_HEADER + page
        for number in range(max(0, whole), size // frame):
            file.seek(LOG_HEADER + number * frame + 8)
            if not 0 < (salt - int.from_bytes(file.read(4), "big")) % 2**32 < FORMER_LOGS:
                return True
    return bool(size % frame)


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
    with new_file(complete(path)) as connection, ExitStack() as stack:
        create(connection)
        connection.execute("PRAGMA synchronous = OFF")  # `new_file` waits for the disk
        with transaction(connection):
            _fill(connection, path, stack)
    exchange(path)


def _fill(fresh: sqlite3.Connection, path: Path, stack: ExitStack) -> None:
    """Write all that mirror, backup and journal have into new tables."""
    mirror = Mirror(path.with_name("mirror"))
    old = _Source(path, stack)
    kept_id = old.facts.get(JOURNAL_ID, "")
    id_ = kept_id if re.fullmatch(ID, kept_id) else mirror.id  # a damaged page may have a part of it
    backup = _Source(newest_of(path.with_name("backups"), id_), stack)
    ours = mirror.id in (None, id_)
    end, torn = mirror.end() if ours else (NONE, False)
    last = max(old.last, backup.last, end[0])
    in_mirror = _add(fresh, mirror.events() if ours else iter(()))  # first: it has checksums
    _add(fresh, backup.events(last))
    in_old = _add(fresh, old.events(last))
    ((count,),) = fresh.execute("SELECT count(*) FROM events")
    done = Recovered(
        free_name(path, "damaged-").name,
        free_name(mirror.folder, "").name if mirror.files() and in_mirror < count else "",
        count,
        count - in_old,
        _missing(fresh, last),
        unsure=torn or end[0] < max(1, last),
    )
    facts = {**backup.facts, **old.facts, **({JOURNAL_ID: id_} if id_ else {}), RECOVERED: json.dumps(asdict(done))}
    fresh.executemany(KEEP, facts.items())
    give_next(fresh, last + LEAP)


def _add(fresh: sqlite3.Connection, events: Iterator[Stored]) -> int:
    """Add the events whose numbers are still missing. Returns how many were offered."""
    count = 0
    while some := list(islice(events, AT_ONCE)):
        fresh.executemany(f"{INSERT} ON CONFLICT DO NOTHING", some)
        count += len(some)
    return count


def _missing(fresh: sqlite3.Connection, last: int) -> Ranges:
    """The ranges of numbers up to `last` without an event, where there may have been one."""
    missing, before = [], 0
    for event in chain(fresh.execute(f"{EVENTS} ORDER BY id"), [(last + 1, 0, 0.0, "", "")]):
        end = event[0] - 1 - _reserved(event)
        end -= LEAP if end - before >= LEAP else 0
        if before < end:
            missing.append([before + 1, end])
        before = event[0]
    return missing


class _Source:
    """What can be read of a journal that may be damaged, or is missing."""

    def __init__(self, path: Path | None, stack: ExitStack) -> None:
        self._connection = None
        if path is not None and path.exists():
            with suppress(sqlite3.Error):
                self._connection = stack.enter_context(closing(open_to_read(path)))
                self._connection.text_factory = lambda data: data.decode(errors="replace")  # JSON stays JSON
        self.facts: dict[str, str] = dict(self.rows(f"{FACTS} WHERE typeof(name) || typeof(value) = 'texttext'") or ())
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


def _is_event(event: Stored) -> bool:
    try:
        return tuple(map(type, event)) == (int, int, float, str, str) and isinstance(json.loads(event[4]), dict)
    except (ValueError, RecursionError):
        return False


def _reserved(event: Stored) -> int:
    """The numbers just before its own that it reserved."""
    _, _, _, kind, body = event
    with suppress(ValueError):
        if kind == "amended":
            return read_event(kind, json.loads(body)).reserved
    return 0


def report(journal: Journal) -> Message | None:
    """The message about a recovery while the old file exists; None without one."""
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
    found = {"count": done.events, "back": done.back, "file": done.kept}
    if not lost:
        return say(
            "The journal was damaged. All its {count} events are there, {back} of them from its mirror or a backup. "
            "The damaged file is kept as {file}; remove it when you have looked at the matches. Replace the card soon.",
            **found,
        )
    return say(
        "The journal was damaged. {count} events are there, {back} of them from its mirror or a backup. Missing: "
        "{lost}. Correct the newest matches by hand. The damaged file is kept as {file}; remove it when you are done. "
        "Replace the card soon.",
        **found,
        lost=tuple(lost),
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
    """Copy an unwritable journal to a writable disk: SQLite needs room for its index to read the log. Pictures and
    clips are shown from where they are."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="crokinole-table-"))
        for ending in ("", "-wal"):
            file = path.with_name(path.name + ending)
            if file.exists():
                shutil.copyfile(file, folder / file.name)
        for media in ("pictures", "clips"):
            (folder / media).symlink_to(path.with_name(media).resolve())
    except OSError as error:
        raise JournalError(f"The disk of {path} can't be written, and there is no other: {error}.") from error
    return folder / path.name
