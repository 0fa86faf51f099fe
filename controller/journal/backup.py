"""Backups of the journal: on demand, each night and before an update; restoring one. A backup is a copy of the whole
SQLite file: events, and facts such as the PIN and the table's name. Pictures, clips, kept rounds and `table.toml` are
not in it."""

import datetime as dt
import json
import logging
import re
import secrets
import shutil
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from controller.errors import BadInput, JournalError
from controller.journal.files import free_name, locked, own_folder, put_in_place
from controller.journal.store import (
    JOURNAL_ID,
    KEEP,
    LAST_EVENT,
    SCHEMA_VERSION,
    Store,
    check_form,
    fact,
    form,
    is_damage,
    lack,
    new_file,
    open_to_read,
)
from controller.messages import say

log = logging.getLogger(__name__)
DAYS_KEPT = 14  # days of automatic backups: a fault of one club evening is noticed at the next
HOUR = 4  # of the local day, when nobody plays
RESERVE = 200_000_000  # bytes that an automatic backup leaves free: several evenings' pictures
NAME = re.compile(r"\d{1,9}-\d{4}-\d{2}-\d{2}(-before-[a-z0-9-]+)?\.sqlite")
"""Automatic backups, in the folder `backups` beside the journal."""


def copy(source: Store, target: Path) -> None:
    """Write a consistent copy, also while the journal is in use. Raises `BadInput` if the file exists, `JournalError`
    if it can't be written."""
    if target.exists():
        raise BadInput(f"{target} exists already: choose another file name.")
    try:
        with new_file(target) as connection, closing(source.connection()) as own:
            own.backup(connection)
    except (sqlite3.Error, OSError) as error:
        raise JournalError(f"The backup {target} can't be written: {error}. Is there room for it?") from error


class AutomaticBackups:
    """The automatic backups of a table, in a folder beside its journal. Not thread-safe. They are full copies, numbered
    in the order in which they were made; their dates are for people. To keep the disk from filling, the oldest are
    removed first."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._folder = store.path.with_name("backups")

    def back_up_if_due(self, now: dt.datetime) -> Path | None:
        """Make the night's backup if it is due and something was written since the last one. Returns its path. It is
        due from `HOUR` on, or when the table is next switched on. Raises `JournalError`."""
        night = str((now - dt.timedelta(hours=HOUR)).date())
        newest = next((path for path in reversed(numbered(self._folder)) if path.stem.endswith(_date(path))), None)
        if newest and (_date(newest) == night or _last_event(newest) == self._store.read(LAST_EVENT)[0][0]):
            return None
        return self._make(night)

    def before(self, what: str, now: dt.datetime) -> Path:
        """Make a backup before the program changes, unless that day has one. Raises `JournalError`."""
        ending = f"{now.date()}-before-{what}"
        made = [path for path in numbered(self._folder) if path.stem.endswith(ending)]
        return made[-1] if made else self._make(ending)

    def _make(self, ending: str) -> Path:
        try:
            own_folder(self._folder)
            self._free_space()
            path = self._folder / f"{max(map(_number, numbered(self._folder)), default=0) + 1:05}-{ending}.sqlite"
            copy(self._store, path)
            found = numbered(self._folder)
            kept = list(dict.fromkeys(map(_date, reversed(found))))[:DAYS_KEPT]
            for old in found:
                if _date(old) not in kept:
                    old.unlink()
        except OSError as error:
            raise JournalError(f"No automatic backup can be made in {self._folder}: {error}.") from error
        return path

    def _free_space(self) -> None:
        """Remove the oldest backups if there is no room for another one, but never the newest."""
        needed = self._store.path.stat().st_size + RESERVE
        older = iter(numbered(self._folder)[:-1])
        while shutil.disk_usage(self._folder).free < needed:
            if (path := next(older, None)) is None:
                raise JournalError(
                    say(
                        "There is no room for an automatic backup, which needs {megabytes} MB. Make room, or copy the "
                        "journal elsewhere with `crokinole-table backup`.",
                        megabytes=round(needed / 1e6),
                    )
                )
            path.unlink()


def numbered(folder: Path) -> list[Path]:
    """The automatic backups in a folder, the oldest first."""
    return sorted((path for path in folder.glob("*.sqlite") if NAME.fullmatch(path.name)), key=_number)


def newest_of(folder: Path, id_: str | None) -> Path | None:
    """The newest sound backup of the journal with this id, or of any."""
    for path in reversed(numbered(folder)):
        try:
            check(path)
            with closing(open_to_read(path)) as connection:
                if id_ in (None, fact(connection, JOURNAL_ID)):
                    return path
        except (BadInput, sqlite3.Error) as error:
            log.warning("The backup %s can't be used: %s", path, error)
    return None


def _number(path: Path) -> int:
    return int(path.name.partition("-")[0])


def _date(path: Path) -> str:
    return path.name.partition("-")[2][:10]


def _last_event(backup: Path) -> int:
    """The number of a backup's newest event; -1 if it can't be read."""
    try:
        with closing(open_to_read(backup)) as connection:
            return int(connection.execute(LAST_EVENT).fetchone()[0])
    except sqlite3.Error:
        return -1


def check(path: Path) -> int:
    """Check a journal file and return its number of events. Raises `BadInput` if it is damaged or not a journal of this
    program."""
    if not path.is_file():
        raise BadInput(f"{path}: there is no such file.")
    try:
        with closing(open_to_read(path)) as connection:
            check_form(connection, path)
            if wrong := _rotten(connection):
                raise BadInput(f"{path} is damaged: {wrong}.")
            return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])
    except JournalError as error:
        raise BadInput(error.args[0]) from error
    except sqlite3.Error as error:
        raise BadInput(f"{path} is not a journal of this program, or it is damaged: {error}.") from error


def damage(path: Path) -> str | None:
    """What is wrong with a journal, in SQLite's words; None if nothing is, or if it can't be opened at all."""
    try:
        with closing(open_to_read(path)) as connection:
            if form(connection) not in (0, SCHEMA_VERSION):
                return None  # `Journal` refuses it
            return lack(connection) or _rotten(connection)
    except sqlite3.DatabaseError as error:
        return str(error) if is_damage(error) else None


def _rotten(connection: sqlite3.Connection) -> str | None:
    """What can't be read in a journal that has all tables, in SQLite's words. Raises `sqlite3.DatabaseError`."""
    (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if answer != "ok":
        return str(answer)
    # SQLite's check follows the order of pages; it misses zeros in the last page of a long row.
    bodies = connection.execute("SELECT id FROM events WHERE NOT json_valid(body)")
    return next((f"event {number} can't be read" for (number,) in bodies), None)


RECOVERED = "recovered"  # the name of the fact with the result
Ranges = list[list[int]]  # (first, last) of event numbers


@dataclass
class Recovered:
    """Why a journal was replaced, and the result."""

    kept: str  # the name of the old file, or of the other mirror
    retired: str = ""  # a new name for the mirror, if it lacks something
    events: int = 0
    back: int = 0  # how many of these the journal lacked
    missing: Ranges = field(default_factory=list)  # events that were not found
    unsure: bool = False  # whether events may be missing whose numbers are not known
    why: Literal["damaged", "restored", "other"] = "damaged"  # `other`: only the mirror was put aside, as another's


def complete(path: Path) -> Path:
    """The new journal from when it is complete until it is in the old one's place."""
    return path.with_name(f"{path.name}.recovered")


def exchange(path: Path) -> Path:
    """Put the complete new journal in the old one's place. If this is interrupted, the next start does the remaining
    steps. Returns the path under which the old one is kept."""
    with closing(open_to_read(complete(path))) as connection:
        done = Recovered(**json.loads(fact(connection, RECOVERED) or ""))
    kept, mirror = path.with_name(done.kept), path.with_name("mirror")
    if not kept.exists():
        if path.exists():
            path.rename(kept)
        elif done.why == "damaged":  # the screen says so as long as it exists
            kept.touch()
    if done.retired and mirror.exists():
        mirror.rename(mirror.with_name(done.retired))
    log_file = path.with_name(f"{path.name}-wal")
    if log_file.exists():
        log_file.replace(kept.with_name(f"{kept.name}-wal"))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    put_in_place(complete(path), path)
    return kept


def restore(backup: Path, target: Path) -> Path | None:
    """Replace a journal with a backup. Returns the path under which the replaced journal is kept, if there was one.

    At every moment one of the two is complete in its place, or the next start puts the backup there. The restored
    journal gets a new id and a mirror of its own, because its next events reuse numbers of the replaced one. Raises
    `BadInput` if the backup is damaged or is the journal itself, and `JournalError` if the journal is in use."""
    if backup.exists() and target.exists() and target.samefile(backup):  # before SQLite opens it: that leaves files
        raise BadInput(f"{backup} is the journal itself: name a backup of it.")
    check(backup)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target = target.resolve()
        with locked(target):
            mirror = free_name(target.with_name("mirror"), "").name  # it must not bring back what is set back
            done = json.dumps(asdict(Recovered(free_name(target, "").name, mirror, why="restored")))
            with new_file(complete(target)) as into, closing(open_to_read(backup)) as source:
                source.backup(into)
                into.executemany(KEEP, [(JOURNAL_ID, secrets.token_hex(16)), (RECOVERED, done)])
            kept = exchange(target)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"The backup can't be put at {target}: {error}.") from error
    return kept if kept.exists() else None
