"""The hole sensor, buttons and lamps wired to a Raspberry Pi's pins, through gpiozero.

The kernel's debounce is not used: it drops pulses that are shorter than its period, and a disc can cross a light beam
in 10 ms. Instead the first edge counts, a lock-out follows, and at its end the level is checked.

One gpiozero thread reports the edges of all pins, and an exception would end that thread. So no callback here raises.
"""

import errno
import logging
import os
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import gpiozero

from hardware.devices import Clock, HoleEvent, Signal, later
from hardware.errors import DeviceNotFound, DriverMissing

HOLE_LOCKOUT = 0.02  # seconds: contacts and beams bounce for less; a disc stays longer
BUTTON_LOCKOUT = 0.05  # seconds: cheap push buttons bounce for 5 to 20 ms, and nobody presses 20 times a second
BEEPS: dict[Signal, int] = {"twenty": 1, "foul": 2, "check": 3}
BEEP_SECONDS = 0.12
HEADER_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The labels of the chips behind the header: of a Pi 5, of a Pi 4, of older Pis and a Pi 4 with an older kernel."""
CHIP_INFO = struct.Struct("32s32sI")  # name, label, number of lines
GET_CHIP_INFO = 0x8044B401
WITH_HEADER = "a02082"  # the revision of a Pi that has the header of 40 pins: a Pi 3
Schedule = Callable[[float, Callable[[], None]], object]
"""(seconds, call): call it once after that delay, on any thread."""
logger = logging.getLogger(__name__)


def label(device: Path) -> str:
    """A GPIO chip's label, by the kernel's GPIO_GET_CHIPINFO_IOCTL (linux/gpio.h). Raises `OSError`."""
    import fcntl  # which Windows has not

    opened = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
    try:
        info = fcntl.ioctl(opened, GET_CHIP_INFO, bytes(CHIP_INFO.size))
    finally:
        os.close(opened)
    text: bytes = CHIP_INFO.unpack(info)[1]
    return text.partition(b"\0")[0].decode(errors="replace")


def header_chip(devices: Path = Path("/dev"), label: Callable[[Path], str] = label) -> int:
    """The number of the chip behind the Pi's header, found by its label: a Pi 5's had the numbers 4, 0 and 11, by the
    kernel's version. Raises `DeviceNotFound` with the cause."""
    found, closed = [], []
    for device in sorted(devices.glob("gpiochip*")):
        try:
            name = label(device)
        except PermissionError:
            closed.append(str(device))
            continue
        except OSError as error:
            name = errno.errorcode.get(error.errno or 0, "unreadable")
        if name in HEADER_CHIPS:
            return int(device.name.removeprefix("gpiochip"))
        found.append(f"{device.name} is {name}")
    if closed:
        raise DeviceNotFound(
            f"The GPIO pins can't be used: this user may not open {', '.join(closed)}. Add the user to the group gpio "
            "(sudo adduser $USER gpio), then log in again."
        )
    raise DeviceNotFound(
        f"The GPIO pins can't be used: no chip here is that of a Raspberry Pi's header ({', '.join(HEADER_CHIPS)}); "
        f"{', '.join(found) or f'there is no {devices}/gpiochip*'}. This needs a Raspberry Pi, and Raspberry Pi OS."
    )


def open_factory(find: Callable[[], int] = header_chip) -> Any:
    """The Pi's pins, for all devices of one table. Raises `DriverMissing` or `DeviceNotFound`. lgpio creates a pipe in
    the folder $LG_WD, by default in the working directory, which may be read-only."""
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="crokinole-pins-")
    try:
        import lgpio
        from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin, LocalPiFactory
    except (ImportError, AttributeError) as error:  # pip has an old lgpio without what gpiozero uses
        raise DriverMissing(
            f"GPIO needs lgpio ({error}): sudo apt install python3-lgpio, or pip install 'crokinole-table[pi]'."
        ) from error

    class Header(LGPIOFactory):  # type: ignore[misc]
        """gpiozero's factory on this chip: that of 2.0.1 ignores the number that it is given."""

        def __init__(self, chip: int) -> None:
            LocalPiFactory.__init__(self)
            self._handle = lgpio.gpiochip_open(chip)
            self._chip = chip
            self.pin_class = LGPIOPin

    chip = find()
    try:
        return Header(chip)
    except Exception as error:  # lgpio's and gpiozero's errors have no base in common
        raise DeviceNotFound(
            f"The GPIO pins of gpiochip{chip} can't be used ({error}): close what else uses them, or restart the Pi."
        ) from error


@dataclass(eq=False)
class _Input:
    """One input pin with a lock-out for debouncing. `changed(t, occupied)` is called on gpiozero's or a timer's thread;
    a button is occupied while it is pressed.

    `low_when_occupied` fits most break-beam and reflective sensors. `lockout`: seconds after a change in which further
    changes count as bounce. `pull_up`: which of the Pi's resistors is switched on:

    | True  | the pull-up, which an open collector needs       |
    | False | the pull-down                                    |
    | None  | the one that pulls to the level of an empty hole |
    """

    pin: str
    clock: Clock
    factory: Any
    low_when_occupied: bool = True
    lockout: float = HOLE_LOCKOUT
    schedule: Schedule = later
    pull_up: bool | None = None
    changed: Callable[[float, bool], None] = lambda t, occupied: None
    failure: str = ""  # why the last report failed
    missed: int = 0  # changes without an edge

    def __post_init__(self) -> None:
        self._lock = threading.RLock()
        self._stale = False
        self._locked_until = -float("inf")
        if self.pull_up is None:
            self.pull_up = self.low_when_occupied
        kind, factory = gpiozero.DigitalInputDevice, self.factory
        self._device = _open(self.pin, kind, pull_up=self.pull_up, bounce_time=None, pin_factory=factory)
        self._reported = self._means(self._device.is_active)
        self._device.when_activated = lambda: self._edge(True)
        self._device.when_deactivated = lambda: self._edge(False)

    def _means(self, activated: bool) -> bool:
        """Whether it is occupied; gpiozero calls a pin active if its level is opposite to the pull."""
        return bool(activated) == (self.low_when_occupied == self.pull_up)

    def occupied(self) -> bool | None:
        """The level now; None once closed."""
        return None if self._device.closed else self._means(self._device.is_active)

    def catch_up(self) -> None:
        """Report a level without an edge, if the last call found it too: before that, the edge may still come."""
        with self._reporting():
            occupied = self.occupied()
            stale = occupied not in (None, self._reported) and self.clock.now() >= self._locked_until
            if stale and self._stale:
                self.missed += 1
                self._report(self.clock.now(), not self._reported)
            self._stale = stale and not self._stale

    def _edge(self, activated: bool) -> None:
        now = self.clock.now()
        with self._reporting():
            if now >= self._locked_until:
                self._report(now, self._means(activated))

    def _check_level(self) -> None:
        with self._reporting():
            occupied = self.occupied()
            if occupied is not None:
                self._report(max(self.clock.now(), self._locked_until), occupied)

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """What a callback does under the lock; an exception becomes trouble here, since it would end the thread."""
        try:
            with self._lock:
                yield
        except Exception as error:
            if not self.failure:
                logger.error("GPIO %s: a change could not be reported", self.pin, exc_info=error)
            self.failure = f"{type(error).__name__}: {error}"

    def _report(self, t: float, occupied: bool) -> None:
        if occupied == self._reported:
            return
        self._reported = occupied
        self._locked_until = t + self.lockout
        self.schedule(self.lockout, self._check_level)
        self.changed(t, occupied)
        if self.failure:
            logger.info("GPIO %s reports again", self.pin)
            self.failure = ""

    def close(self) -> None:
        self._device.close()


class GpioHole(_Input):
    """The 20 hole's sensor on one pin."""

    def start(self, listener: Callable[[HoleEvent], None]) -> None:
        self.changed = lambda t, occupied: listener(HoleEvent(t, occupied))

    def set_polarity(self, low_when_occupied: bool) -> None:
        with self._lock:
            self.low_when_occupied = low_when_occupied
            self._check_level()

    def trouble(self) -> str | None:
        """Missed edges or a failing listener. Call it regularly: it also checks for missed edges."""
        self.catch_up()
        if self.missed:
            return f"GPIO {self.pin} misses edges (so far: {self.missed}): restart the table's program."
        if self.failure:
            return f"The hole sensor on GPIO {self.pin} could not report: {self.failure}."
        return None


class GpioButtons:
    """Push buttons between a pin and ground; `pins` maps each one's name to its pin."""

    def __init__(self, pins: Mapping[str, str], clock: Clock, factory: Any, schedule: Schedule = later) -> None:
        self._inputs: dict[str, _Input] = {}
        try:
            for name, pin in pins.items():
                self._inputs[name] = _Input(pin, clock, factory, lockout=BUTTON_LOCKOUT, schedule=schedule)
        except DeviceNotFound:
            self.close()
            raise

    def start(self, listener: Callable[[str], None]) -> None:
        for name, pin in self._inputs.items():
            pin.changed = partial(self._changed, listener, name)

    def _changed(self, listener: Callable[[str], None], name: str, t: float, down: bool) -> None:
        if down:
            listener(name)

    def close(self) -> None:
        for pin in self._inputs.values():
            pin.close()


class GpioLamps:
    """Lamps and a buzzer; `pins`: the pin of each, by a side ("A" or "B"), a signal, or "buzzer". A side's lamp is lit
    while a signal concerns that side, a signal's lamp while it is shown. The buzzer beeps once for a twenty, twice for
    a foul, and three times to ask for a check."""

    def __init__(self, pins: Mapping[str, str], factory: Any) -> None:
        self._lamps: dict[str, Any] = {}
        try:
            for name, pin in pins.items():
                kind = gpiozero.Buzzer if name == "buzzer" else gpiozero.LED
                self._lamps[name] = _open(pin, kind, pin_factory=factory)
        except DeviceNotFound:
            self.close()
            raise

    def show(self, signal: Signal, side: str | None = None, *, lit: bool = True) -> None:
        for name, lamp in self._lamps.items():
            if name != "buzzer":
                lamp.value = lit and name in (signal, side)
            elif signal in BEEPS:
                lamp.beep(BEEP_SECONDS, BEEP_SECONDS, n=BEEPS[signal], background=True)

    def close(self) -> None:
        for lamp in self._lamps.values():
            lamp.close()


def header_pin(pin: str) -> int | None:
    """The pin of the header that has this GPIO number; None if none has it. All headers of 40 pins are alike."""
    return next((found.number for _, found in gpiozero.pi_info(WITH_HEADER).find_pin(f"GPIO{pin}")), None)


def _open(pin: str, kind: Any, **options: Any) -> Any:
    """A gpiozero device of this kind. Raises `DeviceNotFound` for every error of gpiozero and lgpio."""
    try:
        return kind(int(pin) if pin.isdecimal() else pin, **options)
    except gpiozero.GPIOPinInUse as error:
        raise DeviceNotFound(f"GPIO {pin} is used twice: give each device a pin of its own.") from error
    except Exception as error:  # gpiozero's and lgpio's errors have no base in common
        raise DeviceNotFound(
            f"GPIO {pin} can't be used ({error}): name a free pin by its GPIO number, as in gpio:17."
        ) from error
