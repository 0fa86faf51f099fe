"""The kept steps of matches and evenings, what people saw of them when they were kept, and what they see now.

In tests/data: `net-matches.json.xz` and `net-evenings.json` have the steps of each by its name, and those with `shown`
in their names what people saw."""

import json
import lzma
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.net.club import Club
from tests.net.table import Shown, Step, Table

DATA = Path(__file__).parents[1] / "data"
KINDS: Mapping[str, type[Table] | type[Club]] = {"matches": Table, "evenings": Club}
END = "at the end"
Seen = list[tuple[int | str, Shown]]

REWORDED: Mapping[str, str] = {" renamed to ": " is called "}
"""What is shown in other words on purpose: texts or parts of texts, each with the new one. Each change is reviewed."""


@cache
def steps(kind: str) -> dict[str, list[Step]]:
    """The steps of each match or evening, by its name."""
    plain = DATA / f"net-{kind}.json"
    found: dict[str, list[Step]] = json.loads(plain.read_text("utf-8") if plain.exists() else _unpacked(kind))
    return found


@cache
def shown(kind: str) -> dict[str, Seen]:
    """What people saw of each, in today's words."""
    text = _unpacked(f"{kind}-shown")
    for old, new in REWORDED.items():
        text = text.replace(*(json.dumps(words, ensure_ascii=False)[1:-1] for words in (old, new)))
    found: dict[str, Seen] = json.loads(text)
    return found


def _unpacked(name: str) -> str:
    return lzma.decompress((DATA / f"net-{name}.json.xz").read_bytes()).decode()


def write(folder: Path, name: str, content: Mapping[str, Any]) -> None:
    """Keep this in a folder, as `net-NAME.json.xz`."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    (folder / f"net-{name}.json.xz").write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def played(kind: str, steps: list[Step]) -> Seen:
    """What people see after each step, as far as it changed, by the step's number; at the end what is left."""
    with TemporaryDirectory(prefix="crokinole-net-") as folder:
        table = KINDS[kind](Path(folder))
        found: Seen = []
        before: Shown = {}
        for number, step in enumerate(steps):
            now = table.take(step)
            changed = {name: now.get(name) for name in {**before, **now} if now.get(name) != before.get(name)}
            if changed:
                found.append((number, changed))
            before = now
        found.append((END, table.end()))
        table.close()
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


def differences(kind: str, name: str, most: int = 20) -> list[str]:
    """What people see differently, the first ones, in lines to read."""
    taken = steps(kind)[name]
    then, now = (
        {(step, part): value for step, changed in seen for part, value in changed.items()}
        for seen in (shown(kind)[name], played(kind, taken))
    )
    found = [key for key in {**then, **now} if then.get(key) != now.get(key)]
    lines = [
        f"{name}, {step if isinstance(step, str) else f'step {step} {_short(taken[step], 120)}'}: {part}\n"
        f"    was {_short(then.get((step, part)))}\n    is  {_short(now.get((step, part)))}"
        for step, part in found[:most]
    ]
    return [*lines, f"{name}: and {len(found) - most} more"] if len(found) > most else lines


def _short(value: Any, most: int = 400) -> str:
    return json.dumps(value, ensure_ascii=False)[:most]
