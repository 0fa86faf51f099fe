"""The hub at its broker: what tables send goes to the hub, what the hub has for them is published."""

import contextlib
import logging
import queue
import secrets
import threading

from controller.club.errors import ClubError
from controller.club.hub import Hub, Outgoing
from controller.club.mqtt import Away, Broker, Came, Ended, Happened, OldBroker, Protocol, Session
from controller.club.wire import Topics
from controller.errors import Refused

AGAIN = 2.0  # s until the broker is tried again
LOOK = 0.2  # s, at the latest, until a change of the evening is published
MOST_WAITING = 1_000  # messages that were not looked at yet; then the broker has to wait

_log = logging.getLogger(__name__)


class Link:
    """Keeps the hub connected. `start` and `stop` once each; what is lost meanwhile, the hub asks for again."""

    def __init__(self, hub: Hub, broker: Broker) -> None:
        self._hub = hub
        self._broker = broker
        self._topics = Topics(hub.store.club)
        self._inbox: queue.Queue[Happened] = queue.Queue(MOST_WAITING)
        self._changed, self._stopping = threading.Event(), threading.Event()
        self._published: dict[str, bytes] = {}
        self._protocol: Protocol = 5
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
        away = False
        while not self._stopping.is_set():
            try:
                self._stay()
                away = False
            except OldBroker:
                self._protocol = 3
            except Away as error:
                if not away:
                    _log.error("The broker at %s does not let the hub in: %s", self._broker.place, error)
                away = True
                self._stopping.wait(AGAIN)
            except Exception:  # the next session has all again that this one did not take
                _log.exception("The session with the broker at %s failed", self._broker.place)
                self._stopping.wait(AGAIN)

    def _stay(self) -> None:
        """One session, until it ends."""
        name = f"hub-{secrets.token_hex(6)}"  # several hubs may be connected
        self._inbox = queue.Queue(MOST_WAITING)
        session = Session(self._broker, name, self._inbox.put, protocol=self._protocol)
        _log.info("The hub is connected to the broker at %s.", self._broker.place)
        try:
            session.subscribe({self._topics.of("+", "status"): 1, self._topics.of("+", "events"): 1})
            self._published = {}
            self._changed.set()
            self._work(session)
        finally:
            stopped = threading.Thread(target=session.close, daemon=True)
            stopped.start()
            while stopped.is_alive():  # the session's thread may wait for a place in the inbox
                with contextlib.suppress(queue.Empty):
                    self._inbox.get(timeout=LOOK)

    def _work(self, session: Session) -> None:
        failing = False
        while not self._stopping.is_set():
            try:
                if self._changed.is_set():
                    self._changed.clear()
                    self._assign(session)
                happened = self._inbox.get(timeout=LOOK)
                if isinstance(happened, Ended):
                    _log.warning("The broker at %s is gone: %s", self._broker.place, happened.why)
                    return
                if isinstance(happened, Came):
                    self._send(session, self._hub.receive(happened.topic, happened.payload))
                failing = False
            except queue.Empty:
                continue
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
