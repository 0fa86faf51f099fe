"""A journal with damaged pages, and one on a disk that can't be written: the table starts, and says what is missing.
SQLite itself says what was in the journal before it was damaged; what reads the damaged one shares no code with it."""

import json
import os
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from controller.config import Config
from controller.errors import JournalError
from controller.journal import Journal, salvage
from controller.journal.leaves import rows_of
from controller.match import events as ev
from controller.service import Service
from controller.tools.doctor import examine
from tests.controller.fed_table import START
from tests.slow import first_is_quick

PAGE = 4096
EVENTS = 480
BACKED_UP = 360


def filled(path: Path, count: int, dice: random.Random) -> list[ev.Entry]:
    """A journal of so many events, short ones and some that take many pages."""
    with closing(Journal(path)) as journal:
        first = journal.last()
        for number in range(first, count):
            body = {"n": number, "text": "x" * dice.choice([5, 60, 60, 400, 9000])}
            journal.append(1 + number // 100, 1e9 + number, [("practised", body)])
        journal.facts.keep("pin", "471100")
        return journal.since(0, 10**6)


def damaged(path: Path, dice: random.Random, pages: int = 1, first: int = 0) -> list[int]:
    """So many pages are overwritten: with nothing, or with what was never there."""
    size = path.stat().st_size // PAGE
    chosen = dice.sample(range(first, size), pages)
    with path.open("r+b") as file:
        for number in chosen:
            file.seek(number * PAGE)
            file.write(dice.choice([bytes(PAGE), dice.randbytes(PAGE), b"\xff" * PAGE]))
    return chosen


def contents(journal: Journal) -> list[ev.Entry]:
    return journal.since(0, 10**6)


def config_of(folder: Path) -> Config:
    web = {"host": "127.0.0.1", "port": 0}
    return Config.model_validate({"table": {"data": str(folder)}, "camera": {"device": "none"}, "web": web})


def test_every_row_of_a_sound_journal_is_read_as_sqlite_reads_it(tmp_path):
    path, seed = tmp_path / "journal.sqlite", random.randrange(2**32)
    filled(path, 300, random.Random(seed))
    live = Journal(path)
    live.append(7, 2e9, [("practised", {"of": "the log"})])  # it is in the write-ahead log alone
    found: dict[tuple[Any, ...], int] = {}
    for number, columns in rows_of(path):
        if len(columns) == 5 and columns[0] is None:
            found[number, *columns[1:]] = number
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT id, match, at, kind, body FROM events ORDER BY id").fetchall()
    live.close()
    assert sorted(found) == rows, f"seed {seed}"


@pytest.mark.parametrize("turn", first_is_quick(range(8)))
def test_with_any_pages_damaged_the_table_starts_and_what_a_backup_has_is_there(tmp_path, turn):
    path, seed = tmp_path / "journal.sqlite", random.randrange(2**32)
    dice = random.Random(seed)
    filled(path, BACKED_UP, dice)
    with closing(Journal(path)) as journal:
        journal.backups.back_up_if_due(datetime(2026, 5, 1, 5))
    before = filled(path, EVENTS, dice)
    chosen = [0] if turn == 0 else []
    if turn == 0:  # the header, and with it the way to everything
        with path.open("r+b") as file:
            file.write(bytes(PAGE))
    else:
        chosen = damaged(path, dice, pages=turn)
    was = path.read_bytes()
    with closing(salvage.open_journal(path)) as journal:
        after = contents(journal)
        reported = salvage.report(journal)
        assert set(map(repr, after)) <= set(map(repr, before)), f"seed {seed}: nothing is made up"
        have = {entry.id for entry in after}
        assert have >= set(range(1, BACKED_UP + 1)), f"seed {seed}, pages {chosen}: what the backup has is there"
        lost = {entry.id for entry in before} - have
        done = journal.facts.read(salvage.SALVAGED, lambda text: salvage.Salvaged(**json.loads(text)))
        if done is None:  # only free pages were hit
            assert not lost, f"seed {seed}"
        else:
            missing = {n for first, last in done.missing for n in range(first, last + 1)}
            assert missing >= lost, f"seed {seed}: what is missing is reported"
            assert reported is not None
            assert path.with_name(done.kept).read_bytes() == was, "the damaged file is kept as it was"
            assert journal.facts.get("pin") == "471100"
        last = journal.last()
        assert last >= max(have), "no number is given twice"
        journal.append(99, 3e9, [("practised", {"n": -1})])
    assert salvage.damage(path) is None


@pytest.mark.parametrize("filling", first_is_quick([b"\xa5", b"\x00"]))
def test_with_every_single_page_damaged_in_turn_the_journal_opens(tmp_path, filling):
    model, seed = tmp_path / "model.sqlite", random.randrange(2**32)
    sound = filled(model, 70, random.Random(seed))
    before = {entry.id for entry in sound}
    for number in range(model.stat().st_size // PAGE):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / "journal.sqlite"
        shutil.copy(model, path)
        with path.open("r+b") as file:
            file.seek(number * PAGE)
            file.write(filling * PAGE)
        with closing(salvage.open_journal(path)) as journal:
            have = {entry.id for entry in contents(journal)}
            assert all(entry in sound for entry in contents(journal)), f"seed {seed}, page {number}: made up"
            assert have >= before or salvage.report(journal), f"seed {seed}, page {number}: a loss is not reported"
            assert len(before - have) <= 60, f"seed {seed}, page {number}: one page holds few events"
            try:
                journal.append(99, 3e9, [("practised", {})])
            except JournalError as error:
                assert "Restart" in str(error)  # noqa: PT017
            else:
                continue
        with closing(salvage.open_journal(path)) as journal:
            journal.append(99, 3e9, [("practised", {})])


def test_a_damaged_journal_is_reported_on_the_page_and_by_doctor_until_its_file_is_gone(tmp_path):
    path = tmp_path / "journal.sqlite"
    filled(path, 300, random.Random(1))
    with path.open("r+b") as file:
        file.write(bytes(PAGE))
    service = Service(config_of(tmp_path))
    notices: Callable[[], list[str]] = lambda: [str(one["text"]) for one in service.snapshot().document["notices"]]  # noqa: E731
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


def test_numbers_that_an_amendment_reserved_are_not_missing(tmp_path):
    path = tmp_path / "journal.sqlite"
    shot = ev.ShotSeen(side="A", disc="a1", rest={"a1": "ditch"}, measured={})
    added = ev.RevisedEvent(after=1, t=2.0, event=shot)
    amended = ev.Amended(round=1, after=1, t=2.0, anew=(added,), why="turn")
    with closing(Journal(path)) as journal:
        journal.append(1, 1e9, [("practised", {})])
        (entry,) = journal.append(1, 1e9, [(amended.kind, ev.body(amended))], skipped=[amended.reserved])
        assert entry.id == 3
    assert salvage.salvage(path).missing == []


def test_a_backup_of_another_journal_adds_nothing(tmp_path):
    path, other = tmp_path / "journal.sqlite", tmp_path / "other" / "journal.sqlite"
    filled(other, 400, random.Random(1))
    (tmp_path / "backups").mkdir()
    with closing(Journal(path)) as journal:
        for number in range(100):
            journal.append(1, 5e8 + number, [("practised", {"n": number})])
    with closing(Journal(other)) as journal:
        journal.backup(tmp_path / "backups" / "2026-05-01.sqlite")
    with path.open("r+b") as file:
        file.write(bytes(PAGE))
    with closing(salvage.open_journal(path)) as journal:
        assert {entry.at for entry in contents(journal)} <= {5e8 + number for number in range(100)}


def test_an_emptied_journal_is_restored_from_its_backup(tmp_path):
    path = tmp_path / "journal.sqlite"
    filled(path, 100, random.Random(1))
    with closing(Journal(path)) as journal:
        journal.backups.back_up_if_due(datetime(2026, 5, 1, 5))
    path.write_bytes(b"")
    with closing(salvage.open_journal(path)) as journal:
        assert len(contents(journal)) == 100


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
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


def test_on_an_unwritable_disk_the_table_starts_and_shows_but_keeps_nothing(tmp_path):
    folder = tmp_path / "data"
    service = Service(config_of(folder))
    service.start()
    service.command(START)
    shown = service.snapshot().document["match"]
    assert shown is not None
    shutil.copytree(folder, tmp_path / "cut")  # as a power cut leaves it: what was written last is in the log
    service.stop()
    (tmp_path / "cut").rename(folder.with_name("data2"))
    with read_only(folder.with_name("data2")):
        service = Service(config_of(folder.with_name("data2")))
        service.start()
        try:
            assert service.snapshot().document["match"]["id"] == shown["id"]
            with pytest.raises(JournalError, match="can't be written"):
                service.command({"do": "pause"})
            service._engine_thread.call(lambda: None)
            kinds = [one["kind"] for one in service.snapshot().document["notices"]]
            assert "journal" in kinds
        finally:
            service.stop()
