"""A simulated 20-hole unit: the firmware's core on a simulated wire, stepped by the simulation."""

import random
from dataclasses import dataclass

from firmware_bridge import messages
from firmware_bridge.client import our_firmware
from firmware_bridge.firmware import ring
from firmware_bridge.firmware.core import DARK, Unit
from firmware_bridge.wire import Wire, WireFaults
from hardware.devices import ByteLink
from hardware.errors import DeviceLost

DEVICE = int.from_bytes(b"VIRTUAL1", "big")
RING_LAMPS = 24


@dataclass(slots=True)
class VirtualBeam:
    """What the self-test measures; by default a working break-beam sensor."""

    lit: int = 50_000
    dark: int = 2_000
    occupied_dark: bool = True


class VirtualUnit:
    """A microcontroller with a pin in the hole and a USB cable. All times are seconds and never go back."""

    def __init__(self, *, seed: int = 0, faults: WireFaults | None = None) -> None:
        """`faults` affect lines in both directions; the same seed gives the same faults."""
        self.wire = Wire(seed, faults)
        self.firmware = our_firmware()
        self.tint: tuple[int, int, int, int] | None = None  # what a colour sensor would measure; None without one
        self.beam = VirtualBeam()
        self._random = random.Random(seed ^ 0x5EED)
        self._occupied = False
        self._unit: Unit | None = None
        self._started = 0.0
        self.reboot(0.0)

    @property
    def link(self) -> ByteLink:
        return self.wire.host

    def sense(self, t: float, occupied: bool) -> None:
        """The raw level, bounce included, changes at `t`. A turn of the loop takes a millisecond: it sees each edge."""
        self._occupied = occupied
        self.step(t)

    def press(self, t: float, button: str, down: bool) -> None:
        """One of `messages.BUTTONS` goes down or up at `t`."""
        if self._unit is not None:
            self._unit.press(self._ms(t), messages.BUTTONS.index(button), int(down))

    def lamps(self, t: float) -> tuple[int, ...]:
        """What its lamps show: an index of SIGNALS, red, green, blue."""
        return self._unit.lamps(self._ms(t)) if self._unit else DARK

    def ring(self, t: float) -> tuple[tuple[int, int, int], ...]:
        """The light of each lamp of its ring: red, green and blue, 0 to 255."""
        signal, red, green, blue = self.lamps(t)
        return tuple(ring.pixels(signal, (red, green, blue), self._ms(t), RING_LAMPS))

    def step(self, t: float) -> None:
        """One turn of the firmware's loop."""
        self.wire.advance(t)
        unit, now_ms = self._unit, self._ms(t)
        if unit is None:
            return
        try:
            unit.receive(self.wire.unit.read(0.0), now_ms)
            unit.sense(now_ms, self._level())
            if unit.test_due:
                unit.tested(self.beam.lit, self.beam.dark, self._level(), int(not self.beam.occupied_dark))
            if self.tint is not None and unit.wants_tint(now_ms):
                unit.tint(self.tint)
            if out := unit.step(now_ms):
                self.wire.unit.write(out)
        except DeviceLost:
            return  # nobody at the other end of the cable; the unit continues sensing
        if unit.leave is not None:
            self.reboot(t)

    def unplug(self) -> None:
        """Pull the cable, which also powers the unit."""
        self.wire.plug(False)
        self._unit = None

    def plug(self, t: float) -> None:
        """Plug the cable in: the unit starts."""
        self.wire.plug(True)
        self.reboot(t)

    def reboot(self, t: float) -> None:
        """Start it, again as its watchdog does."""
        self._started = t
        flags = messages.COLOUR_SENSOR if self.tint else 0
        self._unit = Unit(self.firmware, DEVICE, self._random.getrandbits(32), flags)
        for button in range(len(messages.BUTTONS)):
            self._unit.press(0, button, 0)

    def _ms(self, t: float) -> int:
        return round((t - self._started) * 1000)

    def _level(self) -> int:
        return int(not self._occupied)
