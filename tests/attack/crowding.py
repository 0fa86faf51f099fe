"""Who takes every place, and who fills the log."""

import random
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from pathlib import Path

from tests.attack.many import addresses, at_once
from tests.attack.outcome import Outcome
from tests.attack.targets import Hub, Program, Table
from tests.loopback import answered, ask, connect, request, send

SLOWLY = b"GET / HTTP/1.1\r\nHost: table.local\r\nX: "
STREAM = b"GET /events HTTP/1.1\r\nHost: table.local\r\n\r\n"

SPOILT = 600
"""Requests that are spoilt at random, besides those below."""


def crowding(folder: Path, scale: float) -> Iterator[Outcome]:
    """All of it, against a table and a hub."""
    for kind in (Table, Hub):
        name = kind.__name__.lower()
        with kind(folder / name) as target:
            yield slow_connections(target, int(500 * max(scale, 0.95)), name)
            yield streams(target, 225 if name == "table" else 350, name)
            if isinstance(target, Table):
                yield flood(target)
            yield log_stays_small(target, scale, name)


def held(target: Program, me: str, data: bytes, count: int) -> list[socket.socket]:
    """So many connections of an address that stay open."""
    found = []
    for _ in range(count):
        with suppress(OSError):
            connection = connect(target.target, me)
            connection.sendall(data)
            found.append(connection)
    return found


def let_go(connections: list[socket.socket]) -> None:
    for connection in connections:
        connection.close()


def slow_connections(target: Program, count: int, name: str) -> Outcome:
    """Two addresses hold as many connections as they get and ask for nothing."""
    taken = [one for me in ("127.30.0.1", "127.30.0.2") for one in held(target, me, SLOWLY, count)]
    try:
        jobs = [partial(ask, target.target, "GET", target.answers, me=me) for me in addresses(31, 30)]
        served = sum(answer.status == 200 for answer in at_once(jobs))
    finally:
        let_go(taken)
    return Outcome(f"{name}: thirty others, while two addresses hold 2 x {count} connections", 30, served)


def streams(target: Program, count: int, name: str) -> Outcome:
    """Two addresses listen as often as they may."""
    taken = [one for me in ("127.32.0.1", "127.32.0.2") for one in held(target, me, STREAM, count)]
    others: list[socket.socket] = []
    served = 0
    try:
        time.sleep(0.5)
        for me in addresses(33, 30):
            with suppress(OSError):
                others += [connection := connect(target.target, me)]
                connection.sendall(STREAM)
                served += answered(connection).status == 200
    finally:
        let_go(taken + others)
    return Outcome(f"{name}: thirty others listen, while two addresses hold 2 x {count} streams", 30, served)


def flood(table: Table) -> Outcome:
    """Two addresses ask over a hundred connections, each for more before it has its answer; a scorer gives commands."""
    entered = table.login(table.pin, "127.35.0.1")
    headers = {"Cookie": entered.cookies(), "X-CSRF-Token": entered.json["token"]}
    over = threading.Event()

    def greedy(me: str) -> None:
        with suppress(OSError), connect(table.target, me) as connection:
            while not over.is_set():
                connection.sendall(request("GET", table.answers, connection="keep-alive") * 3)
                connection.recv(1 << 20)

    def command() -> int:
        return ask(table.target, "POST", "/api/command", me="127.35.0.1", headers=headers, body={"do": "resume"}).status

    with ThreadPoolExecutor(100) as pool:
        crowd = [pool.submit(greedy, me) for _ in range(50) for me in ("127.36.0.1", "127.36.0.2")]
        time.sleep(1)
        began = time.monotonic()
        served = sum(command() in (200, 400, 409) for _ in range(20))
        took = time.monotonic() - began
        over.set()
        wait(crowd)
    held = served if took < 20 else 0
    return Outcome("table: a scorer's commands, while two addresses flood it", 20, held, f"in {took:.1f} s together")


def log_stays_small(target: Program, scale: float, name: str) -> Outcome:
    """Requests that are none, or that nobody foresaw."""
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    before, began = len(target.log()), time.monotonic()
    bad = list(nonsense(dice, int(SPOILT * scale)))
    statuses = [answer.status for answer in at_once([partial(send, target.target, data, "127.34.0.1") for data in bad])]
    faults = statuses.count(500)
    grown = len(target.log()) - before
    alive = ask(target.target, "GET", target.answers, me="127.34.0.2").status == 200
    figure = f"{faults} faults, {grown} bytes of log in {time.monotonic() - began:.0f} s, seed {seed}"
    return Outcome(f"{name}: nonsense", len(bad), len(bad) - faults if grown < 5000 and alive else 0, figure)


def nonsense(dice: random.Random, spoilt: int) -> Iterator[bytes]:
    """Headers that are too many, too long or none; names, addresses, cookies and numbers that can't be; spoilt ones."""
    many = {f"X-{n}": "x" for n in range(101)}
    yield from [request("GET", "/", many)] * 40
    for name in (
        "Origin",
        "Host",
        "Cookie",
        "If-None-Match",
        "Accept-Language",
        "Authorization",
        "Last-Event-ID",
        "Range",
        "Sec-Fetch-Site",
        "Accept-Encoding",
        "X-CSRF-Token",
        "Content-Length",
        "Transfer-Encoding",
        "Connection",
        "Upgrade",
        "Expect",
        "Forwarded",
    ):
        for value in ("http://[", "[", "\x80\xff", "x" * 9000, "", ";;==", "bytes=9-1", "-1", "9" * 400, "chunked"):
            for method, path in (("POST", "/api/session"), ("GET", "/"), ("GET", "/api/v1/state")):
                yield request(method, path, {name: value}, {} if method == "POST" else None)
    for body in (
        b'{"pin": 1e999}',
        b'{"pin": NaN}',
        b"[" * 9000,
        b'{"pin": "\\ud800"}',
        b"\xff",
        b'{"a": 1' + b"0" * 5000,
    ):
        yield request("POST", "/api/session", {}, body)
        yield request("POST", "/api/session", {}, body + b"}")
    for path in (
        "/%ff%00",
        "/picture/%2e%2e",
        "/api/v1/matches?before=9999999999",
        "/api/v1/matches/" + "9" * 30,
        "/review/" + "9" * 30,
        "/clip/%00",
        "//[",
        "/let-in/%ff",
        "/evenings/%ff/%00",
        "/board/%ff/x",
        "/qr.svg?board=" + "x" * 4000 + "&code=x",
        "/events?language=%ff",
    ):
        yield request("GET", path)
    sound = request("POST", "/api/session", {"Cookie": "crokinole=a.b.c"}, {"pin": "x"})
    for _ in range(spoilt):
        data = bytearray(sound)
        for _ in range(dice.randrange(1, 4)):
            at = dice.randrange(len(data))
            data[at : at + dice.randrange(3)] = bytes(dice.choices(b"\0 \r\n:/.1Tx[\xff", k=dice.randrange(3)))
        yield bytes(data) + b"\r\n\r\n"
