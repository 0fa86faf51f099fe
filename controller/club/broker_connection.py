"""The hub's connection to its broker: delivers the tables' messages to the hub, and publishes the hub's."""

import logging
import secrets
import threading
from collections import deque

from controller.club.errors import ClubError
from controller.club.hub.hub import Hub
from controller.club.hub.message_intake import Outgoing
from controller.errors import Refused
from controller.link import Topics, mqtt
from controller.messages import Message, say

RETRY = 2.0  # s between two attempts to connect
POLL = 0.2  # s, at most, until a change of the evening is published
MOST_OF_ONE = 100  # unprocessed messages of one table; further ones are dropped, and requested again later
_log = logging.getLogger(__name__)


class Inbox:
    """Unprocessed messages. Tables take turns, so that a flood from one delays no other."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: dict[str, deque[mqtt.MessageReceived]] = {}  # by table; the next one to process comes first
        self._ended: mqtt.SessionEnded | None = None

    def put(self, happened: mqtt.SessionEvent) -> None:
        """Add an event, unless too many messages of this table wait. Never blocks."""
        with self._changed:
            if isinstance(happened, mqtt.SessionEnded):
                self._ended = happened
            elif isinstance(happened, mqtt.MessageReceived):
                waiting = self._waiting.setdefault(happened.topic.rpartition("/")[0], deque())
                if len(waiting) < MOST_OF_ONE:
                    waiting.append(happened)
            self._changed.notify()

    def get(self, timeout: float) -> mqtt.MessageReceived | mqtt.SessionEnded | None:
        """The next event, the session's end first. None after `timeout` seconds without one."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._waiting, timeout)
            if self._ended or not self._waiting:
                return self._ended
            table, waiting = next(iter(self._waiting.items()))
            del self._waiting[table]
            first = waiting.popleft()
            if waiting:
                self._waiting[table] = waiting  # after the others
            return first


class BrokerConnection:
    """Keeps the hub connected. `start` and `stop` once each; the hub requests again what was lost in between."""

    def __init__(self, hub: Hub, broker: mqtt.Broker) -> None:
        self._hub = hub
        self._broker = broker
        self._topics = Topics(hub.store.club)
        self._inbox = Inbox()
        self._changed, self._stopping = threading.Event(), threading.Event()
        self._published: dict[str, bytes] = {}
        self.trouble: Message | None = None
        """Why the hub is not connected; None while it is, and before the first attempt."""
        self._thread = threading.Thread(target=self._run, name="club link", daemon=True)
        hub.subscribe(self._changed.set)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Disconnect; returns when the thread has ended."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._hold()
            except mqtt.BrokerUnavailable as error:
                trouble = say(
                    "The broker at {place} does not let the hub in: {why}", place=self._broker.place, why=str(error)
                )
                if self.trouble is None:
                    _log.error("%s", trouble)
                self.trouble = trouble
                self._stopping.wait(RETRY)
            except Exception:  # the hub requests again what this session did not process
                _log.exception("The session with the broker at %s failed", self._broker.place)
                self._stopping.wait(RETRY)

    def _hold(self) -> None:
        name = f"hub-{secrets.token_hex(6)}"  # several hubs may be connected
        self._inbox = Inbox()
        session = mqtt.Session(self._broker, name, self._inbox.put)
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

    def _work(self, session: mqtt.Session) -> None:
        failing = False
        while not self._stopping.is_set():
            try:
                if self._changed.is_set():
                    self._changed.clear()
                    self._assign(session)
                happened = self._inbox.get(POLL)
                if isinstance(happened, mqtt.SessionEnded):
                    _log.warning("The connection to the broker at %s was lost: %s", self._broker.place, happened.why)
                    return
                if isinstance(happened, mqtt.MessageReceived):
                    self._send(session, self._hub.receive(happened.topic, happened.payload))
                    failing = False
            except (ClubError, Refused) as error:  # the database fails: unprocessed events are requested again
                if not failing:
                    _log.error("Tables' messages can't be stored now: %s", error)
                failing = True

    def _assign(self, session: mqtt.Session) -> None:
        self._send(session, [out for out in self._hub.assignments() if self._published.get(out.topic) != out.payload])

    def _send(self, session: mqtt.Session, outgoing: list[Outgoing]) -> None:
        for out in outgoing:
            session.publish(out.topic, out.payload, qos=1, retain=out.retained)
            if out.retained:
                self._published[out.topic] = out.payload
