"""The outbox on a real journal: whatever is killed, repeated, lost or restored, the hub ends with the journal."""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import link
from controller.journal import Journal, restore
from controller.table.outbox import POSITION, SAVE_EVERY, Outbox, journal_id
from tests.controller.club.naive_hub import NaiveHub
from tests.slow import slow

NOW = [0.0]


def opened(journal: Journal, club: str = "our-club", begins: int = 1) -> Outbox:
    return Outbox(journal, club, begins=lambda: begins, now=lambda: NOW[0])


def write(journal: Journal, count: int = 1, size: int = 10) -> None:
    for _ in range(count):
        journal.append(1, random.random() * 1e9, [("paused", {"paused": True, "who": "x" * min(size, 4000)})])


def drain(outbox: Outbox, hub: NaiveHub) -> int:
    """Send all; returns the number of batches."""
    batches = 0
    while (batch := outbox.next()) is not None:
        hub.batch(batch.payload)
        outbox.acknowledged(batch)
        batches += 1
    return batches


def stored(journal: Journal) -> dict[int, dict[str, Any]]:
    with closing(sqlite3.connect(journal.path)) as connection:
        rows = connection.execute("SELECT id, match, at, kind, body FROM events").fetchall()
    return {
        number: {"id": number, "match": match, "at": at, "kind": kind, "body": json.loads(body)}
        for number, match, at, kind, body in rows
    }


def test_the_journal_arrives_in_its_stored_form_in_batches_that_fit(tmp_path):
    hub = NaiveHub()
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        write(journal, 150)
        write(journal, 70, size=4000)
        outbox = opened(journal)
        sizes = []
        while (batch := outbox.next()) is not None:
            sizes.append(len(batch.payload))
            hub.batch(batch.payload)
            outbox.acknowledged(batch)
        assert max(sizes) <= link.LARGEST
        assert len(sizes) >= 3
        assert hub.journals == {journal_id(journal): stored(journal)}
        assert outbox.position.sent == outbox.position.last == 220


def test_what_was_acknowledged_is_on_disk_after_a_while_and_at_the_end(journal):
    write(journal, 5)
    outbox, hub = opened(journal), NaiveHub()
    drain(outbox, hub)
    outbox.save()
    assert opened(journal, begins=4).position.begins == 1  # what the club gets was settled at once
    assert opened(journal).position.sent == 0  # killed now, it sends again: at least once
    NOW[0] += SAVE_EVERY
    outbox.save()
    assert opened(journal).position.sent == 5
    write(journal)
    drain(outbox, hub)
    outbox.save(now=True)
    assert opened(journal).next() is None


def test_a_full_disk_keeps_the_position_and_loses_nothing(journal, monkeypatch):
    from controller.errors import DiskFull

    write(journal, 5)
    outbox, hub = opened(journal), NaiveHub()
    drain(outbox, hub)

    def full(*_: object) -> None:
        raise DiskFull("full")

    with monkeypatch.context() as patch:
        patch.setattr(journal.facts, "keep", full)
        outbox.save(now=True)
    outbox.save(now=True)
    assert opened(journal).position.sent == 5


BEFORE_ITS_BEGINNING = '{"club": "our-club", "journal": "x", "begins": 0, "sent": 9}'


@pytest.mark.parametrize("kept", ["", "{}", "null", BEFORE_ITS_BEGINNING, '{"club": 1}'])
def test_a_position_that_cannot_be_is_as_none(journal, kept):
    write(journal, 3)
    journal.facts.keep(POSITION, kept)
    assert opened(journal, begins=2).position.model_dump() | {"journal": ""} == {
        "journal": "", "begins": 2, "sent": 1, "last": 3,
    }  # fmt: skip


def test_a_late_acknowledgement_or_a_number_ahead_skips_nothing(journal):
    write(journal, 150)
    outbox = opened(journal)
    first = outbox.next()
    assert first is not None
    outbox.acknowledged(first)
    second = outbox.next()
    assert second is not None
    for number in (1, 140):
        outbox.resend(link.Resend.model_validate({"journal": journal_id(journal), "from": number}))
        outbox.acknowledged(second)  # it was on its way when the hub asked
        assert outbox.position.sent == 0


def test_another_club_gets_what_is_played_from_now_on(journal):
    write(journal, 5)
    outbox = opened(journal)
    drain(outbox, NaiveHub())
    outbox.save(now=True)
    other = opened(journal, "their-club", begins=6)
    assert other.next() is None
    write(journal)
    batch = other.next()
    assert batch is not None
    assert (batch.first, batch.last) == (6, 6)
    assert other.resend(link.Resend.model_validate({"journal": journal_id(journal), "from": 1}))
    assert other.position.sent == 5  # what was before is not theirs


def test_damaged_events_are_sent_as_unreadable_and_the_others_follow(tmp_path):
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        write(journal, 6)
    bad = {
        1: ("body", b"\xff"),
        2: ("kind", b"\xff\xfe"),
        3: ("at", -5.0),
        4: ("body", '"\\u0000"'),
        5: ("body", "[1e999]"),
    }
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as connection:
        for number, (column, value) in bad.items():
            cast = f"CAST(? AS {'REAL' if column == 'at' else 'TEXT'})"
            connection.execute(f"UPDATE events SET {column} = {cast} WHERE id = ?", (value, number))
        connection.commit()
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        hub = NaiveHub()
        drain(opened(journal), hub)
        (known,) = hub.journals.values()
        assert sorted(known) == [1, 2, 3, 4, 5, 6]
        assert [number for number, event in known.items() if event["body"] is None] == [1, 2, 3, 4, 5]


def test_a_restored_journal_is_another_one_and_a_copied_one_is_found_out(tmp_path):
    path, hub = tmp_path / "journal.sqlite", NaiveHub()
    with closing(Journal(path)) as journal:
        write(journal, 3)
        outbox = opened(journal)
        drain(outbox, hub)
        outbox.save(now=True)
        first = journal_id(journal)
        journal.backup(tmp_path / "backup.sqlite")
        write(journal, 2)
        drain(outbox, hub)
    restore(tmp_path / "backup.sqlite", path)
    with closing(Journal(path)) as journal:
        second = journal_id(journal)
        assert second != first
        write(journal, 4)
        drain(opened(journal), hub)
        assert not hub.asks
        assert hub.journals[second] == stored(journal)
    shutil.copy(tmp_path / "backup.sqlite", path)  # behind the program's back: the old id
    with closing(Journal(path)) as journal:
        assert journal_id(journal) == first
        write(journal, 4)
        outbox = opened(journal)
        drain(outbox, hub)
        (ask,) = hub.asks[-1:]
        assert ask.renew
        assert outbox.resend(ask)
        assert not outbox.resend(ask)  # it came twice
        drain(outbox, hub)
        assert hub.journals[journal_id(journal)] == stored(journal)
        assert journal_id(journal) not in (first, second)


class Play:
    """A table's outbox and a hub between which everything goes wrong that may; each method is one step."""

    def __init__(self, journal: Journal, chance: random.Random) -> None:
        self.journal, self.chance = journal, chance
        self.outbox = opened(journal)
        self.hub = NaiveHub()
        self.old = NaiveHub().backup()
        self.payloads: list[bytes] = []
        self.asks: list[link.Resend] = []

    def write(self) -> None:
        write(self.journal, self.chance.randrange(1, 4))

    def send(self, times: int = 1, *, acknowledged: bool = True) -> None:
        batch = self.outbox.next()
        if batch is None:
            return
        self.payloads.append(batch.payload)
        for _ in range(times):
            self.hub.batch(batch.payload)
        if acknowledged:
            self.outbox.acknowledged(batch)
            self.outbox.acknowledged(batch)

    def send_twice(self) -> None:
        self.send(2)

    def acknowledgement_lost(self) -> None:
        self.send(acknowledged=False)

    def late(self) -> None:
        if self.payloads:
            self.hub.batch(self.chance.choice(self.payloads))

    def table_killed(self) -> None:
        NOW[0] += self.chance.choice((0.0, SAVE_EVERY))
        self.outbox = opened(self.journal)

    def hub_restored(self) -> None:
        self.old, kept = self.hub.backup(), self.old
        self.hub.restore(kept)

    def keep(self) -> None:
        NOW[0] += SAVE_EVERY
        self.outbox.save()

    def asked(self) -> None:
        self.asks += self.hub.asks
        if self.asks:
            self.outbox.resend(self.chance.choice(self.asks))

    def asked_before_the_acknowledgement(self) -> None:
        batch = self.outbox.next()
        self.asked()
        if batch is not None:
            self.outbox.acknowledged(batch)

    def settle(self) -> None:
        """All get on: the table says how it is, the hub asks, the table sends."""
        for _ in range(3):
            drain(self.outbox, self.hub)
            self.hub.asks.clear()
            self.hub.status(link.serialize(link.Status(online=True, outbox=self.outbox.position)))
            for ask in self.hub.asks:
                self.outbox.resend(ask)


STEPS = (
    Play.write, Play.send, Play.send_twice, Play.acknowledgement_lost, Play.late, Play.table_killed, Play.hub_restored,
    Play.keep, Play.asked, Play.asked_before_the_acknowledgement,
)  # fmt: skip


def play(folder: Path, steps: list[Callable[[Play], None]], chance: random.Random) -> None:
    """Whatever happened, in the end the hub has the journal as it stands, once, under one id."""
    with closing(Journal(folder / "journal.sqlite")) as journal:
        played = Play(journal, chance)
        for step in (Play.write, *steps, Play.table_killed, Play.write):
            step(played)
        played.settle()
        assert played.hub.journals == {journal_id(journal): stored(journal)}


GIVEN = st.lists(st.sampled_from(STEPS), max_size=40), st.randoms(use_true_random=False)


@settings(max_examples=10, deadline=None)
@given(*GIVEN)
def test_whatever_is_killed_and_repeated_the_hub_ends_with_the_journal(tmp_path_factory, steps, chance):
    play(tmp_path_factory.mktemp("outbox"), steps, chance)


@slow
@settings(max_examples=300, deadline=None)
@given(*GIVEN)
def test_the_same_at_length(tmp_path_factory, steps, chance):
    play(tmp_path_factory.mktemp("outbox"), steps, chance)
