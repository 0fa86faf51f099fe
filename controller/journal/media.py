"""Pictures of shots and questions, and clips of shots: files beside the journal, in a folder for each match. They are
not part of the journal: no backup contains them, and deleting one frees its space at once.

A clip is the small pictures of a shot; its name has its match, its events, and the time of the first event. A picture
is written before its event, a question's with the frame from which it was cut; its name has its match, the event
before, what it shows, and its time. The times distinguish the files of different journals."""

import io
import json
import math
import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from controller.errors import JournalError
from controller.journal.files import fresh_file, own_folder
from controller.journal.store import Store
from controller.match.base import Stamped
from controller.messages import say

NAME = re.compile(r"([0-9]{1,9})-([0-9]{1,15})-[0-9a-z_-]{1,60}\.(?:jpg|clip)")
"""A file's name: its match, its event or the one before, and what distinguishes it from files of other journals."""


@dataclass
class MediaFolder:
    """Files of one kind. Thread-safe. `room`: bytes that must be free on the disk to keep more of them."""

    room: ClassVar[int]
    folder: Path

    def has_room(self) -> bool:
        return shutil.disk_usage(self.folder.resolve().parent).free > self.room

    def write(self, name: str, data: bytes) -> None:
        """Write a file. Raises `JournalError` if the disk does not take it, and then leaves nothing."""
        path = self._path(name)
        part = path.with_suffix(".part")
        try:
            own_folder(own_folder(self.folder) / path.parent.name)
            try:
                fresh_file(part).write_bytes(data)
                part.replace(path)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise JournalError(
                say("{file} can't be written: {why}.", file=str(path), why=error.strerror or "")
            ) from error

    def read(self, name: str) -> bytes | None:
        """A whole file; None if it is missing, or incomplete after a power cut."""
        data = self._bytes(name)
        return data if unpacked(data) else None

    def _bytes(self, name: str) -> bytes:
        """What is there of a file; empty if it is missing."""
        with suppress(OSError):
            return self._path(name).read_bytes() if NAME.fullmatch(name) else b""
        return b""

    def of(self, match: int) -> set[str]:
        """The names of a match's files."""
        return {name for name in self._listed(str(match)) if NAME.fullmatch(name)}

    def all(self) -> list[tuple[int, int, str]]:
        """The (event, match, name) of every file, by events."""
        names = (NAME.fullmatch(name) for match in self._listed() for name in self._listed(match))
        return sorted((int(name[2]), int(name[1]), name[0]) for name in names if name)

    def remove(self, gone: Callable[[int, int, int], bool]) -> int:
        """Remove files, the earliest first, and return how many. `gone`: whether one has to go, given its match, its
        event and the bytes that it and all later ones take. Raises `JournalError`."""
        found = [(match, event, self._path(name)) for event, match, name in self.all()]
        sizes = [_size(path) for _, _, path in found]
        total, removed = sum(sizes), 0
        for (match, event, path), size in zip(found, sizes, strict=True):
            if gone(match, event, total):
                try:
                    path.unlink(missing_ok=True)
                except OSError as error:
                    raise JournalError(f"{path} can't be removed: {error.strerror}.") from error
                with suppress(OSError):  # others are in it
                    path.parent.rmdir()
                total, removed = total - size, removed + 1
        return removed

    def _listed(self, match: str = "") -> list[str]:
        try:
            return os.listdir(self.folder / match)
        except OSError:  # missing or unreadable: then there is nothing to show
            return []

    def _path(self, name: str) -> Path:
        return self.folder / name.partition("-")[0] / name


def packed(about: dict[str, Any], parts: Sequence[bytes]) -> bytes:
    """A file of several parts: one line of JSON that describes them, then the parts."""
    head = {**about, "bytes": [len(part) for part in parts]}
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + b"".join(parts)


def unpacked(data: bytes) -> tuple[dict[str, Any], list[bytes]] | None:
    """The description and the parts; None if the file is incomplete, as after a power cut."""
    line, _, rest = data.partition(b"\n")
    try:
        about = json.loads(line)
        lengths = about["bytes"]
        if sum(lengths) != len(rest) or not rest:
            return None
    except (ValueError, TypeError, KeyError):
        return None
    parts = io.BytesIO(rest)
    return about, [parts.read(length) for length in lengths]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # just removed
        return 0


ROOM_FOR_CLIPS = 250_000_000
"""Bytes that must be free to keep clips: 200 MB more than for pictures, so that clips are the first to go."""
CLIP_NAME = re.compile(r"[0-9]+-([0-9]{1,15})-([0-9]{1,15})-([0-9]{1,16})\.clip")
"""A clip's name: match, first event, last event, and the first event's time in ms since 1970."""


@dataclass(frozen=True, slots=True)
class Clip:
    """Pictures in order of time, for a browser to play: `t` seconds from the first, each picture JPEG."""

    width: int  # pixels
    height: int
    t: tuple[float, ...]
    jpegs: tuple[bytes, ...]

    def to_bytes(self) -> bytes:
        return packed({"schema": "clip/1", "width": self.width, "height": self.height, "t": self.t}, self.jpegs)


class Clips(MediaFolder):
    """The folder of clips."""

    room = ROOM_FOR_CLIPS

    def keep(self, match: int, first: int, last: int, at: float, clip: Clip) -> str:
        """Store the clip of the events `first` to `last`; `at`: the first one's time. Returns its name."""
        name = f"{match}-{first}-{last}-{_ms(at)}.clip"
        self.write(name, clip.to_bytes())
        return name

    def by_event(self, match: int, history: Iterable[Stamped]) -> dict[int, str]:
        """The names of a match's clips by event; `history`: its events."""
        found: dict[int, str] = {}
        written = {one.id: one.at for one in history}
        for name in self.of(match):
            if one := CLIP_NAME.fullmatch(name):
                first, last, at = map(int, one.groups())
                if first in written and _ms(written[first]) == at:
                    found |= dict.fromkeys(range(first, last + 1), name)
        return found

    def prune(self, old: int, most: int) -> int:
        """Remove the clips of events up to number `old`, then those of the earliest events until the others take at
        most `most` bytes and leave `ROOM_FOR_CLIPS` free. Returns the number removed."""
        return self.remove(lambda match, event, total: event <= old or total > most or not self.has_room())


def _ms(at: float) -> int:
    return math.floor(at * 1000)


ROOM_FOR_PICTURES = 50_000_000
"""Bytes that must be free to keep pictures: the rest is reserved for events, enough for some hundred matches (40 to
150 kB each, measured on simulated ones)."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of a shot or a question; for a question also its frame, to be read again."""

    cut: bytes  # JPEG, with lines and outlines drawn in
    frame: bytes | None = None  # JPEG, as read
    calibration: dict[str, Any] | None = None  # JSON, as used for the reading


@dataclass
class Pictures(MediaFolder):
    """Pictures by name."""

    room = ROOM_FOR_PICTURES
    store: Store

    def keep(self, pictures: Mapping[str, Picture]) -> None:
        """Write pictures; one that is there already is not overwritten. Raises as `write` does."""
        for name, one in pictures.items():
            if self.evidence(name) is None:
                self.write(name, packed({"calibration": one.calibration}, [one.cut, *filter(None, [one.frame])]))

    def cut(self, name: str) -> bytes | None:
        """A picture as shown to people, JPEG; None if there is none."""
        found = self.evidence(name)
        return found.cut if found else None

    def evidence(self, name: str) -> Picture | None:
        """A picture with all that was kept; None if there is none."""
        found = unpacked(self._bytes(name))
        if found is None:
            return None
        about, (cut, *frame) = found
        return Picture(cut, frame[0] if frame else None, about["calibration"])

    def prune(self, old: int, most: int) -> int:
        """Remove the pictures of matches whose last event is at most number `old`, then the earliest until the others
        take at most `most` bytes. The newest match keeps its pictures. Returns the number removed."""
        ends = dict(self.store.read("SELECT match, max(id) FROM events WHERE match > 0 GROUP BY match"))
        newest = max(ends, default=0)
        return self.remove(lambda match, _, total: match != newest and (ends.get(match, 0) <= old or total > most))
