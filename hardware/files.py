"""Reads whole files that users name, up to a size that fits into memory; the id of this boot."""

import errno
import json
from pathlib import Path
from typing import Any

from hardware.errors import BadFile

MAX_BYTES = 200_000_000  # that are read whole: ten times the longest evening's recording. A device file never ends.


def read_bytes(path: Path, place: str = "") -> bytes:
    """Read a file. Raises `BadFile`, whose message begins with `place`, if it can't be read or is too long."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise OSError(errno.EFBIG, f"it has more than {MAX_BYTES / 1e6:.0f} MB")
    except OSError as error:
        raise BadFile(f"{place}{path} can't be read: {error.strerror}.") from error
    return data


def read_text(path: Path) -> str:
    """Read a text file. Raises `BadFile`, also if it is not UTF-8."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} can't be read as text: {error}.") from error


def read_json(path: Path) -> Any:
    """Read a JSON file. Raises `BadFile`, also if it is not JSON or nested too deeply."""
    text = read_text(path)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path} is not valid JSON: {error}.") from error


def boot_id() -> str:
    """Identifies this boot of the machine; empty if the system does not support it."""
    try:
        return read_text(Path("/proc/sys/kernel/random/boot_id")).strip()
    except BadFile:
        return ""
