"""Pictures and clips: files beside the journal, in a folder for each match. They are not part of the journal: no backup
contains them, and deleting one frees its space at once."""

import errno
import json
import os
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from controller.errors import DiskFull, JournalError
from controller.journal.files import copy_owner, fresh_file, own_folder
from controller.messages import say

NAME = re.compile(r"([0-9]{1,9})-([0-9]{1,15})-[0-9a-z_-]{1,60}\.(?:jpg|clip)")
"""A file's name: its match, its event or the one before, and what distinguishes it from files of other journals."""
MAX_BYTES = 20_000_000  # of one file: the largest picture of a board's camera with room to spare
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class MediaFolder:
    """Files of one kind. Thread-safe. `room`: bytes that must be free on the disk to keep more of them."""

    def __init__(self, folder: Path, room: int) -> None:
        self._folder = folder
        self.room = room

    def has_room(self) -> bool:
        return shutil.disk_usage(self._folder.parent).free > self.room

    def write(self, name: str, data: bytes) -> None:
        """Write a file. Raises `JournalError` if the disk does not take it, and then leaves nothing."""
        path = self._path(name)
        part = path.with_suffix(".part")
        try:
            own_folder(own_folder(self._folder) / path.parent.name)
            try:
                fresh_file(part).write_bytes(data)
                copy_owner(part, self._folder)
                part.replace(path)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
        except OSError as error:
            kind = DiskFull if error.errno in FULL else JournalError
            raise kind(say("{file} can't be written: {why}.", file=str(path), why=error.strerror or "")) from error

    def read(self, name: str) -> bytes | None:
        """A whole file; None if it is missing."""
        if not NAME.fullmatch(name):
            return None
        try:
            with self._path(name).open("rb") as file:
                return file.read(MAX_BYTES)
        except OSError:
            return None

    def of(self, match: int) -> set[str]:
        """The names of a match's files."""
        try:
            return {name for name in os.listdir(self._folder / str(match)) if NAME.fullmatch(name)}
        except OSError:  # missing or unreadable: then there is nothing to show
            return set()

    def all(self) -> list[tuple[int, int, str]]:
        """The (event, match, name) of every file, by events."""
        matches = [int(name) for name in _listed(self._folder) if name.isdecimal()]
        return sorted((_event(name), match, name) for match in matches for name in self.of(match))

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

    def _path(self, name: str) -> Path:
        return self._folder / name.partition("-")[0] / name


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
    ends = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    return about, [rest[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def _listed(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _event(name: str) -> int:
    return int(name.split("-")[1])


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # just removed
        return 0
