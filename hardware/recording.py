"""Recordings: a folder of numbered pictures with a `recording.jsonl` of their times and of other events.

A line is a JSON object with a time `t` in seconds and one of `frame` (a file name), `hole` ("occupied" or "cleared") or
`command`. A line with none of them is a `Remark`, whose members are passed on unchanged. `t` never goes back: an entry
that was measured before the line above it has its own time in `measured`.
Without that file, the pictures are half a second apart, and there are no other events."""

import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hardware.devices import Camera, Clock, Frame, HoleEvent, Image
from hardware.errors import BadFile
from hardware.files import read_text
from hardware.pictures import read_picture, small_grey

LINES = "recording.jsonl"
STILLS_APART = 0.5  # seconds, without a recording.jsonl


@dataclass(frozen=True, slots=True)
class RecordedFrame:
    """A picture of the recording, decoded on demand."""

    t: float
    number: int
    path: Path
    place: str = ""  # file and line that list it

    def picture(self) -> Image:
        """The full picture (H, W, 3). Raises `BadFile` when the file can't be read."""
        return read_picture(self.path, self.place)

    def frame(self) -> Frame:
        """The picture as a camera's frame. Raises as `picture` does."""
        picture = self.picture()
        return Frame(self.t, self.number, small_grey(picture), lambda: picture, self.path.name)


@dataclass(frozen=True, slots=True)
class RecordedCommand:
    """Somebody sent a command."""

    t: float
    command: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Remark:
    """A line without picture, hole or command: a note of the program that recorded it."""

    t: float
    values: dict[str, Any]


Entry = RecordedFrame | HoleEvent | RecordedCommand | Remark


def read_recording(folder: Path) -> list[Entry]:
    """All entries of a recording in order of time; pictures are decoded on demand. Raises `BadFile`, which names
    the file and the line: not a folder, no pictures, an invalid line, a time that goes back, a missing picture."""
    if not folder.is_dir():
        raise BadFile(f"{folder} is not a folder: name the folder that holds 000000.jpg, 000001.jpg, ..")
    lines = folder / LINES
    if lines.exists():
        return _read_lines(lines)
    pictures = pictures_in(folder)
    if not pictures:
        raise BadFile(f"{folder} holds neither {LINES} nor pictures: name the folder that holds 000000.jpg, ..")
    return [RecordedFrame(STILLS_APART * number, number, path) for number, path in enumerate(pictures)]


def pictures_in(folder: Path) -> list[Path]:
    """The pictures in a folder, by their names."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png"))


def _read_lines(path: Path) -> list[Entry]:
    entries: list[Entry] = []
    frames, last = 0, -math.inf
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        t, values = _values(line, place)
        if t < last:
            raise BadFile(f"{place}: the time {t} is before {last}, of the line before: sort them.")
        last = t
        entry = _entry(_time(values, "measured", place) if "measured" in values else t, values, frames, path, place)
        entries.append(entry)
        frames += isinstance(entry, RecordedFrame)
    if not entries:
        raise BadFile(f"{path} is empty: take the file away to play the pictures half a second apart.")
    return entries


def _values(line: str, place: str) -> tuple[float, dict[str, Any]]:
    """The time and the other members of a line. Raises `BadFile` unless it is an object with a time."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{place}: not JSON ({error}): mend the line or take it out.") from None
    if not isinstance(values, dict):
        values = {}
    return _time(values, "t", place), values


def _time(values: dict[str, Any], member: str, place: str) -> float:
    """Remove a time from a line's members and return it. Raises `BadFile`."""
    t = values.pop(member, None)
    if isinstance(t, bool) or not isinstance(t, int | float) or not abs(t) <= sys.float_info.max:
        raise BadFile(f'{place}: a line needs a time in seconds, as in {{"{member}": 12.34, "frame": "000007.jpg"}}.')
    return float(t)


def _entry(t: float, values: dict[str, Any], number: int, lines: Path, place: str) -> Entry:
    folder = lines.parent
    kinds = [kind for kind in ("frame", "hole", "command") if kind in values]
    if len(kinds) > 1:
        raise BadFile(f"{place}: one line can't be both {kinds[0]} and {kinds[1]}: make two lines of it.")
    match values:
        case {"frame": str(name)} if name and Path(name).name == name:
            if not (folder / name).is_file():
                raise BadFile(f"{place}: there is no {folder / name}: put the picture back or take the line out.")
            return RecordedFrame(t, number, folder / name, place)
        case {"frame": name}:
            raise BadFile(f"{place}: {json.dumps(name)} is not the name of a picture in this folder.")
        case {"hole": "occupied" | "cleared" as level}:
            return HoleEvent(t, level == "occupied")
        case {"hole": level}:
            raise BadFile(f'{place}: the hole is "occupied" or "cleared", not {json.dumps(level)}.')
        case {"command": dict(command)}:
            return RecordedCommand(t, command)
        case {"command": command}:
            raise BadFile(f"{place}: a command is a JSON object, not {json.dumps(command)}.")
    return Remark(t, values)


class RecordingWriter:
    """Writes a recording as it happens; each line is flushed before the method returns. A time before the last one is
    stored as `measured`, so that a replay gets the caller's times. Raises `BadFile` if the folder already holds a
    recording."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if any(self._folder.glob("*.jpg")):
                raise FileExistsError
            self._lines = (self._folder / LINES).open("x", encoding="utf-8")
        except FileExistsError:
            raise BadFile(f"{self._folder} is there already: record into a new folder.") from None
        except OSError as error:
            raise BadFile(f"{self._folder} can't be written ({error.strerror}): choose another folder.") from None
        self._frames = 0
        self._t = -math.inf

    def encoded(self, t: float, data: bytes) -> str:
        """Store a JPEG of a full picture and return its file name."""
        name = f"{self._frames:06}.jpg"
        with (self._folder / name).open("xb") as file:
            file.write(data)
        self._frames += 1
        self.write(t, frame=name)
        return name

    def write(self, t: float, **values: Any) -> None:
        """Write a line with these members: `hole`, `command`, or those of a `Remark`, such as `gate="hand"`."""
        times = {"t": t} if t >= self._t else {"t": self._t, "measured": t}
        self._t = times["t"]
        self._lines.write(json.dumps({**times, **values}) + "\n")
        self._lines.flush()

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        self._lines.close()


class RecordingCamera(Camera):
    """A recording, played back like a live camera, in real time from the call of `frames`."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._entries = read_recording(folder)
        self._clock = clock

    def frames(self, happened: Callable[[HoleEvent | RecordedCommand], None] | None = None) -> Iterator[Frame]:
        """The pictures in order. Raises `BadFile` for one that can't be read or has another size. `happened` is
        called with each hole event and command when its time has come."""
        start = self._clock.now() - self._entries[0].t
        size: tuple[int, ...] | None = None
        for entry in self._entries:
            now = replace(entry, t=start + entry.t)
            self._clock.sleep_until(now.t)
            if self._closed:
                return
            if isinstance(now, RecordedFrame):
                frame = now.frame()
                shape = frame.full().shape
                size = size or shape
                if shape != size:
                    (h, w), (rows, columns) = shape[:2], size[:2]
                    raise BadFile(f"{now.path} is {w}x{h}, the pictures before it {columns}x{rows}.")
                yield frame
            elif happened is not None and not isinstance(now, Remark):
                happened(now)
