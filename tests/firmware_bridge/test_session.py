"""What the host reports of a unit: exactly while both are there, and never as sure what it is not."""

import random
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware_bridge import messages
from firmware_bridge.client import HoleUnit
from firmware_bridge.session import NO_ANSWER, NO_UNIT, OTHER_FIRMWARE, SILENT_AFTER, Settings
from firmware_bridge.virtual import DEVICE, VirtualUnit, WireFaults
from hardware.devices import HoleCounts, ManualClock
from tests.firmware_bridge import fuzz
from tests.firmware_bridge.stepped import TICK, Stepped


def counts_in(events):
    """What a table keeps of these events."""
    return next((event.counts for event in reversed(events) if event.counts), None)


IDENTITY = f"{DEVICE:016x}"


@pytest.fixture
def table():
    table = Stepped()
    table.run(1.0)
    assert table.new() == [(False, 0)]
    return table


def test_a_disc_that_comes_and_goes_while_lines_are_lost_is_reported_with_both_times(table):
    t = table.clock.t
    table.disc(True, 0.4, host=False)
    table.disc(False, 0.4, host=False)
    table.unit.wire.host.clear()
    table.run(1.0)
    assert [event.t for event in table.events] == pytest.approx([t, t + 0.4], abs=0.02)
    assert table.new() == [(True, 0), (False, 0)]


@pytest.mark.parametrize(
    ("discs", "reported"),
    [
        ([], [(False, 0)]),
        ([True], [(True, 0)]),
        ([True, False], [(None, 2), (False, 0)]),
        ([True, False, True], [(None, 2), (True, 0)]),
    ],
)
def test_a_host_that_was_away_for_a_minute_learns_how_many_changes_it_missed(table, discs, reported):
    table.disc(True)
    table.disc(False)
    kept = counts_in(table.events)
    table.new()
    for there in discs:
        table.disc(there, 3.0, host=False)
    table.run(60.0, host=False)
    table.host = table.new_host(kept=kept)
    table.run(2.0)
    assert table.new() == reported


def test_a_pulled_cable_leaves_the_hole_unknown_until_it_is_back(table):
    table.disc(True)
    table.new()
    table.unit.unplug()
    table.run(SILENT_AFTER - 0.5)
    assert (table.new(), table.host.occupied()) == ([], True)
    table.run(1.0)
    assert (table.new(), table.host.occupied()) == ([(None, 0)], None)
    assert "cable is out" in str(table.host.trouble())
    table.unit.plug(table.clock.t)
    table.run(2.0)
    assert (table.new(), table.host.occupied()) == ([(None, None), (True, 0)], True)
    assert table.host.trouble() is None


@pytest.mark.parametrize("there", [True, False])
def test_a_unit_that_restarts_within_a_shot_reports_the_level_it_finds(table, there):
    table.disc(True, 0.3)
    table.unit.reboot(table.clock.t)
    table.disc(there)
    assert table.new() == [(True, 0), (there, 0)]


def test_the_lock_out_of_the_settings_is_in_force():
    table = Stepped(settings=Settings(lockout=0.3))
    table.run(1.0)
    table.disc(True, 0.1)
    table.disc(False, 0.1)
    assert table.new() == [(False, 0), (True, 0)]
    table.run(0.3)
    assert table.new() == [(False, 0)]


def test_trouble_is_logged_when_it_begins_and_when_it_ends(table, caplog):
    table.unit.unplug()
    table.run(3.0)
    table.unit.plug(table.clock.t)
    table.run(3.0)
    assert "cable is out" in caplog.messages[0]
    assert caplog.messages[-1].startswith("Mended: ")
    assert len(caplog.messages) == 2


def test_a_unit_that_hangs_does_not_answer(table):
    while table.clock.t < 10:
        table.clock.t += TICK
        table.host.pump(table.clock.t)
    assert table.host.trouble() == NO_ANSWER
    assert table.host.statistics()["unit"] is None


def test_lines_from_before_the_host_spoke_say_nothing(table):
    """A port's buffer keeps them while nobody reads."""
    table.disc(True, 4.0, host=False)
    table.unit.press(table.clock.t, "undo", True)
    table.run(1.0, host=False)
    stale = table.unit.wire.host.read(0.0)
    assert b"\nunit1 " in stale
    table.unit.wire.plug(False)
    table.unit.wire.plug(True)
    table.unit.wire.unit.write(stale)
    presses = []
    table.host = table.new_host(kept=HoleCounts(1, 0, 0))
    table.host.on_press(presses.append)
    table.host.pump(table.clock.t)
    assert (table.new(), presses) == ([], [])


def test_another_firmware_works_as_far_as_it_is_understood_and_says_to_run_flash():
    table = Stepped()
    table.unit.firmware ^= 1
    table.unit.reboot(0.0)
    table.run(1.0)
    assert (table.host.trouble(), table.host.occupied()) == (OTHER_FIRMWARE, False)


@pytest.mark.parametrize("line", [("unit2", fuzz.STATUS), ("unit1", fuzz.STATUS[:-1])])
def test_a_line_of_another_form_says_nothing_but_to_run_flash(line):
    table = Stepped()
    for _ in range(40):
        table.run(0.1, host=False)
        table.unit.wire.host.clear()
        table.unit.wire.unit.write(messages.encode(*line))
        table.host.pump(table.clock.t)
    assert (table.host.trouble(), table.host.occupied()) == (OTHER_FIRMWARE, None)
    assert table.new() == [(None, 0)]


def test_another_device_at_the_port_is_reported():
    table = Stepped()
    table.unit.wire.unit.write(b"GPS \xff $GPGGA,1,2\r\n" * 100)
    table.run(0.1, host=False)
    for _ in range(300):
        table.clock.t += TICK
        table.host.pump(table.clock.t)
    assert table.host.trouble() == NO_UNIT


def test_only_the_unit_with_the_configured_id_is_accepted():
    table = Stepped(device="00000000000000ff")
    table.run(3.0)
    assert f"{IDENTITY}, not 00000000000000ff" in str(table.host.trouble())
    assert table.host.occupied() is None
    table = Stepped(device=IDENTITY.upper())
    table.run(1.0)
    assert (table.host.trouble(), table.host.occupied()) == (None, False)


def test_a_day_of_drifting_clocks_and_late_lines_moves_no_event_by_more_than_they_are_late():
    source = random.Random(3)
    clock, unit = ManualClock(), VirtualUnit(seed=1)
    events = []
    host = HoleUnit(unit.link, clock)
    host.attach(events.append)
    for k in range(20_000):
        clock.t += 1.0
        seconds = clock.t * (1 + 100e-6)  # the unit's clock
        if k % 100 == 50:
            unit.sense(seconds, k % 200 == 50)
        unit.step(seconds)
        wait = source.uniform(0.0, 0.05)
        host.pump(clock.t + wait)
        if k % 100 == 50 and k:
            assert events[-1].t == pytest.approx(clock.t, abs=0.06), k


@pytest.mark.parametrize("into", [fuzz.into_host, fuzz.into_unit])
def test_garbage_has_no_effect(into):
    into(4, 500_000)


ACTIONS = [
    *(
        "disc",
        "disc",
        "disc",
        "wait",
        "wait",
        "long",
        "host dies",
        "host stalls",
        "restart",
        "unplug",
        "flash",
        "noise",
    ),
]


class Evening(Stepped):
    """A table that commits what the host reports, in order, and whose program dies at any moment."""

    def __init__(self, rate, seed):
        self.there = False
        self.taken = []
        self.lives = [0]  # how many events were taken when each program began
        self.blind = False  # whether anything happened that no count can say
        super().__init__(seed=seed, faults=WireFaults(rate=rate))

    def commit(self, source):
        """Some of what was reported."""
        count = source.randint(0, len(self.events))
        self.taken += self.events[:count]
        del self.events[:count]

    def do(self, action, source):
        match action:
            case "disc":
                self.there = not self.there
                self.disc(self.there, source.uniform(0.02, 1.0))
            case "wait":
                self.run(source.uniform(0.1, 1.0))
            case "long":
                self.run(5.0)
            case "host dies":
                self.commit(source)
                self.events.clear()
                self.lives.append(len(self.taken))
                self.disc(self.there, source.uniform(0.0, 8.0), host=False)
                self.host = self.new_host(kept=counts_in(self.taken))
            case "host stalls":
                self.there = not self.there
                self.disc(self.there, source.uniform(0.0, 8.0), host=False)
            case "restart":
                self.unit.reboot(self.clock.t)
                self.blind = True
            case "unplug":
                self.unit.unplug()
                self.run(source.uniform(0.0, 5.0))
                self.unit.plug(self.clock.t)
                self.blind = True
            case "noise":
                self.unit.wire.unit.write(source.randbytes(300))
        self.commit(source)


@settings(max_examples=40)
@example(["host stalls", "wait", "host dies"], 0.0, 2)
@example(["disc", "host dies", "host stalls", "disc", "host dies", "disc"], 0.0, 0)  # between a report's two events
@given(st.lists(st.sampled_from(ACTIONS), max_size=25), st.sampled_from([0.0, 0.05, 0.25]), st.integers(0, 10**6))
def test_what_is_reported_and_what_is_missed_add_up_to_what_happened(actions, rate, seed):
    evening, source = Evening(rate, seed), random.Random(seed)
    evening.run(5.0)
    for action in actions:
        evening.do(action, source)
    evening.unit.wire.faults = WireFaults()
    evening.run(8.0)
    evening.taken += evening.events
    taken = evening.taken
    assert evening.host.occupied() is evening.there
    assert taken[-1].occupied is evening.there
    for begin, end in pairwise([*evening.lives, len(taken)]):  # one program may have waited longer than the next
        times = [event.t for event in taken[begin:end]]
        assert times == sorted(times)
    assert evening.blind or all(event.missed is not None for event in taken)
    level, seen, last = None, 0, None
    for event in taken:
        seen += (event.missed or 0) + (event.occupied is not None and event.occupied != level)
        level = level if event.occupied is None else event.occupied
        if event.counts is None or event.occupied is None:
            continue
        assert event.counts.rises - event.counts.falls == event.occupied
        if last is not None and last.boot == event.counts.boot:
            assert event.counts.since(last) == seen
        last, seen = event.counts, 0
