"""A simulated evening: tables that play by themselves, and an automatic organiser.

The tables send their journals and get their assignments as over HTTP, within the hub's program."""

import logging
import threading
import time
from random import Random

from controller.club.desk import Desk
from controller.club.errors import ClubError
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


class SimulatedClubEvening:
    """Thirty players, six tables, Swiss with five rounds; when it is over, another one. `start` and `stop` once each.
    An evening that somebody begins on the organiser's page is left to them."""

    def __init__(self, desk: Desk, pace: float = PACE) -> None:
        self._desk, self._hub = desk, desk.hub
        self._tables = [SimulatedClubTable(id, seed=k) for k, id in enumerate(TABLES)]
        self._pace = pace
        self._dice = Random("pace")
        self._own = ""  # the id of its evening
        self._played = 0.0  # when a match was last being played
        self._reported = -REPORT  # when all tables last reported
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="simulated evening", daemon=True)

    def start(self) -> None:
        for k, id in enumerate(TABLES, 1):
            self._hub.store.put_table(TableOfClub(id, f"Table {k}"))
        self._begin()
        self._thread.start()

    def stop(self) -> None:
        """Stop; returns when its thread has ended."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _begin(self) -> None:
        players = "\n".join(f"Player {k}" for k in range(1, PLAYERS + 1))
        self._desk.begin("Simulated evening", "swiss", TABLES, players, False, "simulation")
        self._own = self._hub.evening.id

    def _run(self) -> None:
        while not self._stopping.wait(POLL):
            try:
                self._play()
                self._organise()
            except (ClubError, Refused) as error:
                _log.warning("The simulated evening can't go on for now: %s", error)

    def _play(self) -> None:
        """Let each table play a round now and then and report it; once in a while all report."""
        assignments, now = self._hub.assignments(), time.monotonic()
        all_report = now - self._reported > REPORT
        for table in self._tables:
            table.assigned(assignments[table.id])
            if (self._dice.random() < POLL / self._pace and table.step()) or all_report:
                table.report(self._hub)
        if all_report:
            self._reported = now

    def _organise(self) -> None:
        """Pair the next round when nobody plays; after the last one begin another evening."""
        if self._hub.evening.id != self._own or self._hub.tournament.state.open_matches:
            self._played = time.monotonic()
            return
        try:
            self._hub.confirm([NextRound()], self._hub.plan([NextRound()]).token, "simulation")
        except StageOver:
            if time.monotonic() - self._played > REST:
                self._begin()
        except Refused:
            pass  # a match was reopened, or somebody else organises
