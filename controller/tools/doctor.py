"""`doctor`: checks devices, calibration, disk and clock without starting the table, and says what to mend."""

import json
import os
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, Literal, TypeVar

from controller.config import Config
from controller.errors import BadInput
from controller.journal import Journal, check
from controller.journal.backup import numbered
from controller.journal.recovery import report
from controller.match.events import MatchStarted
from controller.match.fold import new_game
from controller.rules import RulesError
from controller.table.devices import Closeable, TableDevices, serial_port, unit_settings
from controller.table.housekeeping import FORGOTTEN, is_volatile
from controller.table.kept_facts import kept_calibration
from controller.table.webhooks import WEBHOOKS
from controller.tools.findings import Healthy, Mend, documents, examine_installation, examine_port
from controller.tools.stills import Timing, landmarks, settled
from controller.views.history.accuracy import accuracy
from controller.views.history.tables import kept, set_aside
from controller.vision.calibration.calibration import calibrate
from firmware_bridge.client import examine as examine_unit
from hardware import catalogue
from hardware.devices import BoardCamera, Clock, Image, SystemClock
from hardware.errors import DriverMissing
from hardware.simulated.faults import FaultPlan

T = TypeVar("T")
Look = Callable[[BoardCamera, Image, Timing], None]
"""What else is done with the camera: it, its picture (H, W, 3), and when its frames came."""
MIN_FREE = 200e6  # bytes: many evenings' pictures of close calls
EARLIEST = 1_767_225_600  # 2026-01-01: a Pi without a network starts years earlier
LOOK = 0.1  # seconds between readings of a watched level
DARK, BRIGHT = 40.0, 220.0  # mean grey of 255: outside this range, discs and wood look the same


def examine(config: Config, look: Look = lambda *_: None) -> list[dict[str, Any]]:
    """All findings, see `findings.documents`. `look` is called once the camera has settled."""
    clock = SystemClock()
    devices = _devices(config, clock)
    examinations: list[tuple[str, Callable[[], Healthy]]] = [
        ("installation", examine_installation),
        ("settings", lambda: _settings(config)),
        ("port", lambda: examine_port(config)),
        ("camera", lambda: _camera(config, devices, clock, look)),
        ("hole sensor", lambda: _hole(config, devices, clock)),
        ("lamps", lambda: _wired(config, "lamps", "can be switched", lambda: devices.open_lamps(None, {}))),
        ("buttons", lambda: _wired(config, "buttons", "can be read", lambda: devices.open_buttons(None))),
        ("journal", lambda: _journal(config)),
        ("backups", lambda: _backups(config)),
        ("record", lambda: _record(config)),
        ("webhooks", lambda: _webhooks(config)),
        ("calibration", lambda: _calibration(config)),
        ("disk", lambda: _disk(config)),
        ("overlay", lambda: _overlay(config)),
        ("clock", _clock),
    ]
    return list(documents(examinations))


def _devices(config: Config, clock: Clock) -> TableDevices:
    return TableDevices(config, clock, lambda name: from_journal(config, lambda journal: journal.facts.get(name)))


def watch(config: Config, seconds: float, clock: Clock, report: Callable[[str], None]) -> None:
    """Call `report` with every change of the hole's level and every button press for a time, to check wires. Raises
    `HardwareError` if a device can't be opened."""
    devices, began = _devices(config, clock), clock.now()
    end, hole = began + seconds, None
    shown: bool | None = None

    def level(t: float, occupied: bool | None) -> None:
        nonlocal shown
        if t >= began and occupied not in (None, shown):
            shown = occupied
            report(f"{t - began:7.2f} s  hole: {'a disc lies in it' if occupied else 'empty'}")

    with ExitStack() as opened:
        if config.hole.spec.has_level:
            hole = opened.enter_context(closing(devices.open_hole()))
            hole.start(lambda event: level(event.t, event.occupied))
        if config.buttons.wired:
            panel = opened.enter_context(closing(devices.open_buttons(hole)))
            panel.start(lambda button: report(f"{clock.now() - began:7.2f} s  button: {button}"))
        while clock.now() < end:
            clock.sleep_until(min(clock.now() + LOOK, end))
            if hole is not None:
                level(clock.now(), hole.occupied())
        if hole is not None and (trouble := hole.trouble()) is not None:
            report(trouble)


def _settings(config: Config) -> Healthy:
    match = config.match
    started = MatchStarted(
        rules=next((dict(own) for own in config.rules if own["id"] == match.rules), match.rules),
        format=match.format,
        sides=match.sides,
        starter=match.starter or "A",
        discs=match.discs,
    )
    try:
        new_game(started)
    except RulesError as error:
        raise BadInput(f"[match] can't be played: {error}.") from error
    _pins_once(config)
    FaultPlan.from_names(config.simulated.faults, 0)
    landmarks(config.camera.landmarks)
    return Healthy("can be played")


def _pins_once(config: Config) -> None:
    """Raise `Mend` if two devices share a pin."""
    pin = config.hole.spec.pin
    wired = [("hole sensor", pin)] if pin else []
    wired += [(f"lamp {name}", pin) for name, pin in config.lamps.pins.items()]
    wired += [(f"button {name}", pin) for name, pin in config.buttons.pins.items()]
    by_pin: dict[str, str] = {}
    for name, pin in wired:
        if pin in by_pin:
            raise Mend(f"{_named(pin)} is given to the {by_pin[pin]} and to the {name}: give each a pin of its own.")
        by_pin[pin] = name


def _camera(config: Config, devices: TableDevices, clock: Clock, look: Look) -> Healthy:
    device = config.camera.device
    if device == "simulated":
        return Healthy("simulated")
    if device == "none":
        return Healthy("none is configured: the score is kept by hand")
    camera = devices.open_camera()
    with settled(camera, clock) as (newest, timing):
        picture = newest.full()
        look(camera, picture, timing)
        height, width = picture.shape[:2]
        grey = float(newest.small.mean())
        figures = {"width": width, "height": height, "frames_per_second": timing.rate, "brightness": round(grey, 1)}
        if not DARK <= grey <= BRIGHT:
            much = "little" if grey < DARK else "much"
            raise Mend(
                f"{device} works, but there is too {much} light ({grey:.0f} of 255): look at the lamps.", figures
            )
        pictures = f"{device} gives pictures of {width} x {height}"
        if catalogue.parse_camera(device).kind in catalogue.NETWORK:
            figures |= {name: round(seconds, 3) for name, seconds in timing._asdict().items()}
            pictures += f", {timing.rate} a second: {timing.words()}"
        if lasting := catalogue.lasting_camera(device):
            pictures += f' (its number can change: better write device = "{lasting}")'
        try:
            found = calibrate(picture, landmarks(config.camera.landmarks), lens=camera.lens, above=config.camera.height)
        except BadInput as error:
            raise Mend(f"{pictures}, but: {error}", figures) from error
        return Healthy(f"{pictures}; the board: {found.quality.words()}", figures)


def _hole(config: Config, devices: TableDevices, clock: Clock) -> Healthy:
    spec = config.hole.spec
    if spec.kind == "simulated":
        return Healthy("simulated" if config.camera.device == "simulated" else "none: [hole] device names none")
    if spec.kind == "none":
        return Healthy("none is configured: twenties come from the camera alone")
    if spec.kind == "serial":
        return _unit(config, devices, clock)
    with closing(devices.open_hole()) as sensor:
        occupied = sensor.occupied()
    pin = _named(spec.pin) if spec.pin else config.hole.device
    figures = {"occupied": occupied, "pin": config.hole.device}
    if occupied:
        return Healthy(
            f"{pin} says that a disc lies in the hole. If none does: look at the wire from the sensor's output to it "
            "(a short to ground says the same), at the sensor's lens and at stray light. If the sensor's levels are "
            "reversed, teach it with a disc at /setup.",
            figures,
        )
    return Healthy(
        f"{pin} says that the hole is empty. If that stays so with a disc in it: look at the sensor's supply, its "
        "ground and the wire from its output.",
        figures,
    )


def _unit(config: Config, devices: TableDevices, clock: Clock) -> Healthy:
    settings = unit_settings(config, devices.facts)
    found = examine_unit(serial_port(config.hole), clock, settings, config.hole.unit)
    figures = {"occupied": found.occupied, "unit": found.unit, "lines": found.lines}
    if found.trouble is not None:
        raise Mend(found.trouble, figures)
    return Healthy(f"{config.hole.device}: {found.words()}", figures)


def _wired(config: Config, what: Literal["lamps", "buttons"], good: str, open_: Callable[[], Closeable]) -> Healthy:
    section = config.lamps if what == "lamps" else config.buttons
    if not section.wired:
        return Healthy("none are configured")
    if section.device == "unit":
        if config.hole.spec.kind != "serial":
            raise Mend(f"The {what} are on the hole's unit, but [hole] device = {config.hole.device!r}: name its port.")
        return Healthy("on the hole's unit: see there", {"device": "unit"})
    open_().close()
    pins = ", ".join(f"{name} at {_named(pin)}" for name, pin in section.pins.items())
    return Healthy(f"{good}: {pins}", {"pins": section.pins})


def _named(pin: str) -> str:
    """A pin with both its numbers, to find it on the header."""
    header = None
    with suppress(DriverMissing):
        header = catalogue.driver("gpio").header_pin(pin)
    return f"GPIO {pin} (pin {header} of the header)" if header else f"GPIO {pin}"


def _journal(config: Config) -> Healthy:
    path = config.table.journal
    if not path.exists():
        folder = _existing(config.table.data)
        if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
            raise Mend(f"{path} can't be made in {folder}: let this user write there, or set another [table] data.")
        return Healthy(f"{path} will be made at the first start")
    count, size = check(path), path.stat().st_size
    with closing(Journal(path, writing=False)) as journal:
        unreadable, recovered = kept(journal, set_aside) or {}, report(journal)
    figures = {"events": count, "bytes": size, "unreadable": unreadable}
    if unreadable:
        raise Mend(_set_aside(path, unreadable), figures)
    if recovered is not None:
        raise Mend(str(recovered), figures)
    return Healthy(f"{path}: {count} events, {size / 1e6:.1f} MB, undamaged", figures)


def _set_aside(path: Path, unreadable: Mapping[int, str]) -> str:
    one, *others = unreadable
    more = f", nor can {len(others)} others" if others else ""
    return (
        f"{path}: match {one} can't be read ({unreadable[one]}){more}. It is set aside and kept as it is, and the "
        f"table plays on; `crokinole-table export {one} --as raw` prints it. A backup of an earlier day, in "
        f"{path.with_name('backups')}, may have it whole: `restore` it where another [table] data folder is set, and "
        "`export` the match there."
    )


def _backups(config: Config) -> Healthy:
    folder = config.table.data / "backups"
    found = numbered(folder)
    if not found:
        return Healthy("none yet: a running table makes one each night", {"backups": 0})
    count = check(found[-1])
    text = f"{len(found)} in {folder}; the newest, {found[-1].name}, has {count} events, no pictures and no clips"
    return Healthy(text, {"backups": len(found), "events": count})


def from_journal(config: Config, read: Callable[[Journal], T]) -> T | None:
    """What `read` finds in the table's journal; None if there is no journal."""
    if not config.table.journal.exists():
        return None
    with closing(Journal(config.table.journal, writing=False)) as journal:
        return read(journal)


def _record(config: Config) -> Healthy:
    """The rate of corrections by people, and the results of spot checks."""
    found = from_journal(config, lambda journal: kept(journal, accuracy))
    if found is None or not found.all.matches:
        return Healthy("no match was followed yet")
    every = found.all
    noticed, checks = every.rounds_silent, every.spot_checks
    text = (
        f"{every.shots} shots; in {noticed.count} of {noticed.of} rounds people corrected something that the "
        f"table had not asked about; of {checks.of} spot checks {checks.count} found the board wrong"
    )
    if checks.of:
        text += f" (with 95 % confidence between {checks.least:.1%} and {checks.most:.1%} of all rounds)"
    return Healthy(text, {"shots": every.shots, "rounds_silent": vars(noticed), "spot_checks": vars(checks)})


def _calibration(config: Config) -> Healthy:
    found = from_journal(config, kept_calibration)
    if found is None:
        return Healthy("none yet: the board is looked for in the first picture")
    return Healthy(found.quality.words())


def _webhooks(config: Config) -> Healthy:
    """The webhooks that failed when the running table last used them. Sends nothing."""
    if not config.web.webhooks:
        return Healthy("none are configured")
    failing = from_journal(config, lambda journal: journal.facts.read(WEBHOOKS, lambda text: dict(json.loads(text))))
    if failing:
        failures = "; ".join(f"{place}: {why}" for place, why in failing.items())
        raise Mend(
            f"Not accepted when the table sent last: {failures}. Look at [web] webhooks and at that program.", failing
        )
    return Healthy(f"{len(config.web.webhooks)} configured, and none has failed since it last accepted a message")


def _disk(config: Config) -> Healthy:
    folder = _existing(config.table.data)
    free = shutil.disk_usage(folder).free
    if free < MIN_FREE:
        raise Mend(f"Only {free / 1e6:.0f} MB are free at {folder}: make room.", {"free": free})
    return Healthy(f"{free / 1e9:.1f} GB are free at {folder}", {"free": free})


def _overlay(config: Config) -> Healthy:
    folder = _existing(config.table.data)
    if is_volatile(folder):
        raise Mend(str(FORGOTTEN))
    return Healthy(f"what is written at {folder} stays")


def _existing(folder: Path) -> Path:
    return next(p for p in (folder, *folder.parents) if p.exists())


def _clock() -> Healthy:
    if time.time() < EARLIEST:
        raise Mend("The machine's clock is wrong: connect it to a network once, or add a clock module.")
    return Healthy(time.strftime("%Y-%m-%d %H:%M:%S"), {"seconds": round(time.time())})
