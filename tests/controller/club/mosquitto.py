"""The real Mosquitto for the tests of the club, with the club's files, on a port of its own; killed and begun again."""

import os
import queue
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from controller import link
from controller.club.broker.files import Account, Listener
from controller.club.broker.process import RunningMosquitto, mosquitto_found
from controller.link.mqtt import Broker, MessageReceived, Session, SessionEvent
from tests.controller.club.naive_hub import NaiveHub

needed = pytest.mark.skipif(mosquitto_found() is None, reason="mosquitto is not installed: apt-get install mosquitto")

CLUB = "our-club"
TOPICS = link.Topics(CLUB)
ACCOUNTS = {
    "t1": "table", "t2": "table", "_hub": "hub", "_hub2": "hub", "_home": "scorer", "_screen": "viewer",
    "_screen2": "viewer",
}  # fmt: skip
"""Users and their roles. The broker binds a client's id to its user, so a user has one session at a time."""
T = TypeVar("T")


def password(user: str) -> str:
    return f"{user}-has-a-long-password"


def accounts() -> list[Account]:
    return [Account.new(user, role, password(user)) for user, role in ACCOUNTS.items()]  # type: ignore[arg-type]


class Club:
    """A broker, and what it takes to speak to it."""

    def __init__(self, folder: Path, certificate: Path | None = None, key: Path | None = None) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.listener = Listener("127.0.0.1", port, certificate, key)
        self.folder = folder
        self._sessions: list[Session] = []
        self.running: RunningMosquitto | None = None
        self.begin()

    def begin(self) -> None:
        self.running = RunningMosquitto(self.folder, CLUB, accounts(), self.listener)

    def kill(self) -> None:
        """kill -9 of the broker."""
        assert self.running
        os.kill(self.running._process.pid, signal.SIGKILL)
        self.running._process.wait()

    def session(self, user: str, name: str = "", **more: object) -> "tuple[Session, queue.Queue[SessionEvent]]":
        inbox: queue.Queue[SessionEvent] = queue.Queue()
        assert self.running
        broker = Broker.at(self.running.url, user, password(user))
        self._sessions.append(Session(broker, name or f"test-{user}", inbox.put, **more))  # type: ignore[arg-type]
        return self._sessions[-1], inbox

    def close(self) -> None:
        for session in self._sessions:
            session.drop()
        if self.running:
            self.running.close()


ECHO = TOPICS.of("nobody", "resend")
"""No table's: what the hub says there comes back to it once its subscriptions hold."""


class Listening:
    """A naive hub on a real session: it takes what comes until something holds, and misses nothing."""

    def __init__(self, club: Club, hub: NaiveHub | None = None) -> None:
        self.hub = hub or NaiveHub()
        self.listens = False
        self.session, self._inbox = club.session("_hub")
        self.statuses: list[link.Status] = []
        self.states: list[link.State] = []
        self.bad: list[tuple[str, str]] = []
        self.session.subscribe({TOPICS.of("+", kind): 1 for kind in ("events", "status", "state")} | {ECHO: 1})
        self.session.publish(ECHO, b"", qos=1)  # the broker processes messages in order
        self.until(lambda: self.listens)

    def assign(self, match: link.Assigned | None, table: str = "t1") -> None:
        payload = link.serialize(link.Assignment(match=match))
        self.session.publish(TOPICS.of(table, "assignment"), payload, qos=1, retain=True)

    def until(self, holds: Callable[[], T], within: float = 30.0) -> T:
        """Take what comes until this is true, and give it."""
        while not (found := holds()):
            happened = self._inbox.get(timeout=within)
            if isinstance(happened, MessageReceived):
                self._take(happened)
        return found

    def _take(self, came: MessageReceived) -> None:
        if came.topic == ECHO:
            self.listens = True
            return
        place = link.parse_topic(came.topic)
        assert place
        try:
            if place.kind == "events":
                self.hub.batch(came.payload)
            elif place.kind == "status":
                self.statuses.append(link.parse(link.Status, came.payload))
                self.hub.status(came.payload)
            else:
                self.states.append(link.parse(link.State, came.payload))
        except link.BadMessage as error:
            self.bad.append((place.table, str(error)))
        while self.hub.asks:
            self.session.publish(TOPICS.of(place.table, "resend"), link.serialize(self.hub.asks.pop()), qos=1)
