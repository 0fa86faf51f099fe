"""HTTP by hand on plain sockets, from any of this machine's addresses 127.x.y.z."""

import json
import socket
import ssl
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

Target = tuple[str, int]

PATIENCE = 60.0  # s until an answer is given up: a busy machine is no fault of the program's

AT_ONCE = 24
"""Requests under way at one time: what one laptop does without haste."""


@dataclass(frozen=True)
class Answer:
    """An answer; status 0 where there was none."""

    status: int = 0
    head: str = ""
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def cookies(self) -> str:
        """The cookies that it sets, as the next request sends them."""
        set_ = [
            line[12:].partition(";")[0] for line in self.head.split("\r\n") if line.lower().startswith("set-cookie: ")
        ]
        return "; ".join(set_)

    def header(self, name: str) -> str:
        """A header; empty where it is missing."""
        for line in self.head.split("\r\n"):
            key, _, value = line.partition(": ")
            if key.lower() == name.lower():
                return value
        return ""


def opened(target: Target, me: str = "127.0.0.1", tls: bool = False) -> socket.socket:
    """A connection from one of this machine's addresses; with `tls` it trusts anybody."""
    made = socket.socket()
    made.settimeout(PATIENCE)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((me, 0))
        made.connect(target)
        if tls:
            anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            anybody.check_hostname = False
            anybody.verify_mode = ssl.CERT_NONE
            made = anybody.wrap_socket(made)
    except BaseException:
        made.close()
        raise
    return made


def send(target: Target, data: bytes, me: str = "127.0.0.1", tls: bool = False) -> Answer:
    """What comes back for these bytes."""
    try:
        with opened(target, me, tls) as connection:
            connection.sendall(data)
            return answered(connection)
    except (OSError, ValueError):  # nobody, or somebody who speaks something else
        return Answer()


def answered(connection: socket.socket) -> Answer:
    """Read to the end of one answer."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        more = connection.recv(65536)
        if not more:
            return Answer()
        heard += more
    head, _, body = heard.partition(b"\r\n\r\n")
    answer = Answer(int(head[9:12]), head.decode("latin-1"), body)
    if "text/event-stream" in answer.header("content-type"):
        return answer
    length = answer.header("content-length")
    while not length or len(body) < int(length):
        more = connection.recv(65536)
        if not more:
            break
        body += more
    return Answer(answer.status, answer.head, body)


def request(
    method: str, path: str, headers: Mapping[str, str] | None = None, body: Any = None, host: str = "table.local"
) -> bytes:
    """The bytes of a request."""
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + data


def ask(
    target: Target,
    method: str,
    path: str,
    *,
    me: str = "127.0.0.1",
    headers: Mapping[str, str] | None = None,
    body: Any = None,
    host: str = "table.local",
    tls: bool = False,
) -> Answer:
    """One request on a connection of its own."""
    return send(target, request(method, path, headers, body, host), me, tls)


def addresses(network: int, count: int) -> Iterator[str]:
    """So many addresses of this machine, 127.N.x.y."""
    for number in range(count):
        yield f"127.{network}.{number // 250}.{number % 250 + 1}"


def at_once(jobs: list[Any]) -> list[Any]:
    """The results of calls without arguments, many of them under way at one time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda job: job(), jobs))
