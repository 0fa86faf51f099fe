"""The pictures beside the events: of shots, and of questions with what they were cut from."""

import json
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.journal.store import Store

ROOM = 50_000_000
"""Bytes that must be free for pictures to be kept: what is left then belongs to the events. It holds those of some
hundred matches (40 to 150 kB each, measured on simulated ones)."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What people are shown of a shot or a question; of a question also what it was cut from, to be read again."""

    cut: bytes  # JPEG, lines and outlines drawn in
    frame: bytes | None = None  # JPEG, as it was read
    calibration: dict[str, Any] | None = None  # JSON, as it was read with


class Pictures:
    """Pictures by name."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def welcome(self) -> bool:
        """Whether the disk has room for pictures; what is left of it belongs to the events."""
        return shutil.disk_usage(self._store.path.parent).free > ROOM

    def add(self, writer: sqlite3.Connection, match: int, pictures: Mapping[str, Picture]) -> None:
        """Put pictures beside the events of the writer's transaction; one of a known name stays as it is."""
        writer.executemany(
            "INSERT INTO pictures VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
            [(name, match, p.cut, p.frame, _json(p.calibration)) for name, p in pictures.items()],
        )

    def of(self, match: int) -> set[str]:
        """The names of a match's pictures that are kept."""
        return {name for (name,) in self._store.read("SELECT name FROM pictures WHERE match = ?", (match,))}

    def stale(self, now: float, keep: float, most: int) -> list[str]:
        """The names of the pictures that may go, the oldest first. The newest match keeps its own.

        They are those of matches whose last event is `keep` seconds old, and of the oldest matches besides until the
        journal needs at most `most` bytes. How old an event is, the newest event tells where `now` is later than that:
        so a clock that is set wrong to some day far ahead takes nothing.
        """
        ends = self._store.read(
            "SELECT match, at FROM events JOIN (SELECT max(id) AS id FROM events GROUP BY match) USING (id) "
            "WHERE match > 0 ORDER BY match"
        )
        newest = max((at for _, at in ends), default=now)
        beyond = self._bytes_used() - most
        stale: list[str] = []
        for match, at in ends[:-1]:
            old = at < min(now, newest) - keep
            if old or beyond > 0:
                names = self.of(match)
                stale += sorted(names)
                beyond -= self._bytes_of(match) if names else 0
        return stale

    def _bytes_used(self) -> int:
        """What the journal needs of its file: the rest will be used again."""
        rows = self._store.read(
            "SELECT (page_count - freelist_count) * page_size "
            "FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
        )
        return int(rows[0][0])

    def _bytes_of(self, match: int) -> int:
        """What a match's pictures need."""
        size = "SELECT ifnull(sum(length(jpeg) + ifnull(length(frame), 0)), 0) FROM pictures WHERE match = ?"
        return int(self._store.read(size, (match,))[0][0])

    def forget(self, names: Sequence[str]) -> None:
        """Remove these pictures. Their room in the file is used again."""
        marks = ", ".join("?" * len(names))
        with self._store.transaction() as writer:
            writer.execute(f"DELETE FROM pictures WHERE name IN ({marks})", names)

    def cut(self, name: str) -> bytes | None:
        """A picture as people are shown it, JPEG, or None."""
        rows = self._store.read("SELECT jpeg FROM pictures WHERE name = ?", (name,))
        return bytes(rows[0][0]) if rows else None

    def evidence(self, name: str) -> Picture | None:
        """A question's picture with what it was cut from, or None."""
        rows = self._store.read("SELECT jpeg, frame, calibration FROM pictures WHERE name = ?", (name,))
        if not rows or rows[0][1] is None:
            return None
        cut, frame, calibration = rows[0]
        return Picture(bytes(cut), bytes(frame), json.loads(calibration))


def _json(document: dict[str, Any] | None) -> str | None:
    return None if document is None else json.dumps(document)
