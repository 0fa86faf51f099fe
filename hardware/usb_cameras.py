"""USB cameras by what they are: Linux gives a camera that comes back the next free number. Read from sysfs, and from
the links that udev makes in /dev/v4l. Other systems have numbers alone."""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hardware.devices import Memory
from hardware.errors import DeviceNotFound
from hardware.files import boot_id

LIST = "sys/class/video4linux"
LINKS = ("dev/v4l/by-id", "dev/v4l/by-path")
KNOWN = "usb_camera"  # what is kept of the camera in a `Memory`


class UsbCameraId(NamedTuple):
    """A plugged-in camera: what it is, and where."""

    kind: str  # vendor, product, serial number and interface: the same for two cameras of a kind without such numbers
    port: str  # the USB port and interface, as in 1-1.2:1.0
    card: str  # the name that it gives itself
    number: int  # of /dev/video0, ..


def plugged_in(root: Path = Path("/")) -> list[UsbCameraId]:
    """The USB cameras of this machine, in order of their numbers. `root` is the folder that has dev and sys."""
    found = []
    for node in (root / LIST).glob("video*"):
        interface = (node / "device").resolve()
        device = interface.parent
        # a camera has several nodes, of which the first gives pictures
        if _text(node / "index") == "0" and (device / "idVendor").exists():
            ids = [_text(device / name) for name in ("idVendor", "idProduct", "serial")]
            kind = ":".join([*ids, interface.name.partition(":")[2]])
            found.append(UsbCameraId(kind, interface.name, _text(node / "name"), _number(node.name)))
    return sorted(found, key=lambda camera: camera.number)


def lasting_name(camera: UsbCameraId, root: Path = Path("/")) -> str | None:
    """The path that stays this camera's whatever its number: by its serial number, or by its port where another camera
    would have the same path. None if udev made none."""
    twins = [other for other in plugged_in(root) if other.kind.rpartition(":")[0] == camera.kind.rpartition(":")[0]]
    for folder in LINKS[len(twins) > 1 :]:
        for link in sorted((root / folder).glob("*")):
            if _node(link) == camera.number:
                return f"/{folder}/{link.name}"
    return None


def recommended(where: str, root: Path = Path("/")) -> str | None:
    """The lasting name of the camera that `where` is now, if `where` is a number or /dev/video0."""
    if where.startswith(tuple(f"/{folder}/" for folder in LINKS)):
        return None
    number = int(where) if where.isdecimal() else _node(root / where.lstrip("/"))
    named = [lasting_name(camera, root) for camera in plugged_in(root) if camera.number == number]
    return named[0] if named else None


@dataclass(slots=True)
class UsbPlace:
    """Finds one camera, by the name in the configuration at first: its number, path or own name. Once `opened`, it is
    found by what it is, until the machine is switched off, which gives out the numbers again. Two of a kind are told
    apart by their ports."""

    where: str
    root: Path = Path("/")
    memory: Memory | None = None
    _found: UsbCameraId | None = None  # by the last `find`
    _known: UsbCameraId | None = None
    _alone: bool = True  # whether there was no other of its kind when it was opened

    def __post_init__(self) -> None:
        kept = self.memory and self.memory.get(KNOWN)
        with suppress(ValueError, TypeError):  # unreadable: it is learnt again
            boot, where, alone, camera = json.loads(kept or "")
            if (boot, where) == (boot_id(), self.where):
                self._alone, self._known = bool(alone), UsbCameraId(*camera)

    def find(self) -> int | str:
        """What OpenCV opens. Raises `DeviceNotFound` if the camera is not plugged in, or may not be opened."""
        given: int | str = int(self.where) if self.where.isdecimal() else self.where
        if not (self.root / LIST).is_dir():
            return given
        cameras = plugged_in(self.root)
        self._found = self._again(cameras, self._known) if self._known else self._first(cameras)
        if self._found is not None:
            number = self._found.number
        elif self._known is None and (node := self._named_node()) is not None:
            number = node  # no USB camera, but a node that somebody named
        else:
            raise DeviceNotFound(self._missing(cameras))
        path = self.root / f"dev/video{number}"
        if path.exists() and not os.access(path, os.R_OK | os.W_OK):
            raise DeviceNotFound(
                f"This user may not open {path}: add the user to the group video (sudo adduser $USER video), then log "
                "in again."
            )
        return number

    def opened(self) -> None:
        """The camera that `find` found has been opened, and is the one from now on."""
        if self._known is None and self._found is not None:
            self._known = self._found
            self._alone = sum(camera.kind == self._found.kind for camera in plugged_in(self.root)) == 1
            if self.memory is not None:
                self.memory.try_to_keep(KNOWN, json.dumps([boot_id(), self.where, self._alone, self._known]))

    def present(self) -> bool:
        """Whether the camera that `find` found is plugged in now; False where there is no list of them."""
        return self._found is not None and self._found in plugged_in(self.root)

    def _again(self, cameras: list[UsbCameraId], known: UsbCameraId) -> UsbCameraId | None:
        same = [camera for camera in cameras if camera.kind == known.kind]
        at_its_port = [camera for camera in same if camera.port == known.port]
        if at_its_port or (self._alone and len(same) == 1):
            return (at_its_port or same)[0]
        return None

    def _first(self, cameras: list[UsbCameraId]) -> UsbCameraId | None:
        node = self._named_node()
        found = [camera for camera in cameras if (camera.card == self.where if node is None else camera.number == node)]
        if len(found) > 1:
            raise DeviceNotFound(
                f"Several cameras are called {self.where}: name one by its path: {self._names(found)}."
            )
        return found[0] if found else None

    def _named_node(self) -> int | None:
        if self.where.isdecimal():
            return int(self.where) if (self.root / LIST / f"video{self.where}").exists() else None
        return _node(self.root / self.where.lstrip("/"))

    def _missing(self, cameras: list[UsbCameraId]) -> str:
        known = f" ({self._known.card})" if self._known else ""
        there = f"Plugged in: {self._names(cameras)}" if cameras else "No USB camera is plugged in"
        return (
            f"No camera at usb:{self.where}{known}: plug it in, or name another and restart the table. {there}; "
            "`v4l2-ctl --list-devices` lists them."
        )

    def _names(self, cameras: list[UsbCameraId]) -> str:
        names = [lasting_name(camera, self.root) or str(camera.number) for camera in cameras]
        return ", ".join(f"usb:{name}" for name in names)


def _node(path: Path) -> int | None:
    """The number of the video node that a path leads to; None if it leads to none."""
    name = path.resolve().name
    return _number(name) if name.startswith("video") and name[5:].isdecimal() and path.exists() else None


def _number(name: str) -> int:
    return int(name.removeprefix("video"))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace").strip()
    except OSError:
        return ""
