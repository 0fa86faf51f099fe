"""The hub at its broker: what tables send goes to the hub, what the hub has for them is published."""

import logging
import secrets
import threading
from collections import deque

from controller.club.errors import ClubError
from controller.club.hub import Hub, Outgoing
from controller.errors import Refused
from controller.link import Topics
from controller.link.mqtt import (
    Broker,
    BrokerUnavailable,
    MessageReceived,
    OldBroker,
    Protocol,
    Session,
    SessionEnded,
    SessionEvent,
)
from controller.messages import Message, say

AGAIN = 2.0  # s until the broker is tried again
LOOK = 0.2  # s, at the latest, until a change of the evening is published
MOST_OF_ONE = 100  # messages of one table that were not looked at yet; what comes then is asked for again later

_log = logging.getLogger(__name__)


class Inbox:
    """What came and was not looked at yet. Tables take turns, so that nobody waits for one that sends without end."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: dict[str, deque[MessageReceived]] = {}  # by table; whose turn it is comes first
        self._ended: SessionEnded | None = None

    def put(self, happened: SessionEvent) -> None:
        """Take it, unless too much of this table waits. Never blocks."""
        with self._changed:
            if isinstance(happened, SessionEnded):
                self._ended = happened
            elif isinstance(happened, MessageReceived):
                waiting = self._waiting.setdefault(happened.topic.rpartition("/")[0], deque())
                if len(waiting) < MOST_OF_ONE:
                    waiting.append(happened)
            self._changed.notify()

    def get(self, timeout: float) -> MessageReceived | SessionEnded | None:
        """The next one: the session's end before all else. None where nothing comes within `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._waiting, timeout)
            if self._ended or not self._waiting:
                return self._ended
            table, waiting = next(iter(self._waiting.items()))
            del self._waiting[table]
            first = waiting.popleft()
            if waiting:
                self._waiting[table] = waiting  # behind the others
            return first


class Link:
    """Keeps the hub connected. `start` and `stop` once each; what is lost meanwhile, the hub asks for again."""

    def __init__(self, hub: Hub, broker: Broker) -> None:
        self._hub = hub
        self._broker = broker
        self._topics = Topics(hub.store.club)
        self._inbox = Inbox()
        self._changed, self._stopping = threading.Event(), threading.Event()
        self._published: dict[str, bytes] = {}
        self._protocol: Protocol = 5
        self.trouble: Message | None = None
        """Why the hub is not at its broker; None while it is, and before it was tried."""
        self._thread = threading.Thread(target=self._run, name="club link", daemon=True)
        hub.subscribe(self._changed.set)

    def start(self) -> None:
        """Connect, and stay connected from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Leave the broker; returns when the thread is gone."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._stay()
            except OldBroker:
                self._protocol = 3
            except BrokerUnavailable as error:
                trouble = say(
                    "The broker at {place} does not let the hub in: {why}", place=self._broker.place, why=str(error)
                )
                if self.trouble is None:
                    _log.error("%s", trouble)
                self.trouble = trouble
                self._stopping.wait(AGAIN)
            except Exception:  # the next session has all again that this one did not take
                _log.exception("The session with the broker at %s failed", self._broker.place)
                self._stopping.wait(AGAIN)

    def _stay(self) -> None:
        """One session, until it ends."""
        name = f"hub-{secrets.token_hex(6)}"  # several hubs may be connected
        self._inbox = Inbox()
        session = Session(self._broker, name, self._inbox.put, protocol=self._protocol)
        self.trouble = None
        _log.info("The hub is connected to the broker at %s.", self._broker.place)
        try:
            session.subscribe({self._topics.of("+", "status"): 1, self._topics.of("+", "events"): 1})
            self._published = {}
            self._changed.set()
            self._work(session)
        finally:
            self._hub.drop_silent_tables()
            session.close()

    def _work(self, session: Session) -> None:
        failing = False
        while not self._stopping.is_set():
            try:
                if self._changed.is_set():
                    self._changed.clear()
                    self._assign(session)
                happened = self._inbox.get(LOOK)
                if isinstance(happened, SessionEnded):
                    _log.warning("The broker at %s is gone: %s", self._broker.place, happened.why)
                    return
                if isinstance(happened, MessageReceived):
                    self._send(session, self._hub.receive(happened.topic, happened.payload))
                    failing = False
            except (ClubError, Refused) as error:  # the database is away: what was not taken is asked for again
                if not failing:
                    _log.error("What tables send can't be kept now: %s", error)
                failing = True

    def _assign(self, session: Session) -> None:
        self._send(session, [out for out in self._hub.assignments() if self._published.get(out.topic) != out.payload])

    def _send(self, session: Session, outgoing: list[Outgoing]) -> None:
        for out in outgoing:
            session.publish(out.topic, out.payload, qos=1, retain=out.retained)
            if out.retained:
                self._published[out.topic] = out.payload
