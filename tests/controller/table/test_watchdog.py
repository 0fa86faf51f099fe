"""systemd hears that the table serves and lives, through a real socket."""

import os
import socket
import sys
from pathlib import Path

import pytest

from controller.errors import JournalError
from controller.journal import Journal
from controller.systemd import notify
from controller.table.watchdog import ENDS, EVERY, MOST_ENDS, PATIENCE, WITHIN, Ends, Part, Watchdog


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="systemd is Linux's")
@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_systemd_hears_every_message(tmp_path, kind):
    name = str(tmp_path / "notify") if kind == "path" else f"@crokinole-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(name.replace("@", "\0"))
        systemd.settimeout(5.0)
        for message in ("READY=1", "WATCHDOG=1", "STOPPING=1"):
            notify(message, {"NOTIFY_SOCKET": name})
            assert systemd.recv(100).decode() == message


def test_without_systemd_or_with_one_that_is_gone_nothing_happens(tmp_path):
    notify("READY=1", {})
    notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "gone")})


class Told(list[str]):
    """What systemd heard, and a heartbeat of two parts; `counts` has their progress."""

    def __init__(self):
        self.counts = {"camera": 0, "engine": 0}
        parts = [Part(name, lambda name=name: self.counts[name]) for name in self.counts]
        self.heartbeat = Watchdog(parts, self.append)

    def run(self, begin, seconds, **steps):
        """Beat every five seconds, while the parts named get on."""
        for k in range(round(seconds / 5)):
            for name, step in steps.items():
                count = self.counts[name]
                self.counts[name] = None if count is None else count + step
            self.heartbeat.beat(begin + 5 * k)


def test_while_all_parts_get_on_systemd_hears_of_it_every_ten_seconds():
    told = Told()
    told.run(0.0, 600.0, camera=100, engine=1)
    assert told == ["WATCHDOG=1"] * 60


@pytest.mark.parametrize("stuck", ["camera", "engine"])
def test_a_part_that_does_not_get_on_has_the_service_restarted(stuck, caplog):
    told = Told()
    told.run(0.0, 30.0, camera=1, engine=1)
    well = len(told)
    told.run(30.0, 200.0, **{name: 1 for name in told.counts if name != stuck})
    assert told[-1] == "WATCHDOG=trigger"
    assert told.count("WATCHDOG=trigger") == 1
    assert set(told[well:-1]) == {"WATCHDOG=1"}
    assert len(told) - well <= PATIENCE / EVERY + 2
    assert f"no progress for 60 s: {stuck}" in caplog.text
    assert Path(__file__).name in caplog.text, "the log says where each thread is"


def test_a_part_that_was_slow_or_has_nothing_to_do_is_not_stuck():
    told = Told()
    told.run(0.0, 50.0, engine=1)
    told.run(50.0, 50.0, camera=1, engine=1)
    told.counts["camera"] = None
    told.run(100.0, 300.0, engine=1)
    assert set(told) == {"WATCHDOG=1"}


@pytest.mark.parametrize("may_end", [True, False])
def test_a_stuck_part_that_the_table_can_do_without_has_it_restarted_only_while_that_may_help(may_end):
    told, progress, asked = [], [0], []

    def ask():
        asked.append(1)
        return may_end

    heartbeat = Watchdog([Part("camera", lambda: progress[0], vital=False)], told.append, ask)
    for now in range(0, 300, 5):
        heartbeat.beat(float(now))
    assert told.count("WATCHDOG=trigger") == may_end
    assert told[-1] == ("WATCHDOG=trigger" if may_end else "WATCHDOG=1")
    assert len(asked) == 1
    progress[0] = 1  # it got on, and sticks once more
    for now in range(300, 600, 5):
        heartbeat.beat(float(now))
    assert len(asked) == (1 if may_end else 2)


@pytest.fixture
def journal(tmp_path):
    journal = Journal(tmp_path / "journal.sqlite")
    yield journal
    journal.close()


def test_within_an_hour_a_table_ends_five_times_for_its_camera_over_all_its_processes(journal):
    def new_process(now, boot="one"):
        return Ends(journal.facts, lambda: now, boot).another()

    assert all(new_process(100.0 * k) for k in range(MOST_ENDS))
    assert not new_process(1000.0)
    assert not new_process(WITHIN - 1.0)
    assert new_process(WITHIN + 1.0)
    assert not new_process(WITHIN + 2.0), "the second one is less than an hour ago"
    assert new_process(3.0, boot="two")


def test_an_unreadable_note_of_ends_counts_as_none_and_one_that_cannot_be_written_forbids_them(journal, monkeypatch):
    ends = Ends(journal.facts, lambda: 5.0, "one")
    for text in ("", "[]", '{"boot": "one", "at": ["a"]}'):
        journal.facts.keep(ENDS, text)
        assert ends.another()

    def full(name, value):
        raise JournalError("The disk is full.")

    monkeypatch.setattr(journal.facts, "keep", full)
    assert not ends.another()
