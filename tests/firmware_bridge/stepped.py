"""A simulated unit and the host's client of it, stepped together in simulated time."""

from firmware_bridge.client import HoleUnit
from firmware_bridge.virtual import VirtualUnit
from hardware.devices import ManualClock

TICK = 0.01


class Stepped:
    """Keeps what the host reports."""

    def __init__(self, *, seed=1, faults=None, **options):
        """`options` are the client's."""
        self.clock = ManualClock()
        self.unit = VirtualUnit(seed=seed, faults=faults)
        self.events = []
        self.host = self.new_host(**options)

    def new_host(self, **options):
        host = HoleUnit(self.unit.link, self.clock, **options)
        host.attach(self.events.append)
        return host

    def run(self, seconds, *, host=True):
        """`host`: whether it is there."""
        end = self.clock.t + seconds
        while self.clock.t < end:
            self.clock.t += TICK
            self.unit.step(self.clock.t)
            if host:
                self.host.pump(self.clock.t)

    def disc(self, there, seconds=1.0, *, host=True):
        """A disc comes into the hole or leaves it; then this time passes."""
        self.unit.sense(self.clock.t, there)
        self.run(seconds, host=host)

    def new(self):
        """Level and missed changes of each event since the last call."""
        events = [(event.occupied, event.missed) for event in self.events]
        self.events.clear()
        return events
