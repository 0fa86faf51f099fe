"""Device names as the configuration writes them, and the drivers behind them.

A driver's module, and with it its library, is imported only when the device is opened. Simulated devices share one
table and are created with it. A serial port carries the hole unit's protocol, which `firmware_bridge` implements."""

import importlib
import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from hardware.devices import BoardCamera, Clock, Memory
from hardware.errors import DeviceNotFound, DriverMissing
from hardware.usb_cameras import recommended

HOLES = ("simulated", "gpio", "serial", "none")
NETWORK = ("http", "https", "rtsp")
CAMERAS = ("simulated", "picamera", "usb", *NETWORK, "folder", "video", "none")
PLACES = {
    **{"gpio": "17", "serial": "/dev/ttyACM0", "usb": "0", "folder": "PATH", "video": "PATH"},
    **{"http": "//PHONE:8080/video", "https": "//PHONE:8080/video", "rtsp": "//PHONE:8554/PATH"},
}
"""Kinds that need a place after the colon, each with an example."""
NUMBERED_CAMERA = "picamera"  # takes an optional number, as in picamera:1
WITH_PASSWORD = re.compile(r"((?:https?|rtsp):/*|\w+://)([^:@/]*):(.*)@(.*)", re.IGNORECASE | re.DOTALL)
"""An address with a password. It ends at the last @, so that none of it is shown where an @ or / in it was not written
as %40 or %2F."""


class DeviceSpec(NamedTuple):
    """A sensor in the hole or a camera above the board; `where` is a pin, a port, a number, a device, a path, or an
    address from its // on, without the password."""

    kind: str
    where: str

    @property
    def pin(self) -> str | None:
        """The pin of this machine's header that the sensor is wired to; None for every other kind."""
        return self.where if self.kind == "gpio" else None

    @property
    def has_level(self) -> bool:
        """Whether it is a real sensor, whose level can be watched and learnt."""
        return self.kind not in ("simulated", "none")


def parse_hole(name: str) -> DeviceSpec:
    """Parse a hole sensor's name: simulated, gpio:17, serial:/dev/ttyACM0 or none. Raises `DeviceNotFound`."""
    return _parse("hole sensor", name, HOLES)


def parse_camera(name: str) -> DeviceSpec:
    """Parse a camera's name: simulated, picamera, usb:0, http://PHONE:8080/video, rtsp://PHONE:8554/PATH, folder:PATH,
    video:PATH or none. Raises `DeviceNotFound`."""
    shown, _ = split_password(name)
    return _parse("camera", shown, CAMERAS)


def split_password(name: str) -> tuple[str, str | None]:
    """A camera's name without the password in its address, to be shown and stored; and the password."""
    found = WITH_PASSWORD.fullmatch(name.strip())
    if found is None:
        return name, None
    scheme, user, password, place = found.groups()
    return f"{scheme}{user}@{place}", unquote(password)


def camera(
    name: str,
    clock: Clock,
    mains: int | None = 50,
    focal: float | None = None,
    memory: Memory | None = None,
    password: str | None = None,
) -> BoardCamera | None:
    """Open the camera of this name; None for "none". `mains`: the mains frequency in Hz, None for daylight; `focal`:
    the focal length of an interchangeable lens in mm; `memory`: for what a USB camera is; `password`: of a camera in
    the network, unless its name has it. Raises `DeviceNotFound`, `DriverMissing` or `BadFile`, and `ValueError`
    for the simulated camera, which is created with its table."""
    spec = parse_camera(name)
    opened: BoardCamera | None = None
    match spec.kind:
        case "simulated":
            raise ValueError("the simulated camera is created with its table")
        case "picamera":
            opened = driver("picamera").PiCamera(clock, int(spec.where or 0), mains, focal)
        case "usb":
            opened = driver("webcam").UsbCamera(spec.where, clock, memory=memory)
        case "http" | "https" | "rtsp":
            _, inline = split_password(name)
            secret = password if inline is None else inline
            opened = driver("network_camera").NetworkCamera(f"{spec.kind}:{spec.where}", clock, secret)
        case "video":
            opened = driver("webcam").VideoFile(Path(spec.where), clock)
        case "folder":
            opened = driver("recording").RecordingCamera(Path(spec.where), clock)
    return opened


def lasting_camera(name: str) -> str | None:
    """A name for the same camera that does not change when it is plugged in again; None if this one does not, or none
    is known. Raises `DeviceNotFound`."""
    spec = parse_camera(name)
    where = recommended(spec.where) if spec.kind == "usb" else None
    return where and f"usb:{where}"


def _parse(what: str, name: str, kinds: tuple[str, ...]) -> DeviceSpec:
    kind, colon, where = name.strip().partition(":")
    known = ", ".join(f"{kind}:{PLACES[kind]}" if kind in PLACES else kind for kind in kinds)
    if kind not in kinds:
        raise DeviceNotFound(f"There is no {what} {name!r}: use one of {known}.")
    if kind in PLACES and not where:
        raise DeviceNotFound(f"The {what} {name!r} does not say which: write it as {kind}:{PLACES[kind]}.")
    if kind == NUMBERED_CAMERA and (where or colon):
        if not where.isdecimal():
            raise DeviceNotFound(f"The {what} {name!r} needs a number, as in {kind}:1, or none at all.")
    elif colon and kind not in PLACES:
        raise DeviceNotFound(f"The {what} {name!r} takes nothing after {kind!r}: leave {colon + where!r} out.")
    return DeviceSpec(kind, where)


INSTALL = {
    "gpiozero": "sudo apt install python3-gpiozero python3-lgpio, or pip install 'crokinole-table[pi]'",
    "serial": "pip install pyserial",
    "cv2": "pip install opencv-python-headless, or sudo apt install python3-opencv",
}


def driver(module: str) -> Any:
    """The module of this name, whose devices are in `hardware.devices`. Raises `DriverMissing`."""
    try:
        return importlib.import_module(f"hardware.{module}")
    except ImportError as error:
        library = (error.name or "").partition(".")[0]
        how = INSTALL.get(library, f"pip install {library or 'the missing library'}")
        raise DriverMissing(f"This device needs the library {library}: {how}.") from error
