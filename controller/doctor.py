"""`doctor`: looks at devices, calibration, disk and clock without starting the table, and says what to mend."""

import json
import shutil
import socket
import time
from collections.abc import Callable
from typing import Any

from controller.config import Config
from controller.errors import BadInput, ControllerError
from controller.events import MatchStarted
from controller.fold import new_game
from controller.journal import Journal, check
from controller.rules import RulesError
from controller.vision.calibration import Calibration
from controller.vision.landmarks import Landmarks
from hardware import catalogue
from hardware.board import TOURNAMENT
from hardware.devices import SystemClock
from hardware.errors import HardwareError
from hardware.simulated.faults import FaultPlan

LEAST_FREE = 200e6  # bytes: an evening's pictures of close calls, many times over
EARLIEST = 1_767_225_600  # 2026-01-01: a Pi without a network starts years earlier


def examine(config: Config) -> list[dict[str, Any]]:
    """One finding for each thing: {"what", "ok", "text"}."""
    looks: list[tuple[str, Callable[[], str]]] = [
        ("settings", lambda: _settings(config)),
        ("camera", lambda: _camera(config)),
        ("hole sensor", lambda: _hole(config)),
        ("journal", lambda: _journal(config)),
        ("calibration", lambda: _calibration(config)),
        ("disk", lambda: _disk(config)),
        ("clock", _clock),
    ]
    findings = []
    for what, look in looks:
        try:
            findings.append({"what": what, "ok": True, "text": look()})
        except (HardwareError, ControllerError, OSError) as error:
            findings.append({"what": what, "ok": False, "text": str(error)})
    return findings


def _settings(config: Config) -> str:
    match, web = config.match, config.web
    started = MatchStarted(
        rules=next((dict(own) for own in config.rules if own["id"] == match.rules), match.rules),
        format=match.format,
        sides=match.sides,
        starter=match.starter,
        discs=match.discs,
    )
    try:
        new_game(started)
    except RulesError as error:
        raise BadInput(f"[match] can't be played: {error}.") from error
    FaultPlan.from_names(config.simulated.faults, 0)
    if config.camera.landmarks is not None:
        Landmarks.read(config.camera.landmarks, TOURNAMENT)
    try:
        with socket.create_server((web.host, 0)):
            pass
    except (OSError, UnicodeError) as error:
        raise BadInput(f"[web] host = {web.host!r} is no address of this machine: use 0.0.0.0 for all.") from error
    return "can be played and served"


def _camera(config: Config) -> str:
    device = config.camera.device
    if device == "simulated":
        return "simulated"
    camera = catalogue.camera(device, SystemClock())
    if camera is None:
        return "none is configured: the score is kept by hand"
    try:
        frame = next(iter(camera.frames()), None)
        if frame is None:
            raise HardwareError(f"{device} gives no picture.")
        height, width = frame.full().shape[:2]
        return f"{device} gives pictures of {width} x {height}"
    finally:
        camera.close()


def _hole(config: Config) -> str:
    device = config.hole.device
    if device == "simulated":
        return "simulated"
    opened = catalogue.hole(device, SystemClock())
    if opened is None:
        return "none is configured: twenties come from the camera alone"
    if isinstance(opened, catalogue.Serial):
        link = opened.open()
        try:
            link.read(0.1)
        finally:
            link.close()
        return f"{device} can be opened"
    try:
        level = opened.occupied()
        return f"{device}: {'a disc lies in the hole' if level else 'the hole is empty'}"
    finally:
        opened.close()


def _journal(config: Config) -> str:
    path = config.table.data / "journal.sqlite"
    if not path.exists():
        return f"{path} will be made at the first start"
    return f"{path}: {check(path)} events, undamaged"


def _calibration(config: Config) -> str:
    path = config.table.data / "journal.sqlite"
    kept = Journal(path).fact("calibration") if path.exists() else None
    if kept is None:
        return "none yet: the board is looked for in the first picture"
    return Calibration.from_json(json.loads(kept)).quality.words()


def _disk(config: Config) -> str:
    folder = next(p for p in (config.table.data, *config.table.data.parents) if p.exists())
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        raise OSError(f"Only {free / 1e6:.0f} MB are free at {folder}: make room.")
    return f"{free / 1e9:.1f} GB are free at {folder}"


def _clock() -> str:
    if time.time() < EARLIEST:
        raise OSError("The machine's clock is wrong: connect it to a network once, or add a clock module.")
    return time.strftime("%Y-%m-%d %H:%M:%S")
