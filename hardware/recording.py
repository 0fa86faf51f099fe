"""Recordings: a folder of numbered pictures, and a `recording.jsonl` that says when each was taken and what else was.

A line is a JSON object with a time `t` in seconds and one of `frame` (a file's name), `hole` ("occupied" or "cleared")
or `command`. A line with none of them is a `Remark`, whose members are passed on unchanged. Times never go back.
Without that file the pictures are half a second apart, and nothing else happened.
"""

import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from hardware.devices import Clock, Frame, Image, Lens, Unchanging
from hardware.errors import BadRecording
from hardware.files import read_text
from hardware.pictures import decode, encode, read_picture, small_grey

LINES = "recording.jsonl"
STILLS_APART = 0.5  # seconds, without a recording.jsonl


@dataclass(frozen=True, slots=True)
class RecordedFrame:
    """A picture of the recording, decoded when somebody looks."""

    t: float
    number: int
    path: Path
    place: str = ""  # file and line that name it

    def picture(self) -> Image:
        """The full picture (H, W, 3). Raises `BadRecording` when the file can't be read."""
        return read_picture(self.path, self.place)

    def frame(self, t: float | None = None) -> Frame:
        """The picture as a camera delivers it, by default at its own time. Raises as `picture` does."""
        picture = self.picture()
        t = self.t if t is None else t
        return Frame(t, self.number, small_grey(picture), lambda: picture, self.path.name)


@dataclass(frozen=True, slots=True)
class RecordedHole:
    """The hole became occupied or was cleared."""

    t: float
    occupied: bool


@dataclass(frozen=True, slots=True)
class RecordedCommand:
    """Somebody sent a command."""

    t: float
    command: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Remark:
    """A line without picture, hole or command: what whoever wrote it wanted to note."""

    t: float
    values: dict[str, Any]


Entry = RecordedFrame | RecordedHole | RecordedCommand | Remark


def read_recording(folder: str | os.PathLike[str]) -> list[Entry]:
    """All entries of a recording in order of time; pictures stay undecoded until they are looked at.

    Raises `BadRecording` naming the file and the line: not a folder, no pictures, a line that is no entry, a time that
    goes back, a picture that is not there.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise BadRecording(f"{folder} is not a folder: name the folder that holds 000000.jpg, 000001.jpg, ..")
    lines = folder / LINES
    if lines.exists():
        return _read_lines(lines)
    pictures = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png"))
    if not pictures:
        raise BadRecording(f"{folder} holds neither {LINES} nor pictures: name the folder that holds 000000.jpg, ..")
    return [RecordedFrame(STILLS_APART * number, number, path) for number, path in enumerate(pictures)]


def _read_lines(path: Path) -> list[Entry]:
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecording(f"{path} can't be read as text: {error}.") from None
    entries: list[Entry] = []
    frames = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        entry = _entry(line, frames, path.parent, place)
        if entries and entry.t < entries[-1].t:
            raise BadRecording(f"{place}: the time {entry.t} is before {entries[-1].t}, of the line before: sort them.")
        entries.append(entry)
        frames += isinstance(entry, RecordedFrame)
    if not entries:
        raise BadRecording(f"{path} is empty: take the file away to play the pictures half a second apart.")
    return entries


def _values(line: str, place: str) -> tuple[float, dict[str, Any]]:
    """The time and the other members of a line. Raises `BadRecording` where it is no object with a time."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRecording(f"{place}: not JSON ({error}): mend the line or take it out.") from None
    t = values.pop("t", None) if isinstance(values, dict) else None
    if isinstance(t, bool) or not isinstance(t, int | float) or not abs(t) <= sys.float_info.max:
        raise BadRecording(f'{place}: a line needs a time in seconds, as in {{"t": 12.34, "frame": "000007.jpg"}}.')
    return float(t), values


def _entry(line: str, number: int, folder: Path, place: str) -> Entry:
    t, values = _values(line, place)
    kinds = [kind for kind in ("frame", "hole", "command") if kind in values]
    if len(kinds) > 1:
        raise BadRecording(f"{place}: one line can't be both {kinds[0]} and {kinds[1]}: make two lines of it.")
    match values:
        case {"frame": str(name)} if name and Path(name).name == name:
            if not (folder / name).is_file():
                raise BadRecording(f"{place}: there is no {folder / name}: put the picture back or take the line out.")
            return RecordedFrame(t, number, folder / name, place)
        case {"frame": name}:
            raise BadRecording(f"{place}: {json.dumps(name)} is not the name of a picture in this folder.")
        case {"hole": "occupied" | "cleared" as level}:
            return RecordedHole(t, level == "occupied")
        case {"hole": level}:
            raise BadRecording(f'{place}: the hole is "occupied" or "cleared", not {json.dumps(level)}.')
        case {"command": dict(command)}:
            return RecordedCommand(t, command)
        case {"command": command}:
            raise BadRecording(f"{place}: a command is a JSON object, not {json.dumps(command)}.")
    return Remark(t, values)


class RecordingWriter:
    """Writes a recording while it happens; each line is on its way to the disk before the method returns.

    Times never go back: a time before the last one is written as the last one. So every method returns the time that it
    wrote; a caller that goes on with that time gets the same from a replay. Raises `BadRecording` when the folder holds
    a recording already.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if any(self._folder.glob("*.jpg")):
                raise FileExistsError
            self._lines = (self._folder / LINES).open("x", encoding="utf-8")
        except FileExistsError:
            raise BadRecording(f"{self._folder} is there already: record into a new folder.") from None
        except OSError as error:
            raise BadRecording(f"{self._folder} can't be written ({error.strerror}): choose another folder.") from None
        self._frames = 0
        self._t = -math.inf

    def frame(self, t: float, picture: Image) -> Frame:
        """Store a full picture, and return the frame as a replay will see it: read that one, not the original."""
        return self.encoded(t, encode(picture))

    def encoded(self, t: float, data: bytes) -> Frame:
        """Store a full picture that is JPEG already, and return the frame as a replay will see it."""
        number = self._frames
        t, name = self.store(t, data)
        stored = decode(data, name)
        return Frame(t, number, small_grey(stored), lambda: stored, name)

    def store(self, t: float, data: bytes) -> tuple[float, str]:
        """Store a full picture that is JPEG already, and return the time that was written and the picture's name."""
        name = f"{self._frames:06}.jpg"
        with (self._folder / name).open("xb") as file:
            file.write(data)
        self._frames += 1
        return self._write(t, {"frame": name}), name

    def hole(self, t: float, occupied: bool) -> float:
        """The hole became occupied or was cleared."""
        return self._write(t, {"hole": "occupied" if occupied else "cleared"})

    def command(self, t: float, command: dict[str, Any]) -> float:
        """Somebody sent a command."""
        return self._write(t, {"command": command})

    def remark(self, t: float, **values: Any) -> float:
        """Anything else that helps whoever reads the recording, as `gate="hand"`."""
        return self._write(t, values)

    def _write(self, t: float, values: dict[str, Any]) -> float:
        self._t = max(self._t, t)
        self._lines.write(json.dumps({"t": self._t, **values}) + "\n")
        self._lines.flush()
        return self._t

    def close(self) -> None:
        """Nothing more is written. Safe to call twice."""
        self._lines.close()

    def __enter__(self) -> "RecordingWriter":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class RecordingCamera(Unchanging):
    """A recording's pictures as if a camera took them now.

    With a clock, the first picture is taken when `frames` is called and the others keep their distances from it;
    without one, pictures come as fast as they are asked for and carry their recorded times.
    """

    def __init__(self, folder: str | os.PathLike[str], clock: Clock | None = None) -> None:
        self._entries = read_recording(folder)
        self._clock = clock
        self._closed = False

    @property
    def lens(self) -> Lens | None:
        """Nothing is known of it."""
        return None

    def frames(self, happened: Callable[[RecordedHole | RecordedCommand], None] | None = None) -> Iterator[Frame]:
        """The pictures in order. Raises `BadRecording` for one that can't be read or has another size.

        `happened` is told, at its time, what the recording holds besides pictures.
        """
        start = self._clock.now() - self._entries[0].t if self._clock and self._entries else 0.0
        size: tuple[int, ...] | None = None
        for recorded in self._entries:
            if self._clock:
                self._clock.sleep_until(start + recorded.t)
            if self._closed:
                return
            if not isinstance(recorded, RecordedFrame):
                if happened is not None and not isinstance(recorded, Remark):
                    happened(replace(recorded, t=start + recorded.t))
                continue
            frame = recorded.frame(start + recorded.t)
            shape = frame.full().shape
            size = size or shape
            if shape != size:
                (h, w), (rows, columns) = shape[:2], size[:2]
                raise BadRecording(f"{recorded.path} is {w}x{h}, the pictures before it {columns}x{rows}.")
            yield frame

    def close(self) -> None:
        """No more pictures."""
        self._closed = True
