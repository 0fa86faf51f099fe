"""HTTP by hand on plain sockets, from any of this machine's addresses 127.x.y.z: the soak's crowd and the attackers."""

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field

PATIENCE = 60.0  # s until an answer is given up: a busy machine is no fault of the program's
NAME = "table.local"
"""By which the table is called. Under a loopback name it takes a caller for its own screen, which needs no PIN."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer; status 0 where there was none. Of several cookies all, separated by line ends."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self):
        return json.loads(self.body)

    def cookies(self):
        """The cookies that it sets, as the next request sends them."""
        return "; ".join(line.partition(";")[0] for line in self.headers.get("set-cookie", "").splitlines())


def connect(target, me="127.0.0.1", *, buffer=None, sockets=socket):
    """A connection from one of this machine's addresses. Raises `OSError`."""
    made = sockets.socket()
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if buffer:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        made.settimeout(PATIENCE)
        made.bind((me, 0))
        made.connect(target)
    except BaseException:
        made.close()
        raise
    return made


def send(target, data, me="127.0.0.1", sockets=socket):
    """What comes back for these bytes."""
    try:
        with connect(target, me, sockets=sockets) as connection:
            connection.sendall(data)
            return answered(connection)
    except (OSError, ValueError):  # nobody, or somebody who speaks something else
        return Answer()


def answered(connection):
    """Read to the end of one answer; of a stream the head alone. Raises `OSError`."""
    reader = connection.makefile("rb")
    status, headers = head(reader)
    if "text/event-stream" in headers.get("content-type", ""):
        return Answer(status, headers)
    length = headers.get("content-length")
    return Answer(status, headers, reader.read() if length is None else reader.read(int(length)))


def head(reader):
    """Status and headers of an answer. Raises `OSError`."""
    first = reader.readline().split()
    if len(first) < 2:
        raise ConnectionResetError("no answer")
    headers = {}
    while line := reader.readline().decode("latin-1").strip():
        name, _, value = line.partition(":")
        name = name.lower()
        headers[name] = f"{headers[name]}\n{value.strip()}" if name in headers else value.strip()
    return int(first[1]), headers


def events(reader):
    """The events of a stream as a browser reads them, and its comments under the empty name, from after the answer's
    head; ends where the stream does."""
    pending = b""
    while (size := reader.readline().strip()) and (length := int(size, 16)):
        pending += reader.read(length)
        reader.read(2)
        while b"\n\n" in pending:
            event, _, pending = pending.partition(b"\n\n")
            yield dict(line.partition(": ")[::2] for line in event.decode().split("\n"))


def request(
    method,
    path,
    headers=None,
    body=None,
    host=NAME,
    connection="close",
):
    """The bytes of a request; a body that is none is sent as JSON."""
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Connection: {connection}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + data


def ask(
    target,
    method,
    path,
    *,
    me="127.0.0.1",
    headers=None,
    body=None,
    host=NAME,
    sockets=socket,
):
    """One request on a connection of its own."""
    return send(target, request(method, path, headers, body, host), me, sockets)
