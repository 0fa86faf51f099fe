"""Messages between simulated tables and a hub in one process, for a machine that has no broker.

It is no broker: nothing else can connect, and nothing is kept. What both sides say is what they say over MQTT.
"""

import threading
from collections.abc import Callable, Mapping
from itertools import count
from typing import Literal

from controller.club.hub import Hub, Outgoing
from controller.link.mqtt import Acknowledged, MessageReceived, SessionEvent

Tell = Callable[[SessionEvent], None]


class DirectTransport:
    """Carries messages to one hub and back."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._lock = threading.Lock()
        self._listening: dict[str, Tell] = {}  # by topic
        self._retained: dict[str, bytes] = {}
        hub.subscribe(self._assign)
        self._assign()

    def connect(self, table: str, tell: Tell) -> "DirectSession":
        """A session of a table."""
        return DirectSession(self, tell)

    def listen(self, topics: Mapping[str, int], tell: Tell) -> None:
        """Have what comes under these topics told, what was retained at once."""
        with self._lock:
            self._listening.update(dict.fromkeys(topics, tell))
            for topic in self._retained.keys() & topics.keys():
                tell(MessageReceived(topic, self._retained[topic], True))

    def bring(self, topic: str, payload: bytes) -> None:
        """Hand a table's message to the hub, and carry its answers back."""
        for out in self._hub.receive(topic, payload):
            self._deliver(out)

    def _assign(self) -> None:
        # once more after each time: another thread may have delivered what is older meanwhile
        while new := [out for out in self._hub.assignments() if self._retained.get(out.topic) != out.payload]:
            for out in new:
                self._deliver(out)

    def _deliver(self, out: Outgoing) -> None:
        with self._lock:
            if out.retained:
                self._retained[out.topic] = out.payload
            if out.topic in self._listening:
                self._listening[out.topic](MessageReceived(out.topic, out.payload, out.retained))


class DirectSession:
    """As `controller.link.mqtt.Session`: `tell` must return at once."""

    def __init__(self, direct: DirectTransport, tell: Tell) -> None:
        self._direct = direct
        self._tell = tell
        self._numbers = count(1)

    def subscribe(self, topics: Mapping[str, int]) -> None:
        """Have what comes under these topics told."""
        self._direct.listen(topics, self._tell)

    def publish(self, topic: str, payload: bytes, *, qos: Literal[0, 1] = 0, retain: bool = False) -> int:
        """Hand it to the hub; it has it when this returns."""
        self._direct.bring(topic, payload)
        number = next(self._numbers)
        if qos:
            self._tell(Acknowledged(number))
        return number

    def close(self) -> None:
        """There is nothing to end."""
