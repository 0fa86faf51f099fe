"""Checks whether written data persists: with raspi-config's overlay file system, it is gone at the next start."""

import re
from pathlib import Path
from typing import NamedTuple

from controller.messages import Message, say

MOUNTS = Path("/proc/self/mounts")
IN_MEMORY = ("tmpfs", "ramfs")

FORGOTTEN: Message = say(
    "Matches played now are lost when this computer restarts, because its overlay file system keeps "
    "all files in memory. Switch it off (sudo raspi-config nonint do_overlayfs 1), then restart."
)


class _Mount(NamedTuple):
    point: Path
    kind: str
    options: str


def is_volatile(folder: Path, mounts: Path = MOUNTS) -> bool:
    """Whether the folder is in an overlay whose upper layer, which receives the writes, is not known to be on a disk.

    `mounts`: the table described in fstab(5) and proc(5); without one, no overlay is assumed. The upper layer is often
    mounted before the root and then not listed.
    """
    try:
        table = [_mount(line) for line in mounts.read_text("utf-8", "surrogateescape").splitlines()]
    except OSError:
        return False
    mount = _mount_of(folder.resolve(), table)
    if mount is None or mount.kind != "overlay":
        return False
    upper = re.search(r"(?:^|,)upperdir=([^,]*)", mount.options)
    below = _mount_of(Path(upper[1]), table) if upper else None
    return below is None or below.kind in ("overlay", *IN_MEMORY)


def _mount(line: str) -> _Mount:
    _, point, kind, options, *_ = (re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), f) for f in line.split(" "))
    return _Mount(Path(point), kind, options)


def _mount_of(path: Path, table: list[_Mount]) -> _Mount | None:
    """The deepest mount above the path; of several at one place the last, which covers the others."""
    holding = [mount for mount in table if path.is_relative_to(mount.point)]
    return max(reversed(holding), key=lambda mount: len(mount.point.parts), default=None)
