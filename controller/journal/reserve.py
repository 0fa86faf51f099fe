"""Room that a journal keeps beside itself on the disk, so that a full disk does not keep the table from starting.

SQLite can't open a journal without a few pages for its log and the log's index. Where there is no room for them, the
reserve makes it, and the table starts, says that the disk is full, and keeps what is written for as long as that lasts.
"""

import os
from contextlib import suppress
from pathlib import Path

from controller.journal.access_rights import OWNER_ONLY, belongs_to

SIZE = 256_000
"""Bytes: opening a journal takes 37 kB, a shot some 20 kB; both come back when SQLite folds its log into the file."""

SPARE = 100
"""The reserve is made only where so many times its size are free: it must not fill the disk itself."""


class Reserve:
    """The reserve of one journal: a file that nobody reads."""

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_name(f"{journal.name}.reserve")

    def make(self) -> None:
        """Set it aside, where it is missing and the disk has room. Without it everything goes on."""
        if self._path.exists():
            return
        with suppress(OSError):
            free = os.statvfs(self._path.parent)
            if free.f_bavail * free.f_frsize < SPARE * SIZE:
                return
            file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, OWNER_ONLY)
            try:
                os.posix_fallocate(file, 0, SIZE)
            finally:
                os.close(file)
            belongs_to(self._path, self._path.parent)

    def give(self) -> bool:
        """Free it. False where there was none."""
        try:
            self._path.unlink()
        except OSError:
            return False
        return True
