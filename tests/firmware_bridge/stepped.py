"""A simulated unit and the host's client of it, stepped together in simulated time."""

from firmware_bridge.client import HoleUnit
from firmware_bridge.delivery import Gap
from firmware_bridge.virtual import VirtualUnit
from firmware_bridge.wire import WireFaults
from hardware.devices import HoleEvent, ManualClock

TICK = 0.01


class Stepped:
    """Keeps what the host reports; acknowledging it is the test's."""

    def __init__(self, *, seed: int = 1, faults: WireFaults | None = None, **options: object) -> None:
        """`options` are the client's."""
        self.clock = ManualClock()
        self.unit = VirtualUnit(seed=seed, faults=faults)
        self.events: list[HoleEvent] = []
        self.gaps: list[Gap] = []
        self._seed = seed
        self.host = self.new_host(**options)

    def new_host(self, **options: object) -> HoleUnit:
        host = HoleUnit(self.unit.link, self.clock, on_gap=self.gaps.append, seed=self._seed, **options)  # type: ignore[arg-type]
        host.attach(self.take)
        return host

    def take(self, event: HoleEvent) -> None:
        self.events.append(event)

    def run(self, seconds: float) -> None:
        end = self.clock.t + seconds
        while self.clock.t < end:
            self.clock.t += TICK
            self.unit.step(self.clock.t)
            self.host.pump(self.clock.t)
