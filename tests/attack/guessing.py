"""Guessing the PIN, and who is kept out by others who do."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from tests.attack.many import addresses, at_once
from tests.attack.outcome import Outcome, once
from tests.attack.targets import Hub, Program, Table
from tests.loopback import Answer, ask

A_DAY = 1000
"""Guesses that anybody may have looked at in a day, however many addresses there are; hence in these seconds too."""


def guessing(folder: Path, scale: float) -> Iterator[Outcome]:
    """All of it, against a table and a hub."""
    with Table(folder / "many") as table:
        yield many_addresses(table, int(1100 * scale), "table")
    with Table(folder / "former") as table:
        yield former_devices(table, int(1100 * scale))
    with Table(folder / "others") as table:
        yield from others_are_served(table)
    with Table(folder / "sessions") as table:
        yield sessions_stay(table)
    with Hub(folder / "hub") as hub:
        hub.with_password()
        yield many_addresses(hub, int(200 * scale), "hub")
    with Hub(folder / "joining") as hub:
        yield joining(hub)


def wrong(number: int) -> str:
    """Guesses that are never right: the PIN has six digits."""
    return f"x{number:05}"


def looked_at(answers: list[Answer]) -> int:
    """How many guesses were compared with the PIN."""
    return sum(answer.status in (200, 403) for answer in answers)


def many_addresses(target: Program, count: int, what: str) -> Outcome:
    """Four guesses of each of many addresses: none of them guesses often."""
    jobs = [partial(target.login, wrong(n), me) for me in addresses(10, count) for n in range(4)]
    began = time.monotonic()
    seen = looked_at(at_once(jobs))
    figure = f"{seen} of {len(jobs)} guesses looked at in {time.monotonic() - began:.0f} s"
    held = 0 < seen <= A_DAY // 2  # with none the attack would have missed
    return once(f"{what}: four guesses of each of {count} addresses", held, figure)


def former_devices(table: Table, count: int) -> Outcome:
    """Who knew the PIN keeps many devices' cookies over a new PIN, and guesses with each."""
    pin = table.pin
    kept = [answer.cookies() for answer in at_once([partial(table.login, pin, "127.20.0.1")] * count)]
    session = table.login(pin, "127.20.0.2")
    headers = {"Cookie": session.cookies(), "X-CSRF-Token": session.json["token"]}
    ask(table.target, "POST", "/api/command", headers=headers, body={"do": "new_pin"})
    assert table.pin != pin, "the PIN is still the former one"
    jobs = [partial(table.login, wrong(n), "127.20.0.1", cookies) for cookies in kept if cookies for n in range(5)]
    began = time.monotonic()
    seen = looked_at(at_once(jobs))
    figure = f"{seen} of {len(jobs)} guesses looked at in {time.monotonic() - began:.0f} s"
    return once(f"table: guesses with {count} cookies of a former PIN", seen <= A_DAY // 2, figure)


def others_are_served(table: Table) -> Iterator[Outcome]:
    """Forty addresses guess; who has a token goes on, and a scorer makes a program's."""
    pin, program, phone = table.pin, "127.21.0.1", "127.21.0.2"
    entered = table.login(pin, phone)
    at_once([partial(table.login, wrong(n), me) for n in range(8) for me in addresses(22, 40)])
    yield once("table: the right PIN waits with the wrong ones", table.login(pin, "127.21.0.3").status == 429)
    headers = {"Cookie": entered.cookies(), "X-CSRF-Token": entered.json["token"]}
    token = ask(table.target, "POST", "/api/programs", headers=headers, body={"name": "Overlay"}).json["token"]

    def commands(token: str) -> int:
        bearer = {"Authorization": f"Bearer {token}"}
        return ask(table.target, "POST", "/api/v1/commands", me=program, headers=bearer, body={"do": "resume"}).status

    served = sum(commands(token) in (200, 400, 409) for _ in range(20))
    yield Outcome("table: a program with a token, while 40 addresses guess", 20, served)
    refused = sum(commands(pin if n else token[:-1]) == 403 for n in range(20))
    yield Outcome("table: a program with the PIN, or most of a token", 20, refused)
    device = "; ".join(part for part in entered.cookies().split("; ") if "device" in part)
    served = sum(table.login("", phone, device).status == 200 for _ in range(20))
    yield Outcome("table: a phone that was let in before, while 40 addresses guess", 20, served)
    served = 0
    for number in range(20):
        shown = ask(table.target, "GET", "/let-in", host="localhost")
        link = urlsplit(shown.json["link"]).path if shown.status == 200 else "/let-in/none"
        me = f"127.23.0.{number + 1}"
        let_in = ask(table.target, "GET", link, me=me)
        session = ask(table.target, "GET", "/api/session", me=me, headers={"Cookie": let_in.cookies()})
        again = ask(table.target, "GET", link, me="127.24.0.1")
        served += session.status == 200 and session.json["token"] is not None and not again.cookies()
    yield Outcome("table: a new phone by the screen's code, while 40 addresses guess; no code twice", 20, served)


def sessions_stay(table: Table) -> Outcome:
    """One who knows the PIN logs in 1,100 times."""
    pin = table.pin
    scorer = table.login(pin, "127.25.0.1")
    at_once([partial(table.login, pin, "127.25.0.2")] * 1100)
    token = ask(table.target, "GET", "/api/session", me="127.25.0.1", headers={"Cookie": scorer.cookies()}).json[
        "token"
    ]
    name = "table: a scorer stays while another logs in 1,100 times"
    return once(name, token is not None, f"let in with {scorer.status}")


def joining(hub: Hub) -> Outcome:
    """Forty addresses guess join codes; tables with a right one join."""
    organiser = hub.with_password()
    jobs = [partial(hub.join, {"code": "AAAAAAAA"}, me) for _ in range(6) for me in addresses(26, 40)]
    guessed = set(at_once(jobs))
    assert guessed <= {403, 429}, guessed
    asked = []
    for number in range(10):
        table = hub.post(organiser, "/api/tables", {"name": f"Table {number}"}).json["id"]
        code = hub.post(organiser, "/api/join-code", {"table": table}).json["code"]
        me = f"127.27.0.{number + 1}"
        asked.append(hub.join({"code": code}, me))
    figure = " ".join(map(str, asked))
    return Outcome("hub: tables join, while 40 addresses guess codes", 10, asked.count(200), figure)
