"""A table's files, damaged in every way: they open, keep what any of them has, and say what none has."""

import logging
import random
import shutil
from itertools import count

from tests.attack.outcome import Outcome
from tests.controller.journal.damaging import killed_recovery, model, wrong_after

EVENTS = 48
RANDOM = 200  # random combinations of damages


def losing(folder, scale):
    """All of it."""
    logging.getLogger("controller.journal").setLevel(logging.CRITICAL)
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    folder.mkdir(parents=True)
    whole = model(folder, dice, EVENTS)
    each = list(whole.damages(dice))
    chosen = dice.sample(each, max(20, int(len(each) * min(1.0, scale))))
    yield _tried("journal: a page, a cut or a loss of one file", whole, ([one] for one in chosen), seed)
    shown = [one for one in each if not one.clean]  # with a clean cut, nothing may show what else is lost
    several = (dice.sample(shown, dice.randint(2, 4)) for _ in range(max(20, int(RANDOM * scale))))
    yield _tried("journal: several of these at once", whole, several, seed)
    yield _killed(whole, max(1, round(1 / scale)), seed)


def _tried(name, whole, ways, seed):
    tried = survived = 0
    wrong = ""
    for damages in ways:
        trouble = _after(whole, damages)
        tried, survived = tried + 1, survived + (not trouble)
        wrong = wrong or (trouble and f"{[one.name for one in damages]}: {trouble}")
    return Outcome(name, tried, survived, f"seed {seed} {wrong}")


def _after(whole, damages):
    folder = _copied(whole)
    for one in damages:
        if (folder / one.file).exists():
            one.do(folder / one.file)
    try:
        return wrong_after(whole, folder, *(one.file for one in damages))
    except Exception as error:
        return repr(error)


def _killed(whole, every, seed):
    """A recovery is killed at each of its steps, and the next one at a step of its own."""
    survived = 0
    dice = random.Random(seed)
    for tried in count():
        folder = _copied(whole)
        (folder / "journal.sqlite-wal").unlink()
        if not killed_recovery(folder, 1 + tried * every):
            return Outcome("journal: a recovery that is killed at each step", tried, survived, f"seed {seed}")
        killed_recovery(folder, dice.randint(1, 40))
        survived += wrong_after(whole, folder) == ""
    raise AssertionError


def _copied(whole):
    folder = whole.folder.with_name("tried")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole.folder, folder)
    return folder
