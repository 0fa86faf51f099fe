"""A table with a real engine on a real journal, for the pages and the programs: shots go on it as readings."""

import threading
import time

from controller import rules
from controller.journal import TokenTable
from controller.referee.whose_disc import sided
from controller.table.question_pictures import review, shown_picture
from controller.views.history import Archive
from controller.views.rule_sets import Rules
from controller.vision.watching.background_model import BackgroundModel
from tests.controller.fed_table import ReadTable, a, b


def health(**more):
    """The figures of a table at which nothing has been watched yet."""
    seconds = dict.fromkeys(("gate_seconds", "film_seconds", "read_seconds", "frozen_seconds"), 0.0)
    watcher = {"frames": 0, "dropped": 0, "readings": 0, **seconds}
    return {"watcher": watcher, "hole": None, "unit": None, "waiting": 0, "journal_bytes": 4096, **more}


class PlayedTable:
    """Keeps the promises of `controller.api.Table`, all on the caller's thread."""

    pin = "471182"

    def __init__(self, folder):
        self.ahead = 0.0  # s by which the steady clock has been put forward
        self.table = ReadTable(folder, steady=self.clock)
        self.archive = Archive(self.table.journal)
        self.table.journal.on_written.append(self.archive.upkeep.catch_up)
        self.tokens = TokenTable(self.table.journal.facts, self.clock)
        self._lock = threading.RLock()

    def close(self):
        """Close its files: the next test needs theirs."""
        self.archive.close()
        self.table.journal.close()

    def play(self):
        """A round: Black in the 15, Natural hits it, Black sinks a twenty; then it is ended by hand."""
        with self._lock:
            self.table.see(a(0, 60))
            self.table.see(a(0, 90), b(20, 70))
            self.table.see(a(0, 90), b(20, 70), a(0, 0, "in_hole"))
            self.table.see(a(0, 90), b(20, 70))
            self.table.do("end_round")

    def snapshot(self):
        return self.table.engine.snapshot

    def clock(self):
        return time.monotonic() + self.ahead

    def subscribe(self, listener):
        listeners = self.table.engine.on_changed  # of this engine: a restarted table has another
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    def command(self, command):
        with self._lock:
            self.table.engine.command(command)
            return self.snapshot()

    def do(self, do, **command):
        return self.command({"do": do, **command})

    @staticmethod
    def rules():
        return Rules.of(*rules.rule_sets(), *rules.practices())

    def reading(self):
        found = self.table.engine.reading
        return sided(found, self.table.state).to_json() if found else None

    def picture(self, name):
        return shown_picture(self.table.journal, BackgroundModel(), name)

    def clip(self, name):
        return self.table.journal.clips.read(name)

    def review(self, name):
        return review(self.table.journal, BackgroundModel(), name)

    def health(self):
        return health(hole=self.table.state.hole_level, journal_bytes=self.table.journal.path.stat().st_size)
