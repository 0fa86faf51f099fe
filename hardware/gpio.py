"""The hole sensor, buttons and lamps straight on a Raspberry Pi's pins, by gpiozero.

The kernel's debounce is not used: it drops pulses shorter than itself, and a disc can pass a light beam in 10 ms.
Instead the first edge counts, a lock-out follows it, and when that is over the level is looked at again.

gpiozero calls back on the one thread that reports all edges of all pins, and an exception ends that thread for ever. So
no callback here raises one.
"""

import logging
import os
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import gpiozero

from hardware.devices import Buttons, Clock, HoleEvent, Signal
from hardware.errors import DeviceNotFound, DriverMissing

HOLE_LOCKOUT = 0.02  # seconds: contacts and beams chatter for less; a disc stays longer
BUTTON_LOCKOUT = 0.05  # seconds: cheap push buttons chatter for 5 to 20 ms, and nobody presses 20 times a second
FLICKER_EVENTS = 20  # within FLICKER_SECONDS: more than any hand can seat and lift discs
FLICKER_SECONDS = 10.0
LAMPS = ("A", "B", "twenty", "foul", "check", "buzzer")
BEEPS: dict[Signal, int] = {"twenty": 1, "foul": 2, "check": 3}
BEEP_SECONDS = 0.12

Schedule = Callable[[float, Callable[[], None]], object]
"""(seconds, call): call it once, that much later, on any thread."""

logger = logging.getLogger(__name__)


def open_factory() -> Any:
    """The Pi's own pins, for all devices of one table. Raises `DriverMissing` or `DeviceNotFound`.

    lgpio puts a pipe into the folder that $LG_WD names, else into the working directory, which may be read-only.
    """
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="crokinole-pins-")
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise DriverMissing(
            f"GPIO needs lgpio ({error}): sudo apt install python3-lgpio, or pip install 'crokinole-table[pi]'."
        ) from error
    try:
        return LGPIOFactory()
    except Exception as error:  # lgpio's and gpiozero's errors have no base in common
        raise DeviceNotFound(
            f"The GPIO pins can't be used ({error}): this needs a Raspberry Pi, and a user of the group gpio "
            "(sudo adduser $USER gpio, then log in again)."
        ) from error


def later(seconds: float, call: Callable[[], None]) -> None:
    """Call it on a thread of its own; see `Schedule`."""
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()


class GpioHole:
    """The 20 hole's sensor on one pin.

    `low_when_occupied` is right for most break-beam and reflective sensors, see `set_polarity`. `lockout`: seconds
    after a change in which others are bounce. `pull_up`: which of the Pi's own resistors is switched on:

    | True  | the pull-up, which an open collector needs      |
    | False | the pull-down                                   |
    | None  | the one that makes the level of an empty hole   |
    """

    def __init__(
        self,
        pin: str,
        clock: Clock,
        factory: Any,
        low_when_occupied: bool = True,
        lockout: float = HOLE_LOCKOUT,
        schedule: Schedule = later,
        pull_up: bool | None = None,
    ) -> None:
        self._pin = pin
        self._listener: Callable[[HoleEvent], None] | None = None
        self._recent: deque[float] = deque(maxlen=FLICKER_EVENTS)
        self._input = _Input(pin, low_when_occupied, lockout, self._changed, clock, factory, schedule, pull_up)
        self._clock = clock

    def start(self, listener: Callable[[HoleEvent], None]) -> None:
        """Begin to report; a bare pin has kept nothing from before."""
        self._listener = listener

    def acknowledge(self, event: HoleEvent) -> None:
        """A bare pin keeps no journal."""

    def occupied(self) -> bool | None:
        """The level now; None once closed."""
        return self._input.level()

    def set_polarity(self, low_when_occupied: bool) -> None:
        """See `HoleSensor`."""
        self._input.set_active(low=low_when_occupied)

    def trouble(self) -> str | None:
        """Flickering, edges that are not reported, or a listener that fails. Call it now and then: it looks as well."""
        self._input.catch_up()
        recent = tuple(self._recent)
        if len(recent) == FLICKER_EVENTS and self._clock.now() - recent[0] < FLICKER_SECONDS:
            return f"The hole sensor on GPIO {self._pin} flickers: check that it is fixed, its plug, and stray light."
        if self._input.missed:
            return (
                f"GPIO {self._pin} changes without telling (seen: {self._input.missed}): restart the table's program."
            )
        if self._input.failure:
            return f"The hole sensor on GPIO {self._pin} could not report: {self._input.failure}."
        return None

    def close(self) -> None:
        """Give the pin back."""
        self._input.close()

    def _changed(self, t: float, occupied: bool) -> None:
        self._recent.append(t)
        if self._listener is not None:
            self._listener(HoleEvent(t, occupied))


class GpioButtons:
    """Push buttons between a pin and ground."""

    def __init__(self, buttons: Buttons, clock: Clock, factory: Any, schedule: Schedule = later) -> None:
        self._listener: Callable[[Literal["undo", "confirm"]], None] | None = None
        self._inputs: list[_Input] = []
        try:
            if buttons.undo is not None:
                self._add(buttons.undo, lambda: self._pressed("undo"), clock, factory, schedule)
            if buttons.confirm is not None:
                self._add(buttons.confirm, lambda: self._pressed("confirm"), clock, factory, schedule)
        except DeviceNotFound:
            self.close()
            raise

    def _add(self, pin: str, press: Callable[[], None], clock: Clock, factory: Any, schedule: Schedule) -> None:
        def changed(t: float, down: bool) -> None:
            if down:
                press()

        self._inputs.append(_Input(pin, True, BUTTON_LOCKOUT, changed, clock, factory, schedule))

    def _pressed(self, name: Literal["undo", "confirm"]) -> None:
        if self._listener is not None:
            self._listener(name)

    def start(self, listener: Callable[[Literal["undo", "confirm"]], None]) -> None:
        """Report each press once."""
        self._listener = listener

    def close(self) -> None:
        """Give the pins back."""
        for pin in self._inputs:
            pin.close()


class GpioLamps:
    """Lamps, and a buzzer, by name: `pins` gives a pin to any of `LAMPS`.

    A side's lamp burns when a signal concerns it, the lamp of a signal while it is shown; the buzzer beeps once for a
    twenty, twice for a foul, three times to call for a look.
    """

    def __init__(self, pins: Mapping[str, str], factory: Any) -> None:
        unknown = sorted(set(pins) - set(LAMPS))
        if unknown:
            raise DeviceNotFound(f"There is no lamp called {unknown[0]!r}: the lamps are {', '.join(LAMPS)}.")
        self._lamps: dict[str, Any] = {}
        try:
            for name, pin in pins.items():
                kind = gpiozero.Buzzer if name == "buzzer" else gpiozero.LED
                self._lamps[name] = _open(pin, partial(kind, _number(pin), pin_factory=factory))
        except DeviceNotFound:
            self.close()
            raise
        self._buzzer = self._lamps.pop("buzzer", None)

    def show(self, signal: Signal, side: str | None = None) -> None:
        """Show one signal until the next."""
        for name, lamp in self._lamps.items():
            lamp.value = name in (signal, side)
        if self._buzzer is not None and signal in BEEPS:
            self._buzzer.beep(BEEP_SECONDS, BEEP_SECONDS, n=BEEPS[signal], background=True)

    def close(self) -> None:
        """Lamps off."""
        for lamp in (*self._lamps.values(), getattr(self, "_buzzer", None)):
            if lamp is not None:
                lamp.close()


class _Input:
    """One pin with a lock-out in place of a debounce. `changed(t, active)` comes on gpiozero's or a timer's thread."""

    def __init__(
        self,
        pin: str,
        active_low: bool,
        lockout: float,
        changed: Callable[[float, bool], None],
        clock: Clock,
        factory: Any,
        schedule: Schedule,
        pull_up: bool | None = None,
    ) -> None:
        self.failure = ""  # why the last report failed
        self.missed = 0  # changes that no edge told of
        self._stale = False
        self._pin = pin
        self._lockout = lockout
        self._changed = changed
        self._clock = clock
        self._schedule = schedule
        self._lock = threading.RLock()
        pull_up = active_low if pull_up is None else pull_up
        device = partial(gpiozero.DigitalInputDevice, pull_up=pull_up, bounce_time=None, pin_factory=factory)
        self._device = _open(pin, partial(device, _number(pin)))
        self._same = active_low == pull_up  # gpiozero calls a pin active when its level is not the pull's
        self._reported = bool(self._device.is_active) == self._same
        self._locked_until = -float("inf")
        self._device.when_activated = lambda: self._edge(True)
        self._device.when_deactivated = lambda: self._edge(False)
        self._pull_up = pull_up

    def level(self) -> bool | None:
        """The level now; None once closed."""
        return None if self._device.closed else bool(self._device.is_active) == self._same

    def set_active(self, *, low: bool) -> None:
        """Which of the pin's levels is the active one from now on."""
        with self._lock:
            self._same = low == self._pull_up
            self._look_again()

    def catch_up(self) -> None:
        """Report a level for which no edge came. It must have been there at the last call too: else the edge may
        come."""
        try:
            with self._lock:
                active = self.level()
                stale = active not in (None, self._reported) and self._clock.now() >= self._locked_until
                if stale and self._stale:
                    self.missed += 1
                    self._take(self._clock.now(), not self._reported)
                self._stale = stale and not self._stale
        except Exception as error:
            self._failed(error)

    def _edge(self, activated: bool) -> None:
        try:
            now = self._clock.now()
            with self._lock:
                if now >= self._locked_until:
                    self._take(now, activated == self._same)
        except Exception as error:
            self._failed(error)

    def _look_again(self) -> None:
        try:
            with self._lock:
                active = self.level()
                if active is not None:
                    self._take(max(self._clock.now(), self._locked_until), active)
        except Exception as error:
            self._failed(error)

    def _take(self, t: float, active: bool) -> None:
        if active == self._reported:
            return
        self._reported = active
        self._locked_until = t + self._lockout
        self._schedule(self._lockout, self._look_again)
        self._changed(t, active)
        if self.failure:
            logger.info("GPIO %s reports again", self._pin)
            self.failure = ""

    def _failed(self, error: Exception) -> None:
        if not self.failure:
            logger.error("GPIO %s: a change could not be reported", self._pin, exc_info=error)
        self.failure = f"{type(error).__name__}: {error}"

    def close(self) -> None:
        """Give the pin back."""
        self._device.close()


def _number(pin: str) -> int | str:
    return int(pin) if pin.isdecimal() else pin


def _open(pin: str, make: Callable[[], Any]) -> Any:
    """Make a gpiozero device. Raises `DeviceNotFound` for every error of gpiozero and lgpio."""
    try:
        return make()
    except gpiozero.GPIOPinInUse as error:
        raise DeviceNotFound(f"GPIO {pin} is used twice: give each device a pin of its own.") from error
    except Exception as error:  # gpiozero's and lgpio's errors have no base in common
        raise DeviceNotFound(
            f"GPIO {pin} can't be used ({error}): name a free pin by its GPIO number, as in gpio:17."
        ) from error
