"""The host's client for the microcontroller in the 20 hole, driven by a thread or by a simulation's steps."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from firmware_bridge import messages
from firmware_bridge.firmware.fingerprint import fingerprint
from firmware_bridge.session import Button, Settings, UnitSession
from hardware.devices import ByteLink, Clock, HoleCounts, HoleEvent, Signal
from hardware.errors import DeviceLost

PACKAGE = str(Path(__file__).resolve().parent)
READ_SLICE = 0.05  # seconds by which a lamp may be late
REOPEN_FIRST, REOPEN_SLOWEST = 0.5, 2.0  # seconds between attempts to reopen a lost port
log = logging.getLogger(__name__)


@cache
def our_firmware() -> int:
    """The fingerprint of the firmware that comes with this software."""
    return fingerprint(PACKAGE)


class HoleUnit:
    """A `hardware.devices.HoleSensor`. Thread-safe. `start` runs it in its own thread; `attach` and `pump` do the same
    in steps of the caller's time."""

    def __init__(
        self,
        link: ByteLink,
        clock: Clock,
        *,
        kept: HoleCounts | None = None,
        device: str | None = None,
        settings: Settings | None = None,
    ) -> None:
        """`kept`: the counts of the last event that the table took in, which events before a restart of the program are
        found missing by. `device`: the required id of the unit in hex; None accepts any."""
        self._settings = settings or Settings()
        self._session = UnitSession(self._settings, firmware=our_firmware(), kept=kept, device=device)
        self._link = link
        self._clock = clock
        self._listener: Callable[[HoleEvent], None] = lambda _: None
        self._on_press: Callable[[Button], None] = lambda _: None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._known_trouble: str | None = None

    def attach(self, listener: Callable[[HoleEvent], None]) -> None:
        """Report to `listener` whenever `pump` is called."""
        self._listener = listener

    def start(self, listener: Callable[[HoleEvent], None]) -> None:
        """Report to `listener` from a thread that runs until `close`."""
        self.attach(listener)
        self._thread = threading.Thread(target=self._run, name="hole-unit", daemon=True)
        self._thread.start()

    def pump(self, now: float) -> None:
        """One step without waiting: receive, report, and send what is due."""
        self._exchange(0.0, lambda: now)

    def show(self, signal: Signal, colour: tuple[int, int, int]) -> None:
        """Set the lamp ring's signal; see `UnitLamps`."""
        with self._lock:
            self._session.show(signal, colour)

    def on_press(self, listener: Callable[[Button], None]) -> None:
        """Set the listener for presses of the unit's buttons; see `UnitButtons`."""
        self._on_press = listener

    def test(self) -> None:
        """Have the unit test its sensor, as when it starts; `trouble` and `statistics` report the result."""
        with self._lock:
            self._session.test()

    def set_polarity(self, low_when_occupied: bool) -> None:
        """See `HoleSensor`. Until the unit has taken it, the level is unknown."""
        with self._lock:
            self._settings = replace(self._settings, active_low=low_when_occupied)
            self._session.configure(self._settings)

    def occupied(self) -> bool | None:
        """The last reported level; None while the unit does not answer."""
        with self._lock:
            return self._session.occupied()

    def trouble(self) -> str | None:
        """A sentence for the page that says what is wrong; None if nothing is."""
        with self._lock:
            return self._session.trouble()

    def statistics(self) -> dict[str, Any]:
        """Diagnostic figures as JSON: counts since the start, and the unit's last line, None while it is silent."""
        with self._lock:
            unit = self._session.answers
            counts = {"damaged": self._session.damaged, "silences": self._session.silences}
        if unit is None:
            return {**counts, "unit": None}
        named = {"device": f"{unit.device:016x}", "firmware": f"{unit.firmware:08x}"}
        return {**counts, "unit": {**unit._asdict(), **named}}

    def diagnostics(self) -> list[str]:
        """The last lines in both directions."""
        with self._lock:
            return list(self._session.log)

    def close(self) -> None:
        """Stop, and close the link. Safe to call twice."""
        self._stop.set()
        self._link.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        pause = REOPEN_FIRST
        while not self._stop.is_set():
            with self._lock:
                wait = self._session.wake() - self._clock.now()
            if self._exchange(min(max(wait, 0.0), READ_SLICE), self._clock.now):
                pause = REOPEN_FIRST
            else:
                self._stop.wait(pause)
                pause = min(2 * pause, REOPEN_SLOWEST)

    def _exchange(self, timeout: float, now: Callable[[], float]) -> bool:
        """Read once, report, and send what is due. Returns False if the link is gone."""
        data, lost = b"", None
        try:
            data = self._link.read(timeout)
            with self._lock:
                self._session.connected()
                out = self._session.send(now())
            if out:
                self._link.write(out)
        except DeviceLost as error:
            lost = str(error)
        with self._lock:
            if lost is not None:
                self._session.lost(lost)
            reported = self._session.receive(data, now())
        for one in reported:
            self._report(one)
        self._log_trouble()
        return lost is None

    def _report(self, one: HoleEvent | Button) -> None:
        try:
            if isinstance(one, HoleEvent):
                self._listener(one)
            else:
                self._on_press(one)
        except Exception:  # a listener's error must not end the thread
            log.exception("The hole unit's listener failed on %s", one)

    def _log_trouble(self) -> None:
        trouble = self.trouble()
        if trouble != self._known_trouble and not self._stop.is_set():
            log.warning("%s", trouble or f"Mended: {self._known_trouble}")
            self._known_trouble = trouble


PATIENCE = 4.0  # seconds: a unit answers within one, and tests itself within another
TURN = 0.02  # seconds


@dataclass(frozen=True, slots=True)
class Examination:
    """The result. `lines`: the last ones in both directions."""

    trouble: str | None  # what to mend, in a sentence
    occupied: bool | None
    unit: dict[str, Any] | None  # from `HoleUnit.statistics`; None if it did not answer
    lines: list[str]

    def words(self) -> str:
        """One line about the unit."""
        if self.unit is None:
            return "no answer"
        level = "a disc lies in the hole" if self.occupied else "the hole is empty"
        colours = "with" if self.unit["flags"] & messages.COLOUR_SENSOR else "without"
        return f"unit {self.unit['device']}, firmware {self.unit['firmware']}, {colours} colour sensor: {level}"


def examine(link: ByteLink, clock: Clock, settings: Settings | None = None, device: str | None = None) -> Examination:
    """Connect, apply the settings, run the self-test, and close the link. Waits `PATIENCE` at most."""
    unit = HoleUnit(link, clock, settings=settings, device=device)
    tests_itself = settings is not None and settings.sensor != "plain"
    give_up = clock.now() + PATIENCE
    try:
        while clock.now() < give_up:
            unit.pump(clock.now())
            figures = unit.statistics()["unit"]
            if unit.occupied() is not None and (figures["test"] or not tests_itself):
                break
            clock.sleep_until(clock.now() + TURN)
        return Examination(unit.trouble(), unit.occupied(), unit.statistics()["unit"], unit.diagnostics())
    finally:
        unit.close()


WHITE = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class UnitLamps:
    """A `hardware.devices.Lamps`: turn and twenty in the side's colour, each signal in its own pattern. `colours`: red,
    green and blue of each side's light, 0 to 255; a missing side lights up white."""

    unit: HoleUnit
    colours: Mapping[str, tuple[int, int, int]]

    def show(self, signal: Signal, side: str | None = None, *, lit: bool = True) -> None:
        self.unit.show(signal if lit else "idle", self.colours.get(side or "", WHITE))

    def close(self) -> None:
        """Lamps off. The unit itself switches them off five seconds after it is closed."""
        self.unit.show("idle", WHITE)


@dataclass(frozen=True, slots=True)
class UnitButtons:
    """A `hardware.devices.ButtonPanel`. A press while nobody listens is dropped."""

    unit: HoleUnit

    def start(self, listener: Callable[[Button], None]) -> None:
        """Report each press once, on the unit's thread."""
        self.unit.on_press(listener)

    def close(self) -> None:
        self.unit.on_press(lambda button: None)
