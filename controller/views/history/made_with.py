"""The devices and the program's version behind each match, noted at each start."""

import json
from contextlib import suppress
from importlib.metadata import version
from typing import Any

from controller.errors import JournalError
from controller.journal import Journal

FACT = "made_with"
PROGRAM = "crokinole-table"


def note_made_with(journal: Journal, camera: str, hole: str) -> None:
    """Store the devices and version of the matches from now on. `camera`, `hole`: the configured devices.

    A table on a full disk starts all the same; its record then lacks the version.
    """
    kind = "+".join(name for name, device in (("camera", camera), ("hole", hole)) if device != "none") or "hand"
    now = ["simulated" if camera == "simulated" else kind, version(PROGRAM)]
    known = _noted(journal)
    if not known or known[-1][1:] != now:
        with suppress(JournalError):
            journal.facts.keep(FACT, json.dumps([*known, [journal.last(), *now]]))


def made_with(journal: Journal, first: int) -> tuple[str, str]:
    """The kind of table and the version of the program, of a match whose first event is `first`; empty if unknown."""
    return next(((kind, program) for after, kind, program in reversed(_noted(journal)) if after < first), ("", ""))


def _noted(journal: Journal) -> list[list[Any]]:
    return journal.facts.read(FACT, _checked) or []


def _checked(text: str) -> list[list[Any]]:
    noted = json.loads(text)
    for after, kind, program in noted:
        if not (isinstance(after, int) and isinstance(kind, str) and isinstance(program, str)):
            raise ValueError("each note is the number of an event, a kind of table and a version")
    return list(noted)
