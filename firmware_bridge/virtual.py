"""A simulated 20-hole unit: the firmware's core, stepped by the simulation, on a simulated serial wire, which damages
and delays bytes on request."""

import random
import threading
from dataclasses import dataclass
from typing import Literal, get_args

from firmware_bridge import messages
from firmware_bridge.client import our_firmware
from firmware_bridge.firmware import ring
from firmware_bridge.firmware.core import DARK, Unit
from hardware.devices import ByteLink
from hardware.errors import DeviceLost

Damage = Literal["lost", "truncated", "flipped", "doubled", "junk", "delayed"]


@dataclass(frozen=True, slots=True)
class WireFaults:
    """Faults of the wire. `rate`: the share of lines affected; `delay`: seconds at most."""

    rate: float = 0.0
    kinds: tuple[Damage, ...] = get_args(Damage)
    delay: float = 0.5

    def strike(self, line: bytes, source: random.Random) -> tuple[float, bytes]:
        """The line's delay in seconds, and what remains of it."""
        if source.random() >= self.rate:
            return 0.0, line
        at = source.randrange(len(line))
        match source.choice(self.kinds):
            case "lost":
                return 0.0, b""
            case "truncated":
                return 0.0, line[:at]
            case "flipped":
                return 0.0, line[:at] + bytes([line[at] ^ 1 << source.randrange(8)]) + line[at + 1 :]
            case "doubled":
                return 0.0, line + line
            case "junk":
                return 0.0, source.randbytes(1 + source.randrange(200)) + line
            case "delayed":
                return source.random() * self.delay, line


Direction = list[tuple[float, bytes]]  # one direction: pieces in transit in order, with their arrival times


class Wire:
    """Joins two `WireEnd`s. The simulation sets its time, which matters only to delayed bytes."""

    def __init__(self, seed: int = 0, faults: WireFaults | None = None) -> None:
        self.faults = faults or WireFaults()
        self.plugged = True
        self.changed = threading.Condition()
        self._random = random.Random(seed)
        self._now = 0.0
        there: Direction = []
        back: Direction = []
        self.host = WireEnd(self, back, there)
        self.unit = WireEnd(self, there, back)

    def advance(self, now: float) -> None:
        """Let the wire's time pass."""
        with self.changed:
            self._now = now
            self.changed.notify_all()

    def plug(self, plugged: bool) -> None:
        """Plug the cable in or pull it. Bytes in transit are lost."""
        with self.changed:
            self.plugged = plugged
            self.host.clear()
            self.unit.clear()
            self.changed.notify_all()

    def has_arrived(self, direction: Direction) -> bool:
        """Whether `arrived` would return anything. Call under the lock."""
        return bool(direction) and direction[0][0] <= self._now

    def arrived(self, direction: Direction) -> bytes:
        """Remove and return what has arrived, in the order sent. Call under the lock."""
        taken = b""
        while self.has_arrived(direction):
            taken += direction.pop(0)[1]
        return taken

    def carry(self, direction: Direction, data: bytes) -> None:
        """Send `data` line by line through the faults. Call under the lock."""
        if self.faults.rate == 0.0:
            direction.append((self._now, data))
            return
        for line in data.splitlines(keepends=True):
            delay, left = (0.0, line) if line == b"\n" else self.faults.strike(line, self._random)
            direction.append((self._now + delay, left))


@dataclass
class WireEnd:
    """One end, a `hardware.devices.ByteLink`. `read` waits in real time, as a port does."""

    wire: Wire
    incoming: Direction
    outgoing: Direction
    _closed: bool = False

    def read(self, timeout: float) -> bytes:
        with self.wire.changed:
            self.wire.changed.wait_for(self._has_news, timeout)
            self._require_open()
            return self.wire.arrived(self.incoming)

    def write(self, data: bytes) -> None:
        with self.wire.changed:
            self._require_open()
            self.wire.carry(self.outgoing, data)
            self.wire.changed.notify_all()

    def close(self) -> None:
        with self.wire.changed:
            self._closed = True
            self.wire.changed.notify_all()

    def clear(self) -> None:
        """Drop the bytes in transit to this end."""
        self.incoming.clear()

    def _has_news(self) -> bool:
        return self._closed or not self.wire.plugged or self.wire.has_arrived(self.incoming)

    def _require_open(self) -> None:
        if self._closed:
            raise DeviceLost("The simulated wire's end is closed: make a new one.")
        if not self.wire.plugged:
            raise DeviceLost("The 20-hole unit's cable is out: plug it in.")


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
