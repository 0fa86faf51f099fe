"""A simulated evening: tables that play by themselves, and an automatic organiser.

A table plays its assignments without board and camera: random rounds, counted by the rules. It has a journal and
uses the club's protocol like a real table, within the hub's program instead of over HTTP. A seed determines
everything it plays.
"""

import logging
import threading
import time
from collections.abc import Sequence
from random import Random

from controller.club.desk import Desk
from controller.club.errors import StageOver, StoreError
from controller.club.hub.assignments import match_started
from controller.club.hub.hub import Hub
from controller.club.hub.message_intake import OutOfStep
from controller.club.store import TableOfClub
from controller.club.tournament.planning import NextRound
from controller.errors import Refused
from controller.match import events as ev
from controller.match.base import SCHEMA_VERSION, Stamped
from controller.match.club import Assigned, Assignment, Batch, Event, Have, parse, serialize
from controller.match.fold import fold
from controller.match.state import MatchState

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


AT = 1_790_000_000.0  # s since 1970: when such tables' clocks say they were switched on, all within a second
PER_ROUND = 90.0  # s, by its clock
BATCH = 20  # events


class SimulatedClubTable:
    """A table with its journal. Not thread-safe."""

    def __init__(self, id: str, seed: int) -> None:
        self.id = id
        self._dice = Random(f"{seed} {id}")
        self._on_at = AT + Random(f"clock {seed} {id}").random()
        self.journal = self._dice.randbytes(16).hex()
        self.events: list[Event] = []
        self.have: int | None = None  # the last of its events that the hub has
        self.history: list[Stamped] = []  # of the running match, or the last one
        self.next: Assigned | None = None
        self._begun: set[str] = set()

    @property
    def state(self) -> MatchState | None:
        """The running match, or the last one."""
        return fold(self._match, self.history) if self.history else None

    @property
    def playing(self) -> bool:
        return self.state is not None and not self.state.over

    @property
    def _match(self) -> int:
        return self.events[-1].match if self.events else 0

    # --- what is played

    def begin(self) -> bool:
        """Begin the assigned match. False if it has begun already, or another match is running."""
        assigned = self.next
        if assigned is None or assigned.id in self._begun or self.playing:
            return False
        self._begun.add(assigned.id)
        number, self.history = self._match + 1, []
        self.write([match_started(assigned)], number)
        return True

    def play_round(self) -> None:
        twenties = {side: self._dice.choice((0, 0, 1, 1, 2, 3)) for side in ("A", "B")}
        totals = {side: 20 * twenties[side] + 5 * self._dice.randrange(8) for side in ("A", "B")}
        self.enter(totals, twenties)

    def enter(self, totals: dict[str, int], twenties: dict[str, int]) -> None:
        self.write([ev.RoundEnded.model_validate({"totals": totals, "twenties": twenties})])

    def step(self) -> bool:
        """Begin the assigned match, or play a round. False if there is nothing to do."""
        if self.playing:
            self.play_round()
            return True
        return self.begin()

    def write(self, events: Sequence[ev.Event], match: int | None = None) -> None:
        for event in events:
            id, at = len(self.events) + 1, self._on_at + PER_ROUND * len(self.events)
            self.events.append(Event(id=id, match=match or self._match, at=at, kind=event.kind, body=ev.body(event)))
            self.history.append(Stamped(id, at, event))

    # --- what it says to its hub

    def batch(self) -> Batch:
        """The last event that the hub has and what follows; an empty batch while nobody knows what it has."""
        sent = len(self.events) if self.have is None else max(self.have - 1, 0)
        events = self.events[sent : sent + BATCH]
        return Batch(
            journal=self.journal,
            journal_schema=SCHEMA_VERSION,
            begins=1,
            first=sent + 1,
            last=sent + len(events),
            events=tuple(events),
        )

    def report(self, hub: Hub) -> None:
        """Send all that the hub does not have."""
        known = False
        while not known or self.have != len(self.events):
            known = self.have is not None
            try:
                said = hub.receive(self.id, serialize(self.batch()))
            except OutOfStep as error:
                said = error.have
            self.hear(said)

    def hear(self, said: Have) -> None:
        self.have = said.have
        if said.renew:
            self.journal, self.have = self._dice.randbytes(16).hex(), 0

    def assigned(self, payload: bytes) -> None:
        self.next = parse(Assignment, payload).match
