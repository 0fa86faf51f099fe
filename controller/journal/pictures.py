"""Pictures of shots and of questions, the latter with the frames from which they were cut: one file each, written
before its event. A name has its match, the event before, what it shows, and its time, which distinguishes pictures of
different journals."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.journal.media import MediaFolder, packed, unpacked
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


class Pictures(MediaFolder):
    """Pictures by name."""

    def __init__(self, store: Store, folder: Path) -> None:
        super().__init__(folder, ROOM)
        self._store = store

    def keep(self, pictures: Mapping[str, Picture]) -> None:
        """Write pictures; one that is there already is not overwritten. Raises as `write` does."""
        for name, one in pictures.items():
            if self._read(name) is None:
                self.write(name, packed({"calibration": one.calibration}, [one.cut, *filter(None, [one.frame])]))

    def cut(self, name: str) -> bytes | None:
        """A picture as shown to people, JPEG; None if there is none."""
        found = self._read(name)
        return found.cut if found else None

    def evidence(self, name: str) -> Picture | None:
        """A question's picture with its frame; None if there is none."""
        found = self._read(name)
        return found if found and found.frame is not None else None

    def _read(self, name: str) -> Picture | None:
        found = unpacked(self.read(name) or b"")
        if found is None:
            return None
        about, (cut, *frame) = found
        return Picture(cut, frame[0] if frame else None, about["calibration"])

    def prune(self, old: int, most: int) -> int:
        """Remove the pictures of matches whose last event is at most number `old`, then the earliest until the others
        take at most `most` bytes. The newest match keeps its pictures. Returns the number removed."""
        ends = dict(self._store.read("SELECT match, max(id) FROM events WHERE match > 0 GROUP BY match"))
        newest = max(ends, default=0)
        return self.remove(lambda match, _, total: match != newest and (ends.get(match, 0) <= old or total > most))
