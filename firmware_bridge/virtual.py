"""A simulated 20-hole unit: the firmware's core on a simulated wire, stepped by the simulation."""

import random
from dataclasses import dataclass

from firmware_bridge import messages
from firmware_bridge.client import PACKAGE
from firmware_bridge.firmware import ring
from firmware_bridge.firmware.core import Unit
from firmware_bridge.firmware.fingerprint import fingerprint
from firmware_bridge.firmware.journal import CAPACITY, Journal, Store
from firmware_bridge.wire import Wire, WireFaults
from hardware.devices import ByteLink
from hardware.errors import DeviceLost

POWER_ON, RESTARTED = 0, 1  # in messages.RESETS
RING_LAMPS = 24


@dataclass(slots=True)
class Beam:
    """What the self-test measures; by default a working break-beam sensor."""

    lit: int = 50_000
    dark: int = 2_000
    occupied_dark: bool = True


class VirtualUnit:
    """A microcontroller with flash, a pin in the hole and a USB cable. All times are seconds and never go back."""

    def __init__(self, *, seed: int = 0, faults: WireFaults | None = None, capacity: int = CAPACITY) -> None:
        """`faults` affect frames in both directions; the same seed gives the same faults. `capacity`: events that its
        journal holds."""
        self.wire = Wire(seed, faults)
        self.store = Store()
        self._capacity = capacity
        self._random = random.Random(seed ^ 0x5EED)
        self._firmware = fingerprint(PACKAGE)
        self.tint: tuple[int, int, int, int] | None = None  # what a colour sensor would measure; None without one
        self.beam = Beam()
        self._occupied = False
        self._unit: Unit | None = None
        self._started = 0.0
        self._boot(0.0, POWER_ON)

    @property
    def link(self) -> ByteLink:
        return self.wire.host

    @property
    def journal(self) -> Journal | None:
        """The unit's journal, for comparisons; None while it has no power."""
        return self._unit.journal if self._unit else None

    def sense(self, t: float, occupied: bool) -> None:
        """The raw level, bounce included, changes at `t`."""
        self._occupied = occupied
        if self._unit is not None:
            self._unit.sense(self._us(t), self._level())

    def press(self, t: float, button: str, down: bool) -> None:
        """One of `messages.BUTTONS` goes down or up at `t`."""
        if self._unit is not None:
            self._unit.presses.sense(self._us(t), messages.BUTTONS.index(button), int(down))

    def lamps(self, t: float) -> messages.Show:
        return self._unit.lamps(self._us(t)) if self._unit else messages.Show(0, 0, 0, 0)

    def ring(self, t: float) -> tuple[tuple[int, int, int], ...]:
        """The light of each lamp of its ring: red, green and blue, 0 to 255."""
        signal, *colour = self.lamps(t)
        return tuple(ring.pixels(signal, tuple(colour), self._us(t), RING_LAMPS))

    def step(self, t: float) -> None:
        """One turn of the firmware's loop."""
        self.wire.advance(t)
        unit = self._unit
        if unit is None:
            return
        now_us = self._us(t)
        unit.waited(now_us)
        unit.sense(now_us, self._level())
        try:
            unit.receive(self.wire.unit.read(0.0), now_us)
            if unit.test_asked is not None:
                unit.tested(self.beam.lit, self.beam.dark, self._level(), int(not self.beam.occupied_dark))
            if self.tint is not None and unit.wants_tint(now_us):
                unit.tint(now_us, self.tint)
            out = unit.step(now_us)
            if out:
                self.wire.unit.write(out)
        except DeviceLost:
            return  # nobody at the other end of the cable; the unit continues sensing
        if unit.leave is not None:
            self._boot(t, RESTARTED)

    def reboot(self, t: float) -> None:
        self._boot(t, RESTARTED)

    def unplug(self) -> None:
        """Pull the cable, which also powers the unit."""
        self.wire.plug(False)
        self._unit = None

    def plug(self, t: float) -> None:
        """Plug the cable in: the unit starts."""
        self.wire.plug(True)
        self._boot(t, POWER_ON)

    def _boot(self, t: float, reset: int) -> None:
        self._started = t
        journal = Journal(self.store, self._random.getrandbits(32), self._capacity)
        boot = self._random.getrandbits(32)
        fitted = messages.COLOUR_SENSOR if self.tint else 0
        self._unit = Unit(journal, b"VIRTUAL1", boot, reset, self._firmware, 0, self._level(), fitted)
        for button in range(len(messages.BUTTONS)):
            self._unit.presses.sense(0, button, 0)

    def _us(self, t: float) -> int:
        return round((t - self._started) * 1e6)

    def _level(self) -> int:
        return int(not self._occupied)
