"""Backups: on demand, each night, before an update; and the way back, whatever the paths are called."""

import datetime as dt
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing

import pytest

from controller.config import Config
from controller.errors import BadInput, JournalError
from controller.journal import SCHEMA_VERSION, Journal, backup, check, restore
from controller.journal.recovery import open_journal, report
from controller.tools.doctor import examine
from tests.controller.table import full_disk

EVENING = dt.datetime(2026, 3, 5, 21, 0)
NIGHT = dt.datetime(2026, 3, 6, 4, 30)


@pytest.fixture
def journal(tmp_path):
    journal = Journal(tmp_path / "data" / "journal.sqlite")
    journal.append(1, 0.0, [("counted", {"n": 1})])
    yield journal
    journal.close()


def kept(journal):
    folder = journal.path.with_name("backups")
    return [path.name.partition("-")[2] for path in sorted(folder.iterdir())] if folder.exists() else []


def play(journal):
    journal.append(1, 0.0, [("counted", {"n": journal.last()})])


def test_backups_are_made_once_a_night(journal):
    journal.backups.back_up_if_due(EVENING)
    assert kept(journal) == ["2026-03-05.sqlite"], "none was there: this table may have been off at night"
    play(journal)
    journal.backups.back_up_if_due(EVENING + dt.timedelta(hours=6))
    assert kept(journal) == ["2026-03-05.sqlite"]
    made = journal.backups.back_up_if_due(NIGHT)
    assert check(made) == 2
    assert journal.backups.back_up_if_due(NIGHT + dt.timedelta(minutes=1)) is None
    assert kept(journal) == ["2026-03-05.sqlite", "2026-03-06.sqlite"]


def test_without_new_events_no_backup_is_made(journal):
    journal.backups.back_up_if_due(NIGHT)
    for day in range(1, 30):
        assert journal.backups.back_up_if_due(NIGHT + dt.timedelta(days=day)) is None


def test_after_a_date_was_set_ahead_and_back_each_night_has_its_backup(journal):
    """One that is dated in the future is neither the newest nor the last."""
    for day in (0, 1, 5000, 2, 1, 2, *range(3, 20)):
        play(journal)
        assert journal.backups.back_up_if_due(NIGHT + dt.timedelta(days=day)) is not None
    assert kept(journal) == [f"{(NIGHT + dt.timedelta(days=day)).date()}.sqlite" for day in range(6, 20)]
    (*_, newest) = sorted(journal.path.with_name("backups").iterdir())
    assert check(newest) == journal.last()


def test_doctor_looks_at_the_backup_that_was_made_last(journal, tmp_path):
    assert journal.backups.back_up_if_due(NIGHT.replace(year=2040))
    play(journal)
    last = journal.backups.back_up_if_due(NIGHT)
    last.write_bytes(b"holiday pictures" * 99)
    config = Config.model_validate({"table": {"data": journal.path.parent}, "camera": {"device": "none"}})
    (found,) = [finding for finding in examine(config) if finding["what"] == "backups"]
    assert not found["ok"]
    assert last.name in found["text"]


def test_the_oldest_backups_make_room_and_the_newest_stays(journal, monkeypatch):
    for day in range(5):
        play(journal)
        journal.backups.back_up_if_due(NIGHT + dt.timedelta(days=day))
    folder = journal.path.with_name("backups")
    usage = shutil.disk_usage(folder)

    def free(path):
        """Room for one more only once two backups are gone."""
        return usage._replace(free=backup.RESERVE * 2 if len(list(folder.iterdir())) <= 3 else 0)

    monkeypatch.setattr(shutil, "disk_usage", free)
    play(journal)
    journal.backups.back_up_if_due(NIGHT + dt.timedelta(days=5))
    assert [name[8:10] for name in kept(journal)] == ["08", "09", "10", "11"]
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=0))
    play(journal)
    with pytest.raises(JournalError, match="no room"):
        journal.backups.back_up_if_due(NIGHT + dt.timedelta(days=6))
    assert [name[8:10] for name in kept(journal)] == ["11"]


def test_a_failed_backup_leaves_no_file_and_the_next_one_succeeds(journal, tmp_path):
    target = tmp_path / "copy.sqlite"
    for _ in range(20):
        play(journal)
    full_disk.close_at(16_000)
    try:
        with pytest.raises(JournalError, match="can't be written"):
            journal.backup(target)
    finally:
        full_disk.open_again()
    assert not target.exists()
    assert list(tmp_path.glob("*.part")) == []
    journal.backup(target)
    assert check(target) == journal.last()


def test_only_the_owner_reads_journal_and_backups(journal, tmp_path):
    """They hold the PIN and the secret that signs sessions."""
    journal.backup(tmp_path / "copy.sqlite")
    journal.backups.back_up_if_due(NIGHT)
    for path in tmp_path.rglob("*.sqlite*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    assert stat.S_IMODE(journal.path.with_name("backups").stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["a#b", "what?", "50%20", "łóżko", "two words", "%s"])
def test_any_path_will_do(tmp_path, name):
    folder = tmp_path / name
    with closing(Journal(folder / f"{name}.sqlite")) as journal:
        play(journal)
        journal.backup(folder / f"copy of {name}")
        assert journal.last() == 1
    assert restore(folder / f"copy of {name}", folder / f"{name}.sqlite") is not None
    assert check(folder / f"{name}.sqlite") == 1


def damaged_ways(path):
    """Files that are no whole journal, by what is wrong with them."""
    half, foreign, lost, empty = (path.with_name(name) for name in ("half", "foreign", "lost", "empty"))
    half.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    empty.touch()
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE events (id INTEGER)")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    shutil.copy(path, lost)
    with closing(sqlite3.connect(lost)) as connection:
        connection.execute("DROP TABLE facts")
    return [
        ("damaged", half),
        ("facts|column|missing|not a whole journal", lost),
        ("not a whole journal", foreign),
        ("not a whole journal", empty),
    ]


def test_a_backup_is_restored_with_the_write_ahead_log_beside_it(tmp_path):
    """Somebody copied the files of a running table by hand."""
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        for _ in range(3):
            play(journal)
        copied = tmp_path / "copied.sqlite"
        for ending in ("", "-wal"):
            shutil.copy(f"{journal.path}{ending}", f"{copied}{ending}")
    restore(copied, tmp_path / "other" / "journal.sqlite")
    assert check(tmp_path / "other" / "journal.sqlite") == 3


def test_a_damaged_journal_can_be_replaced_and_is_kept(journal, tmp_path):
    good = tmp_path / "good.sqlite"
    journal.backup(good)
    journal.close()
    journal.path.write_bytes(b"holiday pictures" * 999)
    kept_as = restore(good, journal.path)
    assert kept_as.read_bytes().startswith(b"holiday")
    assert check(journal.path) == 1


def test_a_journal_of_which_only_the_log_is_left_is_not_started_over_in_silence(tmp_path):
    journal = Journal(tmp_path / "journal.sqlite")
    play(journal)
    log = tmp_path / "journal.sqlite-wal"
    data = log.read_bytes()
    journal.close()
    journal.path.unlink()
    log.write_bytes(data)
    shutil.rmtree(tmp_path / "mirror")
    with closing(open_journal(journal.path)) as fresh:
        assert "perhaps the newest ones" in str(report(fresh))
    assert (tmp_path / "journal.damaged-1.sqlite-wal").read_bytes() == data


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")
def test_files_created_by_root_belong_to_the_folders_owner(tmp_path):
    """`sudo crokinole-table restore` must leave a journal that the table's service can write."""
    folder = tmp_path / "data"
    folder.mkdir()
    os.chown(folder, 4711, 4712)
    with closing(Journal(folder / "journal.sqlite")) as journal:
        play(journal)
        journal.backup(tmp_path / "good.sqlite")
        journal.backups.before("update", NIGHT)
    restore(tmp_path / "good.sqlite", folder / "journal.sqlite")
    owned = [path for path in folder.rglob("*") if path.name != "journal.1.sqlite"]
    assert {(path.stat().st_uid, path.stat().st_gid) for path in owned} == {(4711, 4712)}, owned


@pytest.mark.parametrize("trouble", ["damaged", "in use", "the journal itself", "full"])
def test_a_refused_restore_leaves_no_file(tmp_path, trouble):
    journal = Journal(tmp_path / "data" / "journal.sqlite")
    for _ in range(50):
        play(journal)
    good = tmp_path / "backups" / "good.sqlite"
    good.parent.mkdir()
    journal.backup(good)
    refused = {
        "damaged": damaged_ways(good),
        "in use": [(f"process {os.getpid()}", good)],
        "the journal itself": [("itself", journal.path)],
        "full": [("can't be put", good)],
    }
    if trouble != "in use":
        journal.close()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for words, wrong in refused[trouble]:
        if trouble == "full":
            full_disk.close_at(good.stat().st_size // 2)
        try:
            with pytest.raises((BadInput, JournalError), match=words):
                restore(wrong, journal.path)
        finally:
            full_disk.open_again()
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    journal.close()
    assert after.keys() == before.keys()
    assert after == before


MOUNTED = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]

ON_A_SMALL_DISK = """
import os, pathlib, shutil, sys
from controller.errors import JournalError
from controller.journal import Journal

disk = pathlib.Path(sys.argv[1])
path = disk / "data" / "journal.sqlite"


def fill():
    with (disk / "other").open("ab", buffering=0) as file:
        for size in (1_000_000, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                pass


def opened():
    try:
        journal = Journal(path)
    except JournalError as error:
        return "refused" if "free space" in str(error) else repr(error)
    journal.append(1, 0.0, [("paused", {"paused": True})])
    events = len(list(journal.events(1)))
    journal.close()
    return str(events)


"""


def on_a_small_disk(folder, code):
    """What the lines of code printed, run on a disk of its own; skips where none can be mounted."""
    mount = f'mount -t tmpfs -o size=64m tmpfs "{folder}"'
    if subprocess.run([*MOUNTED, mount], capture_output=True).returncode:
        pytest.skip("no disk of its own can be mounted here: unshare or tmpfs is missing, or not allowed")
    run = f'{mount} && exec "$0" -c "$1" "{folder}"'
    inside = [*MOUNTED, run, sys.executable, ON_A_SMALL_DISK + code]
    return subprocess.run(inside, check=True, capture_output=True, text=True).stdout.split()


def test_a_table_starts_on_a_full_disk_and_loses_nothing(tmp_path):
    assert on_a_small_disk(tmp_path, "print(opened()); fill(); print(opened(), opened())") == ["1", "2", "3"]


def test_without_the_reserve_the_full_disk_refuses(tmp_path):
    code = "print(opened()); pathlib.Path(f'{path}.reserve').unlink(); fill(); print(opened())"
    assert on_a_small_disk(tmp_path, code) == ["1", "refused"]


def test_the_reserve_is_made_again_when_there_is_room(tmp_path):
    code = """
reserve = pathlib.Path(f"{path}.reserve")
opened(); fill(); opened()
print(reserve.exists())
(disk / "other").unlink(); opened()
print(reserve.exists(), reserve.stat().st_blocks * 512 >= 256_000)
"""
    assert on_a_small_disk(tmp_path, code) == ["False", "True", "True"]


def test_the_reserve_does_not_fill_a_nearly_full_disk(tmp_path):
    code = "(disk / 'other').write_bytes(bytes(45_000_000)); opened(); print(pathlib.Path(f'{path}.reserve').exists())"
    assert on_a_small_disk(tmp_path, code) == ["False"]


def test_a_reader_creates_no_reserve(tmp_path):
    Journal(tmp_path / "journal.sqlite").close()
    (tmp_path / "journal.sqlite.reserve").unlink()
    Journal(tmp_path / "journal.sqlite", writing=False).close()
    assert not (tmp_path / "journal.sqlite.reserve").exists()
