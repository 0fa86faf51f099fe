"""The process that rebuilds the history's tables, where it can't go on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.views.history.tables import Tables
from tests.slow import first_is_quick, slow
from tests.years import played, write_years


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    path = tmp_path_factory.mktemp("years") / "journal.sqlite"
    write_years(path, 120, [played(1, rounds=1)])
    return path


def rebuilt(journal: Path, tables: Path, *by: str, to: int = subprocess.PIPE) -> "subprocess.Popen[str]":
    command = [*by, sys.executable, "-m", "controller.views.history.rebuild", str(journal), str(tables)]
    return subprocess.Popen(command, stdout=to, stderr=subprocess.PIPE, text=True)


@slow
def test_it_reports_its_progress(journal, tmp_path):
    told, trouble = rebuilt(journal, tmp_path / "tables.sqlite").communicate()
    assert told.split() == ["50", "100", "120"]
    assert trouble == ""


@slow
def test_a_full_disk_is_reported_in_one_line(journal, tmp_path):
    Tables(tmp_path / "tables.sqlite").close()
    process = rebuilt(journal, tmp_path / "tables.sqlite", "prlimit", "--fsize=50000")  # its log would be larger
    told, trouble = process.communicate()
    assert process.returncode == 1
    assert told == ""
    assert trouble.startswith("The history could not be rebuilt: ")
    assert trouble.count("\n") == 1


@slow
def test_without_the_table_it_ends_silently(journal, tmp_path):
    reads, writes = os.pipe()
    os.close(reads)  # as the kernel does when the table is killed
    process = rebuilt(journal, tmp_path / "tables.sqlite", to=writes)
    os.close(writes)
    assert process.communicate()[1] == ""
    assert process.returncode == 1


@pytest.mark.parametrize("lines", first_is_quick(range(3)))
def test_stopped_by_a_signal_it_ends_silently(journal, tmp_path, lines):
    ended = 0
    for attempt in range(20):  # on a busy machine it may be ready before the signal comes
        process = rebuilt(journal, tmp_path / f"{attempt}.sqlite")
        assert process.stdout is not None
        for _ in range(lines):
            process.stdout.readline()
        process.terminate()
        _, trouble = process.communicate()  # its workers have ended, too: they hold the other end
        assert trouble == ""
        if ended := process.returncode:
            break
    assert ended != 0
