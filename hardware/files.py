"""Text files that people name: read whole, and never more than memory can take."""

import errno
import json
from pathlib import Path
from typing import Any

MOST_BYTES = 200_000_000
"""Of a file that is read whole, picture or text: ten times the longest evening's recording. A device has no end."""


def read_text(path: Path) -> str:
    """A file's text. Raises `OSError` where it can't be read or is too long, and `ValueError` where it is no UTF-8."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MOST_BYTES / 1e6:.0f} MB", str(path))
    return data.decode("utf-8")


def read_json(path: Path) -> Any:
    """A file's JSON document. Raises like `read_text`, and `ValueError` for what is no JSON or nested too deep."""
    try:
        return json.loads(read_text(path))
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
