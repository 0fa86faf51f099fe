"""Messages between simulated tables and a hub within one process, for a machine without a broker.

Nothing else can connect, and nothing is stored. The messages are the same as over MQTT."""

import threading
from collections.abc import Callable, Mapping
from itertools import count
from typing import Literal

from controller.club.hub.hub import Hub
from controller.club.hub.message_intake import Outgoing
from controller.link.mqtt import Acknowledged, MessageReceived, SessionEvent

Listener = Callable[[SessionEvent], None]


class InProcessBroker:
    """Delivers messages between simulated tables and one hub."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._lock = threading.Lock()
        self._listeners: dict[str, Listener] = {}  # by topic
        self._retained: dict[str, bytes] = {}
        hub.subscribe(self._assign)
        self._assign()

    def connect(self, table: str, listener: Listener) -> "InProcessSession":
        return InProcessSession(self, listener)

    def subscribe(self, topics: Mapping[str, int], listener: Listener) -> None:
        """Call `listener` with messages under these topics, retained ones first."""
        with self._lock:
            self._listeners.update(dict.fromkeys(topics, listener))
            for topic in self._retained.keys() & topics.keys():
                listener(MessageReceived(topic, self._retained[topic], True))

    def publish(self, topic: str, payload: bytes) -> None:
        """Deliver a table's message to the hub, and the hub's answers to the tables."""
        for out in self._hub.receive(topic, payload):
            self._deliver(out)

    def _assign(self) -> None:
        # repeated until nothing is new: another thread may have delivered an older assignment in between
        while new := [out for out in self._hub.assignments() if self._retained.get(out.topic) != out.payload]:
            for out in new:
                self._deliver(out)

    def _deliver(self, out: Outgoing) -> None:
        with self._lock:
            if out.retained:
                self._retained[out.topic] = out.payload
            if out.topic in self._listeners:
                self._listeners[out.topic](MessageReceived(out.topic, out.payload, out.retained))


class InProcessSession:
    """As `controller.link.mqtt.Session`; `listener` must return at once."""

    def __init__(self, broker: InProcessBroker, listener: Listener) -> None:
        self._broker = broker
        self._listener = listener
        self._numbers = count(1)

    def subscribe(self, topics: Mapping[str, int]) -> None:
        self._broker.subscribe(topics, self._listener)

    def publish(self, topic: str, payload: bytes, *, qos: Literal[0, 1] = 0, retain: bool = False) -> int:
        """Deliver it to the hub before returning."""
        self._broker.publish(topic, payload)
        number = next(self._numbers)
        if qos:
            self._listener(Acknowledged(number))
        return number

    def close(self) -> None:
        """Nothing to close."""
