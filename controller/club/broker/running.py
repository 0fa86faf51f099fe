"""A broker for as long as the hub runs: the machine's Mosquitto, started as a child with the club's files."""

import getpass
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from controller.club.broker.files import Account, Listener, write_files

PLACES = "/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin:/usr/local/opt/mosquitto/sbin"
"""Where packages put mosquitto besides the places where commands are looked for."""

INSTALL = "Debian: sudo apt-get install mosquitto; macOS: brew install mosquitto"

STARTS_IN = 10.0  # s until it answers
ENDS_IN = 5.0  # s until it is killed


class BrokerError(Exception):
    """The broker can't be run; the message says what to do."""


class RunningBroker(Protocol):
    """A broker that runs."""

    @property
    def url(self) -> str:
        """Its address on this machine."""

    def admit(self, accounts: Iterable[Account]) -> None:
        """These are all accounts from now on. Sessions of others end. Raises `BrokerError`."""

    def trouble(self) -> str | None:
        """Why it does not run any more; None while it does."""

    def close(self) -> None:
        """End it. Safe to call twice."""


def mosquitto_found() -> str | None:
    """The path of this machine's mosquitto."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path=PLACES)


def open_broker(folder: Path, club: str, accounts: Iterable[Account], listener: Listener) -> RunningBroker:
    """Run a broker; what it keeps is in the folder. Raises `BrokerError`."""
    program = mosquitto_found()
    if program is None:
        raise BrokerError(
            f"There is no MQTT broker on this machine: install Mosquitto ({INSTALL}), or name one that runs elsewhere "
            "with [broker] url."
        )
    return RunningMosquitto(program, folder, club, accounts, listener)


class RunningMosquitto:
    """Mosquitto as a child. Where the system can see to that, it ends with this process, however that ends."""

    def __init__(self, program: str, folder: Path, club: str, accounts: Iterable[Account], listener: Listener) -> None:
        """Raises `BrokerError`."""
        self._folder, self._club, self._listener = folder.resolve(), club, listener
        try:
            file = self._write(accounts)
        except OSError as error:
            raise BrokerError(f"The broker's files can't be written to {folder}: {error.strerror}.") from error
        self._log = self._folder / "mosquitto.log"
        guard = shutil.which("setpriv")
        command = [*([guard, "--pdeathsig", "TERM"] if guard else []), program, "-c", str(file)]
        with self._log.open("ab") as log:
            # in a group of its own, so that Ctrl-C ends the hub first, which then ends its broker
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, process_group=0)
        self._wait()

    def _write(self, accounts: Iterable[Account]) -> Path:
        # the files are this user's alone, root's too
        return write_files(self._folder, self._club, accounts, self._listener, getpass.getuser())

    @property
    def url(self) -> str:
        """Its address on this machine."""
        if self._listener.inside is not None:
            return f"mqtt://127.0.0.1:{self._listener.inside}"
        return f"{'mqtts' if self._listener.certificate else 'mqtt'}://localhost:{self._listener.port}"

    def _wait(self) -> None:
        until = time.monotonic() + STARTS_IN
        while time.monotonic() < until and self._process.poll() is None:
            try:
                socket.create_connection(("localhost", self._listener.port), 1.0).close()
            except OSError:
                time.sleep(0.02)
            else:
                if self._process.poll() is None:
                    return
        why = self.trouble() or "it does not answer"
        self.close()
        raise BrokerError(f"The broker does not start: {why}. Is port {self._listener.port} taken by another program?")

    def admit(self, accounts: Iterable[Account]) -> None:
        """These are all accounts from now on. Raises `BrokerError`."""
        try:
            self._write(accounts)
        except OSError as error:
            raise BrokerError(f"The broker's files can't be written to {self._folder}: {error.strerror}.") from error
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGHUP)

    def trouble(self) -> str | None:
        """Why it does not run any more; None while it does."""
        code = self._process.poll()
        if code is None:
            return None
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return f"it ended with {code}" + (f": {lines[-1][:200]}" if lines else "")

    def close(self) -> None:
        """End it. Safe to call twice."""
        self._process.terminate()
        try:
            self._process.wait(ENDS_IN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
