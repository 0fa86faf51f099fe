"""Reads and writes picture files, and shrinks full pictures to small grey ones."""

from pathlib import Path

import cv2
import numpy as np

from hardware import MAX_PIXELS
from hardware.devices import Image
from hardware.errors import BadFile
from hardware.files import read_bytes

SMALL_SIDE = (
    320  # pixels of the longer side: a disc is still 9 pixels across, and the gate takes a fraction of a millisecond
)
JPEG_QUALITY = 95
JPEG_END = b"\xff\xd9"
TRAILER = 64  # bytes that may follow the end marker


def small_grey(full: Image) -> Image:
    """Shrink a full picture (H, W, 3) to the small grey one (h, w), by averaging over areas."""
    height, width = full.shape[:2]
    scale = SMALL_SIDE / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(full, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def read_picture(path: Path, place: str = "") -> Image:
    """Read a picture file as (H, W, 3), blue, green, red. The error message begins with `place`, which names the file.
    Raises `BadFile` for a file that is missing, truncated, or not a picture."""
    where = f"{place}: " if place else ""
    if not path.is_file() and path.exists():
        raise BadFile(f"{where}{path} is not a file: name a picture's file.")
    data = read_bytes(path, where)
    if data[:2] == b"\xff\xd8" and JPEG_END not in data[-TRAILER:]:
        raise BadFile(f"{where}{path} is cut off after {len(data)} bytes: copy it again, or take it out.")
    return decode(data, f"{where}{path}")


def decode(data: bytes, name: str) -> Image:
    """Decode a picture as (H, W, 3). Raises `BadFile`, which calls the picture `name`."""
    picture = decoded(data, cv2.IMREAD_COLOR)
    if picture is None:
        raise BadFile(
            f"{name} is not a picture that can be read: use JPEG or PNG, of at most {MAX_PIXELS / 1e6:.0f} million "
            "pixels."
        )
    return picture


def decoded(data: bytes, flags: int) -> Image | None:
    """Decode a picture as OpenCV's `flags` say; None if it can't be decoded."""
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags) if data else None
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def encode(picture: Image, quality: int = JPEG_QUALITY) -> bytes:
    """Encode a picture as JPEG."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
