"""The world around the table in the guest: players, their discs, the hole's unit on its cable, and a scorer.

play.py FIRST: plays the film in /world/film from picture FIRST on, and tells on the console what happened, one fact a
line, for whoever watches the guest from outside. play.py journal: tells the journal alone.
  journal JSON: what is on disk at the start   picture N: the table was shown it   shown ID: a phone saw the state with
  this event   accepted ID: a phone's command was answered with it   over JSON: the match's end, as the page has it
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tests.firmware_bridge.board import Board
from tests.guest.film import Film
from tests.guest.inside.gpio_sim import chip
from tests.guest.inside.usb_gadget import Cable

FILM = Path("/world/film")
DISK, FLASH = Path("/disk"), Path("/flash")
LAMPS = {"A": 22, "B": 23, "twenty": 24, "foul": 25, "check": 27}
BUTTONS = {"undo": 5, "confirm": 6}
PORT = 8080
LOOK = 0.1  # s between two looks of the scorer at the page
PATIENCE = 180.0  # s for the service to start, and to answer while the camera loads its pictures


def wiring(pins: dict[str, int]) -> str:
    return "\n".join(f'{name} = "gpio:{pin}"' for name, pin in pins.items())


CONFIGURATION = f"""
[table]
data = "{DISK}/data"
[camera]
device = "picamera"
[hole]
device = "serial:/dev/ttyACM0"
[lamps]
{wiring(LAMPS)}
[buttons]
{wiring(BUTTONS)}
[web]
host = "127.0.0.1"
port = {PORT}
"""


def tell(*what: object) -> None:
    """One fact on the console, at once."""
    os.write(1, (" ".join(map(str, what)) + "\n").encode())


def journal() -> list[tuple[int, str, str]]:
    """Every event on disk: id, kind, body. Read from a copy, so that the service finds what the power cut left."""
    copies = Path("/run/journal")
    shutil.rmtree(copies, ignore_errors=True)
    if not (DISK / "data/journal.sqlite").exists():
        return []
    shutil.copytree(DISK / "data", copies)
    with closing(sqlite3.connect(copies / "journal.sqlite")) as found:
        assert found.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        has_events = found.execute("SELECT count(*) FROM sqlite_master WHERE name = 'events'").fetchone()[0]
        return found.execute("SELECT id, kind, body FROM events ORDER BY id").fetchall() if has_events else []


class World:
    """The film as it runs, and all that is wired to the table."""

    def __init__(self, first: int) -> None:
        self.film = Film.read(FILM)
        for pin in BUTTONS.values():
            chip().drive(pin, True)
        FLASH.mkdir(exist_ok=True)
        level = self.film.levels[first]
        self.board = Board(FLASH, terminal=Cable(), BOARD_LEVEL=str(int(not level)))
        self.board.level = int(not level)
        self._level = level
        configuration = Path("/run/table.toml")
        configuration.write_text(CONFIGURATION, "utf-8")
        shown, tells = os.pipe()
        program = [sys.executable, "-m", "tests.guest.inside.table", FILM, str(first), "run", "--config", configuration]
        self.service = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3>&{tells}', "sh", *program], pass_fds=(tells,), stdout=2, cwd="/run"
        )
        os.close(tells)
        self.picture = first
        threading.Thread(target=self._follow, args=(os.fdopen(shown),), daemon=True).start()

    def _follow(self, shown: Any) -> None:
        for line in shown:
            self.picture = int(line)
            tell("picture", self.picture)
            level = self.film.levels[self.picture]
            if level != self._level:
                self._level = level
                self.board.drive(int(not level))


class Scorer:
    """A phone: follows the page, starts the match, and answers what the table asks as one who looked would."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}
        self._pin = ""

    def look(self) -> bool:
        """Whether the page could be had."""
        try:
            with urlopen(f"http://127.0.0.1:{PORT}/api/v1/state", timeout=10) as answer:
                self._saw("shown", json.load(answer))
        except (URLError, ConnectionError, TimeoutError):
            return False
        return True

    def send(self, **command: Any) -> bool:
        """Whether the table carried it out."""
        request = Request(
            f"http://127.0.0.1:{PORT}/api/v1/commands",
            json.dumps(command).encode(),
            {"Authorization": f"Bearer {self.pin}", "Content-Type": "application/json"},
        )
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                self._saw("accepted", json.load(answer))
        except HTTPError as error:
            tell("refused", json.dumps(command), error.read().decode())
            return False
        return True

    def _saw(self, how: str, state: dict[str, Any]) -> None:
        if state["id"] != self.state.get("id") or how == "accepted":
            tell(how, state["id"])
        self.state = state

    @property
    def pin(self) -> str:
        if not self._pin:
            with closing(sqlite3.connect(DISK / "data/journal.sqlite")) as kept:
                (self._pin,) = kept.execute("SELECT value FROM facts WHERE name = 'pin'").fetchone()
        return self._pin

    def answer(self) -> None:
        """Answers the oldest question."""
        questions = (self.state["match"] or {}).get("questions") or []
        for question in questions[:1]:
            tell("asked", json.dumps(question))
            self.send(do="answer", question=question["id"], answer=question["answers"][0]["id"])


def main() -> None:
    tell("journal", json.dumps(journal()))
    if sys.argv[1] == "journal":
        return
    world = World(int(sys.argv[1]))
    scorer = Scorer()
    give_up = time.monotonic() + PATIENCE
    while not scorer.look():
        assert time.monotonic() < give_up
        assert world.service.poll() is None, "the service ended"
        time.sleep(LOOK)
    if scorer.state["match"] is None:
        scorer.send(**world.film.start)
    tell("playing", json.dumps(scorer.state["notices"]))
    while world.service.poll() is None:
        scorer.look()
        if (scorer.state["match"] or {}).get("over"):
            tell("over", json.dumps(scorer.state["match"]["rounds"]))
            break
        scorer.answer()
        time.sleep(LOOK)
    tell("notices", json.dumps(scorer.state["notices"]))
    world.service.terminate()
    tell("ended", world.service.wait(30))
    world.board.stop()


if __name__ == "__main__":
    main()
