"""Sums up matches from the journal for the tables, and finds those that are missing or outdated there."""

import json
import sqlite3
from contextlib import suppress
from importlib.metadata import version

from pydantic import TypeAdapter

from controller.errors import ControllerError
from controller.journal import Journal
from controller.journal.events import MatchSpan
from controller.journal.store import Readers
from controller.match.events import parse
from controller.match.naming import key
from controller.match.players import with_names
from controller.views.history.figures import players, resting, rounds, shot_kinds
from controller.views.history.labels import labels
from controller.views.history.steps import corrected_times, walk
from controller.views.history.summary import MatchInShort, practised
from controller.views.history.tables import Summed, Tables, history_path

NO_SCORE = "hole_changed"
"""The most frequent kind of event. It is skipped here: it is evidence for the referee and changes no score."""


def stale(journal: Journal, tables: Tables) -> tuple[dict[int, MatchSpan], list[int]]:
    """The matches that are missing or outdated in the tables, newest first; and those that no longer exist."""
    written, known = journal.spans(), tables.spans()
    wanted = {
        number: written[number] for number in sorted(written, reverse=True) if known.get(number) != written[number]
    }
    return wanted, [number for number in known if number not in written]


def sum_up(journal: Journal, number: int, span: MatchSpan) -> Summed:
    """One match for the tables. If it can't be read, `trouble` says why, and the others are summed up without it."""
    try:
        history = with_names(
            corrected_times([parse(entry) for entry in journal.events(number, without_kind=NO_SCORE)]), key
        )
        steps, state = walk(number, history)
        if state.deleted:
            return Summed(number, span, deleted=True)
        short = MatchInShort.of(state, history, span)
        if state.game.terms.rules.practice:  # counts only in the figures of practice
            return Summed(number, span, short, {"practised_by": list(practised(state))})
        found, made = labels(history, state), made_with(journal, history[0].id)
        rows = {
            "played_by": list(players(short, state, steps)),
            "rounds_of": list(rounds(short, state)),
            "kinds_of": list(shot_kinds(steps)),
            "places_of": list(resting(steps)),
            "labels_of": [(*made, *one) for one in found.items()] if found["shots"] else [],
        }
        return Summed(number, span, short, rows)
    except Exception as error:  # one bad match must not stop the others
        words = str(error) if isinstance(error, ControllerError) else f"{type(error).__name__}: {error}"
        return Summed(number, span, trouble=" ".join(words.split())[:500])


def set_aside(journal: Journal) -> dict[int, str]:
    """The unreadable matches with reasons, as the tables have them."""
    found: dict[int, str] = {}
    path = history_path(journal)
    if path.exists():
        readers = Readers(path)
        with suppress(sqlite3.Error):  # another version, or damaged: then it is rebuilt
            found |= dict(readers.read("SELECT match, trouble FROM matches WHERE trouble IS NOT NULL ORDER BY match"))
        readers.close()
    return found


FACT = "made_with"
PROGRAM = "crokinole-table"
_NOTES = TypeAdapter(list[tuple[int, str, str]])


def note_made_with(journal: Journal, camera: str, hole: str) -> None:
    """Store the devices and version of the matches from now on. `camera`, `hole`: the configured devices. A table on a
    full disk starts all the same; its record then lacks the version."""
    kind = "+".join(name for name, device in (("camera", camera), ("hole", hole)) if device != "none") or "hand"
    now = ("simulated" if camera == "simulated" else kind, version(PROGRAM))
    known = _noted(journal)
    if not known or known[-1][1:] != now:
        journal.facts.try_to_keep(FACT, json.dumps([*known, (journal.last(), *now)]))


def made_with(journal: Journal, first: int) -> tuple[str, str]:
    """The kind of table and the version of the program, of a match whose first event is `first`; empty if unknown."""
    return next(((kind, program) for after, kind, program in reversed(_noted(journal)) if after < first), ("", ""))


def _noted(journal: Journal) -> list[tuple[int, str, str]]:
    """Each: after which event, the kind of table and the version."""
    return journal.facts.read(FACT, _NOTES.validate_json) or []
