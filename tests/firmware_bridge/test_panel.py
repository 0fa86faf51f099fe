"""Colours, self-test, lamps, buttons and log of the simulated unit, over the wire, as the table gets them."""

import logging
import re
from collections.abc import Callable

import pytest

from firmware_bridge import messages
from firmware_bridge.client import PATIENCE, WHITE, HoleUnit, UnitButtons, UnitLamps, examine
from firmware_bridge.firmware.core import HOST_SILENT_US
from firmware_bridge.firmware.presses import FRESH_US
from firmware_bridge.settings import Settings
from firmware_bridge.unit_services import TEST_AGAIN
from firmware_bridge.unit_texts import WEAK_BEAM
from firmware_bridge.virtual import VirtualUnit
from firmware_bridge.wire import WireFaults
from hardware.devices import ButtonPanel, HoleEvent, Lamps, ManualClock, Tint
from tests.firmware_bridge.stepped import TICK, Stepped

BEAM = Settings(sensor="break-beam")
ORANGE, BLUE = (255, 140, 0), (0, 0, 255)


class Table(Stepped):
    """Whose events are acknowledged at once."""

    def take(self, event: HoleEvent) -> None:
        super().take(event)
        self.host.acknowledge(event)

    def press(self, button: str) -> None:
        self.unit.press(self.clock.t, button, True)
        self.run(0.1)
        self.unit.press(self.clock.t, button, False)

    def shown(self) -> messages.Show:
        return self.unit.lamps(self.clock.t)


# Colours.


@pytest.fixture
def table():
    return Table()


def test_a_disc_that_came_to_rest_is_measured_once(table):
    table.unit.tint = (402, 180, 131, 96)
    table.run(0.5)
    table.unit.sense(table.clock.t, True)
    fell = table.clock.t
    table.run(5.0)
    change, colour = table.events
    assert (change.occupied, change.tint) == (True, None)
    assert (colour.occupied, colour.tint) == (True, Tint(402, 180, 131, 96))
    assert 0.3 - TICK < colour.t - fell < 0.4
    assert table.host.occupied() is True


def test_a_disc_that_only_skimmed_the_hole_is_not_measured(table):
    table.unit.tint = (402, 180, 131, 96)
    table.run(0.5)
    for _ in range(3):
        table.unit.sense(table.clock.t, True)
        table.run(0.1)
        table.unit.sense(table.clock.t, False)
        table.run(1.0)
    assert [event.tint for event in table.events] == [None] * 6


def test_a_colour_survives_a_reboot_and_a_disc_present_at_the_start_is_measured(table):
    table.unit.tint = (0, 0, 0, 0)  # as dark as can be is still measured
    table.run(0.5)
    table.unit.unplug()
    table.unit.sense(table.clock.t, True)
    table.unit.plug(table.clock.t)
    table.unit.step(table.clock.t + 0.4)
    table.unit.reboot(table.clock.t + 0.5)
    table.clock.t += 0.5
    table.run(2.0)
    assert [event.tint for event in table.events] == [None, Tint(1, 0, 0, 0), Tint(1, 0, 0, 0)]


def test_a_unit_without_a_colour_sensor_sends_no_colours(table):
    table.run(0.5)
    table.unit.sense(table.clock.t, True)
    table.run(2.0)
    assert [event.tint for event in table.events] == [None]
    assert table.host.statistics()["unit"]["colour_sensor"] is False


# Self-test.


def test_a_working_sensor_passes_its_test_at_each_meeting_and_on_demand():
    table = Table(settings=BEAM)
    table.run(1.0)
    assert table.host.trouble() is None
    assert table.host.statistics()["unit"]["self_test"]["lit"] == 50_000
    table.unit.beam.lit = 49_000
    table.host.test()
    table.run(1.0)
    assert table.host.statistics()["unit"]["self_test"]["lit"] == 49_000
    assert table.events == []


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
def test_sensor_trouble_is_reported_with_what_to_check(settings, change, says):
    table = Table(settings=settings)
    for name, value in change.items():
        setattr(table.unit.beam, name, value)
    table.run(1.0)
    trouble = table.host.trouble()
    assert trouble is not None
    assert re.search(says, trouble), trouble


def test_a_cleaned_sensor_recovers_by_itself():
    table = Table(settings=BEAM)
    table.unit.beam.lit = 3_000
    table.run(1.0)
    assert "clean it" in str(table.host.trouble())
    table.unit.beam.lit = 50_000
    table.run(TEST_AGAIN + 1.0)
    assert table.host.trouble() is None


def test_a_sensor_of_the_other_polarity_is_tested_after_the_unit_is_configured():
    table = Table(settings=Settings(sensor="break-beam", active_low=False))
    table.unit.beam.occupied_dark = False  # its pin is high then, as when a disc breaks the beam
    table.unit.sense(0.0, True)  # and low while the beam is whole
    table.run(3.0)
    assert table.host.trouble() is None


def test_a_reflective_sensor_over_an_empty_hole_reflects_nothing_and_is_sound():
    table = Table(settings=Settings(sensor="reflective"))
    table.unit.beam.lit, table.unit.beam.occupied_dark = 2_100, False
    table.run(1.0)
    assert table.host.trouble() is None
    table.unit.sense(table.clock.t, True)
    table.host.test()
    table.run(1.0)
    assert "clean it" in str(table.host.trouble())


def test_a_plain_sensor_is_not_tested(table):
    table.host.test()
    table.run(1.0)
    assert table.host.statistics()["unit"]["self_test"] is None


# Lamps.


def test_the_ring_shows_each_signal_in_the_sides_colour_and_goes_dark_with_the_host(table):
    lamps: Lamps = UnitLamps(table.host, {"A": ORANGE, "B": BLUE})
    table.run(0.5)
    for signal, side, colour in (("turn", "A", ORANGE), ("twenty", "B", BLUE), ("check", None, WHITE)):
        lamps.show(signal, side)  # type: ignore[arg-type]
        table.run(0.05)
        assert table.shown() == messages.Show(messages.SIGNALS.index(signal), *colour)
    lamps.show("foul", "B")
    table.run(0.05)
    table.clock.t += HOST_SILENT_US / 1e6
    assert table.shown().signal == 0


def test_a_restarted_unit_shows_the_signal_again_whatever_the_wire_does():
    table = Table(faults=WireFaults(rate=0.25), seed=6)
    lamps = UnitLamps(table.host, {"A": ORANGE})
    table.run(2.0)
    lamps.show("turn", "A")
    for _ in range(5):
        table.unit.reboot(table.clock.t)
        table.run(12.0)
        assert table.shown() == messages.Show(1, *ORANGE)
    lamps.close()
    table.run(3.0)
    assert table.shown().signal == 0


# Buttons.


def listen(table: Table) -> list[str]:
    presses: list[str] = []
    panel: ButtonPanel = UnitButtons(table.host)
    panel.start(presses.append)
    return presses


def test_on_a_bad_wire_a_press_counts_once_and_hardly_any_is_lost():
    lost = 0
    for seed in range(10):
        table = Table(faults=WireFaults(rate=0.25), seed=seed)
        presses = listen(table)
        while table.host.occupied() is None:
            table.run(1.0)
        for _ in range(20):
            table.press("undo")
            table.run(1.0)
        table.run(5.0)
        assert len(presses) <= 20, seed
        lost += 20 - len(presses)
    assert lost <= 10  # of 200


def test_a_press_that_is_not_received_in_time_never_arrives(table):
    presses = listen(table)
    table.press("undo")  # before the first meeting
    table.run(0.5)
    pump: Callable[[float], None] = table.host.pump
    table.host.pump = lambda now: None  # type: ignore[method-assign]
    table.press("undo")
    table.run(FRESH_US / 1e6 + 0.2)
    table.host.pump = pump  # type: ignore[method-assign]
    table.run(3.0)
    assert presses == []
    table.press("confirm")
    table.run(0.5)
    assert presses == ["confirm"]


def test_a_listener_that_fails_on_a_press_stops_nothing(table, caplog):

    def fail(button: str) -> None:
        raise RuntimeError("no such command")

    UnitButtons(table.host).start(fail)
    table.run(0.5)
    table.press("undo")
    table.unit.sense(table.clock.t, True)
    table.run(1.0)
    assert "no such command" in caplog.text
    assert [event.occupied for event in table.events] == [True]


# Log and examination.


def test_the_units_log_lines_are_written_to_our_log(caplog):
    caplog.set_level(logging.INFO)
    table = Table()
    table.unit = VirtualUnit(seed=1, capacity=3)
    table.host = HoleUnit(table.unit.link, table.clock, seed=1)
    for k in range(5):
        table.unit.sense(table.clock.t, k % 2 == 0)
        table.clock.t += 1.0
        table.unit.step(table.clock.t)
    table.run(1.0)
    said = [record.getMessage() for record in caplog.records if record.getMessage().startswith("The 20-hole unit:")]
    assert "The 20-hole unit: its journal is full: event 4 found no place" in said
    assert len(said) == 1  # the simulated loop is never slow


class WaitingSteps(ManualClock):
    """Time passes for the unit when somebody waits."""

    unit: VirtualUnit

    def sleep_until(self, t: float) -> None:
        self.t = max(self.t, t)
        self.unit.step(self.t)


def stepped(unit: VirtualUnit) -> WaitingSteps:
    clock = WaitingSteps()
    clock.unit = unit
    return clock


def test_an_examination_greets_tests_and_reports_and_takes_no_event():
    unit = VirtualUnit(seed=1)
    unit.sense(0.0, True)
    unit.beam.occupied_dark = False
    found = examine(unit.link, stepped(unit), BEAM)
    assert found.trouble is not None
    assert "stuck" in found.trouble
    assert found.occupied is True
    assert found.unit is not None
    assert found.unit["device"] == b"VIRTUAL1".hex()
    assert found.words().endswith("a disc lies in the hole")
    assert any("SelfTestResult" in line for line in found.frames)
    assert unit.journal is not None
    assert [entry.sequence for entry in unit.journal.pending] == [1]


def test_an_examination_without_an_answer_gives_up():
    unit = VirtualUnit(seed=1)
    clock = ManualClock()
    found = examine(unit.link, clock)
    assert found.unit is None
    assert found.words() == "no answer"
    assert "does not answer" in str(found.trouble)
    assert clock.t < PATIENCE + 1


def test_an_older_firmware_is_reported_with_the_remedy():
    unit = VirtualUnit(seed=1)
    assert unit._unit is not None
    unit._unit.firmware ^= 1
    found = examine(unit.link, stepped(unit))
    assert "crokinole-table flash" in str(found.trouble)
