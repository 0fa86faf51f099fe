"""Disk space reserved beside a journal, so that the table can start on a full disk.

SQLite can't open a journal without a few pages for its log and the log's index. If there is no room for them, releasing
the reserve makes it: the table starts, reports that the disk is full, and writes as long as the space lasts.
"""

import os
from contextlib import suppress
from pathlib import Path

from controller.journal.access_rights import OWNER_ONLY, copy_owner

SIZE = 256_000
"""Bytes: opening a journal takes 37 kB, a shot some 20 kB; both come back when SQLite folds its log into the file."""

SPARE = 100
"""The reserve is made only if this many times its size are free: it must not fill the disk itself."""


class Reserve:
    """The reserve of one journal: a file that is never read."""

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_name(f"{journal.name}.reserve")

    def make(self) -> None:
        """Create it if it is missing and the disk has room. Errors are ignored."""
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
            copy_owner(self._path, self._path.parent)

    def release(self) -> bool:
        """Release it. Returns False if there was none."""
        try:
            self._path.unlink()
        except OSError:
            return False
        return True
