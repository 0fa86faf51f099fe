"""Salvages a damaged journal: merges its readable rows with the backups by event number. The damaged file is kept
beside the new one, and people are shown which events are missing."""

import json
import logging
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from controller.errors import JournalError
from controller.journal.backup import JOURNAL_ID, NAME, check
from controller.journal.events import Journal
from controller.journal.files import Lock, free_name, fresh_file, put_in_place
from controller.journal.leaves import Value, rows_of
from controller.journal.schema import LAST_EVENT, SCHEMA_VERSION, create
from controller.journal.store import damage_marker, open_to_read
from controller.match.events import EVENT
from controller.messages import Message, say

SALVAGED = "salvaged"  # the name of the fact with the result
CHECKED = ("facts", "cursors", "events")
MAX_EVENTS = 10**9  # more than any table writes: a greater number is damage
Event = tuple[int, int, float, str, str]  # id, match, at, kind, body
log = logging.getLogger(__name__)


@dataclass
class Recovered:
    """The recovered rows."""

    events: dict[int, Event] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    cursors: dict[int, int] = field(default_factory=dict)
    last: int = 0  # the last event number ever written, as far as known


@dataclass(frozen=True)
class Salvaged:
    """The result of salvaging. `missing`: ranges (first, last) of lost event numbers."""

    at: float  # seconds since 1970
    kept: str  # the damaged file's name
    events: int
    of_backups: int  # how many of these were only in backups
    missing: list[list[int]]


def open_journal(path: Path) -> Journal:
    """Open a table's journal: salvage it first if it is damaged, open it for reading only if it can't be written.
    Raises `JournalError`."""
    if path.exists() and (why := damage(path)):
        log.error("The journal %s is damaged (%s): what can be read of it and the backups are merged", path, why)
        salvage(path)
    try:
        return Journal(path)
    except JournalError:
        if not path.exists() or _writable(path):
            raise
        log.error("The journal %s can't be written, nor anything beside it: it is shown as it is", path)
        return Journal(_copy(path), writing=False)


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


def damage(path: Path) -> str | None:
    """What is wrong with a journal, in SQLite's words; None if nothing is, or if it can't be opened at all."""
    if path.stat().st_size == 0:
        return "it is empty"
    try:
        with closing(open_to_read(path)) as connection:
            if damage_marker(path).exists():
                return _quick_check(connection, "1")
            return _damage_in_tables(connection)
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        return str(error) if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) else None


def _damage_in_tables(connection: sqlite3.Connection) -> str | None:
    """The first damage to the tables that each start checks; None if there is none, or the file is new."""
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    known = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not known or form != SCHEMA_VERSION:
        return None
    for table in CHECKED:
        wrong = _quick_check(connection, f"'{table}'") if table in known else f"it has no table {table}"
        if wrong:
            return wrong
    connection.execute("SELECT sum(seq) FROM sqlite_sequence").fetchone()
    # SQLite's check follows the order of pages; it misses zeros in the last page of a long row.
    bodies = connection.execute("SELECT id, body FROM events WHERE NOT json_valid(body)")
    return next((f"event {number} can't be read" for number, body in bodies if not _is_event(number, body)), None)


def _quick_check(connection: sqlite3.Connection, what: str) -> str | None:
    (answer,) = connection.execute(f"PRAGMA quick_check({what})").fetchone()
    return None if answer == "ok" else str(answer)


def salvage(path: Path) -> Salvaged:
    """Replace a damaged journal with a sound one. Raises `JournalError` if the disk does not allow it."""
    lock = Lock(path)
    try:
        found = Recovered()
        for number, columns in rows_of(path):
            _assign(found, number, columns)
        own = len(found.events)
        for backup in _backups(path):
            _add_backup(found, backup)
        kept = free_name(path, "damaged-")
        done = Salvaged(time.time(), kept.name, len(found.events), len(found.events) - own, _missing_ranges(found))
        fresh = path.with_name(f"{path.name}.salvaged")
        _write(fresh, found, done)
        os.link(path, kept)
        log_file = path.with_name(f"{path.name}-wal")
        if log_file.exists():
            log_file.replace(kept.with_name(f"{kept.name}-wal"))
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
        put_in_place(fresh, path)
        damage_marker(path).unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"The damaged journal {path} can't be salvaged: {error}.") from error
    finally:
        lock.release()
    return done


def report(journal: Journal) -> Message | None:
    """The message about a salvaged journal, as long as the damaged file exists; None if there is none."""
    done = journal.facts.read(SALVAGED, lambda text: Salvaged(**json.loads(text)))
    if done is None or not journal.path.with_name(done.kept).exists():
        return None
    lost = tuple(f"{first}–{last}" if last > first else str(first) for first, last in done.missing)
    if not lost:
        return say(
            "The journal was damaged. All its {count} events were saved, {backups} of them from a backup. The damaged "
            "file is kept as {file}; remove it when you have looked at the matches. Replace the card soon.",
            count=done.events,
            backups=done.of_backups,
            file=done.kept,
        )
    return say(
        "The journal was damaged. {count} events were saved, {backups} of them from a backup; these numbers are "
        "missing: {lost}. Correct the newest matches by hand. The damaged file is kept as {file}; remove it when you "
        "are done. Replace the card soon.",
        count=done.events,
        backups=done.of_backups,
        lost=lost,
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


def _assign(found: Recovered, number: int, columns: list[Value]) -> None:
    """Assign a row to the table whose columns have its types."""
    match columns:
        case [None, int(match), int(at) | float(at), str(kind), str(body)] if _is_event(number, body):
            found.events[number] = (number, match, float(at), kind, body)
        case ["events", int(last)] if last < MAX_EVENTS:
            found.last = max(found.last, last)
        case [str(name), str(value)]:
            found.facts[name] = value
        case [None, int(sequence)]:
            found.cursors[number] = max(sequence, found.cursors.get(number, sequence))


def _is_event(number: int, body: object) -> bool:
    try:
        return 0 < number < MAX_EVENTS and isinstance(body, str) and isinstance(json.loads(body), dict)
    except (ValueError, RecursionError):
        return False


def _backups(path: Path) -> Iterator[Path]:
    """The sound automatic backups, the newest first."""
    for backup in sorted(path.with_name("backups").glob("*.sqlite"), reverse=True):
        if not NAME.fullmatch(backup.name):
            continue
        try:
            check(backup)
        except ValueError as error:
            log.warning("The backup %s can't be used: %s", backup, error)
        else:
            yield backup


def _add_backup(found: Recovered, backup: Path) -> None:
    """Add rows that are only in a backup. A backup of another journal adds nothing."""
    with closing(open_to_read(backup)) as connection:
        rows: list[Event] = connection.execute("SELECT id, match, at, kind, body FROM events").fetchall()
        if any(row[:4] != found.events[row[0]][:4] for row in rows if row[0] in found.events):
            log.warning("The backup %s is of another journal", backup)
            return
        for row in rows:
            found.events.setdefault(row[0], row)
        for name, value in connection.execute("SELECT name, value FROM facts"):
            found.facts.setdefault(name, value)
        for stream, sequence in connection.execute("SELECT stream, sequence FROM cursors"):
            found.cursors[stream] = max(sequence, found.cursors.get(stream, sequence))
        (last,) = connection.execute(LAST_EVENT).fetchone()
        found.last = max(found.last, last)


def _missing_ranges(found: Recovered) -> list[list[int]]:
    """Ranges of missing event numbers, except those that amendments reserved and no event ever had."""
    spans: list[list[int]] = []
    before = 0
    for id in sorted(found.events):
        last = id - 1 - _reserved(found.events[id])
        spans += [[before + 1, last]] if last > before else []
        before = id
    return spans + ([[before + 1, found.last]] if found.last > before else [])


def _reserved(event: Event) -> int:
    """The event numbers just before its own that it reserved."""
    _, _, _, kind, body = event
    if kind != "amended":
        return 0
    try:
        return EVENT.validate_python({**json.loads(body), "kind": kind}).reserved
    except ValidationError:
        return 0


def _write(fresh: Path, found: Recovered, done: Salvaged) -> None:
    fresh_file(fresh)
    found.facts.pop(JOURNAL_ID, None)  # new events may reuse missing numbers
    found.facts[SALVAGED] = json.dumps(asdict(done))
    with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
        create(connection)
        connection.execute("BEGIN")
        many: list[tuple[str, list[Any]]] = [
            ("INSERT INTO events VALUES (?, ?, ?, ?, ?)", [found.events[id] for id in sorted(found.events)]),
            ("INSERT INTO facts VALUES (?, ?)", list(found.facts.items())),
            ("INSERT INTO cursors VALUES (?, ?)", list(found.cursors.items())),
            ("DELETE FROM sqlite_sequence WHERE name = ?", [("events",)]),
            ("INSERT INTO sqlite_sequence VALUES ('events', ?)", [(max(found.last, *found.events, 0),)]),
        ]  # fmt: skip
        for statement, rows in many:
            connection.executemany(statement, rows)
        connection.execute("COMMIT")
