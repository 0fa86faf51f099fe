"""A broker for as long as the hub runs: the machine's Mosquitto, started as a child with the club's files."""

import getpass
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

from controller.club.broker.files import Account, Listener, write_files
from controller.messages import Message, say

PLACES = "/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin:/usr/local/opt/mosquitto/sbin"
"""Where packages put mosquitto besides the places where commands are looked for."""

INSTALL = "Debian: sudo apt-get install mosquitto; macOS: brew install mosquitto"

STARTS_IN = 10.0  # s until it answers
ENDS_IN = 5.0  # s until it is killed


class BrokerError(Exception):
    """The broker can't be run; `words` say what to do."""

    def __init__(self, words: Message) -> None:
        super().__init__(words)
        self.words = words


def mosquitto_found() -> str | None:
    """The path of this machine's mosquitto."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path=PLACES)


def open_broker(folder: Path, club: str, accounts: Iterable[Account], listener: Listener) -> "RunningMosquitto":
    """Run a broker; what it keeps is in the folder. Raises `BrokerError`."""
    program = mosquitto_found()
    if program is None:
        raise BrokerError(
            say(
                "There is no MQTT broker on this machine: install Mosquitto ({how}), or name one that runs elsewhere "
                "with [broker] url.",
                how=INSTALL,
            )
        )
    return RunningMosquitto(program, folder, club, accounts, listener)


def _must_be_free(host: str, port: int) -> None:
    """Raise `BrokerError` where another program listens there: connecting would find that one, and not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise BrokerError(
            say(
                "The club's broker can't listen on port {port} of {host}: {why}. If that is Mosquitto's own service, "
                "which Debian starts by itself, end it with: sudo systemctl disable --now mosquitto. Otherwise choose "
                "another port under [broker].",
                port=str(port),
                host=host,
                why=error.strerror or str(error),
            )
        ) from error


class RunningMosquitto:
    """Mosquitto as a child. Where the system can see to that, it ends with this process, however that ends."""

    def __init__(self, program: str, folder: Path, club: str, accounts: Iterable[Account], listener: Listener) -> None:
        """Raises `BrokerError`."""
        self._folder, self._club, self._listener = folder.resolve(), club, listener
        if listener.outside:
            _must_be_free(listener.host, listener.port)
        file = self._write(accounts)
        self._log = self._folder / "mosquitto.log"
        guard = shutil.which("setpriv")
        command = [*([guard, "--pdeathsig", "TERM"] if guard else []), program, "-c", str(file)]
        with self._log.open("ab") as log:
            # in a group of its own, so that Ctrl-C ends the hub first, which then ends its broker
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, process_group=0)
        self._wait()

    def _write(self, accounts: Iterable[Account]) -> Path:
        try:
            # the files are this user's alone, root's too
            return write_files(self._folder, self._club, accounts, self._listener, getpass.getuser())
        except OSError as error:
            raise BrokerError(
                say(
                    "The broker's files can't be written to {folder}: {why}.",
                    folder=str(self._folder),
                    why=error.strerror or str(error),
                )
            ) from error

    @property
    def url(self) -> str:
        """Its address on this machine."""
        return self._listener.url

    def _wait(self) -> None:
        until = time.monotonic() + STARTS_IN
        while time.monotonic() < until and self._process.poll() is None:
            try:
                socket.create_connection(self._listener.knock, 1.0).close()
            except OSError:
                time.sleep(0.02)
            else:
                if self._process.poll() is None:
                    return
        why = self.trouble() or "it does not answer"
        self.close()
        raise BrokerError(say("The broker does not start: {why}. Its log is {file}.", why=why, file=str(self._log)))

    def admit(self, accounts: Iterable[Account]) -> None:
        """These are all accounts from now on. Raises `BrokerError`."""
        self._write(accounts)
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
