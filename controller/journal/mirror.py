"""The mirror: the journal's events in plain text beside it, one JSON object a line with a checksum. Events are appended
after each commit, without waiting for the disk; what an append could not write is made up later from the journal. Each
file begins with the journal's id and is named by its first event."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from controller.journal.files import open_own, own_folder
from controller.journal.store import Stored

NONE: Stored = (0, 0, 0.0, "", "")  # stands before the first event
FILE = 16_000_000  # bytes from which a new file begins
LONGEST_ID = 200  # bytes of a file's first line
CHECK = b',"check":"'
BODY = b',"body":'


def line(event: Stored) -> bytes:
    """An event's line in the mirror."""
    number, match, at, kind, body = event
    start = json.dumps({"event": number, "match": match, "at": at, "kind": kind}, separators=(",", ":"))
    return _checked(f"{start[:-1]}{BODY.decode()}{body}")


def _checked(text: str) -> bytes:
    data = text.encode(errors="replace")
    return b'%s%s%08x"}\n' % (data, CHECK, crc32(data))


def _text(data: bytes) -> bytes:
    """A line without its checksum; empty if it is not whole."""
    text, _, check = data.rpartition(CHECK)
    return text if check == b'%08x"}\n' % crc32(text) else b""


def _event(data: bytes) -> Stored | None:
    """The event of a line; None if it holds none, or is not whole."""
    start, found, body = _text(data).partition(BODY)
    if not found:
        return None
    return (*json.loads(start + b"}").values(), body.decode())


@dataclass
class Mirror:
    """The files of one journal. Not thread-safe."""

    folder: Path

    def files(self) -> list[Path]:
        """The files, in the order of their events."""
        return sorted(path for path in self.folder.glob("*.jsonl") if path.stem.isdecimal())

    @property
    def id(self) -> str | None:
        """The journal's id as the newest file gives it that can be read; None if none can."""
        for path in reversed(self.files()):
            with suppress(OSError, ValueError, KeyError), path.open("rb") as file:
                return str(json.loads(_text(file.readline(LONGEST_ID)) + b"}")["journal"])
        return None

    def events(self, after: int = 0) -> Iterator[Stored]:
        """The readable events after this number, in order."""
        files = self.files()
        begin = max((n for n, path in enumerate(files) if int(path.stem) <= after + 1), default=0)
        for path in files[begin:]:
            for event in map(_event, _lines(path)):
                if event is not None and event[0] > after:
                    after = event[0]
                    yield event

    def end(self) -> tuple[Stored, bool]:
        """The last readable event, or `NONE`, and whether something that can't be read follows it."""
        torn = False
        for path in reversed(self.files()):
            for data in reversed([*_lines(path)]):
                if event := _event(data):
                    return event, torn
                torn |= not data.startswith(b'{"journal":')
        return NONE, torn

    def append(self, journal: str, events: Sequence[Stored]) -> None:
        """Write events after those that are there, to the newest file or another one. Raises `OSError`; some may have
        been written then."""
        *_, path = [None, *self.files()]
        if path is None or path.stat().st_size > FILE:
            path = own_folder(self.folder) / f"{events[0][0]:012}.jsonl"
        with os.fdopen(open_own(path, os.O_APPEND), "a+b") as file:
            file.seek(max(0, file.tell() - 1))
            if (last := file.read()) != b"\n":  # a new file, or a line that a power cut has torn
                file.write(b"\n" if last else _checked(f'{{"journal":"{journal}"'))
            file.writelines(map(line, events))


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, as far as the disk gives them."""
    with suppress(OSError), path.open("rb") as file:
        yield from file
