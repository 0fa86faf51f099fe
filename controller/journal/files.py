"""The files beside a journal: their owner, the lock, the reserve; new files that replace old ones safely."""

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from controller.errors import JournalError

OWNER_ONLY = 0o600  # the journal holds the PIN and the secret that signs sessions: only the table's user may read it
RESERVED = 256_000
"""Bytes of the reserve: opening a journal takes 37 kB, a shot some 20 kB; SQLite frees both when it merges its log."""
SPARE = 100  # the reserve is made only if this many times its size are free: it must not fill the disk itself


def _give_to_owner(path: Path) -> None:
    """Give a file that root created to the owner of its folder, so that the table's service can use it."""
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid)


def own_folder(folder: Path) -> Path:
    """A folder beside a journal, made if it is missing, for its owner alone."""
    if not folder.exists():
        folder.mkdir(mode=0o700)
        _give_to_owner(folder)
    return folder


def open_own(path: Path, flags: int = 0) -> int:
    """Open a file for reading and writing; create it for its owner alone if it is missing. Returns its descriptor."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | flags, OWNER_ONLY)
    _give_to_owner(path)
    return file


def fresh_file(path: Path) -> Path:
    """Create an empty file that only its owner can read, replacing any file of that name."""
    path.unlink(missing_ok=True)
    os.close(open_own(path))
    return path


@contextmanager
def locked(journal: Path) -> Iterator[None]:
    """The lock for writing a journal, for one process at a time. The system releases it when the process ends. Its file
    stays: if it were removed, two processes could each lock a file of that name. Raises `JournalError`, which names the
    process that holds it."""
    file = open_own(journal.with_name(f"{journal.name}.lock"))
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(file, 20).decode("ascii", "replace").strip()
            raise JournalError(
                f"The journal {journal} is in use: a table is already running as process {holder or 'unknown'}. Stop "
                "it first (sudo systemctl stop crokinole-table), or give this one a [table] data folder of its own."
            ) from error
        os.ftruncate(file, os.pwrite(file, f"{os.getpid()}\n".encode(), 0))
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)  # a child that is just being started has the file open too
        os.close(file)


def free_name(path: Path, what: str) -> Path:
    """A name beside this file or folder that nothing has, numbered from 1."""
    names = (path.with_name(f"{path.stem}.{what}{n}{path.suffix}") for n in count(1))
    return next(name for name in names if not name.exists())


def put_in_place(fresh: Path, target: Path) -> None:
    """Rename a complete new file to its final name. A power cut leaves either the old file or this one."""
    _synchronise(fresh)
    fresh.replace(target)
    _synchronise(target.parent)


def _synchronise(path: Path) -> None:
    number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _reserve(journal: Path) -> Path:
    """Disk space reserved beside a journal, so that the table can start on a full disk: a file that is never read.
    SQLite can't open a journal without a few pages for its log and the log's index. If there is no room for them,
    releasing the reserve makes it: the table starts, reports that the disk is full, and writes while space lasts."""
    return journal.with_name(f"{journal.name}.reserve")


def make_reserve(journal: Path) -> None:
    """Create the reserve if it is missing and the disk has room. Errors are ignored."""
    path = _reserve(journal)
    with suppress(OSError):
        if not path.exists() and shutil.disk_usage(path.parent).free >= SPARE * RESERVED:
            with fresh_file(path).open("ab") as file:
                os.posix_fallocate(file.fileno(), 0, RESERVED)


def with_reserve(journal: Path, use: Callable[[], None]) -> None:
    """Call `use`; if it fails, release the reserve and call it once more. Raises as it does."""
    try:
        use()
    except (sqlite3.Error, OSError) as error:
        try:
            _reserve(journal).unlink()
        except OSError:  # there is none, or it can't be removed
            raise error from None
        use()
