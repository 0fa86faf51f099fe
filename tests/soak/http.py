"""As much HTTP as the crowd needs, on gevent's sockets: many clients in one process, each with its own address."""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

from gevent import Timeout, socket

Address = tuple[str, int]

LONGEST = 30.0
"""Seconds until a request is given up: more than the table itself may take for a command on a full disk."""

NAME = "table.local"
"""By which the crowd calls the table: under a loopback name it takes them for its own screen, which needs no PIN."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer; status 0 when there was none."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


def connect(table: Address, me: str = "127.0.0.1", buffer: int | None = None) -> Any:
    """A connection from one of this machine's own addresses, 127.x.y.z. Raises `OSError`."""
    connection = socket.socket()
    try:
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.settimeout(LONGEST)
        connection.bind((me, 0))
        connection.connect(table)
    except BaseException:
        connection.close()
        raise
    return connection


def ask(
    table: Address,
    method: str,
    path: str,
    *,
    me: str = "127.0.0.1",
    headers: Mapping[str, str] | None = None,
    body: Any = None,
) -> Answer:
    """One request on a connection of its own, and its answer."""
    with suppress(OSError, EOFError, ValueError), Timeout(LONGEST, False), closing(connect(table, me)) as connection:
        connection.sendall(request(method, path, {"Connection": "close", **(headers or {})}, body))
        reader = connection.makefile("rb")
        status, told = head(reader)
        return Answer(status, told, reader.read(int(told["content-length"])) if "content-length" in told else b"")
    return Answer()


def request(method: str, path: str, headers: Mapping[str, str], body: Any = None) -> bytes:
    """The bytes of a request; a body is sent as JSON."""
    data = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: {NAME}", *(f"{name}: {value}" for name, value in headers.items())]
    if data:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    return "\r\n".join([*lines, "", ""]).encode() + data


def head(reader: Any) -> tuple[int, dict[str, str]]:
    """Status and headers of an answer; of several cookies all, separated by line ends."""
    first = reader.readline().split()
    if len(first) < 2:
        raise EOFError
    told: dict[str, str] = {}
    while line := reader.readline().decode("latin-1").strip():
        name, _, value = line.partition(":")
        name = name.lower()
        told[name] = f"{told[name]}\n{value.strip()}" if name in told else value.strip()
    return int(first[1]), told


def messages(reader: Any) -> Iterator[tuple[int, bytes]]:
    """The states of an event stream, each with its id, as they arrive; ends where the stream does."""
    pending = b""
    while (size := reader.readline().strip()) and (length := int(size, 16)):
        pending += reader.read(length)
        reader.read(2)
        while b"\n\n" in pending:
            message, _, pending = pending.partition(b"\n\n")
            if message.startswith(b"id: "):
                number, _, data = message[4:].partition(b"\ndata: ")
                yield int(number), data
