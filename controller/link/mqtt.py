"""One session with an MQTT broker: the only module that imports the client library, paho."""

import re
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.link import LARGEST

PORTS = {"mqtt": 1883, "mqtts": 8883}
CONNECT = 5.0  # s for a broker to answer
KEEPALIVE = 20  # s of silence before a ping; the broker publishes the will after 1.5 times that
Protocol = Literal[5, 3]  # MQTT 5, or 3.1.1 for an older broker


class BrokerUnavailable(Exception):
    """There is no session: the broker does not answer, or refuses one. `refused`: retrying alone will not help."""

    def __init__(self, why: str, *, refused: bool = False) -> None:
        super().__init__(why)
        self.refused = refused


class _OldBroker(BrokerUnavailable):
    """The broker does not speak MQTT 5."""


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker's address, and an account there. `certificate`: PEM of the authority that signed its certificate."""

    host: str
    port: int
    tls: bool
    user: str
    password: str = field(repr=False)
    certificate: str | None = None

    @classmethod
    def at(cls, url: str, user: str, password: str, certificate: str | None = None) -> Self:
        """From a URL such as `mqtts://host:8883`. Raises `ValueError`."""
        found = re.fullmatch(r"(mqtts?)://(?:\[([0-9A-Fa-f:.]+)\]|([^\s\[\]:/@]+))(?::([0-9]{1,5}))?/?", url)
        if found is None or int(found[4] or 0) > 65_535:
            raise ValueError("the broker's address is like mqtt://laptop.local:1883, or mqtts:// with TLS")
        return cls(
            found[2] or found[3],
            int(found[4] or PORTS[found[1]]),
            found[1] == "mqtts",
            user,
            password,
            certificate,
        )

    @property
    def place(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class MessageReceived:
    """A message; `retained`: the broker had stored it."""

    topic: str
    payload: bytes
    retained: bool


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The broker's answer to a message published with QoS 1; `refused`: why it rejected it, if it did."""

    message: int
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The session is over, and why."""

    why: str


SessionEvent = MessageReceived | Acknowledged | SessionEnded


class Session:
    """A clean session, from connecting to its end. `listener` is called on the session's own thread; while it blocks,
    the broker waits too."""

    def __init__(
        self,
        broker: Broker,
        client: str,
        listener: Callable[[SessionEvent], None],
        *,
        will: tuple[str, bytes] | None = None,
        protocol: Protocol = 5,
    ) -> None:
        """Connect, first by `protocol`. Another session with the same `client` id ends this one. `will` is retained.
        Raises `BrokerUnavailable`."""
        self._listener = listener
        try:
            self._connect(broker, client, will, protocol)
        except _OldBroker:
            self._connect(broker, client, will, 3)

    def _create_client(self, name: str, protocol: Protocol) -> paho.Client:
        client = paho.Client(
            CallbackAPIVersion.VERSION2,
            name,
            clean_session=None if protocol == 5 else True,
            protocol=MQTTProtocolVersion.MQTTv5 if protocol == 5 else MQTTProtocolVersion.MQTTv311,
            reconnect_on_failure=False,
        )
        client.connect_timeout = CONNECT
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        client.on_message = self._on_message
        return client

    def _connect(self, broker: Broker, client: str, will: tuple[str, bytes] | None, protocol: Protocol) -> None:
        self._answer: ReasonCode | None = None
        self._answered, self._over = threading.Event(), threading.Event()
        self._client = self._create_client(client, protocol)
        self._client.username_pw_set(broker.user, broker.password)
        if will is not None:
            self._client.will_set(*will, qos=1, retain=True)
        tls = _Tls(ssl.PROTOCOL_TLS_CLIENT) if broker.tls else None  # it requires a certificate for this host
        try:
            if tls is not None:
                tls.trust(broker.certificate)
                self._client.tls_set_context(tls)
            wanted = Properties(PacketTypes.CONNECT) if protocol == 5 else None  # type: ignore[no-untyped-call]
            if wanted is not None:
                wanted.SessionExpiryInterval = 0
                wanted.MaximumPacketSize = 2 * LARGEST
            clean: Any = True if protocol == 5 else paho.MQTT_CLEAN_START_FIRST_ONLY
            self._client.connect(broker.host, broker.port, KEEPALIVE, clean_start=clean, properties=wanted)
        except (OSError, ValueError) as error:
            if tls is not None:
                tls.close()
            raise BrokerUnavailable(_reason(error), refused=isinstance(error, ssl.SSLCertVerificationError)) from error
        self._client.loop_start()
        self._answered.wait(CONNECT)
        if self._answer is None or self._answer.is_failure:
            self.close()
            self._raise_refusal(protocol)

    def _raise_refusal(self, protocol: Protocol) -> None:
        if self._answer is None:  # an old broker may hang up at once when it is asked for MQTT 5
            raise _OldBroker("no answer") if protocol == 5 and self._over.is_set() else BrokerUnavailable("no answer")
        word = str(self._answer)
        if protocol == 5 and word == "Unsupported protocol version":
            raise _OldBroker(word)
        final = word in ("Bad user name or password", "Not authorized", "Client identifier not valid")
        raise BrokerUnavailable(word, refused=final)

    def subscribe(self, topics: Mapping[str, int]) -> None:
        """Receive messages under these topics, each with at most this quality of service."""
        self._client.subscribe(list(topics.items()))

    def publish(self, topic: str, payload: bytes, *, qos: Literal[0, 1] = 0, retain: bool = False) -> int:
        """Send it. With QoS 1, `Acknowledged` carries the returned number once the broker has it. Any thread."""
        return self._client.publish(topic, payload, qos, retain).mid

    def close(self) -> None:
        """Disconnect; the broker sends no will. Safe to call twice, not on the session's own thread."""
        self._client.disconnect()
        if not self._over.wait(2.0):
            self._hang_up()
        self._client.loop_stop()

    def drop(self) -> None:
        """End it like a lost network, for tests: the broker sends the will."""
        self._hang_up()
        self._client.loop_stop()

    def _hang_up(self) -> None:
        connection: Any = self._client.socket()
        if connection is not None:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                connection.close()

    # on the session's own thread

    def _on_connect(self, _c: Any, _u: Any, _f: Any, code: ReasonCode, _p: Any) -> None:
        self._answer = code
        self._answered.set()

    def _on_disconnect(self, _c: Any, _u: Any, _f: Any, code: ReasonCode, _p: Any) -> None:
        self._over.set()
        self._answered.set()
        if self._answer is not None and not self._answer.is_failure:
            self._listener(SessionEnded(str(code)))

    def _on_publish(self, _c: Any, _u: Any, message: int, code: ReasonCode, _p: Any) -> None:
        self._listener(Acknowledged(message, str(code) if code.is_failure else None))

    def _on_message(self, _c: Any, _u: Any, message: paho.MQTTMessage) -> None:
        self._listener(MessageReceived(message.topic, bytes(message.payload), message.retain))


class _Tls(ssl.SSLContext):
    """Closes the socket of a failed handshake, which the library leaves open."""

    _wrapped: ssl.SSLSocket | None = None

    def trust(self, certificate: str | None) -> None:
        """Trust this authority alone, or those that the system trusts. Raises `OSError` or `ValueError`."""
        if certificate is None:
            self.load_default_certs()
        else:
            self.load_verify_locations(cadata=certificate)

    def wrap_socket(self, *arguments: Any, **named: Any) -> ssl.SSLSocket:
        self._wrapped = super().wrap_socket(*arguments, **named)
        return self._wrapped

    def close(self) -> None:
        if self._wrapped is not None:
            self._wrapped.close()


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    return str(getattr(error, "strerror", None) or error)[:200]
