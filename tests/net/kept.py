"""The kept steps of matches and evenings, what people saw of them when they were kept, and what they see now.

In tests/data: `net-matches.json.xz` and `net-evenings.json` have the steps of each by its name, and those with `shown`
in their names what people saw."""

import json
import lzma
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.net.club import Club
from tests.net.table import Table

DATA = Path(__file__).parents[1] / "data"
KINDS = {"matches": Table, "evenings": Club}
END = "at the end"

REWORDED = {
    " renamed to ": " is called ",
    "shot_annulled": "shot_corrected",
    "shot_overruled": "shot_corrected",
    "twenties_corrected": "round_corrected",
    "round_entered": "round_ended",
    "round_awarded": "round_ended",
    "twenty_counted": "disc_counted",
    "handed": "scoring_mode_changed",
    "Valid. A disc touches the outer line: take it off.": "Valid.",
    "The table is paused: Scorer, then Go on refereeing.": "The table is paused: a scorer touches Go on refereeing.",
    " Take off the marked disc.": "",  # the next step says it, and no longer the call
    **{f" Take off the {n} marked discs.": "" for n in range(2, 8)},
}
"""What is shown in other words on purpose: texts or parts of texts, each with the new one; kinds of events that became
one. Each change is reviewed."""

ON_PURPOSE = {
    r"There is a player called .* already\. If both are one person, merge them\.":
    r".* and .* both played in match \d+: they are two people\.",
}  # fmt: skip
"""Whole texts in whose place another is shown on purpose, as patterns: what was shown, what is."""

DIFFERENT = {
    *(("swiss", step) for step in (58, 59, 60, 64, 65, 114, 115, 116)),
    ("round robin", 60), ("ladder", 80),
}  # fmt: skip
"""Steps at which other things are shown on purpose: a hub hears at once of a journal that was set back, and not only
when the table plays on; a report that the organiser decided against no longer waits."""


@cache
def steps(kind):
    """The steps of each match or evening, by its name."""
    plain = DATA / f"net-{kind}.json"
    return json.loads(plain.read_text("utf-8") if plain.exists() else _unpacked(kind))


@cache
def shown(kind):
    """What people saw of each, in today's words."""
    text = _unpacked(f"{kind}-shown")
    for old, new in REWORDED.items():
        text = text.replace(old, new)
    return json.loads(text)


def _unpacked(name):
    return lzma.decompress((DATA / f"net-{name}.json.xz").read_bytes()).decode()


def write(folder, name, content):
    """Keep this in a folder, as `net-NAME.json.xz`."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    (folder / f"net-{name}.json.xz").write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def played(kind, steps):
    """What people see after each step, as far as it changed, by the step's number; at the end what is left."""
    with TemporaryDirectory(prefix="crokinole-net-") as folder:
        table = KINDS[kind](Path(folder))
        found = []
        before = {}
        for number, step in enumerate(steps):
            now = table.take(step)
            changed = {name: now.get(name) for name in {**before, **now} if now.get(name) != before.get(name)}
            if changed:
                found.append((number, changed))
            before = now
        found.append((END, table.end()))
        table.close()
    return json.loads(json.dumps(found))


def differences(kind, name, most=20):
    """What people see differently, the first ones, in lines to read."""
    taken = steps(kind)[name]
    then, now = dict(shown(kind)[name]), dict(played(kind, taken))
    before = {}
    today = {}
    lines = []
    for number, step in [*enumerate(taken), (END, END)]:
        changed = {**then.get(number, {}), **now.get(number, {})}
        before |= then.get(number, {})
        today |= now.get(number, {})
        for part in changed:
            was, present = before.get(part), today.get(part)
            if was != present and (name, number) not in DIFFERENT and not _on_purpose(was, present):
                at = f"{name}, step {number} {_short(step, 120)}: {part}"
                lines.append(f"{at}\n    was {_short(was)}\n    is  {_short(present)}")
    return [*lines[:most], f"{name}: and {len(lines) - most} more"] if len(lines) > most else lines


def _on_purpose(was, now):
    texts = isinstance(was, str) and isinstance(now, str)
    return texts and any(re.fullmatch(old, was) and re.fullmatch(new, now) for old, new in ON_PURPOSE.items())


def _short(value, most=400):
    return json.dumps(value, ensure_ascii=False)[:most]
