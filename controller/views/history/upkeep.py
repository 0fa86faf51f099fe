"""Keeps the history's tables up to date with the journal, on its own thread, never during a request. The running match
is summed up again shortly after each event. Where many matches are missing (a new version, a restored journal), it
rests between them: the table has a score to keep."""

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version

from pydantic import TypeAdapter

from controller.errors import ControllerError
from controller.journal import Journal
from controller.journal.events import MatchSpan
from controller.journal.store import Readers
from controller.match.events import parse
from controller.match.naming import key
from controller.match.players import with_names
from controller.views.history.accuracy import labels
from controller.views.history.figures import players, resting, rounds, shot_kinds
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
        with suppress(sqlite3.Error):  # another version, or damaged: then it is rebuilt
            query = "SELECT match, trouble FROM matches WHERE trouble IS NOT NULL ORDER BY match"
            found |= dict(Readers(path).read(query))
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


log = logging.getLogger(__name__)
PAUSE = 1.0  # s from an event until its match is summed up, so that several events cost one pass
FIRST_LOOK = 5.0  # s that a request waits for the first check after a start: `PAUSE` plus its duration
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
AGAIN = 60.0  # s after which a failure is retried
AT_ONCE = 50  # matches in one transaction: some two seconds of a Pi 4's core, after which `progress` is told
REST = 0.03  # s between two of many matches: longer than a Pi 4 takes for one, so that the table keeps its score


@dataclass
class Progress:
    """Progress while many matches are summed up again."""

    done: int  #: Matches.
    of: int  #: Matches.


class Upkeep:
    """Updates the tables. `happened` may be called from any thread; everything else is for one."""

    def __init__(self, journal: Journal, tables: Tables) -> None:
        self._journal = journal
        self._tables = tables
        self._wake = threading.Condition()
        self._behind = True
        self._unusable = False
        self._known: int | None = None  # the last event in the tables; None if unknown
        self._stopping = False
        self.progress: Progress | None = None  # the progress while many matches are summed up
        self._checked = threading.Event()  # set once the tables were checked, or could not be

    @property
    def is_complete(self) -> bool:
        """Whether the tables are complete, except for the last moments of play."""
        return self._known is not None and self.progress is None and not self._unusable

    def await_first_check(self) -> bool:
        """Wait briefly for the first check of the tables, as after a start; False if it is not done in time."""
        return self._checked.wait(FIRST_LOOK)

    def happened(self) -> None:
        with self._wake:
            self._behind = True
            self._wake.notify_all()

    def catch_up(self) -> None:
        """Bring the tables up to date now. Raises `JournalError` or `sqlite3.Error`."""
        try:
            if self._unusable:
                self._tables.reset()
                self._unusable, self._known = False, None
            last = self._journal.last()
            self._tables.set_names(self._journal.players.names())
            if self._known is None:  # the tables may be old, and the journal restored from a backup
                self._put(*stale(self._journal, self._tables))
            else:
                written = self._journal.written_after(self._known)
                self._put({number: span for number in written if (span := self._journal.span(number))}, ())
            self._known = None if self._stopping else last
        finally:
            self.progress = None
            self._checked.set()

    def _put(self, spans: Mapping[int, MatchSpan], gone: Sequence[int]) -> None:
        """Bring these matches up to date, and take out those that are `gone`."""
        if gone:
            self._tables.put((), gone)
        wanted, many = list(spans.items()), len(spans) > AT_ONCE
        for done in range(0, len(wanted), AT_ONCE):
            if many:
                self.progress = Progress(done, len(wanted))
                self._checked.set()
            self._tables.put(list(self._summed(wanted[done : done + AT_ONCE], REST * many)))

    def _summed(self, wanted: Iterable[tuple[int, MatchSpan]], rest: float) -> Iterator[Summed]:
        for one in wanted:
            if not self._stopping:
                yield sum_up(self._journal, *one)
                time.sleep(rest)

    def run(self) -> None:
        failing = False
        while self._wait(AGAIN if failing else None):
            try:
                self.catch_up()
                if failing:
                    log.warning("The history is kept up again")
                failing = False
            except Exception as error:  # the table plays on, and answers stay as they were
                if not failing:
                    log.warning("The history can't be kept up: %s", error)
                failing = self._behind = True
                self._unusable |= getattr(error, "sqlite_errorcode", None) in DAMAGED

    def damaged(self) -> None:
        with self._wake:
            if not self._unusable:
                log.warning("The history can't be read and is rebuilt")
            self._unusable = self._behind = True
            self._wake.notify_all()

    def _wait(self, failed: float | None) -> bool:
        """Wait for work; False after `stop`."""
        with self._wake:
            if failed is not None:
                self._wake.wait_for(lambda: self._stopping, failed)
            self._wake.wait_for(lambda: self._stopping or self._behind)
            self._wake.wait_for(lambda: self._stopping, PAUSE)
            self._behind = False
            return not self._stopping

    def stop(self) -> None:
        with self._wake:
            self._stopping = True
            self._wake.notify_all()
