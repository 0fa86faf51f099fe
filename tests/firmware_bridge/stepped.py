"""A simulated unit and the host's client of it, stepped together in simulated time."""

from firmware_bridge.client import HoleUnit
from firmware_bridge.virtual import VirtualUnit
from firmware_bridge.wire import WireFaults
from hardware.devices import HoleEvent, ManualClock

TICK = 0.01


class Stepped:
    """Keeps what the host reports."""

    def __init__(self, *, seed: int = 1, faults: WireFaults | None = None, **options: object) -> None:
        """`options` are the client's."""
        self.clock = ManualClock()
        self.unit = VirtualUnit(seed=seed, faults=faults)
        self.events: list[HoleEvent] = []
        self.host = self.new_host(**options)

    def new_host(self, **options: object) -> HoleUnit:
        host = HoleUnit(self.unit.link, self.clock, **options)  # type: ignore[arg-type]
        host.attach(self.events.append)
        return host

    def run(self, seconds: float, *, host: bool = True) -> None:
        """`host`: whether it is there."""
        end = self.clock.t + seconds
        while self.clock.t < end:
            self.clock.t += TICK
            self.unit.step(self.clock.t)
            if host:
                self.host.pump(self.clock.t)

    def disc(self, there: bool, seconds: float = 1.0, *, host: bool = True) -> None:
        """A disc comes into the hole or leaves it; then this time passes."""
        self.unit.sense(self.clock.t, there)
        self.run(seconds, host=host)

    def new(self) -> list[tuple[bool | None, int | None]]:
        """Level and missed changes of each event since the last call."""
        events = [(event.occupied, event.missed) for event in self.events]
        self.events.clear()
        return events
