"""Everybody in the room: phones, scorers, people who look things up, some who guess the PIN and some who block."""

import random
import time
from contextlib import closing, contextmanager, suppress
from urllib.parse import urlsplit

import gevent
from gevent.pool import Group

from tests.loopback import head
from tests.soak.http import ask, connect, messages, request
from tests.soak.ledger import BROKEN, Done

RETRY = 1.0  # s after which a browser tries a stream again, as the stream itself says

NETWORKS = {"phones": 1, "scorers": 2, "readers": 3, "guessers": 4, "blockers": 5}
"""Addresses 127.N.0.x: places are shared out by address, and a scorer must not pay for those who block."""

SCORERS = 3
READERS = 8
GUESSERS = 12  # enough that no PIN is looked at after some seconds
BLOCKERS = 60

THINKING = (1.0, 8.0)  # s between two commands of a scorer: the players make the table what it says, and play on
PAUSE = 1.0  # s that a pause lasts
LOOKING = (0.5, 2.0)  # s between two pages of somebody who looks things up
GUESSING = 1.0  # s between two guesses of one address

KINDS = {
    "correct_round": {"round_corrected"},
    "pause": {"paused"},
    "resume": {"paused"},
    "undo": {"undone", "start_undone"},  # the start of a match is undone in the match before it
    "redo": {"redone"},
    "answer": {"question_answered"},
    "confirm": {"round_ended"},
}
"""The events that may carry out each command."""


START = "the start of this match"
"""What a match says can be undone when there is nothing else."""


class Crowd:
    """So many people, each a greenlet. What they see and are answered goes into the ledger."""

    def __init__(self, table, ledger, phones, matches, seed):
        self._table = table
        self._ledger = ledger
        self._phones = phones
        self._matches = matches
        self._dice = random.Random(seed)
        self._everybody = Group()
        self._scorers = [Scorer(table, ledger, f"127.{NETWORKS['scorers']}.0.{n + 1}") for n in range(SCORERS)]

    def log_lost(self):
        """The mirror has events alone: who was let in since the log was merged may have to enter the PIN again."""
        for scorer in self._scorers:
            scorer.kept = False

    @contextmanager
    def inside(self):
        """While this lasts, they are there; afterwards they have all left. The scorers were let in before any guess."""
        for scorer in self._scorers:
            scorer.enter()
        people = [
            ("phones", self._phones, self._phone),
            ("readers", READERS, self._reader),
            ("guessers", GUESSERS, self._guesser),
            ("blockers", BLOCKERS, self._blocker),
        ]
        for kind, count, life in people:
            for number in range(count):
                address = f"127.{NETWORKS[kind]}.{number // 250}.{number % 250 + 1}"
                self._everybody.spawn(life, address, random.Random(self._dice.random()))
        for scorer in self._scorers:
            self._everybody.spawn(self._score, scorer, random.Random(self._dice.random()))
        try:
            yield
        finally:
            self._everybody.kill()

    def _phone(self, me, dice):
        gevent.sleep(dice.uniform(0, 3))
        last = 0
        while True:
            with suppress(OSError, EOFError, ValueError), closing(connect(self._table.address, me)) as connection:
                connection.sendall(request("GET", "/events", {}))
                reader = connection.makefile("rb")
                status, _ = head(reader)
                self._ledger.counts[f"streams answered with {status}"] += 1
                for id, data in messages(reader) if status == 200 else ():
                    self._ledger.saw(id, data, last)
                    last = id
            self._ledger.counts[BROKEN] += self._ledger.up
            gevent.sleep(RETRY)

    def _score(self, scorer, dice):
        while True:
            gevent.sleep(dice.uniform(*THINKING))
            match = self._ledger.newest
            if match is None:
                continue
            command = wanted(match, dice)
            scorer.says(command)
            if command["do"] == "pause":
                gevent.sleep(PAUSE)
                scorer.says({"do": "resume"})

    def _reader(self, me, dice):
        tags = {}
        while True:
            gevent.sleep(dice.uniform(*LOOKING))
            path = dice.choice(
                [
                    f"/api/v1/matches?before={dice.randint(2, self._matches)}",
                    f"/api/v1/matches/{dice.randint(1, self._matches)}",
                    f"/api/v1/figures?player=Player%20{dice.randint(1, 60)}",
                    f"/api/v1/matches?player=Player%20{dice.randint(1, 60)}",
                    "/api/v1/figures",
                    "/api/v1/players",
                    "/history",
                ]
            )
            began = time.monotonic()
            headers = {"If-None-Match": tags[path]} if path in tags else {}
            answer = ask(self._table.address, "GET", path, me=me, headers=headers)
            self._ledger.answered("history", answer.status)
            if answer.status in (200, 304):
                self._ledger.took("history", began)
                self._ledger.counts["largest answer to readers"] = max(
                    self._ledger.counts["largest answer to readers"], len(answer.body)
                )
                if "etag" in answer.headers:
                    tags[path] = answer.headers["etag"]

    def _guesser(self, me, dice):
        while True:
            gevent.sleep(GUESSING * dice.uniform(0.5, 1.5))
            pin = f"{dice.randrange(10**6):06}"
            if pin == self._table.pin:
                continue
            answer = ask(self._table.address, "POST", "/api/session", me=me, body={"pin": pin})
            self._ledger.counts[f"guess answered with {answer.status}"] += 1
            if answer.status == 200:
                self._ledger.wrong.append(f"somebody at {me} was let in with a wrong PIN")

    def _blocker(self, me, dice):
        """Sends a request byte by byte, or asks for the stream and never reads it."""
        stream = dice.random() < 0.3
        while True:
            with suppress(OSError), closing(connect(self._table.address, me, buffer=4096)) as connection:
                self._ledger.counts["connections of blockers"] += 1
                if stream:
                    connection.sendall(request("GET", "/events", {}))
                    gevent.sleep(60)
                else:
                    for byte in request("GET", "/", {"X": "x" * 200}):
                        connection.sendall(bytes([byte]))
                        gevent.sleep(dice.uniform(0.2, 1.0))
            gevent.sleep(RETRY)


class Scorer:
    """Somebody who was let in once and gives commands."""

    def __init__(self, table, ledger, me):
        self._table = table
        self._ledger = ledger
        self._me = me
        self._who = f"Scorer {me}"
        self._headers = {}
        self._cookies = {}
        self.kept = False  # whether the table could note on disk that this one was let in
        self._last = 0  # the id of the last answer

    def says(self, command):
        """Give a command, after the PIN where that is wanted."""
        if not self._headers:
            self.enter()
        began, calm = time.monotonic(), self._ledger.calm
        answer = ask(self._table.address, "POST", "/api/command", me=self._me, headers=self._headers, body=command)
        self._ledger.answered("command", answer.status)
        if answer.status == 200:
            id = int(answer.json["id"])
            kept = {name: command[name] for name in ("round", "question", "answer") if name in command}
            if "value" in command:
                kept["twenties"] = {command["side"]: command["value"]}
            done = Done(self._who, self._last, id, KINDS[command["do"]], kept)
            self._last = id
            self._ledger.acknowledged(done, began)
            if calm:
                self._ledger.took("command", began)
        elif answer.status == 403:
            if self.kept:
                self._ledger.wrong.append(f"{self._who} was let in before and is now refused: {answer.body!r}")
            self._headers = {}

    def enter(self):
        """Send the PIN, with the cookies that the browser has; while that is not looked at, scan the screen's code."""
        full, body = self._table.full, {"pin": self._table.pin, "who": self._who}
        headers = {"Cookie": self._all_cookies()}
        answer = ask(self._table.address, "POST", "/api/session", me=self._me, headers=headers, body=body)
        if answer.status == 429:
            code = urlsplit(ask(self._table.address, "GET", "/let-in", host="localhost").json["link"]).path
            headers = {"Cookie": ask(self._table.address, "GET", code, me=self._me).cookies()}
            answer = ask(self._table.address, "POST", "/api/session", me=self._me, headers=headers, body=body)
        self._ledger.counts[f"scorer's PIN answered with {answer.status}"] += 1
        if answer.status == 200:
            for line in answer.headers["set-cookie"].splitlines():
                name, _, value = line.partition(";")[0].partition("=")
                self._cookies[name] = value
            self.kept = not full and not self._table.full
            self._headers = {"Cookie": self._all_cookies(), "X-CSRF-Token": answer.json["token"]}

    def _all_cookies(self):
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())


def wanted(match, dice):
    """What a scorer might say to the match as it stands."""
    if match["questions"] and dice.random() < 0.5:
        question = dice.choice(match["questions"])
        if question["answers"]:
            return {"do": "answer", "question": question["id"], "answer": dice.choice(question["answers"])["id"]}
    if match["round"]["end"] == "proposed":
        return {"do": "confirm"}
    side = dice.choice(match["sides"])
    correct = {
        "do": "correct_round",
        "round": match["round"]["number"],
        "twenties": {side["id"]: dice.choice([n for n in range(4) if n != side["twenties"]])},
    }
    takes_back = 0 if match["can_undo"] == START else 2  # the match before is over: nothing would be played on
    (do,) = dice.choices(["correct_round", "undo", "redo", "pause"], [8, takes_back, 2, 1])
    return correct if do == "correct_round" else {"do": do}
