import logging
import threading
from collections.abc import Callable

import pytest

from firmware_bridge.client import HoleUnit
from firmware_bridge.settings import Settings
from firmware_bridge.unit_texts import NO_ANSWER
from firmware_bridge.virtual import VirtualUnit
from hardware.devices import HoleEvent, ManualClock
from tests.firmware_bridge.stepped import TICK, Stepped


class Table(Stepped):
    def sense(self, occupied: bool) -> None:
        self.clock.t += TICK
        self.unit.sense(self.clock.t, occupied)


def levels(events: list[HoleEvent]) -> list[bool]:
    return [event.occupied for event in events]


@pytest.fixture
def table():
    return Table()


def test_the_same_seed_gives_the_same_frames():
    logs = []
    for _ in range(2):
        table = Table()
        table.run(3.0)
        logs.append(table.host.diagnostics())
    assert logs[0] == logs[1]
    assert any("HelloAck" in line for line in logs[0])


def test_events_of_a_time_without_a_host_come_first(table):
    for k in range(6):
        table.sense(k % 2 == 0)
        table.clock.t += 1.0
        table.unit.step(table.clock.t)
    table.run(1.0)
    assert levels(table.events) == [True, False, True, False]  # the window; the rest wait for a commit
    for event in list(table.events):
        table.host.acknowledge(event)
    table.run(1.0)
    assert levels(table.events) == [True, False, True, False, True, False]


def test_settings_reach_the_unit_and_are_in_force():
    table = Table(settings=Settings(lockout=0.3))
    table.run(1.0)
    table.sense(True)
    table.run(0.1)
    table.sense(False)
    table.run(0.1)
    assert levels(table.events) == [True]
    table.run(0.3)
    assert levels(table.events) == [True, False]


def test_a_failing_listener_gets_the_event_again_and_is_logged(table, caplog):
    got: list[HoleEvent] = []

    def listener(event: HoleEvent) -> None:
        got.append(event)
        if len(got) == 1:
            raise RuntimeError("disk full")

    table.host.attach(listener)
    table.run(0.5)
    table.sense(True)
    table.run(1.0)
    assert [event.sequence for event in got] == [1, 1]
    assert "disk full" in caplog.text


def test_trouble_is_logged_once_when_it_begins_and_once_when_it_ends(caplog):
    caplog.set_level(logging.WARNING)
    table = Table()
    table.run(0.5)
    table.unit.unplug()
    table.run(2.0)
    table.unit.plug(table.clock.t)
    table.run(2.0)
    assert [record.message for record in caplog.records] == [
        "The 20-hole unit's cable is out: plug it in.",
        "Mended: The 20-hole unit's cable is out: plug it in.",
    ]


def test_a_unit_that_hangs_does_not_answer(table):
    table.run(0.5)
    while table.clock.t < 10:
        table.clock.t += TICK
        table.host.pump(table.clock.t)
    assert table.host.trouble() == NO_ANSWER
    assert table.host.occupied() is None


def test_the_thread_reports_and_another_thread_acknowledges():
    clock, unit = ManualClock(), VirtualUnit(seed=3)
    host = HoleUnit(unit.link, clock, seed=3)
    arrived = threading.Event()
    events: list[HoleEvent] = []

    def listener(event: HoleEvent) -> None:
        assert threading.current_thread().name == "hole-unit"
        events.append(event)
        arrived.set()

    def until(done: Callable[[], bool]) -> None:
        for _ in range(2000):
            clock.t += 0.001
            unit.step(clock.t)
            if done():
                return
            threading.Event().wait(0.002)  # the thread needs real time to read and answer, whatever the clock says
        raise AssertionError(host.diagnostics())

    host.start(listener)
    until(lambda: host.occupied() is not None)
    unit.sense(clock.t, True)
    until(arrived.is_set)
    host.acknowledge(events[0])
    acknowledged = f"Ack(stream={events[0].stream}, sequence=1)"
    until(lambda: bool(unit.store.data) and acknowledged in "\n".join(host.diagnostics()))
    assert levels(events) == [True]
    host.close()
    host.close()
    assert not any(thread.name == "hole-unit" for thread in threading.enumerate())


def test_a_closed_client_may_be_closed_from_its_own_listener():
    clock, unit = ManualClock(), VirtualUnit(seed=3)
    host = HoleUnit(unit.link, clock, seed=3)
    closed = threading.Event()

    def listener(_: HoleEvent) -> None:
        host.close()
        closed.set()

    unit.sense(0.0, True)
    host.start(listener)
    for _ in range(2000):
        clock.t += 0.001
        unit.step(clock.t)
        if closed.wait(0.005):
            return
    raise AssertionError(host.diagnostics())
