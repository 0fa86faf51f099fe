"""A phone in the guest, and the console on which it prints what it saw."""

import json
import os
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

DISK = Path("/disk")
PORT = 8080
PATIENCE = 600.0  # s for the service to start, and to answer while the camera loads its pictures


def tell(*what):
    """One fact on the console, at once."""
    os.write(1, (" ".join(map(str, what)) + "\n").encode())


class Scorer:
    """A phone: follows the page, starts the match, and answers what the table asks as one who looked would."""

    def __init__(self):
        self.state = {}
        self.refusal = ""  # why the table did not carry out the last command that it refused
        self._headers = {}

    def look(self):
        """Whether the page could be had."""
        try:
            with urlopen(f"http://127.0.0.1:{PORT}/api/v1/state", timeout=10) as answer:
                self._saw("shown", json.load(answer))
        except (URLError, ConnectionError, TimeoutError):
            return False
        return True

    def send(self, **command):
        """Whether the table carried it out."""
        request = Request(
            f"http://127.0.0.1:{PORT}/api/command",
            json.dumps(command).encode(),
            {"Content-Type": "application/json", **self._session()},
        )
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                self._saw("accepted", json.load(answer))
        except HTTPError as error:
            self.refusal = error.read().decode()
            tell("refused", json.dumps(command), self.refusal)
            return False
        return True

    def _saw(self, how, state):
        if state["id"] != self.state.get("id") or how == "accepted":
            tell(how, state["id"])
        self.state = state

    def _session(self):
        """The headers of a session, opened as by the table's own screen."""
        if not self._headers:
            wanted = Request(f"http://127.0.0.1:{PORT}/api/session", b"{}", {"Content-Type": "application/json"})
            with urlopen(wanted, timeout=PATIENCE) as answer:
                cookie = answer.headers["Set-Cookie"].partition(";")[0]
                self._headers = {"Cookie": cookie, "X-CSRF-Token": json.load(answer)["token"]}
        return self._headers

    def answer(self, flat_in_hole):
        """Answers the oldest question: whether a disc lies flat in the hole by what is there, others by the first."""
        questions = (self.state["match"] or {}).get("questions") or []
        for question in questions[:1]:
            tell("asked", json.dumps(question))
            answers = [answer["id"] for answer in question["answers"]]
            if question["kind"] == "close_call" and "20" in answers and not flat_in_hole:
                answers.remove("20")
            self.send(do="answer", question=question["id"], answer=answers[0])

    def correct(self, rounds):
        """What the table has otherwise than these rounds, which were played, is entered or corrected."""
        match = self.state["match"]
        if match is None:
            return
        for number, true in enumerate(rounds, start=1):
            known = [r for r in match["rounds"] if r["number"] == number]
            if known and (known[0]["totals"], known[0]["twenties"]) == (true["totals"], true["twenties"]):
                continue
            tell("corrected", number)
            if not known:
                self.send(do="end_round", totals=true["totals"], twenties=true["twenties"])
                return
            for side, value in true["twenties"].items():
                self.send(do="correct_round", round=number, twenties={side: value})
            self.send(do="correct_round", round=number, totals=true["totals"])
