"""Reads whole text files that users name, up to a size that fits into memory; and the id of this boot."""

import errno
import json
from pathlib import Path
from typing import Any

MAX_BYTES = 200_000_000  # that are read whole: ten times the longest evening's recording. A device file never ends.


def read_text(path: Path) -> str:
    """Read a text file. Raises `OSError` if it can't be read or is too long, `ValueError` if it is not UTF-8."""
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MAX_BYTES / 1e6:.0f} MB", str(path))
    return data.decode("utf-8")


def read_json(path: Path) -> Any:
    """Read a JSON file. Raises as `read_text` does, and `ValueError` if it is not JSON or nested too deeply."""
    try:
        return json.loads(read_text(path))
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def boot_id() -> str:
    """Identifies this boot of the machine; empty if the system does not support it."""
    try:
        return read_text(Path("/proc/sys/kernel/random/boot_id")).strip()
    except OSError:
        return ""
