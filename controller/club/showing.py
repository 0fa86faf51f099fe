"""The evening as its pages show it: a snapshot after each change, made on a thread that follows the hub."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from controller.club.errors import StoreError
from controller.club.hub.evening import EveningDocument
from controller.club.hub.hub import Hub
from controller.errors import Refused

POLL = 0.1  # s, at most, until changes by another process of the hub are noticed
LONGEST_POLL = 10.0
"""Seconds that one poll of the database may take: as long as it waits for another writer, which is `PATIENCE` in
`controller.club.store.engine`. A longer one may never end, for example if the network to PostgreSQL failed."""
WATCH = 1.0  # s between two looks at which tables have fallen silent
PAUSE = 0.05  # s between two snapshots: whatever a hall sends in this time is combined
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ClubSnapshot:
    """The evening after one change."""

    id: int
    document: EveningDocument
    assignments: Mapping[str, bytes]  # by table with hardware, what it plays next

    @classmethod
    def of(cls, hub: Hub, id: int) -> Self:
        return cls(id, EveningDocument.of(hub), hub.assignments())


class Showing:
    """The newest snapshot, for any number of listeners. `start` and `stop` once each; otherwise thread-safe."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._listeners: list[Callable[[ClubSnapshot], None]] = []
        self._one = threading.Lock()
        self._newest = ClubSnapshot.of(hub, 0)
        self._failing = False
        self._polled = self.clock()  # when the snapshot was last known to be current
        self._wake = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="club pages", daemon=True)
        hub.on_changed.append(self._wake.set)

    def start(self) -> None:
        self._polled = self.clock()
        self._thread.start()

    def stop(self) -> None:
        """Stop following the evening; returns when the thread has ended."""
        self._stopping = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        watched = self.clock()
        while not self._stopping:
            if changed := self._wake.wait(POLL):
                self._wake.clear()  # not after a timeout: a change that came in between would be lost
            try:
                if self.clock() - watched > WATCH:
                    self._hub.watch_tables()
                    watched = self.clock()
                if self._hub.refresh() or changed:
                    self.show()
                    time.sleep(PAUSE)
                self._failing, self._polled = False, self.clock()
            except (StoreError, Refused) as error:
                if not self._failing:
                    _log.error("The evening can't be followed: %s", error)
                self._failing = True
                self._wake.set()  # this change still has to be shown
                time.sleep(POLL)

    def show(self) -> ClubSnapshot:
        """Send the current evening to all listeners, and return it."""
        with self._one:
            self._newest = ClubSnapshot.of(self._hub, self._newest.id + 1)
            for listener in tuple(self._listeners):
                listener(self._newest)
            return self._newest

    def clock(self) -> float:
        return time.monotonic()

    def snapshot(self) -> ClubSnapshot:
        """The evening at the last change."""
        return self._newest

    def follows(self) -> bool:
        """Whether the snapshot is current: the last poll of the database succeeded a short time ago."""
        return not self._failing and self.clock() - self._polled <= LONGEST_POLL

    def subscribe(self, listener: Callable[[ClubSnapshot], None]) -> Callable[[], None]:
        """Call `listener` with each new evening, on a thread of the hub's; returns how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)
