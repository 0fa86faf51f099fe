"""A bare pin's sensor keeps the contract when it is calmed, and a flickering one hardly writes."""

import pytest
from gpiozero.pins.mock import MockFactory

from controller.config import Config
from controller.table.devices import FilteredSensor, TableDevices
from firmware_bridge.firmware.flicker import BURST, FLOOR_US
from hardware.devices import HoleEvent, HoleSensor, ManualClock
from tests.hardware.hole_contract import HoleSensorContract
from tests.hardware.test_gpio import PinBench

HEALTH = 5.0  # seconds between two questions for trouble, as the service asks


class CalmedBench(PinBench):
    """A pin behind the calm, asked for its trouble now and then."""

    sensor: HoleSensor  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.sensor = FilteredSensor(self.sensor, self.alarms.clock)
        self._asked = 0.0

    def run_until(self, t: float) -> None:
        while self._asked + HEALTH <= t:
            self._asked += HEALTH
            super().run_until(self._asked)
            self.sensor.trouble()
        super().run_until(t)


class TestCalmedSensor(HoleSensorContract):
    @pytest.fixture
    def new_bench(self):
        return CalmedBench


def test_an_hour_of_flickering_is_some_hundred_events_and_is_reported():
    bench = CalmedBench()
    events: list[HoleEvent] = []
    bench.listen(events.append)
    for k in range(36_000):
        bench.drive(1.0 + 0.1 * k, k % 2 == 0)
    assert "flickers" in str(bench.sensor.trouble())
    assert BURST <= len(events) <= 2 * BURST + 3600 * 1_000_000 / FLOOR_US
    assert [event.occupied for event in events] == [k % 2 == 0 for k in range(len(events))]
    bench.drive(3700.0, True)
    bench.run_until(3720.0)
    assert events[-1] == HoleEvent(3700.0, True)
    bench.close()


def test_a_pin_of_the_table_is_calmed(monkeypatch):
    factory = MockFactory()
    monkeypatch.setattr("hardware.gpio.open_factory", lambda: factory)
    devices = TableDevices(Config.model_validate({"hole": {"device": "gpio:17"}}), ManualClock(), lambda _: None)
    hole = devices.open_hole({}, lambda _: None)
    assert isinstance(hole, FilteredSensor)
    assert hole.occupied() is False
    hole.close()
    assert hole.occupied() is None
