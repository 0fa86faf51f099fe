"""A backup in a journal's place."""

import os
import sqlite3
from pathlib import Path

from controller.errors import BadInput, JournalError
from controller.journal import check


def restore(backup: Path, target: Path) -> Path | None:
    """Put a backup in a journal's place and return where the journal that was there is kept, if there was one.

    The copy is complete on disk before anything is renamed. Raises `BadInput` when the backup is damaged or the
    journal itself, and `JournalError` when the journal is in use.
    """
    check(backup)
    kept = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and target.samefile(backup):
            raise BadInput(f"{backup} is the journal itself: name a backup of it.")
        fresh = target.with_suffix(".restoring")
        with fresh.open("wb") as copy:
            copy.write(backup.read_bytes())
            copy.flush()
            os.fsync(copy.fileno())
        if target.exists():
            _close_out(target)
            number = next(n for n in range(1, 1_000_000) if not target.with_suffix(f".{n}.sqlite").exists())
            kept = target.with_suffix(f".{number}.sqlite")
            target.rename(kept)
        fresh.rename(target)
    except OSError as error:
        raise JournalError(f"The backup can't be put at {target}: {error}.") from error
    return kept


def _close_out(path: Path) -> None:
    """Fold the write-ahead log into the file, so that the file alone is the journal."""
    connection = sqlite3.connect(path, timeout=0.5)
    try:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        connection.execute("PRAGMA journal_mode = DELETE")
        if busy:
            raise JournalError(f"The journal {path} is in use: stop the table first.")
    except sqlite3.Error as error:
        raise JournalError(f"The journal {path} is in use or damaged: {error}. Stop the table first.") from error
    finally:
        connection.close()
