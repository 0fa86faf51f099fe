"""The journal in batches, on a real journal: whatever is killed, repeated, lost or restored, the hub ends with it."""

import datetime as dt
import json
import random
import shutil
import sqlite3
from contextlib import closing

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.journal import JOURNAL_ID, Journal, restore
from controller.journal.backup import newest_of
from controller.journal.recovery import open_journal, report
from controller.match import club
from controller.table.club.hub import batch_after, journal_id, renew_id
from tests.controller.club.naive_hub import NaiveHub
from tests.slow import slow


def write(journal, count=1, size=10):
    for _ in range(count):
        journal.append(1, random.random() * 1e9, [("paused", {"paused": True, "who": "x" * min(size, 4000)})])


class Table:
    """The reporting half of a table: a number that it forgets when it is killed."""

    def __init__(self, journal):
        self.journal = journal
        self.have = None

    def batch(self):
        payload = club.serialize(batch_after(self.journal, self.have, 1, None))
        assert len(payload) <= club.LARGEST
        return json.loads(payload)

    def hear(self, answer):
        status, said = answer
        if status == 409 and said.get("renew"):
            renew_id(self.journal)
            self.have = 0
        else:
            self.have = said["have"]

    def drain(self, hub):
        """Send all; returns the number of requests."""
        requests = 0
        known = False
        while not known or self.have is None or self.have < self.journal.last():
            known = self.have is not None
            self.hear(hub.take(self.batch()))
            requests += 1
        return requests


def stored(journal):
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
        assert Table(journal).drain(hub) >= 4
        assert hub.journals == {journal_id(journal): stored(journal)}
        assert Table(journal).drain(hub) == 2, "the hub says that it has all"


def test_a_journal_that_the_club_knows_by_another_id_keeps_its_mirror_and_its_backups(tmp_path):
    with closing(open_journal(tmp_path / "journal.sqlite")) as journal:
        write(journal, 3)
        journal.backups.before("trial", dt.datetime(2026, 5, 1))
        before = journal_id(journal)
        for _ in range(2):
            renew_id(journal)
            assert journal_id(journal) != before
            before = journal_id(journal)
    with closing(open_journal(tmp_path / "journal.sqlite")) as journal:
        assert (journal_id(journal), report(journal)) == (before, None)
        assert newest_of(tmp_path / "backups", journal.facts.get(JOURNAL_ID)) is not None


def test_damaged_events_are_sent_as_unreadable_and_the_others_follow(tmp_path):
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        write(journal, 7)
    bad = {
        1: ("body", b"\xff"),
        2: ("kind", b"\xff\xfe"),
        3: ("at", -5.0),
        4: ("body", '"\\u0000"'),
        5: ("body", "[1e999]"),
        6: ("body", json.dumps({"x": ["y" * 4000] * 40})),  # more than one event may have
    }
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as connection:
        for number, (column, value) in bad.items():
            cast = f"CAST(? AS {'REAL' if column == 'at' else 'TEXT'})"
            connection.execute(f"UPDATE events SET {column} = {cast} WHERE id = ?", (value, number))
        connection.commit()
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        hub = NaiveHub()
        Table(journal).drain(hub)
        (known,) = hub.journals.values()
        assert sorted(known) == [1, 2, 3, 4, 5, 6, 7]
        assert [number for number, event in known.items() if event["body"] is None] == [1, 2, 3, 4, 5, 6]


def test_a_restored_journal_is_another_one_and_a_copied_one_is_found_out(tmp_path):
    path, hub = tmp_path / "journal.sqlite", NaiveHub()
    with closing(Journal(path)) as journal:
        write(journal, 3)
        Table(journal).drain(hub)
        first = journal_id(journal)
        journal.backup(tmp_path / "backup.sqlite")
        write(journal, 2)
        Table(journal).drain(hub)
    restore(tmp_path / "backup.sqlite", path)
    with closing(Journal(path)) as journal:
        second = journal_id(journal)
        assert second != first
        write(journal, 4)
        Table(journal).drain(hub)
        assert hub.journals[second] == stored(journal)
    for more in (0, 1, 2, 4):  # fewer events than the hub has, then others
        shutil.copy(tmp_path / "backup.sqlite", path)  # behind the program's back: the old id
        with closing(Journal(path)) as journal:
            assert journal_id(journal) == first
            write(journal, more)
            Table(journal).drain(hub)
            assert hub.journals[journal_id(journal)] == stored(journal)
            assert journal_id(journal) not in (first, second)


class Play:
    """A table and a hub between which everything goes wrong that may; each method is one step."""

    def __init__(self, journal, chance):
        self.journal, self.chance = journal, chance
        self.table = Table(journal)
        self.hub = NaiveHub()
        self.old = self.hub.backup()
        self.sent = []

    def write(self):
        write(self.journal, self.chance.randrange(1, 4))

    def send(self, *, heard=True):
        batch = self.table.batch()
        self.sent.append(batch)
        answer = self.hub.take(batch)
        if heard:
            self.table.hear(answer)

    def answer_lost(self):
        self.send(heard=False)

    def request_comes_again(self):
        if self.sent:
            self.hub.take(self.chance.choice(self.sent))

    def table_killed(self):
        self.table = Table(self.journal)

    def hub_restored(self):
        self.old, kept = self.hub.backup(), self.old
        self.hub.restore(kept)


STEPS = (Play.write, Play.send, Play.answer_lost, Play.request_comes_again, Play.table_killed, Play.hub_restored)


def play(folder, steps, chance):
    """Whatever happened, in the end the hub has the journal, once, under one id."""
    with closing(Journal(folder / "journal.sqlite")) as journal:
        played = Play(journal, chance)
        for step in (Play.write, *steps, Play.table_killed, Play.write):
            step(played)
        played.table.drain(played.hub)
        assert played.hub.journals == {journal_id(journal): stored(journal)}


GIVEN = st.lists(st.sampled_from(STEPS), max_size=40), st.randoms(use_true_random=False)


@settings(max_examples=10)
@given(*GIVEN)
def test_whatever_is_killed_and_repeated_the_hub_ends_with_the_journal(tmp_path_factory, steps, chance):
    play(tmp_path_factory.mktemp("batches"), steps, chance)


@slow
@settings(max_examples=300)
@given(*GIVEN)
def test_the_same_at_length(tmp_path_factory, steps, chance):
    play(tmp_path_factory.mktemp("batches"), steps, chance)
