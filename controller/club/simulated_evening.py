"""A simulated evening: tables that play by themselves, and an automatic organiser.

The tables send their journals and get their assignments as over HTTP, within the hub's program."""

import logging
import threading
import time
from random import Random

from controller.club.desk import Desk
from controller.club.errors import ClubError
from controller.club.hub.hub import Hub
from controller.club.simulated_table import SimulatedClubTable
from controller.club.store import TableOfClub
from controller.club.tournament.errors import StageOver
from controller.club.tournament.planning import NextRound
from controller.errors import Refused

TABLES = tuple(f"t{k}" for k in range(1, 7))
PLAYERS = 30
PACE = 3.0  # s for a round on average: fast enough to watch a whole evening in minutes
POLL = 0.05  # s
REST = 60.0  # s between two evenings: time to look at the standings
REPORT = 60.0  # s between two reports without news (docs/club-protocol.md)
_log = logging.getLogger(__name__)


class PlayingTable(threading.Thread):
    """One simulated table."""

    def __init__(self, hub: Hub, table: SimulatedClubTable, pace: float = PACE) -> None:
        super().__init__(name=f"simulated {table.id}", daemon=True)
        self._hub = hub
        self.table = table
        self._pace = pace
        self._dice = Random(f"pace {table.id}")
        self.stopping = threading.Event()

    def run(self) -> None:
        """Play until stopped, whether the hub can store it or not."""
        reported = -REPORT
        while not self.stopping.is_set():
            news = self._dice.random() < POLL / self._pace and self.table.step()
            try:
                self.table.assigned(self._hub.assignments()[self.table.id])
                if news or time.monotonic() - reported > REPORT:
                    self.table.report(self._hub)
                    reported = time.monotonic()
            except (ClubError, Refused) as error:
                _log.warning("A simulated table can't report: %s", error)
            self.stopping.wait(POLL)


class SimulatedClubEvening:
    """Thirty players, six tables, Swiss with five rounds; when it is over, another one. `start` and `stop` once each.
    An evening that somebody begins on the organiser's page is left to them."""

    def __init__(self, desk: Desk, pace: float = PACE) -> None:
        self._desk, self._hub = desk, desk.hub
        self.tables = [PlayingTable(desk.hub, SimulatedClubTable(id, seed=k), pace) for k, id in enumerate(TABLES)]
        self._own = ""
        self._organiser = threading.Thread(target=self._organise, name="simulated organiser", daemon=True)
        self._stopping = threading.Event()

    def start(self) -> None:
        for k, id in enumerate(TABLES, 1):
            self._hub.store.put_table(TableOfClub(id, f"Table {k}"))
        self._begin()
        for table in self.tables:
            table.start()
        self._organiser.start()

    def stop(self) -> None:
        """Stop; returns when all threads have ended."""
        self._stopping.set()
        for table in self.tables:
            table.stopping.set()
        for thread in (*self.tables, self._organiser):
            if thread.is_alive():
                thread.join()

    def _begin(self) -> None:
        players = "\n".join(f"Player {k}" for k in range(1, PLAYERS + 1))
        self._desk.begin("Simulated evening", "swiss", TABLES, players, False, "simulation")
        self._own = self._hub.evening.id

    def _organise(self) -> None:
        while not self._stopping.wait(1.0):
            if self._hub.evening.id != self._own or self._hub.tournament.state.open_matches:
                continue
            try:
                self._hub.confirm([NextRound()], self._hub.plan([NextRound()]).token, "simulation")
            except StageOver:
                self._stopping.wait(REST)
                if self._hub.evening.id == self._own and not self._stopping.is_set():
                    self._begin()
            except Refused:
                continue  # a match was reopened, or somebody else organises
