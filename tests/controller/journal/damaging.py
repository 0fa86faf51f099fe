"""A table's folder as a power cut leaves it, every way to damage it, and what has to hold after any of them."""

import os
import shutil
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller.journal import Journal
from controller.journal.recovery import open_journal, report
from controller.match.events import Entry

PAGE = 4096
FRAME = 24 + PAGE  # of the write-ahead log, after its header of 32 bytes
KILLED = 9
FILLINGS = (
    lambda dice: bytes(PAGE),
    lambda dice: dice.randbytes(PAGE),
    lambda dice: b"\xa5" * PAGE,
)


@dataclass(frozen=True)
class Damage:
    """One way to damage a folder."""

    name: str
    file: str  # relative to the folder
    do: Callable[[Path], object]
    clean: bool = False  # whether mirror or log end with a whole line or frame: then nothing shows what they had


@dataclass(frozen=True)
class Model:
    """The folder, and all events that were acknowledged."""

    folder: Path
    events: list[Entry]
    backed_up: int  # events in the newest backup

    def files(self):
        return sorted(p for p in self.folder.rglob("*") if p.suffix in (".sqlite", ".jsonl") or p.name.endswith("-wal"))

    def damages(self, dice):
        """Each page of each file, each cut, each file that is gone."""
        for path in self.files():
            data = path.read_bytes()
            name = str(path.relative_to(self.folder))
            for page in range(0, len(data), PAGE):
                filling = dice.choice(FILLINGS)(dice)[: len(data) - page]
                yield Damage(
                    f"{name}: the page at {page}", name, lambda p, at=page, new=filling: _overwrite(p, at, new)
                )
            borders = _borders(path.name, data)
            for cut in sorted({cut for at in borders for cut in (at - 1, at, at + 1)}):
                if 0 <= cut < len(data):
                    yield Damage(f"{name}: cut at {cut}", name, lambda p, at=cut: os.truncate(p, at), cut in borders)
            yield Damage(f"{name}: gone", name, Path.unlink, clean=True)


def _borders(name, data):
    if name.endswith(".jsonl"):
        return [at + 1 for at, byte in enumerate(data) if byte == ord("\n")]
    return range(32, len(data), FRAME) if name.endswith("-wal") else range(0, len(data), PAGE)


def _overwrite(path, at, new):
    with path.open("r+b") as file:
        file.seek(at)
        file.write(new)


def write(journal, count, dice):
    """So many events, short ones and some that take many pages."""
    for number in range(journal.last(), journal.last() + count):
        body = {"n": number, "text": "x" * dice.choice([5, 60, 60, 400, 9000])}
        journal.append(1 + number // 20, 1e9 + number, [("practised", body)])


def model(folder, dice, count=24):
    """A third of the events is in the backup, two thirds are in the journal's file, and all with its log."""
    played = folder / "played"
    for step in range(2):
        with closing(Journal(played / "journal.sqlite")) as journal:
            write(journal, count // 3, dice)
            journal.facts.keep("pin", "471100")
            if step == 0:
                journal.backups.back_up_if_due(datetime(2026, 5, 1, 5))
    with closing(Journal(played / "journal.sqlite")) as journal:
        write(journal, count - 2 * (count // 3), dice)
        events = journal.since(0, 10**6)
        shutil.copytree(played, folder / "model")
    return Model(folder / "model", events, count // 3)


def trouble(model, folder, damage):
    """What went wrong after this damage; empty if the journal opens, lacks nothing that it can have, and says what it
    lacks."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(model.folder, folder)
    damage.do(folder / damage.file)
    return wrong_after(model, folder, damage.file)


def wrong_after(model, folder, *damaged):
    """What is wrong with the folder's journal, which is opened, after damage to these files."""
    mirror_damaged = any(name.startswith("mirror") for name in damaged)
    with closing(open_journal(folder / "journal.sqlite")) as journal:
        found = journal.since(0, 10**6)
        lost = [one.id for one in model.events if one not in found]
        said = report(journal)
        (new,) = journal.append(99, 3e9, [("practised", {})])
        if any(one not in model.events for one in found):
            return "an event is made up"
        if lost and not mirror_damaged:
            return f"{lost} are lost though the mirror is whole"
        if lost and (said is None or not _named(lost, said.values)):
            return f"{lost} are lost in silence"
        if new.id <= model.events[-1].id:
            return f"number {new.id} is given twice"
        if journal.facts.get("pin") != "471100" and not any(name.startswith("backups") for name in damaged):
            return "the PIN is lost"
    with closing(open_journal(folder / "journal.sqlite")) as journal:
        again = journal.since(0, 10**6)
    return "" if again == [*found, new] else "the next start changes it"


def _named(lost, values):
    named = set()
    for text in values.get("lost", ()):
        if not str(text)[0].isdigit():
            return True  # perhaps the newest ones
        first, *last = map(int, str(text).split("–"))
        named |= set(range(first, (last or [first])[0] + 1))
    return named >= set(lost)


def killed_recovery(folder, step):
    """Open the folder's journal in a process that is killed at this step, a file that it opens, renames, links or
    removes. Returns whether it was killed before it was done."""
    child = os.fork()
    if child == 0:
        left = [step]

        def hook(name, _):
            if name in ("open", "os.rename", "os.link", "os.remove", "os.mkdir", "sqlite3.connect"):
                left[0] -= 1
                if left[0] == 0:
                    os._exit(KILLED)

        sys.addaudithook(hook)
        try:
            open_journal(folder / "journal.sqlite").close()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == KILLED
