"""The world around the table in the guest: players, their discs, the hole's unit on its cable, and a scorer.

play.py FIRST: plays the film in /world/film from picture FIRST on, and prints on the console what happened, one fact a
line, for the test outside the guest. play.py FIRST press: at the same time somebody presses the table's buttons.
play.py FIRST correct: the scorer corrects rounds that were recorded wrongly. play.py journal: tells the
journal alone.
  journal JSON: what is on disk at the start   picture N: the table was shown it   burning LAMPS: when it was shown it
  shown ID: a phone saw the state with this event   accepted ID: a phone's command was answered with it
  asked JSON: a question   corrected N: the scorer mends this round   tried JSON: the round, after the buttons were
  over JSON: the rounds, as the page has them at the match's end
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
import tomllib
from contextlib import closing
from pathlib import Path

from controller.config import LampsSection
from controller.journal import Journal
from controller.table.setup.lamp_check import LampCheck
from tests.firmware_bridge.board import Board
from tests.guest.film import Film
from tests.guest.inside.panel import BUTTONS, LAMPS, Panel, Trial
from tests.guest.inside.scorer import DISK, PATIENCE, PORT, Scorer, tell
from tests.guest.inside.usb_gadget import Cable

FILM = Path("/world/film")
FLASH = Path("/flash")
QUIET = 8  # pictures
GRACE = 8  # pictures
LOOK = 0.1  # s between two looks of the scorer at the page


def wiring(pins):
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
[checks]
ask = false  # they are drawn by lot: one would count as a question about the round
"""


def journal():
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


def lamps_are_out_of_view():
    """What set-up would find: the film shows no lamps."""
    with closing(Journal(DISK / "data/journal.sqlite")) as journal:
        wired = LampsSection.model_validate(tomllib.loads(CONFIGURATION)["lamps"])
        LampCheck(journal, wired, lambda _: None).keep(seen=False)


class World:
    """The film as it runs, and all that is wired to the table."""

    def __init__(self, first):
        self.film = Film.read(FILM)
        self.panel = Panel()
        self.going = threading.Event()  # the world stands still, at the next picture, while it is not set
        self.going.set()
        self.stands = threading.Event()
        FLASH.mkdir(exist_ok=True)
        level = self.film.levels[first]
        self.board = Board(FLASH, terminal=Cable(), BOARD_LEVEL=str(int(not level)))
        self.board.level = int(not level)
        self._level = level
        configuration = Path("/run/table.toml")
        configuration.write_text(CONFIGURATION, "utf-8")
        shown, tells = os.pipe()
        ready, self._ready = os.pipe()
        program = [sys.executable, "-m", "tests.guest.inside.table", FILM, str(first), "run", "--config", configuration]
        self.service = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3>&{tells} 4<&{ready}', "sh", *program],
            pass_fds=(tells, ready),
            stdout=subprocess.DEVNULL,
            cwd="/run",
        )
        os.close(tells)
        os.close(ready)
        self.picture = first
        threading.Thread(target=self._follow, args=(os.fdopen(shown),), daemon=True).start()

    def _follow(self, shown):
        for line in shown:
            if int(line) >= len(self.film.levels):
                return  # the film is over: the world stands still
            self.picture = int(line)
            tell("picture", self.picture)
            level = self.film.levels[self.picture]
            if level != self._level:
                self._level = level
                self.board.drive(int(not level))
            tell("burning", *self.panel.burning())
            self.stands.set()
            self.going.wait()
            self.stands.clear()
            os.write(self._ready, b"\n")

    def stop(self):
        """Have it stand still, until `go`, with all that was shown looked at."""
        self.going.clear()
        assert self.stands.wait(PATIENCE)

    def go(self):
        self.going.set()

    def played(self):
        """The rounds that are over, and that the table has had the time to see the end of."""
        return self.film.rounds[: sum(end + GRACE <= self.picture for end in self.film.swept)]

    def quiet(self):
        """Whether the hole has not changed for a while."""
        return len(set(self.film.levels[max(0, self.picture - QUIET) : self.picture + 1])) == 1


def main():
    tell("journal", json.dumps(journal()))
    if sys.argv[1] == "journal":
        return
    if "press" in sys.argv:
        lamps_are_out_of_view()
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
    trial = Trial(scorer, world.panel) if "press" in sys.argv else None
    while world.service.poll() is None:
        scorer.look()
        if trial is not None and trial.due() and world.quiet():
            world.stop()
            trial.make()
            trial = None
            world.go()
        over = (scorer.state["match"] or {}).get("over")
        if "correct" in sys.argv:
            scorer.correct(world.film.rounds if over else world.played())
        if over:
            tell("over", json.dumps(scorer.state["match"]["rounds"]))
            break
        scorer.answer(world.film.levels[world.picture])
        time.sleep(LOOK)
    tell("notices", json.dumps(scorer.state["notices"]))
    world.service.terminate()
    tell("ended", world.service.wait(30))
    world.board.stop()


if __name__ == "__main__":
    main()
