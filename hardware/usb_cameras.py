"""USB cameras by what they are: Linux gives a camera that comes back the next free number. Read from sysfs, and from
the links that udev makes in /dev/v4l. Other systems have numbers alone."""

import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hardware.devices import Memory
from hardware.errors import DeviceNotFound
from hardware.files import boot_id

LIST = "sys/class/video4linux"
LINKS = ("dev/v4l/by-id", "dev/v4l/by-path")
NODE = re.compile("video([0-9]+)")
KNOWN = "usb_camera"  # what is kept of the camera in a `Memory`


class UsbCameraId(NamedTuple):
    """A plugged-in camera: what it is, and where."""

    kind: str  # vendor, product and serial number: the same for two cameras of a kind without such numbers
    card: str  # the name that it gives itself
    number: int  # of /dev/video0, ..


def plugged_in(root: Path = Path("/")) -> list[UsbCameraId]:
    """The USB cameras of this machine, in order of their numbers. `root` is the folder that has dev and sys."""
    found = []
    for node in (root / LIST).glob("video*"):
        device = (node / "device").resolve().parent  # of the interface
        # a camera has several nodes, of which the first gives pictures
        if _text(node / "index") == "0" and (device / "idVendor").exists():
            ids = [_text(device / name) for name in ("idVendor", "idProduct", "serial")]
            found.append(UsbCameraId(":".join(ids), _text(node / "name"), int(node.name.removeprefix("video"))))
    return sorted(found, key=lambda camera: camera.number)


def lasting_name(camera: UsbCameraId, root: Path = Path("/")) -> str | None:
    """The path that stays this camera's whatever its number: by its serial number, or by its port where another camera
    would have the same path. None if udev made none."""
    twins = [other for other in plugged_in(root) if other.kind == camera.kind]
    for folder in LINKS[len(twins) > 1 :]:
        for link in sorted((root / folder).glob("*")):
            if _node(link) == camera.number:
                return f"/{folder}/{link.name}"
    return None


def recommended(where: str, root: Path = Path("/")) -> str | None:
    """The lasting name of the camera that `where` is now, if `where` is a number or /dev/video0."""
    if where.startswith(tuple(f"/{folder}/" for folder in LINKS)):
        return None
    number = _named_node(where, root)
    return next((lasting_name(camera, root) for camera in plugged_in(root) if camera.number == number), None)


@dataclass(slots=True)
class UsbPlace:
    """Finds one camera, by the name in the configuration at first: its number, path or own name. Once `opened`, it is
    found by its lasting name, until the machine is switched off, which gives out the numbers again."""

    where: str
    root: Path = Path("/")
    memory: Memory | None = None
    _found: UsbCameraId | None = None  # by the last `find`
    _known: str | None = None  # its lasting name

    def __post_init__(self) -> None:
        kept = self.memory and self.memory.get(KNOWN)
        with suppress(ValueError, TypeError):  # unreadable: it is learnt again
            boot, where, known = json.loads(kept or "")
            if (boot, where) == (boot_id(), self.where):
                self._known = known

    def find(self) -> int | str:
        """What OpenCV opens. Raises `DeviceNotFound` if the camera is not plugged in, or may not be opened."""
        given: int | str = int(self.where) if self.where.isdecimal() else self.where
        if not (self.root / LIST).is_dir():
            return given
        cameras = plugged_in(self.root)
        node = _named_node(self._known or self.where, self.root)
        self._found = self._camera_at(node, cameras)
        number = self._found.number if self._found else node  # no USB camera, but a node that somebody named
        if number is None:
            raise DeviceNotFound(self._missing(cameras))
        path = self.root / f"dev/video{number}"
        if path.exists() and not os.access(path, os.R_OK | os.W_OK):
            raise DeviceNotFound(
                f"This user may not open {path}: add the user to the group video (sudo adduser $USER video), then log "
                "in again."
            )
        return number

    def _camera_at(self, node: int | None, cameras: list[UsbCameraId]) -> UsbCameraId | None:
        own_name = node is None and self._known is None
        found = [camera for camera in cameras if (camera.card == self.where if own_name else camera.number == node)]
        if len(found) > 1:
            raise DeviceNotFound(
                f"Several cameras are called {self.where}: name one by its path: {self._names(found)}."
            )
        return found[0] if found else None

    def opened(self) -> None:
        """The camera that `find` found has been opened, and is the one from now on."""
        if self._known is None and self._found is not None:
            self._known = lasting_name(self._found, self.root)
            if self.memory is not None:
                self.memory.try_to_keep(KNOWN, json.dumps([boot_id(), self.where, self._known]))

    def present(self) -> bool:
        """Whether the camera that `find` found is plugged in now; False where there is no list of them."""
        return self._found is not None and self._found in plugged_in(self.root)

    def _missing(self, cameras: list[UsbCameraId]) -> str:
        known = f" ({self._known})" if self._known else ""
        there = f"Plugged in: {self._names(cameras)}" if cameras else "No USB camera is plugged in"
        return (
            f"No camera at usb:{self.where}{known}: plug it in, or name another and restart the table. {there}; "
            "`v4l2-ctl --list-devices` lists them."
        )

    def _names(self, cameras: list[UsbCameraId]) -> str:
        names = [lasting_name(camera, self.root) or str(camera.number) for camera in cameras]
        return ", ".join(f"usb:{name}" for name in names)


def _named_node(where: str, root: Path) -> int | None:
    """The number of the video node that a number or a path names; None if there is none."""
    return _node(root / (f"dev/video{where}" if where.isdecimal() else where.lstrip("/")))


def _node(path: Path) -> int | None:
    """The number of the video node that a path leads to; None if it leads to none."""
    found = NODE.fullmatch(path.resolve().name)
    return int(found[1]) if found and path.exists() else None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace").strip()
    except OSError:
        return ""
