"""The 20 hole's sensor for the table: a microcontroller behind a byte link, in a thread or in a simulation's steps."""

import logging
import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from firmware_bridge import messages
from firmware_bridge.delivery import Gap, Report
from firmware_bridge.firmware.fingerprint import fingerprint
from firmware_bridge.session import Session, Told
from firmware_bridge.settings import Settings
from firmware_bridge.unit_services import Note, Press
from hardware.devices import ByteLink, Clock, HoleEvent, Signal
from hardware.errors import DeviceLost

PACKAGE = str(Path(__file__).resolve().parent)
READ_SLICE = 0.05  # seconds: how late an acknowledgement may leave, a fifth of the unit's patience
REOPEN_FIRST, REOPEN_SLOWEST = 0.5, 5.0  # seconds between attempts to open a port that is gone

Button = Literal["undo", "confirm"]

log = logging.getLogger(__name__)


class HoleUnit:
    """A `hardware.devices.HoleSensor`. Every method may be called from any thread.

    After `start` it runs a thread of its own; `attach` and `pump` do the same in steps of the caller's time. An event
    or gap counts as taken over when `acknowledge` was called for it: do that after its commit, in order.
    """

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
        """`cursors`: for each of the unit's streams the highest sequence that our journal holds already.

        `device`: the id that the unit must have, in hex; None takes any. `on_gap` is called like the listener, for
        events that are lost for good. `seed`: for the nonces; None takes the system's randomness. Raises `BadSetting`.
        """
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
        """Report to `listener` from a thread that lives until `close`."""
        self.attach(listener)
        self._thread = threading.Thread(target=self._run, name="hole-unit", daemon=True)
        self._thread.start()

    def pump(self, now: float) -> None:
        """One step without waiting: take what has arrived, report it, send what is due."""
        self._exchange(0.0, lambda: now)

    def acknowledge(self, event: Report) -> None:
        """The event or gap, and every one before it, is on disk: the unit may forget it."""
        with self._lock:
            self._session.acknowledge(event)

    def show(self, signal: Signal, colour: tuple[int, int, int] = (0, 0, 0)) -> None:
        """What the unit's lamp ring shows from now on; see `panel.UnitLamps`."""
        with self._lock:
            self._session.services.show(signal, colour)

    def on_press(self, listener: Callable[[Button], None]) -> None:
        """Report the presses of the unit's buttons; see `panel.UnitButtons`."""
        self._on_press = listener
        with self._lock:
            self._session.services.needed = True

    def test(self) -> None:
        """Have the unit test its sensor now, as after each handshake; `trouble` and `statistics` tell the result."""
        with self._lock:
            self._session.services.test()

    def set_polarity(self, low_when_occupied: bool) -> None:
        """See `HoleSensor`: the unit is told, keeps it in its flash, and reports what its level means now."""
        with self._lock:
            self._settings = replace(self._settings, active_low=low_when_occupied)
            self._session.sense_as(self._settings)

    def occupied(self) -> bool | None:
        """The level as the unit told it last; None while it does not answer."""
        with self._lock:
            return self._session.occupied()

    def trouble(self) -> str | None:
        """What is wrong, in a sentence for the page, or None."""
        with self._lock:
            return self._session.trouble()

    def statistics(self) -> dict[str, Any]:
        """Figures for the technician: counts since the start, and the unit as it described itself. JSON."""
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
        """The last hundred frames each way, decoded, one a line in order of time."""
        with self._lock:
            return self._session.log.lines()

    def close(self) -> None:
        """Stop, and give the link back. Safe to call twice."""
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
        """One read and what follows from it; False when the link is gone."""
        try:
            data = self._link.read(timeout)
            with self._lock:
                if not self._up:
                    self._session.connected(now())
                    self._up = True
                told = self._session.receive(data, now())
            self._deliver(told)
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

    def _deliver(self, told: list[Told]) -> None:
        for item in told:
            try:
                self._hand_over(item)
            except Exception:  # a listener's fault must not end the thread; the unit repeats what follows
                log.exception("The hole unit's listener failed on %s", item)
                if isinstance(item, HoleEvent | Gap):
                    with self._lock:
                        self._session.take_back(item)
                    return

    def _hand_over(self, item: Told) -> None:
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
