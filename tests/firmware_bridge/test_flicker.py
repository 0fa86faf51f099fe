"""What a flickering sensor may cost, and that a level which holds is never withheld."""

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import messages
from firmware_bridge.firmware.core import Unit
from firmware_bridge.firmware.flicker import BURST, FLOOR_US, OVER_US, REGAIN_US, FlickerFilter
from firmware_bridge.firmware.journal import CAPACITY, Journal, Store
from firmware_bridge.unit_texts import FLICKERS
from tests.firmware_bridge.stepped import Stepped

SECOND = 1_000_000
MINUTE, HOUR = 60 * SECOND, 3600 * SECOND


class CountedStore(Store):
    """Flash whose writes are counted: each costs about one erasure."""

    writes = 0

    def append(self, data: bytes) -> None:
        self.writes += 1
        super().append(data)

    def replace(self, records) -> None:
        self.writes += 1
        super().replace(records)


def flickering(store: Store, seconds: int, every_us: int = 10_000) -> Unit:
    """A unit without a host whose pin toggles for so long."""
    unit = Unit(Journal(store, 77), b"UNIT0001", 9, 0, 5, 0, 1)
    level = 1
    for now in range(0, seconds * SECOND, every_us):
        level = 1 - level
        unit.sense(now, level)
        unit.step(now)
    return unit


def test_an_hour_of_flickering_costs_no_more_than_six_writes_a_minute():
    store = CountedStore()
    unit = flickering(store, 3600)
    assert store.writes <= 1 + BURST + HOUR // FLOOR_US
    assert unit.journal.next - 1 == store.writes - 1  # every number given is on the flash; the first write is its head


def test_a_full_journal_wears_the_flash_no_faster():
    store = CountedStore()
    journal = Journal(store, 77)
    for k in range(CAPACITY):
        journal.record(1, k, (k + 1) % 2)
    before = store.writes
    flickering(store, 600)
    assert store.writes - before <= 2 + BURST + 600 * SECOND // FLOOR_US


def test_a_disc_every_second_is_not_flicker():
    """In at once, out half a second later: faster than anybody tries a sensor, for ten minutes."""
    filter_, passed = FlickerFilter(), []
    for k in range(1200):
        passed += filter_.take(k * REGAIN_US, (k * REGAIN_US, (k + 1) % 2))
    assert len(passed) == 1200
    assert (filter_.withheld, filter_.flickers) == (0, False)


def test_a_disc_that_settles_under_a_flickering_sensor_is_reported_with_its_own_time():
    unit = flickering(Store(), 60)
    t = 61 * SECOND
    unit.sense(t, 1)
    unit.sense(t + SECOND, 0)
    unit.step(t + SECOND + FLOOR_US)
    last = unit.journal.pending[-1]
    assert (last.time_us, last.occupied) == (t + SECOND, 1)


def test_the_flicker_ends_after_a_while_and_reports_what_was_withheld():
    unit = flickering(Store(), 5)
    unit.receive(messages.encode(messages.Hello(2, 1)), 5 * SECOND)
    unit.step(5 * SECOND + OVER_US + FLOOR_US)
    filter_ = unit._filter
    assert not filter_.flickers
    assert filter_.withheld > 200
    logs = [log for log in unit._logs if log.code == messages.LOG_FLICKERED]
    assert [log.a for log in logs] == [filter_.withheld]


@given(st.lists(st.integers(20_000, 3_000_000), max_size=120))
def test_changes_that_pass_alternate_keep_their_times_and_end_at_the_level_that_holds(pauses):
    filter_, now, level, passed, changes = FlickerFilter(), 0, 0, [], []
    for pause in pauses:
        now += pause
        level = 1 - level
        changes.append((now, level))
        passed += filter_.settle(now) + filter_.take(now, (now, level))
    passed += filter_.settle(now + FLOOR_US)
    assert set(passed) <= set(changes)
    assert [t for t, _ in passed] == sorted(t for t, _ in passed)
    assert [occupied for _, occupied in passed] == [(k + 1) % 2 for k in range(len(passed))]
    assert (passed[-1][1] if passed else 0) == level
    assert len(passed) + filter_.withheld == len(changes)


def test_the_host_reports_that_the_sensor_flickers_and_for_how_long():
    table = Stepped()
    table.run(1.0)
    for k in range(200):
        table.unit.sense(table.clock.t, k % 2 == 0)
        table.run(0.05)
    assert table.host.trouble() == FLICKERS
    table.run(OVER_US / SECOND + FLOOR_US / SECOND + 2)
    assert table.host.trouble() is None
    figures = table.host.statistics()["unit"]
    assert figures["withheld"] > 150
    journal = table.unit.journal
    assert journal is not None
    assert journal.next - 1 + figures["withheld"] == 200
    assert [entry.occupied for entry in journal.pending] == [(k + 1) % 2 for k in range(len(journal.pending))]
    assert journal.occupied == 0


def test_a_host_of_version_1_1_reads_the_heartbeat_of_a_unit_that_counts_what_it_withheld():
    pong = messages.pack(messages.Pong(7, 9, 2, 4, 5, 0, 1, messages.SENSOR_FLICKERS, 1, 300))
    head = messages.MAJOR << 4 | messages.KINDS[messages.Pong]
    assert messages.decode(head, pong[:-4]) == messages.Pong(7, 9, 2, 4, 5, 0, 1, messages.SENSOR_FLICKERS, 1, 0)
