"""Learning which level of the hole's sensor means a disc, with a pin and with a unit."""

import itertools

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from hypothesis import given
from hypothesis import strategies as st

from controller.config import Config
from controller.errors import Refused
from controller.table.camera_thread import FrameRequests
from controller.table.devices import POLARITY, Supervised, low_when_occupied
from controller.table.engine import Engine
from controller.table.lamps_and_buttons import Panel
from controller.table.setup.sensor_lesson import LAIN, PATIENCE, Lesson
from controller.table.setup.setup_service import SetupService
from firmware_bridge.client import HoleUnit
from firmware_bridge.virtual import VirtualUnit
from hardware.devices import ManualClock
from hardware.gpio import GpioHole

POLARITIES = [True, False]  # whether the sensor's output is low while a disc lies in the hole


@given(st.booleans(), st.lists(st.tuples(st.floats(0.01, 3.0), st.booleans()), max_size=20))
def test_a_lesson_is_learnt_only_from_a_disc_that_lay_there_and_was_taken_out(empty, steps):
    """Whatever the sensor says: learnt means that it left the empty hole's level for `LAIN` and came back to it."""
    lesson = Lesson(0.0, empty)
    t, told = 0.0, [(0.0, empty)]
    for pause, level in steps:
        t += pause
        told.append((t, level))
        lesson.heard(t, level)
    runs = [(next(iter(group))[0], level) for level, group in itertools.groupby(told, key=lambda one: one[1])]
    lain = any(b[0] - a[0] >= LAIN for a, b in itertools.pairwise(runs) if a[1] != empty)
    assert (lesson.phase == "learnt") == lain
    assert lesson.inverted == empty


def test_what_was_sensed_before_the_lesson_teaches_nothing():
    lesson = Lesson(10.0, False)
    lesson.heard(3.0, True)
    lesson.heard(8.0, False)
    assert lesson.phase == "put_in"


def test_a_sensor_that_does_not_see_the_disc_is_reported_after_a_minute():
    lesson = Lesson(0.0, False)
    lesson.wait(PATIENCE)
    assert lesson.goes_on
    lesson.wait(PATIENCE + 0.1)
    assert lesson.phase == "failed"
    assert "lighter disc" in str(lesson.words())


class DrivenPin(MockPin):
    """A pin that a module's output drives: the weak pull resistor in the Pi does not change its level."""

    def _set_pull(self, value):
        self._pull = value


def driven_pins():
    return MockFactory(pin_class=DrivenPin)


class Pin:
    """A sensor on a Pi's pin, its output low or high above a disc."""

    def __init__(self, clock, low):
        factory = driven_pins()
        self._pin, self._low = factory.pin(17), low
        self.put(False)
        self.sensor = GpioHole("17", clock, factory, pull_up=True, schedule=lambda seconds, call: None)

    def put(self, disc):
        if disc == self._low:
            self._pin.drive_low()
        else:
            self._pin.drive_high()

    def let_pass(self):
        """The pin reports by itself."""


class Unit:
    """A unit in the hole, its sensor's output low or high above a disc."""

    def __init__(self, clock, low):
        self._clock, self._low = clock, low
        self._unit = VirtualUnit()
        self.put(False)
        self.sensor = HoleUnit(self._unit.link, clock)
        self.sensor.attach(lambda event: None)
        self.let_pass()

    def put(self, disc):
        self._unit.sense(self._clock.t, disc == self._low)

    def let_pass(self):
        for _ in range(300):
            self._clock.t += 0.01
            self._unit.step(self._clock.t)
            self.sensor.pump(self._clock.t)


class Table:
    """The set-up of a table with one sensor, whose events reach it as the engine's thread hands them on."""

    def __init__(self, journal, clock, bench, **hole):
        self.clock, self.bench, self.journal = clock, bench, journal
        supervised = Supervised(lambda: bench.sensor, self._begin)
        supervised.check()
        engine = Engine(journal, wall=clock.now)
        config, devices = Config.model_validate({"hole": hole}), {"hole_sensor": supervised}
        now = lambda work: work()  # noqa: E731
        self.setup = SetupService(
            config, journal, engine, FrameRequests(), Panel(), now, devices, lambda: None, str, None, clock.now
        )

    def _begin(self, sensor):
        take = lambda event: self.setup.sensor.heard(event)  # noqa: E731
        if isinstance(sensor, HoleUnit):
            sensor.attach(take)
        else:
            sensor.start(take)

    def disc(self, there, seconds=2.0):
        self.clock.t += seconds
        self.bench.put(there)
        self.bench.let_pass()

    @property
    def step(self):
        (found,) = [s for s in self.setup.document(devices_only=True)["steps"] if s["id"] == "hole_sensor"]
        return found


@pytest.fixture(autouse=True)
def no_camera(monkeypatch):
    monkeypatch.setattr("controller.table.camera_thread.PATIENCE", 0.01)


@pytest.mark.parametrize("low", POLARITIES)
@pytest.mark.parametrize("bench", [Pin, Unit])
def test_a_disc_in_and_out_teaches_either_sensor_and_takes_effect_at_once(journal, bench, low):
    clock = ManualClock(5.0)
    table = Table(journal, clock, bench(clock, low))
    assert table.bench.sensor.occupied() is not low  # what it says before anything was learnt
    assert "not tried with a disc" in str(table.step["text"])
    table.setup.carry_out({"do": "learn_sensor"})
    assert (str(table.step["text"]), table.step["waits"]) == ("Put a disc into the hole.", True)
    table.disc(True)
    assert "Take the disc out" in str(table.step["text"])
    table.disc(False)
    assert (str(table.step["text"])[:7], table.step["waits"], table.step["state"]) == ("Learnt:", False, "good")
    assert table.bench.sensor.occupied() is False
    table.disc(True)
    assert table.bench.sensor.occupied() is True
    assert journal.facts.get(POLARITY) == ("low" if low else "high")
    assert low_when_occupied(None, journal.facts.get) is low


def test_a_wrong_lesson_can_be_repeated(journal):
    clock = ManualClock(5.0)
    table = Table(journal, clock, Pin(clock, True))
    table.bench.put(True)  # a disc lay there, and nobody and no camera said so
    clock.t += 1.0
    for disc in (False, True):
        if disc is False:
            table.setup.carry_out({"do": "learn_sensor"})
        table.disc(disc)
    assert journal.facts.get(POLARITY) == "high"
    table.disc(False)
    table.setup.carry_out({"do": "learn_sensor"})
    table.disc(True)
    table.disc(False)
    assert journal.facts.get(POLARITY) == "low"
    assert table.bench.sensor.occupied() is False


def test_with_a_configured_polarity_the_lesson_is_refused(journal):
    clock = ManualClock(5.0)
    table = Table(journal, clock, Pin(clock, True), low_when_occupied=True)
    with pytest.raises(Refused, match="low_when_occupied"):
        table.setup.carry_out({"do": "learn_sensor"})
    journal.facts.keep(POLARITY, "high")
    assert low_when_occupied(True, journal.facts.get) is True
    assert low_when_occupied(False, lambda _: "low") is False
