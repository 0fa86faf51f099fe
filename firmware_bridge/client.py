"""The host's client for the microcontroller in the 20 hole, driven by a thread or by a simulation's steps."""

import logging
import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from firmware_bridge import messages
from firmware_bridge.delivery import Gap, Report
from firmware_bridge.firmware.fingerprint import fingerprint
from firmware_bridge.session import Session, SessionOutput
from firmware_bridge.settings import Settings
from firmware_bridge.unit_services import Note, Press
from hardware.devices import ByteLink, Clock, HoleEvent, Signal
from hardware.errors import DeviceLost

PACKAGE = str(Path(__file__).resolve().parent)
READ_SLICE = 0.05  # seconds by which an acknowledgement may be late: a fifth of the unit's resend time
REOPEN_FIRST, REOPEN_SLOWEST = 0.5, 5.0  # seconds between attempts to reopen a lost port
Button = Literal["undo", "confirm"]
log = logging.getLogger(__name__)


class HoleUnit:
    """A `hardware.devices.HoleSensor`. Thread-safe. `start` runs it in its own thread; `attach` and `pump` do the same
    in steps of the caller's time. Call `acknowledge` for each event and gap, in order, after committing it to disk."""

    def __init__(
        self,
        link: ByteLink,
        clock: Clock,
        *,
        cursors: Mapping[int, int] | None = None,
        device: str | None = None,
        settings: Settings | None = None,
        on_gap: Callable[[Gap], None] | None = None,
        seed: int | None = None,
    ) -> None:
        """`cursors`: the highest sequence in our journal by stream of the unit. `device`: the required id of the unit
        in hex; None accepts any. `on_gap` is called, like the listener, with events that are lost for good. `seed`: for
        the nonces; None uses the system's randomness. Raises `BadSetting`."""
        source = random.Random(seed) if seed is not None else random.SystemRandom()
        self._settings = settings or Settings()
        self._session = Session(cursors or {}, device=device, settings=self._settings, random_source=source)
        self._link = link
        self._clock = clock
        self._on_gap = on_gap
        self._listener: Callable[[HoleEvent], None] | None = None
        self._on_press: Callable[[Button], None] | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._up = False
        self._known_trouble: str | None = None

    @cached_property
    def _firmware(self) -> int:
        return fingerprint(PACKAGE)

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

    def acknowledge(self, event: Report) -> None:
        """The event or gap and all before it are on disk: the unit may delete them."""
        with self._lock:
            self._session.acknowledge(event)

    def show(self, signal: Signal, colour: tuple[int, int, int] = (0, 0, 0)) -> None:
        """Set the lamp ring's signal; see `UnitLamps`."""
        with self._lock:
            self._session.services.show(signal, colour)

    def on_press(self, listener: Callable[[Button], None]) -> None:
        """Report the presses of the unit's buttons; see `UnitButtons`."""
        self._on_press = listener
        with self._lock:
            self._session.services.needed = True

    def test(self) -> None:
        """Have the unit test its sensor, as after each handshake; `trouble` and `statistics` report the result."""
        with self._lock:
            self._session.services.test()

    def set_polarity(self, low_when_occupied: bool) -> None:
        """See `HoleSensor`: the unit stores the setting in its flash and reports a level whose meaning changed."""
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
        """Diagnostic figures as JSON: counts since the start, and the unit's description of itself."""
        with self._lock:
            figures: dict[str, Any] = asdict(self._session.counts)
            peer = self._session.peer
            settled = self._session.settings_in_force()
            error = self._session.clock_error(self._clock.now())
        if peer is not None:
            figures["unit"] = {
                "device": peer.hello.device.hex(),
                "firmware": f"{peer.hello.firmware:08x}",
                "firmware_current": peer.hello.firmware == self._firmware,
                "stream": peer.hello.stream,
                "boot": peer.hello.boot,
                "protocol": f"{messages.MAJOR}.{peer.hello.minor}",
                "reset": messages.RESETS[min(peer.hello.reset, len(messages.RESETS) - 1)],
                "dropped": peer.dropped,
                "faults": peer.faults,
                "withheld": peer.withheld,
                "settings_in_force": settled,
                "longest_turn_ms": peer.loop_us / 1000,
                "clock_error_ms": error * 1000,
                "colour_sensor": bool(peer.hello.fitted & messages.COLOUR_SENSOR),
                "self_test": peer.test._asdict() if peer.test else None,
            }
        return figures

    def diagnostics(self) -> list[str]:
        """The last hundred frames in each direction, decoded, one per line in order of time."""
        with self._lock:
            return self._session.log.lines()

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
                wait = self._session.wake() - self._clock.now() if self._up else 0.0
            if self._exchange(min(max(wait, 0.0), READ_SLICE), self._clock.now):
                pause = REOPEN_FIRST
            else:
                self._stop.wait(pause)
                pause = min(2 * pause, REOPEN_SLOWEST)

    def _exchange(self, timeout: float, now: Callable[[], float]) -> bool:
        """Read once and handle the result. Returns False if the link is gone."""
        try:
            data = self._link.read(timeout)
            with self._lock:
                if not self._up:
                    self._session.connected(now())
                    self._up = True
                outputs = self._session.receive(data, now())
            self._deliver(outputs)
            with self._lock:
                out = self._session.send(now())
            if out:
                self._link.write(out)
        except DeviceLost as error:
            self._up = False
            with self._lock:
                self._session.lost(str(error))
        self._log_trouble()
        return self._up

    def _deliver(self, outputs: list[SessionOutput]) -> None:
        for item in outputs:
            try:
                self._dispatch(item)
            except Exception:  # a listener's error must not end the thread; the unit resends from here
                log.exception("The hole unit's listener failed on %s", item)
                if isinstance(item, HoleEvent | Gap):
                    with self._lock:
                        self._session.retract(item)
                    return

    def _dispatch(self, item: SessionOutput) -> None:
        match item:
            case HoleEvent():
                if self._listener is not None:
                    self._listener(item)
            case Gap():
                log.error("The 20-hole unit lost its events %d to %d", item.first, item.sequence)
                if self._on_gap is not None:
                    self._on_gap(item)
            case Press():
                if self._on_press is not None:
                    self._on_press(item.button)
            case Note():
                log.log(item.level, "The 20-hole unit: %s", item.text)

    def _log_trouble(self) -> None:
        trouble = self.trouble()
        if trouble != self._known_trouble and not self._stop.is_set():
            log.warning("%s", trouble or f"Mended: {self._known_trouble}")
            self._known_trouble = trouble


PATIENCE = 4.0  # seconds: a unit greets within one, and applies settings and tests itself within another
TURN = 0.02  # seconds


@dataclass(frozen=True, slots=True)
class Examination:
    """The result. `frames`: the last hundred in each direction, decoded, one per line."""

    trouble: str | None  # what to mend, in a sentence
    occupied: bool | None
    unit: dict[str, Any] | None  # from `HoleUnit.statistics`; None if it did not answer
    frames: list[str]

    def words(self) -> str:
        """One line about the unit."""
        if self.unit is None:
            return "no answer"
        level = "a disc lies in the hole" if self.occupied else "the hole is empty"
        colours = "with" if self.unit["colour_sensor"] else "without"
        return (
            f"unit {self.unit['device']}, firmware {self.unit['firmware']}, {colours} colour sensor, "
            f"clock known to {self.unit['clock_error_ms']:.1f} ms: {level}"
        )


def examine(link: ByteLink, clock: Clock, settings: Settings | None = None, device: str | None = None) -> Examination:
    """Connect, apply the settings, run the self-test, and close the link. Waits `PATIENCE` at most."""
    unit = HoleUnit(link, clock, settings=settings, device=device)
    give_up = clock.now() + PATIENCE
    try:
        while clock.now() < give_up:
            unit.pump(clock.now())
            if _is_complete(unit, settings):
                break
            clock.sleep_until(clock.now() + TURN)
        figures = unit.statistics().get("unit")
        return Examination(trouble_of(unit), unit.occupied(), figures, unit.diagnostics())
    finally:
        unit.close()


def _is_complete(unit: HoleUnit, settings: Settings | None) -> bool:
    figures = unit.statistics().get("unit")
    if figures is None or not figures["settings_in_force"]:
        return False
    tests_itself = settings is not None and settings.sensor != "plain" and figures["protocol"] != "1.0"
    return figures["self_test"] is not None or not tests_itself


def trouble_of(unit: HoleUnit) -> str | None:
    """A sentence that says what is wrong with a unit or its firmware's version; None if nothing is."""
    trouble, figures = unit.trouble(), unit.statistics().get("unit")
    if trouble is None and figures is not None and not figures["firmware_current"]:
        return "The 20-hole unit has another firmware than this software: run `crokinole-table flash`."
    return trouble


WHITE = (255, 255, 255)


class UnitLamps:
    """A `hardware.devices.Lamps`: turn and twenty in the side's colour, each signal in its own pattern."""

    def __init__(self, unit: HoleUnit, colours: Mapping[str, tuple[int, int, int]]) -> None:
        """`colours`: red, green and blue of each side's light, 0 to 255; a missing side lights up white."""
        self._unit = unit
        self._colours = dict(colours)

    def show(self, signal: Signal, side: str | None = None, *, lit: bool = True) -> None:
        self._unit.show(signal if lit else "idle", self._colours.get(side or "", WHITE))

    def close(self) -> None:
        """Lamps off. The unit itself switches them off five seconds after it is closed."""
        self._unit.show("idle")


class UnitButtons:
    """A `hardware.devices.ButtonPanel`. A press that does not arrive within two seconds is dropped."""

    def __init__(self, unit: HoleUnit) -> None:
        self._unit = unit

    def start(self, listener: Callable[[Button], None]) -> None:
        """Report each press once, on the unit's thread."""
        self._unit.on_press(listener)

    def close(self) -> None:
        self._unit.on_press(lambda button: None)
