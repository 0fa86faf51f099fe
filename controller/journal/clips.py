"""Clips: the small pictures of a shot, one file per clip. A file's name has its match, its events, and the time of the
first event, which distinguishes clips of different journals."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from controller.journal.media import MediaFolder, packed, unpacked

ROOM = 250_000_000
"""Bytes that must be free to keep clips: 200 MB more than for pictures, so that clips are the first to go."""
NAME = re.compile(r"[0-9]+-([0-9]{1,15})-([0-9]{1,15})-([0-9]{1,16})\.clip")
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

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ROOM)

    def keep(self, match: int, first: int, last: int, at: float, clip: Clip) -> str:
        """Store the clip of the events `first` to `last`; `at`: the first one's time. Returns its name."""
        name = f"{match}-{first}-{last}-{_ms(at)}.clip"
        self.write(name, clip.to_bytes())
        return name

    def by_event(self, match: int, written: Mapping[int, float]) -> dict[int, str]:
        """A match's clips by event; `written`: the time of each of its events."""
        found: dict[int, str] = {}
        for name in self.of(match):
            if one := NAME.fullmatch(name):
                first, last, at = map(int, one.groups())
                if first in written and _ms(written[first]) == at:
                    found |= dict.fromkeys(range(first, last + 1), name)
        return found

    def read(self, name: str) -> bytes | None:
        """A clip's file; None if it is missing or incomplete after a power cut."""
        data = super().read(name)
        return data if data is not None and unpacked(data) else None

    def prune(self, old: int, most: int) -> int:
        """Remove the clips of events up to number `old`, then those of the earliest events until the others take at
        most `most` bytes and leave `ROOM` free. Returns the number removed."""
        return self.remove(lambda match, event, total: event <= old or total > most or not self.has_room())


def _ms(at: float) -> int:
    return math.floor(at * 1000)
