"""Who takes every place."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial

from tests.attack.many import addresses, at_once
from tests.attack.outcome import Outcome
from tests.attack.targets import Hub, Table
from tests.loopback import answered, ask, connect, request

SLOWLY = b"GET / HTTP/1.1\r\nHost: table.local\r\nX: "
STREAM = b"GET /events HTTP/1.1\r\nHost: table.local\r\n\r\n"


def crowding(folder, scale):
    """All of it, against a table and a hub."""
    for kind in (Table, Hub):
        name = kind.__name__.lower()
        with kind(folder / name) as target:
            yield slow_connections(target, int(500 * max(scale, 0.95)), name)
            yield streams(target, 225 if name == "table" else 350, name)
            if isinstance(target, Table):
                yield flood(target)


def held(target, me, data, count):
    """So many connections of an address that stay open."""
    found = []
    for _ in range(count):
        with suppress(OSError):
            connection = connect(target.target, me)
            connection.sendall(data)
            found.append(connection)
    return found


def let_go(connections):
    for connection in connections:
        connection.close()


def slow_connections(target, count, name):
    """Two addresses hold as many connections as they get and ask for nothing."""
    taken = [one for me in ("127.30.0.1", "127.30.0.2") for one in held(target, me, SLOWLY, count)]
    try:
        jobs = [partial(ask, target.target, "GET", target.answers, me=me) for me in addresses(31, 30)]
        served = sum(answer.status == 200 for answer in at_once(jobs))
    finally:
        let_go(taken)
    return Outcome(f"{name}: thirty others, while two addresses hold 2 x {count} connections", 30, served)


def streams(target, count, name):
    """Two addresses listen as often as they may."""
    taken = [one for me in ("127.32.0.1", "127.32.0.2") for one in held(target, me, STREAM, count)]
    others = []
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


def flood(table):
    """Two addresses ask over a hundred connections, each for more before it has its answer; a scorer gives commands."""
    entered = table.login(table.pin, "127.35.0.1")
    headers = {"Cookie": entered.cookies(), "X-CSRF-Token": entered.json["token"]}
    over = threading.Event()

    def greedy(me):
        with suppress(OSError), connect(table.target, me) as connection:
            while not over.is_set():
                connection.sendall(request("GET", table.answers, connection="keep-alive") * 3)
                connection.recv(1 << 20)

    def command():
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
