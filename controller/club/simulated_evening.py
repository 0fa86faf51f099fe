"""A simulated evening: tables that play by themselves, and an automatic organiser.

The tables talk to the hub over the real broker, or through `controller.club.in_process` if none is installed."""

import queue
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from random import Random

from controller.club.admin_service import AdminService
from controller.club.hub.hub import Hub
from controller.club.in_process import InProcessSession
from controller.club.simulated_table import SimulatedTable
from controller.club.store import TableOfClub
from controller.club.tournament.errors import StageOver
from controller.club.tournament.planning import NextRound
from controller.errors import Refused
from controller.link import Topics, mqtt, serialize

TABLES = 6
PLAYERS = 30
PACE = 3.0  # s for a round on average: fast enough to watch a whole evening in minutes
POLL = 0.05  # s
REST = 60.0  # s between two evenings: time to look at the standings
STATUS = 60.0  # s between two statuses, which also report that everything was sent (docs/club-protocol.md)
_PASSWORDS = {f"t{k}": secrets.token_urlsafe() for k in range(1, TABLES + 1)}


def passwords() -> dict[str, str]:
    """The simulated tables' accounts, which stay the same while the program runs."""
    return dict(_PASSWORDS)


TableSession = mqtt.Session | InProcessSession
Connect = Callable[[str, Callable[[mqtt.SessionEvent], None]], TableSession]
"""Opens a session by the table's id, with its listener. Raises `BrokerUnavailable`."""


def at_broker(url: str, passwords: Mapping[str, str]) -> Connect:
    """Sessions with a broker, with the tables' passwords there."""

    def connect(table: str, listener: Callable[[mqtt.SessionEvent], None]) -> TableSession:
        return mqtt.Session(mqtt.Broker.at(url, table, passwords[table]), f"table-{table}", listener)

    return connect


class PlayingTable(threading.Thread):
    """One simulated table with its own session."""

    def __init__(self, club: str, table: SimulatedTable, connect: Connect, pace: float = PACE) -> None:
        super().__init__(name=f"simulated {table.id}", daemon=True)
        self._topics = Topics(club)
        self.table = table
        self._connect = connect
        self._pace = pace
        self._dice = Random(f"pace {table.id}")
        self._inbox: queue.Queue[mqtt.SessionEvent] = queue.Queue()
        self.stopping = threading.Event()

    def run(self) -> None:
        """Play until stopped, with or without the broker."""
        while not self.stopping.is_set():
            self._inbox = queue.Queue()
            try:
                session = self._connect(self.table.id, self._inbox.put)
            except mqtt.BrokerUnavailable:
                self._play_on(time.monotonic() + 1.0)
                continue
            session.subscribe(
                {self._topics.of(self.table.id, "assignment"): 1, self._topics.of(self.table.id, "resend"): 1}
            )
            self._hold(session)
            session.close()

    def _play_on(self, until: float) -> None:
        while time.monotonic() < until and not self.stopping.is_set():
            self._maybe_step()
            self.stopping.wait(POLL)

    def _maybe_step(self) -> None:
        if self._dice.random() < POLL / self._pace:
            self.table.step()

    def _hold(self, session: TableSession) -> None:
        waiting: dict[int, int] = {}  # by message, the last event in it
        reported, sent = -STATUS, -1
        while not self.stopping.is_set():
            all_sent = not waiting and self.table.batch() is None
            if time.monotonic() - reported > STATUS or (all_sent and sent != self.table.sent):
                reported, sent = time.monotonic(), self.table.sent
                session.publish(
                    self._topics.of(self.table.id, "status"), serialize(self.table.status()), qos=1, retain=True
                )
            if not waiting and (batch := self.table.batch()) is not None:
                message = session.publish(self._topics.of(self.table.id, "events"), serialize(batch), qos=1)
                waiting[message] = batch.events[-1].id
            try:
                happened = self._inbox.get(timeout=POLL)
            except queue.Empty:
                self._maybe_step()
                continue
            if isinstance(happened, mqtt.SessionEnded):
                return
            self._process(happened, waiting)

    def _process(self, happened: mqtt.MessageReceived | mqtt.Acknowledged, waiting: dict[int, int]) -> None:
        if isinstance(happened, mqtt.Acknowledged):
            self.table.sent = max(self.table.sent, waiting.pop(happened.message, 0))
        elif happened.topic == self._topics.of(self.table.id, "assignment"):
            self.table.assigned(happened.payload)
        else:
            self.table.asked(happened.payload)


class SimulatedEvening:
    """Thirty players, six tables, Swiss with five rounds; when it is over, another one. `start` and `stop` once each.
    An evening that somebody begins on the organiser's page is left to them."""

    def __init__(self, hub: Hub, admin: AdminService, connect: Connect, pace: float = PACE, rest: float = REST) -> None:
        self._hub = hub
        self._admin = admin
        self.tables = [
            PlayingTable(hub.store.club, SimulatedTable(id, seed=k), connect, pace) for k, id in enumerate(passwords())
        ]
        self._rest = rest
        self._own: str | None = None
        self._organiser = threading.Thread(target=self._organise, name="simulated organiser", daemon=True)
        self._stopping = threading.Event()

    def start(self) -> None:
        for k, id in enumerate(passwords(), 1):
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
        self._admin.begin("Simulated evening", "swiss", list(passwords()), players, False, "simulation")
        self._own = self._active

    @property
    def _active(self) -> str | None:
        return self._hub.evening.id if self._hub.evening else None

    def _organise(self) -> None:
        while not self._stopping.wait(1.0):
            if self._active != self._own or self._hub.tournament.state.open_matches:
                continue
            try:
                self._hub.confirm([NextRound()], self._hub.plan([NextRound()]).token, "simulation")
            except StageOver:
                self._stopping.wait(self._rest)
                if self._active == self._own and not self._stopping.is_set():
                    self._begin()
            except Refused:
                continue  # a match was reopened, or somebody else organises
