"""The hub's own broker: the machine's Mosquitto as a child process, restarted whenever it ends or could not run."""

import getpass
import logging
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from controller.club.broker.files import Account, Listener, write_files
from controller.messages import Message, say

PLACES = "/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin:/usr/local/opt/mosquitto/sbin"  # besides PATH
INSTALL = "Debian: sudo apt-get install mosquitto; macOS: brew install mosquitto"
STARTS_IN = 10.0  # s for it to answer
ENDS_IN = 5.0  # s until it is killed
POLL = 1.0  # s between two checks that it still runs
_log = logging.getLogger(__name__)


class BrokerError(Exception):
    """The broker can't be run; `words` say what to do."""

    def __init__(self, words: Message) -> None:
        super().__init__(words)
        self.words = words


def mosquitto_found() -> str | None:
    """The path of this machine's mosquitto, if there is one."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path=PLACES)


def _check_port(host: str, port: int) -> None:
    """Raise `BrokerError` if another program listens there: we would connect to it instead of our broker."""
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
    """Mosquitto as a child process. Where the system supports it, it ends with this process, however that ends."""

    def __init__(self, folder: Path, club: str, accounts: Iterable[Account], listener: Listener) -> None:
        """Start it with its files in the folder. Raises `BrokerError`."""
        program = mosquitto_found()
        if program is None:
            raise BrokerError(
                say(
                    "There is no MQTT broker on this machine: install Mosquitto ({how}), or name one that runs "
                    "elsewhere with [broker] url.",
                    how=INSTALL,
                )
            )
        self._folder, self._club, self._listener = folder.resolve(), club, listener
        if listener.outside:
            _check_port(listener.host, listener.port)
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
            # the files belong to this user, also if that is root
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
        return self._listener.url

    def _wait(self) -> None:
        until = time.monotonic() + STARTS_IN
        while time.monotonic() < until and self._process.poll() is None:
            try:
                socket.create_connection(self._listener.probe_address, 1.0).close()
            except OSError:
                time.sleep(0.02)
            else:
                if self._process.poll() is None:
                    return
        why = self.trouble() or "it does not answer"
        self.close()
        raise BrokerError(say("The broker does not start: {why}. Its log is {file}.", why=why, file=str(self._log)))

    def set_accounts(self, accounts: Iterable[Account]) -> None:
        """Replace all accounts. Raises `BrokerError`."""
        self._write(accounts)
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGHUP)

    def trouble(self) -> str | None:
        """Why it ended; None while it runs."""
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


class BrokerKeeper:
    """Keeps a broker running. `start` and `stop` once each. Without a broker the hub goes on: boards without hardware
    need none."""

    def __init__(
        self,
        folder: Path,
        club: str,
        listener: Listener,
        accounts: Callable[[], Iterable[Account]],
        awaits_tables: Callable[[], bool] = lambda: True,
    ) -> None:
        """`folder`: for its files. `accounts`: all current ones. `awaits_tables`: whether tables may connect; until
        then the broker listens on the loopback interface only."""
        self._folder, self._club, self._accounts = folder, club, accounts
        self._awaits_tables = awaits_tables
        self.listener = listener
        self.trouble: Message | None = None  # why it does not run, and the remedy; None while it runs
        self._running: RunningMosquitto | None = None
        self._lock = threading.RLock()  # guards _running
        self._began: Callable[[], None] = lambda: None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="club broker", daemon=True)

    def start(self, began: Callable[[], None]) -> None:
        """Start it and keep it running. `began` is called once, when it first runs."""
        self._began = began
        self._run()
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._running is not None:
            self._running.close()

    def reload(self) -> None:
        """Reload the accounts and the certificate. Raises `BrokerError`."""
        with self._lock:
            if self._running is not None and self.listener.outside != self._awaits_tables():
                self._running.close()  # a new port needs a restart; the hub reconnects by itself
                self._running = None
                self._run()
            elif self._running is not None:
                self._running.set_accounts(self._accounts())

    def _watch(self) -> None:
        while not self._stopping.wait(POLL):
            with self._lock:
                why = self._running.trouble() if self._running else None
                if why is not None:
                    _log.error("The broker is restarted: %s", why)
                    self._running = None
                if self._running is None:
                    self._run()

    def _run(self) -> None:
        self.listener = replace(self.listener, outside=self._awaits_tables())
        try:
            self._running = RunningMosquitto(self._folder, self._club, self._accounts(), self.listener)
        except BrokerError as error:
            if self.trouble is None:
                _log.error("Tables with hardware can't be reached: %s", error)
            self.trouble = error.words
            return
        self.trouble = None
        self._began()
        self._began = lambda: None
