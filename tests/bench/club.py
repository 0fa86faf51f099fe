"""Sixty tables and a thousand viewers over two processes of a hub, with the real PostgreSQL.

Not among the benchmarks that run by themselves: `MINUTES=10 TABLES=60 VIEWERS=1000 python -m tests.bench club`. While
it plays, a table has an event every 20 s on the mean, as one whose shots are all seen; here each is a round. Between
two rounds of the tournament it waits for the others. Each minute says how many events were committed so far and how
much memory each hub has. The time from a table's commit to a page is by one steady clock, that of the machine. Figures
are of the time after everybody has come.
"""

import os
import pickle
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np

from controller.club.hub.message_intake import OutOfStep
from controller.club.simulated_evening import SimulatedClubTable
from controller.match.club import ASSIGNMENT, EVENTS, Have, parse
from tests.attack.targets import Hub
from tests.controller.club import postgres
from tests.loopback import ask

MINUTES = float(os.environ.get("MINUTES", "10"))
TABLES = int(os.environ.get("TABLES", "60"))
VIEWERS = int(os.environ.get("VIEWERS", "1000"))
HUBS = int(os.environ.get("HUBS", "2"))
POLL = 0.05  # s
REPORT = 60.0  # s between two reports without news (docs/club-protocol.md)
EVERY = float(os.environ.get("EVERY", "20"))  # s between two events of a table, on the mean
SETTLED = 30.0  # s until everybody has come
LOOK = 1.0  # s between two looks of the organiser
CONFLICT = 409
TICKS = os.sysconf("SC_CLK_TCK")

Figure = tuple[str, float, str]


class HttpHub:
    """A hub for one table, over HTTP."""

    def __init__(self, port: int, token: str) -> None:
        self._url = f"http://127.0.0.1:{port}"
        self._headers = {"Authorization": f"Bearer {token}"}
        self.assignment = b'{"match": null}'
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with urlopen(Request(self._url + ASSIGNMENT, headers=self._headers), timeout=30.0) as stream:
            for line in stream:
                if line.startswith(b"data: "):
                    self.assignment = line.removeprefix(b"data: ")

    def receive(self, table: str, payload: bytes) -> Have:
        try:
            with urlopen(Request(self._url + EVENTS, payload, self._headers), timeout=30.0) as answer:
                return parse(Have, answer.read())
        except HTTPError as error:
            if error.code == CONFLICT:
                raise OutOfStep(parse(Have, error.read())) from error
            raise


class TimedTable(SimulatedClubTable):
    """A table that knows when each of its events was committed, by what a page shows of it."""

    def __init__(self, id: str, seed: int, hub: HttpHub) -> None:
        super().__init__(id, seed)
        self._hub = hub
        self.committed: dict[str, float] = {}

    def step(self) -> bool:
        """See `SimulatedClubTable`."""
        if not (done := super().step()):
            return False
        assert self.next is not None
        state = self.state
        assert state is not None
        assignment = state.started.assignment or ""
        key = f"{assignment.split(':')[1]} over" if state.over else f"{assignment} {state.last_id}"
        self.committed[key] = time.monotonic()
        return done

    def play(self, stopping: threading.Event) -> None:
        """Play until stopped, on a thread of its own."""
        dice, reported = Random(f"pace {self.id}"), -REPORT
        while not stopping.wait(POLL):
            self.assigned(self._hub.assignment)
            if (dice.random() < POLL / EVERY and self.step()) or time.monotonic() - reported > REPORT:
                self.report(self._hub)  # type: ignore[arg-type]
                reported = time.monotonic()


class Organiser:
    """Somebody at a hub's own screen."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self._session = hub, hub.login(None, "")

    def ask(self, path: str, body: object) -> Any:
        """The answer; None where it is refused, since the page was not the newest."""
        answer = self._hub.post(self._session, path, body)
        assert answer.status in (200, CONFLICT), answer
        return answer.json if answer.status == 200 else None

    def begin(self, tables: list[str]) -> None:
        for id in tables:
            assert self.ask("/api/tables", {"name": f"Table {id}", "by_hand": False})["id"] == id
        players = [f"Player {k}" for k in range(1, 2 * len(tables) + 1)]
        body = {"title": "Bench", "format": "round-robin", "boards": tables, "players": players, "doubles": False}
        self.ask("/api/begin", body)

    def go_on(self) -> None:
        """Pair the next round where one is over. What is refused is tried again."""
        over = ask(self._hub.target, "GET", "/api/evening").json["open"] == 0
        if over and (plan := self.ask("/api/plan", {"actions": [{"do": "next_round"}]})):
            self.ask("/api/confirm", {"actions": plan["actions"], "token": plan["token"]})

    def table(self, hub: Hub, id: str, seed: int) -> TimedTable:
        """This table, joined, at one of the hubs."""
        code = self.ask("/api/join-code", {"table": id})["code"]
        joined = self.ask("/api/v1/club/join", {"code": code})
        return TimedTable(id, seed, HttpHub(hub.port, joined["token"]))


def spent(pid: int) -> float:
    """Processor time of a process and of its children that have ended, in s."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def memory(pid: int) -> float:
    """Of a process, in MB."""
    found = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(found.split()[1]) / 1024


def idle() -> float:
    """Seconds that all processors had nothing to do."""
    return int(Path("/proc/stat").read_text().split()[4]) / TICKS


def server_of(folder: Path) -> list[int]:
    """The processes of the PostgreSQL in a folder."""
    parent = (folder / "data" / "postmaster.pid").read_text().split()[0]
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(parent), *map(int, children)]


def run() -> list[Figure]:
    """(name, value, unit) for each figure."""
    with (
        TemporaryDirectory(prefix="pg", dir="/tmp") as database,  # a short path, for its socket
        TemporaryDirectory(prefix="crokinole-") as folder,
        postgres.cluster(Path(database), synchronised=True) as url,
    ):
        return _with_database(Path(folder), url, Path(database))


def _with_database(folder: Path, url: str, database: Path) -> list[Figure]:
    class OnPostgres(Hub):
        text = Hub.text.replace("{data}", str(folder / "hub")).replace("[web]", f'database = "{url}"\n[web]')

    tables = [str(k) for k in range(1, TABLES + 1)]
    hubs = [OnPostgres(folder / str(k)) for k in range(HUBS)]
    with ExitStack() as running:
        running.enter_context(hubs[0])
        organiser = Organiser(hubs[0])
        organiser.begin(tables)
        for hub in hubs[1:]:
            running.enter_context(hub)
        at = [organiser.table(hubs[k % HUBS], id, k) for k, id in enumerate(tables)]
        figures = _measured(folder / "arrived", hubs, organiser, at, database)
    logs = "".join(hub.log() for hub in hubs)
    assert "Traceback" not in logs, logs[-3000:]
    return figures


def _measured(
    out: Path, hubs: list[Hub], organiser: Organiser, tables: list[TimedTable], database: Path
) -> list[Figure]:
    viewers = [sys.executable, "-m", "tests.bench.club_viewers", str(VIEWERS), str(out)]
    stopping = threading.Event()
    for table in tables:
        threading.Thread(target=table.play, args=(stopping,), daemon=True).start()
    with subprocess.Popen([*viewers, *(str(hub.port) for hub in hubs)], stdin=subprocess.PIPE) as watching:
        _organise(organiser, SETTLED)
        pids = {"hub": [hub.process.pid for hub in hubs if hub.process], "database": server_of(database)}
        pids |= {"viewers": [watching.pid], "tables": [os.getpid()]}
        began, before, rested = time.monotonic(), {name: sum(map(spent, ids)) for name, ids in pids.items()}, idle()
        grown = []
        for minute in range(1, round(MINUTES) + 1):
            _organise(organiser, began + 60.0 * minute - time.monotonic())
            grown.append([memory(pid) for pid in pids["hub"]])
            events = sum(len(table.committed) for table in tables)
            print(f"minute {minute}: {events} events; MB:", *(f"{size:.1f}" for size in grown[-1]), flush=True)
        took = time.monotonic() - began
        pids["database"] = server_of(database)  # its connections come and go
        shares = {name: (sum(map(spent, ids)) - before[name]) / took for name, ids in pids.items()}
        free = (idle() - rested) / took / (os.cpu_count() or 1)
        assert watching.stdin
        watching.stdin.close()
        watching.wait(60.0)
    stopping.set()
    arrived, counts = pickle.loads(out.read_bytes())
    committed = {key: t for table in tables for key, t in table.committed.items() if began < t < began + took - 2}
    return [
        *_latencies(committed, arrived),
        ("events a second", len(committed) / took, "1/s"),
        *((f"processor: {name}", 100 * share, "% of a core") for name, share in shares.items()),
        ("processor: nobody, of all", 100 * free, "%"),
        ("memory of the larger hub after a minute", max(grown[0]), "MB"),
        ("memory of the larger hub at the end", max(grown[-1]), "MB"),
        ("told to each viewer", counts["bytes"] / VIEWERS / (took + SETTLED) / 1000, "kB/s"),
        ("streams that broke off", counts.get("broken off", 0), ""),
    ]


def _organise(organiser: Organiser, seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        organiser.go_on()
        time.sleep(LOOK)


def _latencies(committed: dict[str, float], arrived: dict[str, "array[float]"]) -> Iterator[Figure]:
    seen = [np.array(arrived[key]) - t for key, t in committed.items() if key in arrived]
    every = 1000 * np.concatenate(seen)
    for name, share in (("median", 0.5), ("95 %", 0.95), ("99 %", 0.99)):
        yield f"table's commit to viewer, {name}", float(np.quantile(every, share)), "ms"
    yield "table's commit to viewer, slowest", float(every.max()), "ms"
    yield "table's commit to the last of its viewers, median", 1000 * float(np.median([s.max() for s in seen])), "ms"
    yield "events that were shown, of those committed", 100 * len(seen) / len(committed), "%"
    yield "viewers that were shown an event, on the mean", float(np.mean([len(s) for s in seen])), ""
