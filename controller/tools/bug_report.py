"""`doctor --report`: one file with everything needed to diagnose a table remotely.

It contains nothing that gives access to the table or names its players:

| from            | in the report                                    | left out                    |
| --------------- | ------------------------------------------------ | --------------------------- |
| the journal     | counts, and the names of stored facts            | the values of the facts     |
| the settings    | everything else                                  | secrets, names of players   |
| webhooks        | the host of the address                          | the rest of the address     |
| the camera      | figures                                          | its picture, unless asked   |
"""

import json
import os
import platform
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution, distributions
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import cv2
import numpy as np

from controller.config import Config
from controller.errors import BadInput, ControllerError
from controller.journal import Journal
from controller.tools.doctor import examine, from_journal
from controller.tools.stills import Timing
from controller.vision.calibration.calibration import calibrate
from controller.vision.calibration.image_quality import sharpness
from controller.vision.reading.reader import read_board
from hardware import catalogue
from hardware.devices import BoardCamera, Image, SelfDescribing
from hardware.errors import HardwareError
from hardware.pictures import encode

PROGRAM = "crokinole-table"
FROM_APT = ("picamera2", "libcamera", "lgpio", "gpiozero")
"""Libraries that come from Debian's packages, and that the report names even where they are missing."""

MACHINE = {
    "model": "/proc/device-tree/model",
    "throttled": "/sys/devices/platform/soc/soc:firmware/get_throttled",  # bits as of `vcgencmd get_throttled`
    "millidegrees": "/sys/class/thermal/thermal_zone0/temp",
    "memory": "/proc/meminfo",
    "load": "/proc/loadavg",
}
DEVICES = ("video*", "ttyACM*", "ttyUSB*", "crokinole-hole", "gpiochip*", "i2c-*", "media*", "dma_heap/*")
ANSWER = 3.0  # seconds for the running table to send its figures
LEVELS = (1, 10, 50, 90, 99)  # per cent of the picture's pixels


def write(config: Config, file: Path, with_picture: bool) -> str:
    """Write the report and return a summary of its contents. Raises `BadInput` if the file exists or can't be
    written."""
    parts, picture = gather(config)
    document = json.dumps(parts, indent=1, default=str)
    if Path.home().parent != Path.home():  # a service's user may live in the root
        document = document.replace(str(Path.home()), "~")
    try:
        made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)  # the camera may show people
        with os.fdopen(made, "wb") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("report.json", document)
            if with_picture and picture is not None:
                archive.writestr("picture.jpg", encode(picture))
    except FileExistsError:
        raise BadInput(f"{file} exists already: name a new file.") from None
    except OSError as error:
        raise BadInput(f"{file} can't be written: {error.strerror}.") from error
    if not with_picture:
        shown = "no picture (--with-picture puts one in)"
    else:
        shown = "no picture, since the camera gives none" if picture is None else "one picture of the board"
    wrong = sum(not finding["ok"] for finding in parts["findings"])
    return f"{wrong} findings to mend, {shown}; no PIN, no secret and no player's name."


def gather(config: Config) -> tuple[dict[str, Any], Image | None]:
    """The document `report/1`, and the camera's picture (H, W, 3), if it gives one."""
    seen: dict[str, Any] = {"device": config.camera.device}
    pictures: list[Image] = []

    def look(camera: BoardCamera, picture: Image, timing: Timing) -> None:
        pictures.append(picture.copy())
        seen.update({"frames_per_second": timing.rate, "seconds": timing._asdict(), "lens": str(camera.lens)})
        seen["tells"] = camera.describe() if isinstance(camera, SelfDescribing) else None
        seen.update(_levels(picture) | _speeds(picture))

    findings = examine(config, look)
    document = {
        "schema": "report/1",
        "written": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "versions": _versions(),
        "machine": _machine(),
        "devices": _devices(),
        "settings": redacted(config),
        "findings": findings,
        "camera": seen,
        "journal": _journal(config),
        "running table": _running(config),
    }
    return document, next(iter(pictures), None)


def redacted(config: Config) -> dict[str, Any]:
    """The settings without secrets and names of people."""
    settings = config.model_dump(mode="json")
    for hook in settings["web"]["webhooks"]:
        hook["url"] = f"{urlsplit(hook['url']).scheme}://{urlsplit(hook['url']).hostname}/.."
        hook["secret"] = bool(hook["secret"])
    for side in settings["match"]["sides"]:
        del side["name"]
    return settings


def _versions() -> dict[str, Any]:
    found: dict[str, Any] = {"python": sys.version, "kernel": platform.version(), "cv2": cv2.__version__}
    with suppress(OSError):
        found["system"] = platform.freedesktop_os_release().get("PRETTY_NAME")
    with suppress(PackageNotFoundError):
        found["installed at"] = str(distribution(PROGRAM).locate_file(""))
    return found | dict.fromkeys(FROM_APT) | {one.name: one.version for one in distributions()}


def _machine() -> dict[str, Any]:
    found: dict[str, Any] = {"processors": os.cpu_count(), "machine": platform.machine()}
    for name, path in MACHINE.items():
        with suppress(OSError):
            found[name] = Path(path).read_text(errors="replace").strip("\0\n ")
    if "memory" in found:
        found["memory"] = found["memory"].splitlines()[:3]
    return found


def _devices() -> dict[str, Any]:
    found: dict[str, Any] = {"nodes": sorted(str(path) for glob in DEVICES for path in Path("/dev").glob(glob))}
    with suppress(HardwareError):
        found["serial ports"] = catalogue.driver("serial_link").ports()
    return found


def _journal(config: Config) -> dict[str, Any]:
    census = from_journal(config, Journal.census)
    if census is None:
        return {"there": False}
    return {"there": True, "bytes": config.table.journal.stat().st_size, **census}


def _running(config: Config) -> Any:
    """The running table's figures, if there is one: it holds the devices, so only it can examine them."""
    try:
        with urlopen(f"http://127.0.0.1:{config.web.port}/health", timeout=ANSWER) as answer:
            return json.load(answer)
    except (OSError, ValueError) as error:
        return f"does not answer: {error}"


def _levels(picture: Image) -> dict[str, Any]:
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    height, width = grey.shape
    return {
        "width": width,
        "height": height,
        "grey levels": dict(zip(map(str, LEVELS), np.percentile(grey, LEVELS).round(1).tolist(), strict=True)),
        "mean of blue, green, red": picture.reshape(-1, 3).mean(0).round(1).tolist(),
        "sharpness": round(float(sharpness(grey)), 2),
    }


def _speeds(picture: Image) -> dict[str, Any]:
    """The times in milliseconds, and the results."""
    try:
        calibration, finding = _timed(lambda: calibrate(picture))
        reading, first = _timed(lambda: read_board(picture, calibration))
        _, again = _timed(lambda: read_board(picture, calibration))
    except ControllerError as error:
        return {"board": str(error)}
    return {
        "board": calibration.quality.words(),
        "ms to find the board": finding,
        "ms to read it": [first, again],
        "discs": len(reading.discs),
    }


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Call `work` and return its result and duration in milliseconds."""
    began = time.perf_counter()
    made = work()
    return made, round(1000 * (time.perf_counter() - began), 1)
