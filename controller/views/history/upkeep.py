"""Keeps the history's tables up to date with the journal, on its own thread, never during a request. The running match
is summed up again shortly after each event. Where many matches are missing (a new version, a restored journal), other
processes sum them up: this one has a score to keep."""

import gc
import json
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice, takewhile
from pathlib import Path

from pydantic import TypeAdapter

from controller.errors import ControllerError
from controller.journal import Journal
from controller.journal.events import MatchSpan
from controller.journal.store import is_damage
from controller.match.events import parse
from controller.match.model import key
from controller.match.players import with_names
from controller.views.history.accuracy import labels
from controller.views.history.figures import players, resting, rounds, shot_kinds
from controller.views.history.one_match import MatchInShort, corrected_times, practised, walk
from controller.views.history.tables import Summed, Tables

NO_SCORE = "hole_changed"
"""The most frequent kind of event. It is skipped here: it is evidence for the referee and changes no score."""


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
MANY = 20  # matches that the thread sums up itself: at most half a second of a Pi 4's core
PAUSE = 1.0  # s from an event until its match is summed up, so that several events cost one pass
FIRST_LOOK = 5.0  # s that a request waits for the first check after a start: `PAUSE` plus its duration
AGAIN = 60.0  # s after which a failure is retried
AT_ONCE = 50  # matches in one transaction, the most that are lost if the program is stopped
MAX_WORKERS = 4  # each takes some 60 MB; their low priority leaves the cores to the table
SELDOM = 100_000  # objects between searches for reference cycles: summing up creates none


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
            if self._known is None:
                self._compare()
            else:
                self._put(self._journal.written_after(self._known))
            self._known = None if self._stopping else last
        finally:
            self.progress = None
            self._checked.set()

    def _compare(self) -> None:
        """Check every match, the newest first: the tables may be old, and the journal restored from a backup."""
        written, known = self._journal.spans(), self._tables.spans()
        newest_first = sorted(written.items(), reverse=True)
        wanted = {number: span for number, span in newest_first if known.get(number) != span}
        if len(wanted) > MANY:
            self._have_summed(wanted)
            wanted = {}
        self._put(wanted, [number for number in known if number not in written])

    def _put(self, numbers: Iterable[int], gone: Iterable[int] = ()) -> None:
        spans = {number: span for number in numbers if (span := self._journal.span(number))}
        if spans or gone:
            self._tables.put((sum_up(self._journal, *one) for one in spans.items()), gone)

    def _have_summed(self, wanted: Mapping[int, MatchSpan]) -> None:
        """Have other processes sum up these matches, and put them into the tables as they come. Raises `BrokenExecutor`
        if the system ends one of them, as when memory runs out."""
        self.progress = Progress(0, len(wanted))
        self._checked.set()
        count, context = min(MAX_WORKERS, os.cpu_count() or 1), multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(count, context, _open, (self._journal.path,)) as workers:
            try:
                summed = takewhile(lambda _: not self._stopping, workers.map(_sum_up, wanted.items()))
                while batch := list(islice(summed, AT_ONCE)):
                    self._tables.put(batch)
                    self.progress = Progress(self.progress.done + len(batch), len(wanted))
            finally:
                workers.shutdown(cancel_futures=True)

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
                self._unusable |= is_damage(error)

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


_journal: Journal  # of a worker


def _open(journal: Path) -> None:
    global _journal
    os.nice(10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: the table ends it
    gc.set_threshold(SELDOM)
    _journal = Journal(journal, writing=False)
    threading.Thread(target=_end_with_the_table, daemon=True).start()
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # a worker would complain that the table was killed


def _end_with_the_table() -> None:
    """End this worker with the table: if the table was killed, it would wait for work for ever."""
    table = multiprocessing.parent_process()
    assert table is not None
    table.join()
    os._exit(1)


def _sum_up(wanted: tuple[int, MatchSpan]) -> Summed:
    return sum_up(_journal, *wanted)
