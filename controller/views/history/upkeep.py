"""Keeps the history's tables up to date with the journal, on its own thread, never during a request. The running match
is summed up again shortly after each event. Where many matches are missing (a new version, a restored journal), a
process of its own sums them up: this one has a score to keep."""

import logging
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterable

from controller.errors import JournalError
from controller.journal import Journal
from controller.views.history.summing import stale, sum_up
from controller.views.history.tables import Tables
from controller.views.schema.history import Progress

log = logging.getLogger(__name__)
MANY = 20  # matches that the thread sums up itself: at most half a second of a Pi 4's core
PAUSE = 1.0  # s from an event until its match is summed up, so that several events cost one pass
FIRST_LOOK = 5.0  # s that a request waits for the first check after a start: `PAUSE` plus its duration
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
AGAIN = 60.0  # s after which a failure is retried


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
        self._process: subprocess.Popen[str] | None = None
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
            self._known = last
        finally:
            self._checked.set()

    def _compare(self) -> None:
        """Check every match: the tables may be old, and the journal restored from a backup."""
        wanted, gone = stale(self._journal, self._tables)
        if len(wanted) > MANY:
            self._catch_up_aside(len(wanted))
            wanted, gone = stale(self._journal, self._tables)
        self._put(wanted, gone)

    def _put(self, numbers: Iterable[int], gone: Iterable[int] = ()) -> None:
        spans = {number: span for number in numbers if (span := self._journal.span(number))}
        if spans or gone:
            self._tables.put((sum_up(self._journal, *one) for one in spans.items()), gone)

    def _catch_up_aside(self, count: int) -> None:
        """Let another process bring the tables up to date, and follow its progress."""
        self.progress = {"done": 0, "of": count}
        self._checked.set()
        files = map(str, (self._journal.path, self._tables.path))
        command = [sys.executable, "-m", "controller.views.history.rebuild", *files]
        try:
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
                self._process = process
                assert process.stdout is not None
                for line in process.stdout:
                    self.progress = {"done": int(line), "of": count}
            if process.returncode != 0 and not self._stopping:
                raise JournalError(f"The history could not be rebuilt: its process ended with {process.returncode}.")
        finally:
            self.progress = self._process = None

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
        process = self._process
        if process is not None:
            process.terminate()
