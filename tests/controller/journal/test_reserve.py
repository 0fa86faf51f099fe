"""A disk that is full when the table starts. The disks are real ones of 64 MB in memory, in a mount namespace."""

import subprocess
import sys
from pathlib import Path

import pytest

from controller.journal import Journal

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


def on_a_small_disk(folder: Path, code: str) -> list[str]:
    """What the lines of code printed, run on a disk of its own; skips where none can be mounted."""
    mount = f'mount -t tmpfs -o size=64m tmpfs "{folder}"'
    if subprocess.run([*MOUNTED, mount], capture_output=True, check=False).returncode:
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
