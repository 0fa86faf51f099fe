from collections.abc import Callable

from firmware_bridge.client import HoleUnit
from firmware_bridge.virtual import VirtualUnit
from hardware.devices import HoleEvent, HoleSensor, ManualClock
from tests.hardware.hole_contract import HoleSensorContract

TICK = 0.01


class UnitBench:
    """The unit over its wire; it and the host take a turn every hundredth of a second."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.unit = VirtualUnit(seed=2)
        self.host = HoleUnit(self.unit.link, self.clock, seed=2)
        self.sensor: HoleSensor = self.host

    def listen(self, listener: Callable[[HoleEvent], None]) -> None:
        def take(event: HoleEvent) -> None:
            listener(event)
            self.host.acknowledge(event)

        self.host.attach(take)
        self.run_until(self.clock.t)

    def drive(self, t: float, occupied: bool) -> None:
        self.run_until(t)
        self.unit.sense(t, occupied)

    def run_until(self, t: float) -> None:
        while self.clock.t + TICK <= t:
            self.turn(self.clock.t + TICK)
        self.turn(t)

    def turn(self, t: float) -> None:
        self.clock.t = t
        self.unit.step(t)
        self.host.pump(t)

    def close(self) -> None:
        self.host.close()


class TestHoleUnit(HoleSensorContract):
    make = UnitBench
