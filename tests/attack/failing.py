"""Damaged files, files that others read, history that is half there, and requests with odd numbers and names."""

import random
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.attack.many import at_once
from tests.attack.outcome import Outcome, once
from tests.attack.targets import PASSWORD, Hub, Table
from tests.loopback import Answer, ask
from tests.years import played, write_years

PAGE = 4096
MATCHES = 3000

NUMBERS = (2**63, 2**70, -(2**70), 10**400, 2**53)


def failing(folder: Path, scale: float) -> Iterator[Outcome]:
    """All of it."""
    yield damaged_pages(folder / "pages", max(3, int(24 * scale)))
    yield exports(folder / "exports", max(400, int(MATCHES * scale)))
    yield from odd_requests(folder / "odd")
    yield from hub_odd(folder / "hub")
    yield proxied(folder / "proxy")


def damaged_pages(folder: Path, turns: int) -> Outcome:
    """One page of the journal after another is overwritten; a backup of the night before lies beside it."""
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    model = folder / "model"
    model.mkdir(parents=True)
    write_years(model / "journal.sqlite", 30, [played(1, discs=6)])
    survived = 0
    for turn in range(turns):
        table = Table(folder / str(turn))
        shutil.copytree(model, table.data)
        (table.data / "backups").mkdir()
        shutil.copy(model / "journal.sqlite", table.data / "backups" / "00001-2026-05-01.sqlite")
        with table.journal.open("r+b") as file:
            file.seek(PAGE * (dice.randrange(table.journal.stat().st_size // PAGE) if turn else 0))
            file.write(dice.choice([bytes(PAGE), dice.randbytes(PAGE)]))
        if table.begin():
            listed = ask(table.target, "GET", "/api/v1/matches")
            while listed.status == 503 or listed.json["progress"]:
                time.sleep(0.2)
                listed = ask(table.target, "GET", "/api/v1/matches")
            survived += len(listed.json["matches"]) == 30
        table.end(signal.SIGKILL)
    return Outcome("table: one damaged page: it starts, and has all 30 matches", turns, survived, f"seed {seed}")


def exports(folder: Path, matches: int) -> Outcome:
    """Everything is asked for while the history of all matches is rebuilt after an update."""
    table = Table(folder)
    table.data.mkdir(parents=True)
    write_years(table.journal, matches, [played(1, discs=6)])
    tried = honest = 0
    with table:
        while True:
            listed = ask(table.target, "GET", "/api/v1/matches")
            whole = ask(table.target, "GET", "/api/v1/rounds.csv")
            tried += 2
            progress = listed.json.get("progress") if listed.status == 200 else "none"
            honest += listed.status == 503 or bool(listed.json["matches"] or progress)
            numbers = (line.split(b",")[1] for line in whole.body.splitlines() if line.count(b",") > 5)
            found = {number for number in numbers if number.isdigit()}
            ended = whole.body.endswith(b"0\r\n\r\n")  # the last chunk: without it a client knows that more was to come
            honest += whole.status == 503 or len(found) == matches or not ended
            if whole.status == 200 and len(found) == matches:
                return Outcome(f"table: lists and exports of {matches} matches, while summed up", tried, honest)
            time.sleep(0.1)


def odd_requests(folder: Path) -> Iterator[Outcome]:
    """Numbers that no database takes, from somebody who was let in."""
    with Table(folder) as table:
        session = table.login(None, "")
        headers = {"Cookie": session.cookies(), "X-CSRF-Token": session.json["token"]}
        bodies = [
            {"do": do, name: number}
            for do, name in (("delete_match", "match"), ("end_round", "round"), ("undo", "match"), ("start", "discs"))
            for number in NUMBERS
        ] + [{"do": ["undo"]}, {"do": "answer", "event": ["p1"]}, {"do": {"a": 1}}]
        post = partial(ask, table.target, "POST", "/api/command", headers=headers, host="localhost")
        statuses = [post(body=body).status for body in bodies]
        wrong = [status for status in statuses if not 400 <= status < 500]
        yield Outcome("table: odd numbers and names in commands", len(bodies), len(bodies) - len(wrong), str(wrong))
        yield open_to_others(table.data, "table")
        arguments = ["doctor", "--report", str(folder / "report.zip"), "--config", str(table.config)]
        subprocess.run([sys.executable, "-m", "controller.cli", *arguments], capture_output=True, timeout=120)
        yield open_to_others(folder / "report.zip", "doctor --report")


def open_to_others(place: Path, name: str) -> Outcome:
    """Files that other users of the machine can read."""
    files = [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]
    readable = [path.name for path in files if path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)]
    secret = [path for path in readable if path.endswith((".sqlite", "-wal", "-shm", ".zip", "secret", "password"))]
    return Outcome(
        f"{name}: files with secrets that others can read", len(files), len(files) - len(secret), str(secret)
    )


def hub_odd(folder: Path) -> Iterator[Outcome]:
    """The hub's own."""
    with Hub(folder) as hub:
        organiser = hub.with_password()
        board = hub.post(organiser, "/api/tables", {"name": "By the window", "by_hand": True}).json["id"]
        names = ["The same name"] * 600
        before = hub.spent()
        body = {"title": "", "format": "swiss", "boards": [board], "players": names, "doubles": False}
        hub.post(organiser, "/api/begin", body)
        took = hub.spent() - before
        yield once("hub: one name 600 times", took < 2.0, f"{took:.1f} s of processor time")
        actions = [{"event": ["p1"]}, {"do": "count", "source": 2**70}, {"event": {"a": 1}}, {"do": ["next_round"]}]
        statuses = [hub.post(organiser, "/api/plan", {"actions": [one]}).status for one in actions]
        yield Outcome("hub: odd actions", len(actions), sum(400 <= status < 500 for status in statuses), str(statuses))
        code = codes(hub, organiser)
        renewed = hub.post(organiser, "/api/password", {"password": PASSWORD + " again"})
        yield once("hub: a board's code after a new password is another", codes(hub, renewed) != code)
        yield open_to_others(hub.data, "hub")
        batch = ask(hub.target, "POST", "/api/v1/club/events", me="127.40.0.2", body={"journal": "0" * 32})
        yield once("hub: a stranger's events are refused", batch.status == 401, str(batch.status))


def codes(hub: Hub, session: Answer) -> list[str]:
    """The codes of boards that the desk shows."""
    desk = ask(hub.target, "GET", "/api/desk", headers={"Cookie": session.cookies()}, host="localhost")
    return [table["code"] for table in desk.json["tables"]]


def proxied(folder: Path) -> Outcome:
    """A proxy on the same machine passes every visitor on under the name localhost, and adds no header."""
    table = Table(folder)
    table.config.write_text(table.config.read_text().replace("[web]\n", "[web]\nproxy = true\n"))
    with table:
        pages = at_once([partial(ask, table.target, "GET", "/tv", host="localhost")] * 5)
        let_in = table.login(None, "")
        shown = sum(page.status == 200 and table.pin.encode() not in page.body for page in pages)
        return Outcome("table: visitors behind a proxy that says nothing", 6, shown + (let_in.status != 200))
