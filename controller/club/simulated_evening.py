"""A simulated evening: matches that are played by themselves, and an automatic organiser.

The rounds are random, and counted by the rules as everywhere. A board's events are written into a journal that the hub
keeps for it, as for a board without hardware.
"""

import logging
import threading
import time
from random import Random

from controller.club.desk import Desk
from controller.club.errors import StageOver, StoreError
from controller.club.hub.assignments import assigned, match_started
from controller.club.hub.by_hand import JOURNAL, begin, write
from controller.club.store import TableOfClub
from controller.club.tournament.planning import NextRound
from controller.errors import Refused
from controller.match import events as ev

TABLES = tuple(f"t{k}" for k in range(1, 7))
PLAYERS = 30
PACE = 3.0  # s for a round on average: fast enough to watch a whole evening in minutes
POLL = 0.05  # s
REST = 60.0  # s between two evenings: time to look at the standings
_log = logging.getLogger(__name__)


class SimulatedClubEvening:
    """Thirty players, six tables, Swiss with five rounds; when it is over, another one. `start` and `stop` once each.
    An evening that somebody begins on the organiser's page is left to them."""

    def __init__(self, desk: Desk, pace: float = PACE) -> None:
        self._desk, self._hub = desk, desk.hub
        self._pace = pace
        self._dice = Random("evening")
        self._own = ""  # the id of its evening
        self._played = 0.0  # when a match was last being played
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
        players = [f"Player {k}" for k in range(1, PLAYERS + 1)]
        self._desk.begin("Simulated evening", "swiss", TABLES, players, "simulation")
        self._own = self._hub.evening.id

    def _run(self) -> None:
        while not self._stopping.wait(POLL):
            try:
                self._play()
                self._organise()
            except (StoreError, Refused) as error:
                _log.warning("The simulated evening can't go on for now: %s", error)

    def _play(self) -> None:
        """At each table begin the next match, or play a round, now and then."""
        for table in TABLES:
            if self._dice.random() < POLL / self._pace:
                self._hub.heard(table)
                self._play_at(table)

    def _play_at(self, table: str) -> None:
        hub, now = self._hub, self._hub.playing().get(table)
        next = assigned(hub.evening.id, hub.tournament.state, table, hub.rules)
        if now is not None and now.in_progress:
            if now.key.journal == JOURNAL.format(
                evening=hub.evening.id
            ):  # else somebody's own table has joined as this one
                write(hub, now.key, now.summary.last_id, [self._random_round()], now.history)
        elif next is not None and (now is None or now.assignment != next.id):
            begin(hub, table, match_started(next))
        hub.refresh()

    def _random_round(self) -> ev.RoundEnded:
        twenties = {side: self._dice.choice((0, 0, 1, 1, 2, 3)) for side in ("A", "B")}
        totals = {side: 20 * twenties[side] + 5 * self._dice.randrange(8) for side in ("A", "B")}
        return ev.RoundEnded.model_validate({"totals": totals, "twenties": twenties})

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
