import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress

import pytest

from controller.errors import BadInput, JournalError
from controller.journal import SCHEMA_VERSION, Journal, Picture, check, restore
from controller.journal.files import locked
from controller.journal.recovery import open_journal
from tests.slow import slow

WRITER = """
import sys
from pathlib import Path
from controller.journal import Journal

journal = Journal(Path(sys.argv[1]))
n = sum(1 for _ in journal.events(1))
while True:
    n += 1
    journal.append(1, float(n), [("counted", {"n": n})])
    print(n, flush=True)
"""


def bodies(journal, match=1):
    return [entry.body for entry in journal.events(match)]


def test_facts_are_kept_with_their_events_or_alone(journal):
    journal.append(1, 0.0, [("hole", {"n": 7})], facts={"counts": "7"})
    with pytest.raises(ValueError, match="not JSON compliant"):
        journal.append(1, 0.0, [("hole", {"n": float("nan")})], facts={"counts": "8"})
    assert (journal.facts.get("counts"), bodies(journal)) == ("7", [{"n": 7}])
    assert journal.append(0, 0.0, [], facts={"counts": "9"}) == []
    assert journal.facts.get("counts") == "9"


def test_pictures_and_facts(journal):
    first = Picture(b"\xff\xd8first", b"\xff\xd8whole", {"focal": 1.5})
    journal.pictures.keep({"1-2-a1.jpg": first})
    journal.pictures.keep({"1-2-a1.jpg": Picture(b"\xff\xd8second", b"", {})})
    assert journal.pictures.evidence("1-2-a1.jpg") == first
    assert journal.pictures.cut("1-2-a1.jpg") == b"\xff\xd8first"
    for other in ("1-2-a2.jpg", "1-3-a1.jpg", "other", "../journal.sqlite"):
        assert (journal.pictures.cut(other), journal.pictures.evidence(other)) == (None, None)
    kept = journal.path.with_name("pictures") / "1" / "1-2-a1.jpg"
    kept.write_bytes(kept.read_bytes()[:-1])  # by a power cut
    assert journal.pictures.cut("1-2-a1.jpg") is None
    assert journal.facts.get("pin") is None
    journal.facts.keep("pin", "1234")
    journal.facts.keep("pin", "4321")
    assert journal.facts.get("pin") == "4321"


def test_concurrent_threads_create_a_fact_once(journal):
    together = threading.Barrier(8)

    def ask(number):
        together.wait()
        return journal.facts.get_or_create("id", str, lambda: str(number))

    with ThreadPoolExecutor(8) as threads:
        assert len({*threads.map(ask, range(8)), journal.facts.get("id")}) == 1


def test_reading_from_other_threads_while_the_writer_writes(journal):
    journal.pictures.keep({"1-0-p.jpg": Picture(b"jpeg", b"whole", {})})
    journal.append(1, 0.0, [("first", {})])
    wrong = []

    def look():
        for _ in range(50):
            if journal.pictures.cut("1-0-p.jpg") != b"jpeg" or not bodies(journal):
                wrong.append("lost")

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    for n in range(50):
        journal.append(1, 0.0, [("more", {"n": n})])
    for reader in readers:
        reader.join()
    assert not wrong
    assert len(bodies(journal)) == 51


@slow
def test_killed_at_any_moment_no_acknowledged_event_is_lost(tmp_path):
    path = tmp_path / "journal.sqlite"
    seed = random.randrange(2**32)
    print("seed", seed)
    dice = random.Random(seed)
    acknowledged = 0
    for _ in range(8):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        for _ in range(dice.randrange(1, 40)):
            acknowledged = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        rest = writer.stdout.read().split()
        writer.wait()
        writer.stdout.close()
        if rest:
            acknowledged = int(rest[-1])
        journal = Journal(path)
        numbers = [body["n"] for body in bodies(journal)]
        journal.close()
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= acknowledged


def test_commits_are_synchronised(journal):
    assert journal.writer.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal.writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("form", [1, SCHEMA_VERSION - 1, SCHEMA_VERSION + 1])
def test_a_journal_of_another_form_is_refused_and_stays(tmp_path, form):
    path, copy = tmp_path / "journal.sqlite", tmp_path / "copy.sqlite"
    Journal(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA user_version = {form}")
    before = path.read_bytes()
    shutil.copy(path, copy)
    for refused in (lambda: open_journal(path), lambda: Journal(path, writing=False), lambda: restore(copy, path)):
        with pytest.raises((JournalError, BadInput), match=rf"form {form}, .* another \[table\] data folder"):
            refused()
    assert path.read_bytes() == before


def test_a_file_that_is_not_a_journal_is_refused_and_kept(tmp_path):
    path = tmp_path / "journal.sqlite"
    path.write_text("holiday pictures" * 100)
    with pytest.raises(JournalError, match="can't be opened"):
        Journal(path)
    assert path.read_text().startswith("holiday")
    with pytest.raises(BadInput, match="not a journal"):
        check(path)


def test_backup_while_in_use_and_restore_keeps_the_old_one(journal, tmp_path):
    journal.append(1, 0.0, [("before", {"n": 1})])
    copy = tmp_path / "copy.sqlite"
    journal.backup(copy)
    assert check(copy) == 1
    with pytest.raises(BadInput, match="exists already"):
        journal.backup(copy)
    journal.append(1, 0.0, [("after", {"n": 2})])
    journal.close()
    kept = restore(copy, journal.path)
    assert check(kept) == 2
    again = Journal(journal.path)
    assert bodies(again) == [{"n": 1}]
    again.close()


def test_a_backup_made_while_events_arrive_is_complete_up_to_some_event(tmp_path, journal):
    going = threading.Event()

    def write():
        n = 0
        while not going.is_set():
            n += 1
            journal.append(1, 0.0, [("a", {"n": n}), ("b", {"n": n})], facts={"n": str(n)})

    writer = threading.Thread(target=write)
    writer.start()
    for number in range(5):
        target = tmp_path / f"{number}.sqlite"
        journal.backup(target)
        copy = Journal(target)
        pairs = [entry.body["n"] for entry in copy.events(1)]
        assert pairs == [n for k in range(1, len(pairs) // 2 + 1) for n in (k, k)], "no half of a pair"
        assert int(copy.facts.get("n") or 0) == len(pairs) // 2
        copy.close()
    going.set()
    writer.join()


def test_the_journal_continues_another_journals_match(tmp_path, journal):
    for n in range(3):
        journal.append(4, 0.0, [("counted", {"n": n})])
    other = Journal(tmp_path / "other.sqlite")
    other.continue_from(journal.last() + 10, list(journal.events(4)))
    (entry,) = other.append(4, 0.0, [("counted", {"n": 3})])
    assert entry.id == journal.last() + 11
    assert [e.body["n"] for e in other.events(4)] == [0, 1, 2, 3]
    other.close()


def _is_open_as(descriptor, file):
    with suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), file)
    return False


def test_a_released_lock_is_free_though_a_child_that_was_being_started_has_its_file_open(tmp_path):
    path = tmp_path / "journal.sqlite"
    with locked(path):
        lock = path.with_name(f"{path.name}.lock").stat()
        inherited = os.dup(next(fd for fd in range(3, 4096) if _is_open_as(fd, lock)))  # as a fork has it at first
    try:
        with locked(path):
            pass
    finally:
        os.close(inherited)
