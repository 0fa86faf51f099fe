"""A table and a hub as processes of their own, in a folder that goes away."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

from tests.loopback import ask
from tests.waiting import free_port

PATIENCE = 90.0  # s until a start is given up

TABLE = """
[table]
data = "{data}"
[web]
host = "127.0.0.1"
port = {port}
[camera]
device = "none"
[hole]
device = "none"
"""

HUB = """
[club]
id = "our-club"
name = "Our club"
data = "{data}"
[web]
host = "127.0.0.1"
port = {port}
"""

PASSWORD = "a password of the organiser"


class Program:
    """One of ours, begun from its configuration: its verb, its settings, and a page that it answers once it serves."""

    def __init__(self, folder, more=""):
        self.data = folder / "data"
        self.port = free_port()
        self.config = folder / "config.toml"
        folder.mkdir(parents=True, exist_ok=True)
        self.config.write_text(self.text.format(data=self.data, port=self.port) + more)
        self.logged = folder / "log"
        self.process = None

    @property
    def target(self):
        """Where it listens."""
        return "127.0.0.1", self.port

    def begin(self, patience=PATIENCE):
        """Begin it and wait for its first answer; False where it ended instead."""
        with self.logged.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "controller.cli", self.verb, "--config", str(self.config)],
                stdout=log,
                stderr=log,
                env={**os.environ, "LOG_LEVEL": "WARNING"},
            )
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if self.process.poll() is not None:
                return False
            if ask(self.target, "GET", self.answers).status == 200:
                return True
            time.sleep(0.05)
        return False

    def end(self, how=signal.SIGTERM):
        """End it."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def __enter__(self):
        if not self.begin():
            self.end(signal.SIGKILL)
            raise RuntimeError(f"It does not start:\n{self.log()[-2000:]}")
        return self

    def __exit__(self, *_):
        self.end()

    def log(self):
        """All that it has said."""
        return self.logged.read_text(errors="replace") if self.logged.exists() else ""

    def login(self, secret, me):
        """Try a PIN or password; None as the own screen, which needs none."""
        screen = secret is None
        return ask(
            self.target,
            "POST",
            "/api/session",
            me="127.0.0.1" if screen else me,
            host="localhost" if screen else "table.local",
            body={} if screen else {"pin": secret},
        )


class Table(Program):
    """`crokinole-table run`, without devices: the score is kept by hand."""

    verb, text, answers = "run", TABLE, "/api/state"

    @property
    def journal(self):
        return self.data / "journal.sqlite"

    @property
    def pin(self):
        """What stands on the table's screen."""
        with closing(sqlite3.connect(f"file:{self.journal}?mode=ro", uri=True)) as journal:
            return str(journal.execute("SELECT value FROM facts WHERE name = 'pin'").fetchone()[0]).strip('"')


class Hub(Program):
    """`crokinole-table club`. Its organiser's password is set as at its own screen."""

    verb, text, answers = "club", HUB, "/api/evening"

    def give_password(self):
        """Give it the organiser's password."""
        session = self.login(None, "")
        headers = {"Cookie": session.cookies(), "X-CSRF-Token": session.json["token"]}
        body = {"password": PASSWORD}
        answer = ask(self.target, "POST", "/api/password", headers=headers, body=body, host="localhost")
        assert answer.status == 200, answer.body
