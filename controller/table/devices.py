"""Opens the configured devices, in the same way for the service and for `doctor`, and supervises them."""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter

from controller.config import Config, HoleSection
from controller.journal import Journal
from controller.messages import Message, say
from firmware_bridge.client import HoleUnit, UnitButtons, UnitLamps
from firmware_bridge.session import Settings
from hardware import catalogue
from hardware.devices import BoardCamera, ButtonPanel, ByteLink, Clock, HoleCounts, HoleSensor, Lamps, Memory
from hardware.errors import DeviceNotFound, HardwareError

log = logging.getLogger(__name__)
POLARITY = "hole_polarity"  # the fact in which the journal stores what set-up learnt: "low" or "high" when occupied
COUNTS = "hole_counts"  # the fact with the counts of the hole's unit: boot, rises, falls
Facts = Callable[[str], str | None]  # the value of a stored fact; see `controller.journal.Facts.get`


@dataclass
class TableDevices:
    """The devices of one table. Every `open_` method raises `HardwareError` with what to mend. `memory` keeps what the
    camera is for the next process; without it, nothing is kept."""

    config: Config
    clock: Clock
    facts: Facts
    memory: Memory | None = None

    @cached_property
    def _pins(self) -> Any:
        """The Pi's pins, shared by all devices on them, so that a pin used twice is refused."""
        return catalogue.driver("gpio").open_factory()

    def open_camera(self) -> BoardCamera:
        wanted = self.config.camera
        password = wanted.password.get_secret_value() if wanted.password is not None else None
        camera = catalogue.camera(wanted.device, self.clock, wanted.mains or None, wanted.focal, self.memory, password)
        if camera is None:
            raise DeviceNotFound("There is no camera: the score is kept by hand. [camera] device names one.")
        return camera

    def open_hole(self, kept: HoleCounts | None = None) -> HoleSensor:
        """The sensor in the 20 hole. `kept`: the counts of the last event of a unit that the table took in."""
        wired = self.config.hole
        if wired.spec.kind == "serial":
            settings = unit_settings(self.config, self.facts)
            return HoleUnit(serial_port(wired), self.clock, kept=kept, device=wired.unit, settings=settings)
        if wired.spec.kind != "gpio":
            raise DeviceNotFound("There is no hole sensor: twenties come from the camera. [hole] device names one.")
        sensor: HoleSensor = catalogue.driver("gpio").GpioHole(
            wired.spec.where,
            self.clock,
            self._pins,
            low_when_occupied(wired.low_when_occupied, self.facts),
            wired.lockout,
            pull_up=True
            if wired.low_when_occupied is None
            else None,  # until the polarity is learnt, either level may mean a disc
        )
        return sensor

    def open_lamps(self, hole: HoleSensor | None, colours: Mapping[str, tuple[int, int, int]]) -> Lamps:
        """The lamps; `colours`: the sides' lights, for lamps that can show colours."""
        lamps = self.config.lamps
        if lamps.device == "unit":
            return UnitLamps(_unit(hole, "lamps"), colours)
        wired: Lamps = catalogue.driver("gpio").GpioLamps(lamps.pins, self._pins)
        return wired

    def open_buttons(self, hole: HoleSensor | None) -> ButtonPanel:
        buttons = self.config.buttons
        if buttons.device == "unit":
            return UnitButtons(_unit(hole, "buttons"))
        wired: ButtonPanel = catalogue.driver("gpio").GpioButtons(buttons.pins, self.clock, self._pins)
        return wired


def serial_port(wired: HoleSection) -> ByteLink:
    """The port of the hole's unit, which opens on first use. Raises `DriverMissing`."""
    link: ByteLink = catalogue.driver("serial_link").SerialLink(wired.spec.where)
    return link


def kept_counts(journal: Journal) -> HoleCounts | None:
    """The counts of the last event of a unit that the journal took in; None if it never took one."""
    return journal.facts.read(COUNTS, TypeAdapter(HoleCounts).validate_json)


def counts_as_fact(counts: HoleCounts) -> dict[str, str]:
    """What `kept_counts` reads."""
    return {COUNTS: json.dumps(asdict(counts))}


def low_when_occupied(configured: bool | None, facts: Facts) -> bool:
    """Whether a low level of the sensor's output means a disc: as configured, else as learnt, else yes, as usual."""
    return facts(POLARITY) != "high" if configured is None else configured


def unit_settings(config: Config, facts: Facts) -> Settings:
    """The settings of the hole's unit."""
    hole = config.hole
    return Settings(hole.lockout, low_when_occupied(hole.low_when_occupied, facts), hole.sensor)


def _unit(hole: HoleSensor | None, what: str) -> HoleUnit:
    if not isinstance(hole, HoleUnit):
        raise DeviceNotFound(
            f"The {what} are on the hole's unit, but there is none: set [hole] device to its port, "
            "as in serial:/dev/ttyACM0."
        )
    return hole


class Closeable(Protocol):
    """Anything that can be closed."""

    def close(self) -> None:
        """Close the device."""


D = TypeVar("D", bound=Closeable)


@dataclass
class Supervised(Generic[D]):
    """A device of a table, opened and checked by `check`. Not thread-safe. `begin` is called once with the opened
    device; `ask_trouble` returns what is wrong with it, if anything."""

    open: Callable[[], D]
    begin: Callable[[D], None]
    ask_trouble: Callable[[D], Message | str | None] = lambda _: None
    device: D | None = None
    trouble: Message | str | None = None  # the result of the last `check`

    def check(self) -> Message | str | None:
        """What is wrong with the device, or None; tries to open it first if it is not open."""
        try:
            if self.device is None:
                self.device = self.open()
                self.begin(self.device)
            self.trouble = self.ask_trouble(self.device)
        except HardwareError as error:
            self.trouble = str(error)
        except Exception:  # a fault in one driver must not keep the other devices from being checked
            log.exception("A device failed")
            self.trouble = say("Something went wrong with a device; the log says what.")
        return self.trouble

    def close(self) -> None:
        if self.device is not None:
            self.device.close()
