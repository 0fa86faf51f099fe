"""Colours, self-test, lamps, buttons and examination of the simulated unit, over the wire, as the table gets them."""

import re
import threading

import pytest

from firmware_bridge.client import PATIENCE, WHITE, HoleUnit, UnitButtons, UnitLamps, examine
from firmware_bridge.firmware.core import HOST_SILENT_MS
from firmware_bridge.messages import SIGNALS
from firmware_bridge.session import TEST_AGAIN, WEAK_BEAM, Settings
from firmware_bridge.virtual import VirtualUnit, WireFaults
from hardware.devices import ManualClock, Tint
from tests.firmware_bridge.stepped import TICK, Stepped

BEAM = Settings(sensor="break-beam")
ORANGE, BLUE = (255, 140, 0), (0, 0, 255)
COUNTS = (402, 180, 131, 96)


def tints(table):
    return [event.tint for event in table.events[1:]]


def press(table, button, *, host=True):
    for down in (True, False):
        table.unit.press(table.clock.t, button, down)
        table.run(0.1, host=host)


@pytest.fixture
def table():
    table = Stepped()
    table.run(0.5)
    return table


# Colours.


def test_a_disc_that_came_to_rest_is_measured_once(table):
    table.unit.tint = COUNTS
    fell = table.clock.t
    table.disc(True, 5.0)
    assert tints(table) == [None, Tint(*COUNTS)]
    assert 0.3 - TICK < table.events[-1].t - fell < 0.4
    table.disc(False)
    table.disc(True)
    assert tints(table)[2:] == [None, None, Tint(*COUNTS)]


def test_a_disc_that_only_skimmed_the_hole_is_not_measured(table):
    table.unit.tint = COUNTS
    for _ in range(3):
        table.disc(True, 0.1)
        table.disc(False)
    assert tints(table) == [None] * 6


def test_a_disc_that_lies_there_when_the_unit_starts_is_measured_however_dark_it_is(table):
    table.unit.tint = (0, 0, 0, 0)
    table.unit.unplug()
    table.unit.sense(table.clock.t, True)
    table.unit.plug(table.clock.t)
    table.run(2.0)
    assert tints(table)[-1] == Tint(1, 0, 0, 0)


# Self-test.


@pytest.mark.parametrize(
    ("settings", "change", "says"),
    [
        (BEAM, {"lit": 2_000 + round(65535 * WEAK_BEAM) - 1}, "clean it"),
        (BEAM, {"lit": 65_000, "dark": 40_000}, "Stray light is 61%"),
        (BEAM, {"lit": 10_000, "dark": 25_000}, "Stray light is 62%"),  # an output that falls with the light
        (BEAM, {"occupied_dark": False}, "stuck: it shows no disc"),
        (Settings(sensor="reflective"), {"occupied_dark": True}, r"stuck: it shows a disc .*GP15"),
    ],
)
def test_sensor_trouble_is_reported_with_what_to_check_and_goes_by_itself(settings, change, says):
    table = Stepped(settings=settings)
    sound = {"lit": 50_000, "dark": 2_000, "occupied_dark": settings is BEAM}
    for good, values in ((False, change), (True, sound)):
        for name, value in values.items():
            setattr(table.unit.beam, name, value)
        table.run(TEST_AGAIN + 1.0)
        trouble = table.host.trouble()
        assert trouble is None if good else re.search(says, str(trouble)), trouble


def test_a_sensor_of_the_other_polarity_is_tested_with_it():
    table = Stepped(settings=Settings(sensor="break-beam", active_low=False))
    table.unit.beam.occupied_dark = False  # its pin is high then, as when a disc breaks the beam
    table.unit.sense(0.0, True)  # and low while the beam is whole
    table.run(3.0)
    assert (table.host.trouble(), table.host.occupied()) == (None, False)


def test_a_reflective_sensor_over_an_empty_hole_reflects_nothing_and_is_sound():
    table = Stepped(settings=Settings(sensor="reflective"))
    table.unit.beam.lit, table.unit.beam.occupied_dark = 2_100, False
    table.run(1.0)
    assert table.host.trouble() is None
    table.disc(True)
    table.host.test()
    table.run(1.0)
    assert "clean it" in str(table.host.trouble())


def test_a_plain_sensor_is_not_tested(table):
    table.host.test()
    table.run(1.0)
    assert table.host.statistics()["unit"]["test"] == 0


# Lamps.


def test_the_ring_shows_each_signal_in_the_sides_colour_and_goes_dark_with_the_host(table):
    lamps = UnitLamps(table.host, {"A": ORANGE, "B": BLUE})
    for signal, side, colour in (("turn", "A", ORANGE), ("twenty", "B", BLUE), ("check", None, WHITE)):
        lamps.show(signal, side)
        table.run(0.05)
        assert table.unit.lamps(table.clock.t) == (SIGNALS.index(signal), *colour)
    table.clock.t += HOST_SILENT_MS / 1000
    assert table.unit.lamps(table.clock.t)[0] == 0


# Buttons.


def test_on_a_bad_wire_a_press_counts_once_and_hardly_any_is_lost():
    lost = 0
    for seed in range(5):
        table, presses = Stepped(faults=WireFaults(rate=0.25), seed=seed), []
        UnitButtons(table.host).start(presses.append)
        table.run(5.0)
        for _ in range(20):
            press(table, "undo")
            table.run(0.5)
        table.run(3.0)
        assert len(presses) <= 20, seed
        lost += 20 - len(presses)
    assert lost <= 5  # of 100


@pytest.mark.parametrize("away", [3.0, 60.0])
def test_presses_while_nobody_listens_never_count(away):
    table, presses = Stepped(), []
    UnitButtons(table.host).start(presses.append)
    press(table, "undo")  # before the first meeting
    table.run(0.5)
    press(table, "undo", host=False)
    table.run(away, host=False)
    table.run(3.0)
    presses.clear()
    press(table, "confirm")
    assert presses == ["confirm"]
    table.host = table.new_host()
    UnitButtons(table.host).start(presses.append)
    table.run(3.0)
    assert presses == ["confirm"]


# The thread, and the examination.


@pytest.mark.parametrize("closes", [False, True])
def test_the_thread_reports_and_ends_when_it_is_closed_even_by_its_own_listener(closes):
    clock, unit = ManualClock(), VirtualUnit(seed=3)
    host, heard, events = HoleUnit(unit.link, clock), threading.Event(), []

    def listener(event):
        assert threading.current_thread().name == "hole-unit"
        events.append(event)
        if closes:
            host.close()
        heard.set()

    host.start(listener)
    for _ in range(2000):
        clock.t += 0.001
        unit.step(clock.t)
        if heard.wait(0.002):  # the thread needs real time to read and answer, whatever the clock says
            break
    assert [event.occupied for event in events] == [False], host.diagnostics()
    host.close()
    host.close()
    host._thread.join(5.0)
    assert not host._thread.is_alive()


class WaitingSteps(ManualClock):
    """Time passes for the unit when somebody waits."""

    def __init__(self, unit):
        super().__init__()
        self._unit = unit

    def sleep_until(self, t):
        super().sleep_until(t)
        self._unit.step(self.t)


def test_an_examination_tests_the_sensor_and_reports():
    unit = VirtualUnit(seed=1)
    unit.sense(0.0, True)
    unit.beam.occupied_dark = False
    found = examine(unit.link, WaitingSteps(unit), BEAM)
    assert "stuck" in str(found.trouble)
    assert found.occupied is True
    assert found.words().endswith("without colour sensor: a disc lies in the hole")
    assert any(" in unit1 " in line for line in found.lines)


def test_an_examination_without_an_answer_gives_up():
    clock = ManualClock()
    found = examine(VirtualUnit(seed=1).link, clock)
    assert (found.unit, found.words()) == (None, "no answer")
    assert "does not answer" in str(found.trouble)
    assert clock.t < PATIENCE + 1
