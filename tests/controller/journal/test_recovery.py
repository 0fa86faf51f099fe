"""A journal that lacks something, or is on a disk that can't be written: the table starts, and says what is missing."""

import errno
import os
import random
import shutil
import sqlite3
import subprocess
from contextlib import closing, contextmanager
from datetime import datetime

import pytest

from controller.errors import JournalError
from controller.journal import Journal, Picture, mirror, restore
from controller.journal.recovery import LEAP, LOG_HEADER, open_journal, report
from controller.match import events as ev
from controller.match.base import Stamped
from controller.service import Service
from controller.tools.doctor import examine
from tests.controller.fed_table import START, settings_of
from tests.controller.journal import damaging
from tests.controller.journal.damaging import FRAME, PAGE, killed_recovery, trouble, write, wrong_after

SEED = random.randrange(2**32)
LOOSE = "UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '')"
STRICT = "UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name IN ('events', 'facts')"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


@pytest.fixture
def model(tmp_path):
    return damaging.model(tmp_path / "model", random.Random(SEED))


def numbers(journal):
    return [entry.id for entry in journal.since(0, 10**6)]


def recovered(path):
    """The numbers of the events that come back when all is lost but what lies beside the journal."""
    with brought_back(path) as journal:
        return numbers(journal)


def play(journal, count=1):
    write(journal, count, random.Random(SEED))


def played(path, count):
    """A journal into which so many events more were written."""
    with closing(Journal(path)) as journal:
        play(journal, count)


@contextmanager
def brought_back(path):
    """The journal after its file was lost, from what lies beside it."""
    path.write_bytes(b"")
    with closing(open_journal(path)) as journal:
        yield journal


def mirrors(path):
    return sorted(path.with_name("mirror").iterdir())


def without_its_log(path, count):
    """A journal of ten events whose newest ones were in the write-ahead log, which is lost."""
    played(path, 10 - count)
    kept = path.read_bytes()
    played(path, count)
    path.write_bytes(kept)


def config_of(folder):
    return settings_of(folder, camera={"device": "none"})


def test_after_any_damage_it_opens_and_loses_nothing_that_is_there_nor_anything_in_silence(model, tmp_path):
    dice = random.Random(SEED)
    for damage in dice.sample(list(model.damages(dice)), 12):
        assert trouble(model, tmp_path / "damaged", damage) == "", f"seed {SEED}: {damage.name}"


def test_a_recovery_that_is_killed_begins_again(model, tmp_path):
    folder, dice = tmp_path / "killed", random.Random(SEED)
    for step in dice.sample(range(1, 31), 3):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(model.folder, folder)
        (folder / "journal.sqlite-wal").unlink()
        assert killed_recovery(folder, step)
        assert wrong_after(model, folder) == "", f"seed {SEED}: killed at step {step}"


def test_what_a_lost_log_took_comes_back_from_the_mirror_and_no_number_is_given_twice(path):
    without_its_log(path, 3)
    with closing(open_journal(path)) as journal:
        assert numbers(journal) == list(range(1, 11))
        assert "All its 10 events are there, 3 of them from its mirror" in str(report(journal))
        play(journal)
        assert numbers(journal)[-1] == 10 + LEAP + 1
    for _ in range(2):
        with brought_back(path) as journal:
            assert len(numbers(journal)) == 11
            assert "Missing" not in str(report(journal)), "no event ever had the numbers that were skipped"


def test_what_is_gone_from_everywhere_is_named(path):
    without_its_log(path, 6)
    (file,) = mirrors(path)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:6] + [b"#" * 80 + b"\n"] * 2 + lines[8:]))
    with closing(open_journal(path)) as journal:
        assert numbers(journal) == [1, 2, 3, 4, 5, 8, 9, 10]
        assert "Missing: 6–7. Correct" in str(report(journal))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET match = 'one' WHERE id = 3",
        "UPDATE events SET at = 'noon' WHERE id = 3",
        "UPDATE events SET kind = x'ff' WHERE id = 3",
        "UPDATE facts SET value = x'ff' WHERE name = 'name'; DELETE FROM events WHERE id = 3",
    ],
)
def test_a_value_of_another_type_costs_its_row_alone(path, damage):
    with closing(Journal(path)) as journal:
        play(journal, 6)
        journal.facts.keep("name", "Table 1")
        journal.facts.keep("pin", "4711")
    shutil.rmtree(path.with_name("mirror"))
    for statements in (LOOSE, f"{damage}; {STRICT}"):  # the tables' types would refuse it
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(f"PRAGMA writable_schema = ON; {statements}")
    with closing(open_journal(path)) as journal:
        assert numbers(journal) == [1, 2, 4, 5, 6]
        assert "Missing: 3 and perhaps the newest ones" in str(report(journal))
        assert journal.facts.get("pin") == "4711"


def test_a_disk_without_hard_links_is_no_obstacle(path, monkeypatch):
    """As on a USB stick."""

    def link(*_):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", link)
    without_its_log(path, 3)
    with closing(open_journal(path)) as journal:
        assert numbers(journal) == list(range(1, 11))
        journal.backup(path.with_name("copy.sqlite"))
    assert restore(path.with_name("copy.sqlite"), path) == path.with_name("journal.1.sqlite")


def test_a_mirror_that_lacked_something_stays_beside_a_whole_one(path):
    with closing(Journal(path)) as journal:
        play(journal, 6)
        journal.backups.back_up_if_due(datetime(2026, 5, 1, 5))
    (file,) = mirrors(path)
    file.write_bytes(file.read_bytes().replace(b'"event":3,', b'"event":7,'))
    for mirror_kept in ("mirror.1", "mirror.2"):
        with brought_back(path) as journal:
            assert numbers(journal) == [1, 2, 3, 4, 5, 6]
        assert path.with_name(mirror_kept).exists() == (mirror_kept == "mirror.1")


def test_a_torn_line_whose_event_is_lost_is_not_passed_over(path):
    played(path, 3)
    with mirrors(path)[0].open("ab") as file:
        file.write(b'{"event":4,"match":1,"at":')
    with closing(open_journal(path)) as journal:
        assert "Missing: perhaps the newest ones." in str(report(journal))
        play(journal)
        assert numbers(journal) == [1, 2, 3, 3 + LEAP + 1]


def cut(file, length, fill=False):
    size = file.stat().st_size
    os.truncate(file, length)
    if fill:
        os.truncate(file, size)  # with zeros, as a disk leaves a file whose length it wrote first


@pytest.mark.parametrize("filled", [False, True])
@pytest.mark.parametrize("length", [31, 33, LOG_HEADER + 2 * FRAME + 1])
def test_where_log_and_mirror_are_both_torn_the_newest_events_may_be_missing(model, length, filled):
    for mirrored in (LOG_HEADER, 100, mirrors(model.folder / "journal.sqlite")[0].stat().st_size - 5):
        folder = model.folder.with_name(f"torn at {mirrored}")
        shutil.copytree(model.folder, folder)
        cut(mirrors(folder / "journal.sqlite")[0], mirrored)
        cut(folder / "journal.sqlite-wal", length, filled)
        with closing(open_journal(folder / "journal.sqlite")) as journal:
            assert "perhaps the newest ones" in str(report(journal))


def test_a_torn_line_is_closed_and_its_event_made_up_from_the_journal(path):
    played(path, 3)
    (file,) = mirrors(path)
    os.truncate(file, file.stat().st_size - 20)
    with closing(open_journal(path)) as journal:
        assert report(journal) is None
        play(journal)
    assert recovered(path) == [1, 2, 3, 4]


def test_a_mirror_that_cannot_be_written_refuses_nothing_and_is_made_up_later(path):
    with closing(Journal(path)) as journal:
        play(journal, 40)
        path.with_name("mirror").rename(path.with_name("away"))
        path.with_name("mirror").touch()
        play(journal, 2)
        path.with_name("mirror").unlink()
        path.with_name("away").rename(path.with_name("mirror"))
        play(journal)
    assert recovered(path) == list(range(1, 44))


def test_a_full_file_is_followed_by_one_that_is_named_by_its_first_event(path, monkeypatch):
    monkeypatch.setattr(mirror, "FILE", 2000)
    with closing(Journal(path)) as journal:
        for _ in range(30):
            journal.append(1, 0.0, [("practised", {"text": "x" * 100})])
    names = [int(file.stem) for file in mirrors(path)]
    assert names[0] == 1
    assert len(names) > 2
    with brought_back(path) as journal:
        assert numbers(journal) == list(range(1, 31))
        assert next(journal._mirror.events(names[1]))[0] == names[1] + 1


@pytest.mark.parametrize("same_id", [False, True])
def test_a_mirror_of_another_journal_is_kept_and_the_journal_counts(path, tmp_path, same_id):
    with closing(Journal(path)) as journal:
        play(journal, 5)
        id_ = journal.facts.get("journal_id")
    other = tmp_path / "other" / "journal.sqlite"
    with closing(Journal(other)) as journal:
        if same_id:
            journal.facts.keep("journal_id", id_)
    with closing(Journal(other)) as journal:
        for number in range(9):
            journal.append(7, 1e8 + number, [("practised", {"n": number})])
    shutil.rmtree(path.with_name("mirror"))
    other.with_name("mirror").rename(path.with_name("mirror"))
    for _ in range(2):
        with closing(open_journal(path)) as journal:
            assert numbers(journal) == [1, 2, 3, 4, 5]
            assert "The journal counts, and the mirror is kept as mirror.1" in str(report(journal))
    assert mirrors(path)[0].read_bytes() != path.with_name("mirror.1").joinpath("000000000001.jsonl").read_bytes()


def test_a_journal_that_was_set_back_on_purpose_stays_so(path, tmp_path):
    with closing(Journal(path)) as journal:
        play(journal, 4)
        journal.backups.back_up_if_due(datetime(2026, 5, 1, 5))
        play(journal, 4)
        newer = journal.backups.back_up_if_due(datetime(2026, 5, 2, 5))
    (older, _) = sorted(path.with_name("backups").iterdir())
    restore(older, path)
    for start in range(10):
        if start == 5:
            assert newer is not None
            path.write_bytes(b"")  # even if it has to be recovered
        with closing(open_journal(path)) as journal:
            assert numbers(journal) == [1, 2, 3, 4]


def test_a_damaged_journal_is_reported_on_the_page_and_by_doctor_until_its_file_is_gone(path, tmp_path):
    played(path, 9)
    with path.open("r+b") as file:
        file.write(bytes(PAGE))
    service = Service(config_of(tmp_path))
    notices = lambda: [str(one.text) for one in service.snapshot().notices]  # noqa: E731
    try:
        service.start()
        service._engine_thread.call(lambda: None)
        (kept,) = tmp_path.glob("journal.damaged-*.sqlite")
        assert any(kept.name in text for text in notices())
    finally:
        service.stop()
    (found,) = [finding for finding in examine(config_of(tmp_path)) if finding["what"] == "journal"]
    assert not found["ok"]
    assert kept.name in found["text"]
    kept.unlink()
    (found,) = [finding for finding in examine(config_of(tmp_path)) if finding["what"] == "journal"]
    assert found["ok"]


def test_numbers_that_an_amendment_reserved_are_not_missing(path):
    shot = ev.ShotSeen(side="A", disc="a1", rest={"a1": "ditch"}, measured={})
    added = ev.RevisedEvent(after=1, t=2.0, event=shot)
    amended = ev.Amended(round=1, after=1, t=2.0, revised=(added,), why="turn")
    with closing(Journal(path)) as journal:
        journal.append(1, 1e9, [("practised", {})])
        assert amended.reserved == 1
        journal.write([ev.entry(1, Stamped(3, 1e9, amended))])
    with brought_back(path) as journal:
        assert "Missing" not in str(report(journal))


def test_a_backup_of_another_journal_adds_nothing(path, tmp_path):
    other = tmp_path / "other" / "journal.sqlite"
    played(path, 3)
    with closing(Journal(other)) as journal:
        play(journal, 9)
        journal.backups.back_up_if_due(datetime(2026, 5, 1, 5))
    other.with_name("backups").rename(path.with_name("backups"))
    assert recovered(path) == [1, 2, 3]


def test_without_a_mirror_the_newest_backup_by_number_counts(path):
    with closing(Journal(path)) as journal:
        play(journal, 3)
        journal.backups.back_up_if_due(datetime(2040, 5, 1, 5))
        play(journal, 3)
        journal.backups.back_up_if_due(datetime(2026, 5, 1, 5))
    shutil.rmtree(path.with_name("mirror"))
    with brought_back(path) as journal:
        assert numbers(journal) == [1, 2, 3, 4, 5, 6]
        assert "perhaps the newest ones" in str(report(journal))


@contextmanager
def read_only(folder):
    """A file system of its own at the folder, which can't be written until this ends; skips where that can't be."""
    kept = folder.with_name("kept")
    folder.rename(kept)
    folder.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "none", str(folder)], capture_output=True).returncode:
        pytest.skip("only root mounts file systems, and not in every container")
    try:
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_on_an_unwritable_disk_pictures_are_shown(tmp_path):
    path = tmp_path / "data" / "journal.sqlite"
    with closing(Journal(path)) as journal:
        play(journal)
        journal.pictures.keep({"1-0-p.jpg": Picture(b"jpeg")})
    with read_only(path.parent), closing(open_journal(path)) as journal:
        assert numbers(journal) == [1]
        assert journal.pictures.cut("1-0-p.jpg") == b"jpeg"


def test_on_an_unwritable_disk_the_table_starts_and_shows_but_keeps_nothing(tmp_path):
    folder = tmp_path / "data"
    service = Service(config_of(folder))
    service.start()
    service.command(START)
    shown = service.snapshot().match
    assert shown is not None
    shutil.copytree(folder, tmp_path / "cut")  # as a power cut leaves it: what was written last is in the log
    service.stop()
    (tmp_path / "cut").rename(folder.with_name("data2"))
    with read_only(folder.with_name("data2")):
        service = Service(config_of(folder.with_name("data2")))
        service.start()
        try:
            assert service.snapshot().match.id == shown.id
            with pytest.raises(JournalError, match="can't be written"):
                service.command({"do": "pause"})
            service._engine_thread.call(lambda: None)
            kinds = [one.kind for one in service.snapshot().notices]
            assert "journal" in kinds
        finally:
            service.stop()
