"""Stores pictures of shots and of questions, the latter with the frames from which they were cut."""

import json
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.journal.store import Store

ROOM = 50_000_000
"""Bytes that must be free to keep pictures: the rest is reserved for events, enough for some hundred matches (40 to
150 kB each, measured on simulated ones)."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of a shot or a question; for a question also its frame, to be read again."""

    cut: bytes  # JPEG, with lines and outlines drawn in
    frame: bytes | None = None  # JPEG, as read
    calibration: dict[str, Any] | None = None  # JSON, as used for the reading


class Pictures:
    """Pictures by name."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def has_room(self) -> bool:
        """Whether the disk has room for pictures besides the reserve for events."""
        return shutil.disk_usage(self._store.path.parent).free > ROOM

    def add(self, writer: sqlite3.Connection, match: int, pictures: Mapping[str, Picture]) -> None:
        """Add pictures in the writer's transaction; an existing name is not overwritten."""
        writer.executemany(
            "INSERT INTO pictures VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
            [(name, match, p.cut, p.frame, _json(p.calibration)) for name, p in pictures.items()],
        )

    def of(self, match: int) -> set[str]:
        return {name for (name,) in self._store.read("SELECT name FROM pictures WHERE match = ?", (match,))}

    def stale(self, old: int, most: int) -> list[str]:
        """The names of pictures to remove, the oldest first. The newest match keeps its pictures.

        They are those of matches whose last event is at most number `old`, and then of the oldest matches until the
        journal needs at most `most` bytes."""
        ends = self._store.read("SELECT match, max(id) FROM events WHERE match > 0 GROUP BY match ORDER BY match")
        beyond = self._bytes_used() - most
        stale: list[str] = []
        for match, last in ends[:-1]:
            if last <= old or beyond > 0:
                names = self.of(match)
                stale += sorted(names)
                beyond -= self._bytes_of(match) if names else 0
        return stale

    def _bytes_used(self) -> int:
        """The bytes in use in the journal's file; the rest will be reused."""
        rows = self._store.read(
            "SELECT (page_count - freelist_count) * page_size "
            "FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
        )
        return int(rows[0][0])

    def _bytes_of(self, match: int) -> int:
        size = "SELECT ifnull(sum(length(jpeg) + ifnull(length(frame), 0)), 0) FROM pictures WHERE match = ?"
        return int(self._store.read(size, (match,))[0][0])

    def forget(self, names: Sequence[str]) -> None:
        """Remove these pictures. Their space in the file is reused."""
        marks = ", ".join("?" * len(names))
        with self._store.transaction() as writer:
            writer.execute(f"DELETE FROM pictures WHERE name IN ({marks})", names)

    def cut(self, name: str) -> bytes | None:
        """A picture as shown to people, JPEG; None if there is none."""
        rows = self._store.read("SELECT jpeg FROM pictures WHERE name = ?", (name,))
        return bytes(rows[0][0]) if rows else None

    def evidence(self, name: str) -> Picture | None:
        rows = self._store.read("SELECT jpeg, frame, calibration FROM pictures WHERE name = ?", (name,))
        if not rows or rows[0][1] is None:
            return None
        cut, frame, calibration = rows[0]
        return Picture(bytes(cut), bytes(frame), json.loads(calibration))


def _json(document: dict[str, Any] | None) -> str | None:
    return None if document is None else json.dumps(document)
