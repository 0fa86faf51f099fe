"""Filters the flicker of a hole sensor on a bare pin.

Each change costs a write to the journal's disk, and a sensor may flicker for days.
"""

import threading
from collections.abc import Callable

from firmware_bridge.firmware.flicker import FlickerFilter
from hardware.devices import Clock, HoleEvent, HoleSensor


class FilteredSensor:
    """A `HoleSensor` that withholds changes that cancel each other, as a unit in the hole does itself.

    A withheld change that lasts is passed on by a later call of `trouble`, with its original time.
    """

    def __init__(self, sensor: HoleSensor, clock: Clock) -> None:
        self._sensor = sensor
        self._clock = clock
        self._filter = FlickerFilter()
        self._listener: Callable[[HoleEvent], None] = lambda _: None
        self._lock = threading.Lock()

    def start(self, listener: Callable[[HoleEvent], None]) -> None:
        self._listener = listener
        self._sensor.start(self._changed)

    def acknowledge(self, event: HoleEvent) -> None:
        self._sensor.acknowledge(event)

    def occupied(self) -> bool | None:
        return self._sensor.occupied()

    def set_polarity(self, low_when_occupied: bool) -> None:
        self._sensor.set_polarity(low_when_occupied)

    def trouble(self) -> str | None:
        """See `HoleSensor`. Call it regularly: it passes on withheld changes."""
        trouble = self._sensor.trouble()
        with self._lock:
            self._pass(self._filter.settle(self._now()))
        return trouble

    def close(self) -> None:
        self._sensor.close()

    def _changed(self, event: HoleEvent) -> None:
        with self._lock:
            now = self._now()
            passed = self._filter.settle(now)
            self._pass(passed + self._filter.take(now, (_microseconds(event.t), int(event.occupied))))

    def _pass(self, changes: list[tuple[int, int]]) -> None:
        for t, occupied in changes:
            self._listener(HoleEvent(t * 1e-6, bool(occupied)))

    def _now(self) -> int:
        return _microseconds(self._clock.now())


def _microseconds(t: float) -> int:
    return round(t * 1e6)
