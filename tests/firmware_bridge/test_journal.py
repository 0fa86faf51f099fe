import errno
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.firmware.journal import COMPACT_AT, RECORD_SIZE, FileStore, Journal, Store

STREAM = 77


def numbers(journal: Journal) -> list[int]:
    return [entry.sequence for entry in journal.pending]


def filled(store: Store, count: int, capacity: int = 256) -> Journal:
    journal = Journal(store, STREAM, capacity)
    for k in range(count):
        journal.record(5, 1000 * k, (k + 1) % 2)
    return journal


@pytest.fixture(params=["memory", "file"])
def store(request, tmp_path):
    return Store() if request.param == "memory" else FileStore(str(tmp_path / "journal.bin"))


def test_events_and_their_numbers_survive_a_reboot(store):
    before = filled(store, 5)
    after = Journal(store, 99)
    assert (after.stream, after.next, after.pending) == (STREAM, 6, before.pending)
    assert after.occupied == 1
    after.record(6, 7, 0)
    assert Journal(store, 99).next == 7


def test_events_that_the_host_has_are_not_stored_for_ever(store):
    journal = filled(store, 5)
    journal.acknowledge(3)
    assert numbers(journal) == [4, 5]
    journal.record(5, 9, 0)
    assert numbers(Journal(store, 99)) == [4, 5, 6]


def test_an_event_is_stored_when_record_returns():
    store = Store()
    journal = filled(store, 1)
    size = len(store.data)
    journal.record(5, 1, 0)
    assert len(store.data) == size + RECORD_SIZE


@given(st.integers(1, RECORD_SIZE - 1))
def test_a_torn_last_record_loses_that_event_alone(kept):
    store = Store()
    filled(store, 3)
    store.data = store.data[: -RECORD_SIZE + kept]
    after = Journal(store, 99)
    assert numbers(after) == [1, 2]
    after.record(6, 0, 1)
    again = Journal(store, 99)
    assert numbers(again) == [1, 2, 3]
    assert not again.damaged


def test_a_full_journal_keeps_the_oldest_events_and_counts_and_numbers_the_rest(store):
    journal = filled(store, 12, capacity=8)
    for found in (journal, Journal(store, 99, 8)):
        assert numbers(found) == [1, 2, 3, 4, 5, 6, 7, 8]
        assert (found.next, found.dropped) == (13, 4)
    journal.acknowledge(8)
    assert journal.oldest == 13
    journal.record(5, 0, 1)
    assert numbers(Journal(store, 99, 8)) == [13]


def test_the_store_stays_small_for_a_whole_season():
    store = Store()
    journal = Journal(store, STREAM)
    largest = 0
    for k in range(5000):
        journal.record(1, k, k % 2)
        journal.acknowledge(k - 3)
        largest = max(largest, len(store.data))
    assert largest == COMPACT_AT * RECORD_SIZE
    after = Journal(store, 99)
    assert (after.next, after.stream) == (5001, STREAM)
    assert set(numbers(journal)) <= set(numbers(after))


def test_settings_survive_a_reboot(store):
    journal = Journal(store, STREAM)
    journal.settle(50_000, 0)
    after = Journal(store, 99)
    assert (after.lockout_us, after.active_low) == (50_000, 0)


def test_a_rotten_record_is_noticed_and_the_others_are_kept():
    store = Store()
    filled(store, 3)
    at = len(store.data) - 2 * RECORD_SIZE + 3
    store.data = store.data[:at] + bytes([store.data[at] ^ 4]) + store.data[at + 1 :]
    after = Journal(store, 99)
    assert after.damaged
    assert numbers(after) == [1, 3]


def test_without_its_head_it_is_another_stream_and_reports_damage():
    store = Store()
    filled(store, 3)
    store.data = b"\xff" * RECORD_SIZE + store.data[RECORD_SIZE:]
    after = Journal(store, 99)
    assert after.damaged
    assert after.stream == 99


class FullFlash(Store):
    full = False

    def append(self, data: bytes) -> None:
        if self.full:
            self.data += data[:7]
            raise OSError(errno.ENOSPC, "full")
        super().append(data)


def test_an_unwritable_flash_is_reported_and_keeps_no_half_written_record():
    store = FullFlash()
    journal = filled(store, 2)
    store.full = True
    journal.record(5, 1, 1)
    assert not journal.writable
    assert numbers(journal) == [1, 2, 3]
    store.full = False
    journal.record(5, 2, 0)
    assert journal.writable
    assert numbers(Journal(store, 99)) == [1, 2, 3, 4]


@given(st.integers(0, 2**32))
def test_no_sequence_of_operations_makes_a_journal_lose_or_reuse_anything(seed):
    source = random.Random(seed)
    store = Store()
    journal = Journal(store, STREAM, 8)
    given_numbers: list[int] = []
    dropped: list[int] = []
    acknowledged = 0
    for _ in range(80):
        action = source.choice(["record", "record", "record", "acknowledge", "reboot"])
        if action == "record":
            full = len(journal.pending) >= 8
            given_numbers.append(journal.next)
            (dropped if full else []).append(journal.next)
            journal.record(1, 0, 1)
        elif action == "acknowledge":
            acknowledged = source.randint(acknowledged, journal.next - 1)
            journal.acknowledge(acknowledged)
        else:
            journal = Journal(store, 99, 8)
        assert journal.stream == STREAM
        assert given_numbers == list(range(1, journal.next))
        held = set(numbers(journal))
        assert {n for n in given_numbers if n > acknowledged and n not in dropped} <= held
        assert not held & set(dropped)
        assert journal.dropped == len(dropped)


def test_a_store_is_closed_after_reading_even_if_its_end_is_torn(tmp_path):
    path = tmp_path / "journal.bin"
    filled(FileStore(str(path)), 3)
    with path.open("ab") as f:
        f.write(b"torn")
    journal = Journal(FileStore(str(path)), 99)  # an open file would warn here, and hinder the renaming on the board
    assert numbers(journal) == [1, 2, 3]
    assert not journal.damaged
