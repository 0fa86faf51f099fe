"""Clips: the small pictures of a shot, one file for each beside the journal.

They are no part of the journal: no backup holds them, and what is deleted makes room on the disk at once. A file's name
says to which events of which match it belongs, and when the first of them was written, so that the clips of one journal
are never taken for those of another.
"""

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
from controller.journal.access_rights import OWNER_ONLY, belongs_to

ROOM = 250_000_000
"""Bytes that must be free for clips to be kept: 200 MB more than pictures need, so that clips are the first to go."""

NAME = re.compile(r"([0-9]{1,9})-([0-9]{1,15})-([0-9]{1,15})-([0-9]{1,16})\.clip")
"""A clip's name: match, first event, last event, and when the first was written, ms since 1970."""

MOST_BYTES = 5_000_000  # of one clip: ten times what four seconds of pictures need


@dataclass(frozen=True, slots=True)
class Clip:
    """Pictures in order of time, for a browser to play: `t` seconds from the first, each picture JPEG.

    As a file: one line of JSON that says what follows, and then the pictures, one after the other.
    """

    width: int  # pixels
    height: int
    t: tuple[float, ...]
    jpegs: tuple[bytes, ...]

    def to_bytes(self) -> bytes:
        """The file."""
        lengths = [len(jpeg) for jpeg in self.jpegs]
        about = {"schema": "clip/1", "width": self.width, "height": self.height, "t": self.t, "bytes": lengths}
        return json.dumps(about, separators=(",", ":")).encode() + b"\n" + b"".join(self.jpegs)


@dataclass(frozen=True, slots=True)
class _Named:
    """What a clip's name says."""

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
    """The folder of clips. May be used on any thread. Raises `JournalError` where the disk refuses."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def welcome(self) -> bool:
        """Whether the disk has room for clips."""
        return shutil.disk_usage(self._folder.parent).free > ROOM

    def keep(self, match: int, first: int, last: int, at: float, clip: Clip) -> str:
        """Keep what led to the events from `first` to `last`; `at`: when the first was written. Gives the name."""
        name = f"{match}-{first}-{last}-{_ms(at)}.clip"
        path = self._folder / name
        part = path.with_suffix(".part")
        try:
            if not self._folder.exists():
                self._folder.mkdir(mode=0o700)
                belongs_to(self._folder, self._folder.parent)
            try:
                with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY), "wb") as file:
                    file.write(clip.to_bytes())
                belongs_to(part, self._folder)
                part.replace(path)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise JournalError(f"The clip {path} can't be written: {error.strerror}.") from error
        return name

    def of(self, match: int, written: Mapping[int, float]) -> dict[int, str]:
        """The clips of a match by the events that they belong to; `written`: its events, and when each was written."""
        found: dict[int, str] = {}
        for one in self._all():
            if one.match == match and one.first in written and _ms(written[one.first]) == one.at:
                found |= dict.fromkeys(range(one.first, one.last + 1), one.name)
        return found

    def count(self, match: int) -> int:
        """How many clips there are of a match."""
        return sum(one.match == match for one in self._all())

    def read(self, name: str) -> bytes | None:
        """A clip as a file, or None. What a power cut left of one is none."""
        if not NAME.fullmatch(name):
            return None
        try:
            with (self._folder / name).open("rb") as file:
                data = file.read(MOST_BYTES)
        except OSError:
            return None
        return data if _whole(data) else None

    def prune(self, now: float, keep: float, most: int) -> int:
        """Remove what was written more than `keep` seconds before `now` (seconds since 1970), then the oldest until
        the others need at most `most` bytes and leave `ROOM`. Gives how many went.
        """
        going = 0
        sizes = {one: self._size(one) for one in sorted(self._all(), key=lambda one: one.at)}
        total = sum(sizes.values())
        for one, size in sizes.items():
            if one.at >= 1000 * (now - keep) and total <= most and self.welcome():
                break
            try:
                (self._folder / one.name).unlink(missing_ok=True)
            except OSError as error:
                raise JournalError(f"The clip {self._folder / one.name} can't be removed: {error.strerror}.") from error
            total -= size
            going += 1
        return going

    def _size(self, one: _Named) -> int:
        try:
            return (self._folder / one.name).stat().st_size
        except OSError:  # removed meanwhile
            return 0

    def _all(self) -> list[_Named]:
        try:
            names = os.listdir(self._folder)
        except OSError:  # there is none, or it can't be read: then there are no clips to show, and nothing else lacks
            return []
        return [named for name in names if (named := _Named.read(name))]


def _ms(at: float) -> int:
    return math.floor(at * 1000)


def _whole(data: bytes) -> bool:
    """Whether all of a clip's pictures are there."""
    line, _, pictures = data.partition(b"\n")
    try:
        return bool(sum(json.loads(line)["bytes"]) == len(pictures) > 0)
    except (ValueError, TypeError, KeyError):
        return False
