"""One session with an MQTT broker. The only module that knows the client's library, which is paho's."""

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

from controller.link.text import LARGEST

PORTS = {"mqtt": 1883, "mqtts": 8883}
CONNECT = 5.0  # s until a broker has to answer
KEEPALIVE = 20  # s of silence after which each side asks whether the other is there; the will follows after 1.5 of them

Protocol = Literal[5, 3]
"""MQTT 5, or 3.1.1 for a broker that does not speak it."""


class Away(Exception):
    """There is no session: the broker does not answer, or it refuses. `refused`: it will as long as nothing changes."""

    def __init__(self, why: str, *, refused: bool = False) -> None:
        super().__init__(why)
        self.refused = refused


class OldBroker(Away):
    """It does not speak MQTT 5."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where a broker is, and this account there. `certificate`: PEM of the authority that signed its certificate."""

    host: str
    port: int
    tls: bool
    user: str
    password: str = field(repr=False)
    certificate: str | None = None

    @classmethod
    def at(cls, url: str, user: str, password: str, certificate: str | None = None) -> Self:
        """By an address as `mqtts://host:8883`. Raises `ValueError`."""
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
        """Where that is, for people."""
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Came:
    """A message came; `retained`: the broker had kept it."""

    topic: str
    payload: bytes
    retained: bool


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The broker has a message that was published with QoS 1; `refused`: it did not take it, and why."""

    message: int
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The session is over, and why."""

    why: str


Happened = Came | Acknowledged | Ended


class Session:
    """A session from its opening to its end; nothing of it is left for the next one.

    `tell` is called on the session's own thread and may make it wait: then the broker waits too.
    """

    def __init__(
        self,
        broker: Broker,
        client: str,
        tell: Callable[[Happened], None],
        *,
        will: tuple[str, bytes] | None = None,
        protocol: Protocol = 5,
        expiry: int = 0,
    ) -> None:
        """Connect. `client` is the session's name: another session of this name ends this one. `will` is retained.

        `expiry`: for how many s the broker keeps what comes while nobody is connected. Raises `Away`.
        """
        self._tell = tell
        self._answer: ReasonCode | None = None
        self._answered, self._over = threading.Event(), threading.Event()
        self._client = self._made(client, protocol, clean=expiry == 0)
        self._client.username_pw_set(broker.user, broker.password)
        if will is not None:
            self._client.will_set(*will, qos=1, retain=True)
        self._connect(broker, protocol, expiry)

    def _made(self, client: str, protocol: Protocol, *, clean: bool) -> paho.Client:
        version = MQTTProtocolVersion.MQTTv5 if protocol == 5 else MQTTProtocolVersion.MQTTv311
        made = paho.Client(
            CallbackAPIVersion.VERSION2,
            client,
            clean_session=None if protocol == 5 else clean,
            protocol=version,
            reconnect_on_failure=False,
        )
        made.connect_timeout = CONNECT
        made.on_connect = self._on_connect
        made.on_disconnect = self._on_disconnect
        made.on_publish = self._on_publish
        made.on_message = self._on_message
        return made

    def _connect(self, broker: Broker, protocol: Protocol, expiry: int) -> None:
        tls = _Tls(ssl.PROTOCOL_TLS_CLIENT) if broker.tls else None  # it demands a certificate for this host
        try:
            if tls is not None:
                tls.trust(broker.certificate)
                self._client.tls_set_context(tls)
            wanted = Properties(PacketTypes.CONNECT) if protocol == 5 else None  # type: ignore[no-untyped-call]
            if wanted is not None:
                wanted.SessionExpiryInterval = expiry
                wanted.MaximumPacketSize = 2 * LARGEST
            clean: Any = expiry == 0 if protocol == 5 else paho.MQTT_CLEAN_START_FIRST_ONLY
            self._client.connect(broker.host, broker.port, KEEPALIVE, clean_start=clean, properties=wanted)
        except (OSError, ValueError) as error:
            if tls is not None:
                tls.close()
            raise Away(_reason(error), refused=isinstance(error, ssl.SSLCertVerificationError)) from error
        self._client.loop_start()
        self._answered.wait(CONNECT)
        if self._answer is None or self._answer.is_failure:
            self.close()
            self._refuse(protocol)

    def _refuse(self, protocol: Protocol) -> None:
        if self._answer is None:  # an old broker may hang up at once when it is asked for MQTT 5
            raise OldBroker("no answer") if protocol == 5 and self._over.is_set() else Away("no answer")
        word = str(self._answer)
        if protocol == 5 and word == "Unsupported protocol version":
            raise OldBroker(word)
        raise Away(word, refused=word in ("Bad user name or password", "Not authorized", "Client identifier not valid"))

    def subscribe(self, topics: Mapping[str, int]) -> None:
        """Have what is published under these topics told, with at most this quality of service."""
        self._client.subscribe(list(topics.items()))

    def publish(self, topic: str, payload: bytes, *, qos: Literal[0, 1] = 0, retain: bool = False) -> int:
        """Send it; with QoS 1, `Acknowledged` tells this number when the broker has it. Any thread."""
        return self._client.publish(topic, payload, qos, retain).mid

    def close(self) -> None:
        """End it in order: the broker sends no will. Safe to call twice, not on the session's own thread."""
        self._client.disconnect()
        if not self._over.wait(2.0):
            held = self._client.socket()
            if held is not None:
                _hang_up(held)
        self._client.loop_stop()

    def drop(self) -> None:
        """End it as a lost network does."""
        held = self._client.socket()
        if held is not None:
            _hang_up(held)
        self._client.loop_stop()

    # on the session's own thread

    def _on_connect(self, _c: Any, _u: Any, _f: Any, code: ReasonCode, _p: Any) -> None:
        self._answer = code
        self._answered.set()

    def _on_disconnect(self, _c: Any, _u: Any, _f: Any, code: ReasonCode, _p: Any) -> None:
        self._over.set()
        self._answered.set()
        if self._answer is not None and not self._answer.is_failure:
            self._tell(Ended(str(code)))

    def _on_publish(self, _c: Any, _u: Any, message: int, code: ReasonCode, _p: Any) -> None:
        self._tell(Acknowledged(message, str(code) if code.is_failure else None))

    def _on_message(self, _c: Any, _u: Any, message: paho.MQTTMessage) -> None:
        self._tell(Came(message.topic, bytes(message.payload), message.retain))


class _Tls(ssl.SSLContext):
    """Closes the socket of a handshake that fails, which the library leaves open."""

    _made: ssl.SSLSocket | None = None

    def trust(self, certificate: str | None) -> None:
        """This authority alone, or those that the system trusts. Raises `OSError` or `ValueError`."""
        if certificate is None:
            self.load_default_certs()
        else:
            self.load_verify_locations(cadata=certificate)

    def wrap_socket(self, *arguments: Any, **named: Any) -> ssl.SSLSocket:
        """See `ssl.SSLContext`."""
        self._made = super().wrap_socket(*arguments, **named)
        return self._made

    def close(self) -> None:
        """Close what was made, if anything was."""
        if self._made is not None:
            self._made.close()


def _hang_up(held: Any) -> None:
    try:
        held.shutdown(socket.SHUT_RDWR)
    except OSError:
        held.close()


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not accepted: {error.verify_message}"
    return str(getattr(error, "strerror", None) or error)[:200]
