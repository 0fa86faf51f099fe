"""Clips: the small pictures of a shot, one file per clip beside the journal. They are not part of the journal: no
backup contains them, and deleting one frees its space at once. A file's name has its match, its events, and the time of
the first event, which distinguishes clips of different journals."""

import json
import math
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from controller.errors import JournalError
from controller.journal.files import OWNER_ONLY, copy_owner

ROOM = 250_000_000
"""Bytes that must be free to keep clips: 200 MB more than for pictures, so that clips are the first to go."""
NAME = re.compile(r"([0-9]{1,9})-([0-9]{1,15})-([0-9]{1,15})-([0-9]{1,16})\.clip")
"""A clip's name: match, first event, last event, and the first event's time in ms since 1970."""
MAX_BYTES = 5_000_000  # of one clip: ten times what four seconds of pictures need


@dataclass(frozen=True, slots=True)
class Clip:
    """Pictures in order of time, for a browser to play: `t` seconds from the first, each picture JPEG. As a file: one
    line of JSON that describes the pictures, then the pictures."""

    width: int  # pixels
    height: int
    t: tuple[float, ...]
    jpegs: tuple[bytes, ...]

    def to_bytes(self) -> bytes:
        lengths = [len(jpeg) for jpeg in self.jpegs]
        about = {"schema": "clip/1", "width": self.width, "height": self.height, "t": self.t, "bytes": lengths}
        return json.dumps(about, separators=(",", ":")).encode() + b"\n" + b"".join(self.jpegs)


@dataclass(frozen=True, slots=True)
class _ClipName:
    name: str
    match: int
    first: int
    last: int
    at: int  # ms since 1970

    @classmethod
    def read(cls, name: str) -> Self | None:
        found = NAME.fullmatch(name)
        return cls(name, *map(int, found.groups())) if found else None


class Clips:
    """The folder of clips. Thread-safe. Raises `JournalError` if the disk can't be written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has_room(self) -> bool:
        return shutil.disk_usage(self._folder.parent).free > ROOM

    def keep(self, match: int, first: int, last: int, at: float, clip: Clip) -> str:
        """Store the clip of the events `first` to `last`; `at`: the first one's time. Returns its name."""
        name = f"{match}-{first}-{last}-{_ms(at)}.clip"
        path = self._folder / name
        part = path.with_suffix(".part")
        try:
            if not self._folder.exists():
                self._folder.mkdir(mode=0o700)
                copy_owner(self._folder, self._folder.parent)
            try:
                with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY), "wb") as file:
                    file.write(clip.to_bytes())
                copy_owner(part, self._folder)
                part.replace(path)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise JournalError(f"The clip {path} can't be written: {error.strerror}.") from error
        return name

    def of(self, match: int, written: Mapping[int, float]) -> dict[int, str]:
        """A match's clips by event; `written`: the time of each of its events."""
        found: dict[int, str] = {}
        for one in self._all():
            if one.match == match and one.first in written and _ms(written[one.first]) == one.at:
                found |= dict.fromkeys(range(one.first, one.last + 1), one.name)
        return found

    def count(self, match: int) -> int:
        return sum(one.match == match for one in self._all())

    def read(self, name: str) -> bytes | None:
        """A clip's file; None if it is missing or incomplete after a power cut."""
        if not NAME.fullmatch(name):
            return None
        try:
            with (self._folder / name).open("rb") as file:
                data = file.read(MAX_BYTES)
        except OSError:
            return None
        return data if _is_complete(data) else None

    def prune(self, old: int, most: int) -> int:
        """Remove the clips of events up to number `old`, then those of the earliest events until the others take at
        most `most` bytes and leave `ROOM` free. Returns the number removed."""
        removed = 0
        sizes = {one: self._size(one) for one in sorted(self._all(), key=lambda one: one.first)}
        total = sum(sizes.values())
        for one, size in sizes.items():
            if one.first > old and total <= most and self.has_room():
                break
            try:
                (self._folder / one.name).unlink(missing_ok=True)
            except OSError as error:
                raise JournalError(f"The clip {self._folder / one.name} can't be removed: {error.strerror}.") from error
            total -= size
            removed += 1
        return removed

    def _size(self, one: _ClipName) -> int:
        try:
            return (self._folder / one.name).stat().st_size
        except OSError:  # just removed
            return 0

    def _all(self) -> list[_ClipName]:
        try:
            names = os.listdir(self._folder)
        except OSError:  # missing or unreadable: then there are no clips to show
            return []
        return [named for name in names if (named := _ClipName.read(name))]


def _ms(at: float) -> int:
    return math.floor(at * 1000)


def _is_complete(data: bytes) -> bool:
    line, _, pictures = data.partition(b"\n")
    try:
        return bool(sum(json.loads(line)["bytes"]) == len(pictures) > 0)
    except (ValueError, TypeError, KeyError):
        return False
