"""A flickering sensor costs the match nothing, whichever it is: a pin, a unit, or a recording of either."""

import time
from itertools import pairwise

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from controller.service import Service
from controller.table.hole_sensor import BURST, FLICKERS, OVER, REGAIN, FlickerFilter
from hardware.devices import HoleCounts, HoleEvent, ManualClock, Tint
from tests.controller.fed_table import START, settings_of
from tests.firmware_bridge.stepped import Stepped


class Sensor:
    """A filter with a clock of its own."""

    def __init__(self):
        self.clock = ManualClock(100.0)
        self.passed = []
        self.filter = FlickerFilter(self.passed.append, self.clock.now)
        self.level = False

    def change(self, after):
        self.clock.t += after
        self.level = not self.level
        self.filter.take(HoleEvent(self.clock.t, self.level))

    def calm(self):
        self.clock.t += OVER
        assert self.filter.trouble() is None

    @property
    def levels(self):
        return [event.occupied for event in self.passed]


@pytest.fixture
def sensor():
    return Sensor()


def test_a_burst_passes_then_it_cannot_tell_and_the_level_comes_when_it_is_calm(sensor):
    for _ in range(200):
        sensor.change(0.005)
    assert sensor.levels == [*(k % 2 == 0 for k in range(BURST)), None]
    assert sensor.filter.trouble() == FLICKERS
    settled = sensor.clock.t
    sensor.calm()
    assert sensor.passed[BURST + 1 :] == [HoleEvent(settled, False)]
    sensor.change(REGAIN)
    assert sensor.levels[-1] is True


def test_a_disc_every_second_is_not_flicker(sensor):
    """In at once, out half a second later, with its colour: faster than anybody tries a sensor."""
    for _ in range(600):
        sensor.change(REGAIN)
        if sensor.level:
            sensor.filter.take(HoleEvent(sensor.clock.t, True, tint=Tint(1, 1, 1, 1)))
    assert len(sensor.passed) == 900
    assert None not in sensor.levels


def test_changes_that_a_unit_missed_count_too(sensor):
    sensor.filter.take(HoleEvent(1.0, None, counts=HoleCounts(1, 90, 90), missed=180))
    assert sensor.passed == [HoleEvent(1.0, None, counts=HoleCounts(1, 90, 90), missed=None)]
    assert sensor.filter.trouble() == FLICKERS


@given(st.lists(st.floats(0.02, 3.0), max_size=120))
def test_what_passes_ends_at_the_level_that_holds_and_claims_nothing_between(pauses):
    sensor = Sensor()
    for pause in pauses:
        sensor.change(pause)
    sensor.calm()
    levels = sensor.levels
    assert (levels[-1] if levels else False) is sensor.level
    assert all(one != other for one, other in pairwise(levels))
    assert [event.t for event in sensor.passed] == sorted(event.t for event in sensor.passed)
    if None not in levels:
        assert len(levels) == len(pauses)


def by_pin(service, clock, factory):
    service._check_devices()
    for k in range(200):
        clock.t += 0.005
        (factory.pin(17).drive_low if k % 2 == 0 else factory.pin(17).drive_high)()


def by_unit(service, clock, factory):
    """A broken one: it says so itself."""
    unit = Stepped()
    unit.host.attach(service._calm.take)
    unit.run(1.0)
    for k in range(200):
        unit.disc(k % 2 == 0, 0.03)
        clock.t += 0.03


def by_recording(service, clock, factory):
    for k in range(200):
        clock.t += 0.005
        service._on_recorded_event(HoleEvent(clock.t, k % 2 == 0))


@pytest.mark.parametrize("flood", [by_pin, by_unit, by_recording])
def test_a_command_after_200_edges_is_carried_out_at_once(tmp_path, monkeypatch, flood):
    """By hand, where each disc that the sensor felt is a question: they took 270 s on a machine of 2024."""
    factory = MockFactory()
    monkeypatch.setattr("hardware.gpio.open_factory", lambda: factory)
    devices = {"camera": {"device": "none"}, "hole": {"device": "gpio:17", "lockout": 0.001}}
    clock = ManualClock(10.0)
    service = Service(settings_of(tmp_path, **devices), clock=clock)
    service.engine.command(START)
    service.engine.command({"do": "manual"})
    flood(service, clock, factory)
    began = time.process_time()
    work = service._engine_thread._queue
    while not work.empty():
        item = work.get()
        item()
    service.engine.command({"do": "correct_round", "round": 1, "twenties": {"A": 1}})
    assert time.process_time() - began < 2.0
    changes = [s for s in service.engine.history if s.event.kind == "hole_changed"]
    assert len(changes) <= 2 * BURST
    service._check_devices()
    while not work.empty():
        work.get()()
    assert "flickers" in str([notice.text for notice in service.snapshot().notices])
    for supervised in service._supervised.values():
        supervised.close()
    service.engine.recorder.close()
    service.archive.close()
    service.journal.close()
