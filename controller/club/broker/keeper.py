"""The hub's own broker, kept running: begun again when it has ended, and as soon as it can run where it could not."""

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from controller.club.broker.files import Account, Listener
from controller.club.broker.running import BrokerError, RunningMosquitto, open_broker
from controller.messages import Message

LOOK = 1.0  # s between two looks at whether it still runs

_log = logging.getLogger(__name__)


class BrokerKeeper:
    """Keeps a broker. `start` and `stop` once each. A hub whose broker can't run goes on: boards that phones keep the
    score of need none."""

    def __init__(
        self,
        folder: Path,
        club: str,
        listener: Listener,
        accounts: Callable[[], Iterable[Account]],
        awaits_tables: Callable[[], bool] = lambda: True,
    ) -> None:
        """`folder`: where its files are. `accounts` gives all that there are now. `awaits_tables`: whether any table is
        to be heard: until then the broker listens to this machine alone."""
        self._folder, self._club, self._accounts = folder, club, accounts
        self._awaits_tables = awaits_tables
        self.listener = listener
        self.trouble: Message | None = None
        """Why it does not run, and what to do; None while it runs."""
        self._running: RunningMosquitto | None = None
        self._lock = threading.RLock()  # guards _running
        self._began: Callable[[], None] = lambda: None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="club broker", daemon=True)

    def start(self, began: Callable[[], None]) -> None:
        """Run it from now on. `began` is called once, when it runs for the first time."""
        self._began = began
        self._run()
        self._thread.start()

    def stop(self) -> None:
        """End it; returns when it is gone."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._running is not None:
            self._running.close()

    def admit(self) -> None:
        """Let all in who have an account now, with a certificate that may be new. Raises `BrokerError`."""
        with self._lock:
            if self._running is not None and self.listener.outside != self._awaits_tables():
                self._running.close()  # a port can't be opened without a new start; the hub connects again by itself
                self._running = None
                self._run()
            elif self._running is not None:
                self._running.admit(self._accounts())

    def _watch(self) -> None:
        while not self._stopping.wait(LOOK):
            with self._lock:
                why = self._running.trouble() if self._running else None
                if why is not None:
                    _log.error("The broker is begun again: %s", why)
                    self._running = None
                if self._running is None:
                    self._run()

    def _run(self) -> None:
        self.listener = replace(self.listener, outside=self._awaits_tables())
        try:
            self._running = open_broker(self._folder, self._club, self._accounts(), self.listener)
        except BrokerError as error:
            if self.trouble is None:
                _log.error("Tables with hardware can't be heard: %s", error)
            self.trouble = error.words
            return
        self.trouble = None
        self._began()
        self._began = lambda: None
