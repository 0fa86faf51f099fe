"""The newest state to every open page, as server-sent events, on the serving thread's gevent hub.

Every message is the whole state, so a page that lost some of them has lost nothing: a page that reads slowly skips to
the newest, one that comes back gets the newest first. Nothing is queued, so nothing can grow.
"""

import threading
from collections.abc import Callable, Generator, Iterator
from typing import Any, Protocol

import gevent
from gevent.event import Event

from controller.messages import Language
from web_ui.connections import Guest, Places
from web_ui.languages import state_in

HEARTBEAT = 2.0
"""Seconds between signs of life. A browser hides comments from its page, so a small event named `beat` follows each. It
tells what the table's steady clock shows, on which the clocks of a match run down."""

RETRY = 1000
"""Milliseconds after which a browser tries again."""

MOST_LISTENERS = 450
"""Pages that may listen at one time; each takes a socket and some 30 kB."""

TURN = 30.0
"""Seconds after which a page gives its place to another where there are too few: so all are served in turn."""

RESERVED = 50
"""Places among `MOST_LISTENERS` that only the table's own screen and scorers get."""


class Shown(Protocol):
    """A state with its number."""

    @property
    def id(self) -> int: ...

    def rendered(self, language: Language) -> str:
        """The state as JSON, in `language`."""
        ...


class Source(Protocol):
    """Where states come from: a table, or a club's hub. Every method may be called from any thread."""

    def clock(self) -> float:
        """Seconds on a steady clock."""
        ...

    def snapshot(self) -> Shown:
        """The newest state."""
        ...

    def subscribe(self, listener: Callable[[Any], None]) -> Callable[[], None]:
        """Call `listener` with each new state; gives how to stop that."""
        ...


class Stream:
    """Hands each new state from the engine's thread to the pages that listen. `open` and `close` on one thread."""

    def __init__(self, table: Source, heartbeat: float = HEARTBEAT, version: str = "") -> None:
        """`version` names the pages' files: a page that has others loads itself anew."""
        self._places = Places(MOST_LISTENERS, RESERVED, TURN)
        self._table = table
        self._heartbeat = heartbeat
        self._version = version.encode()
        self._lock = threading.Lock()  # guards _latest and _watcher: the engine's thread and the hub's share them
        self._latest: Shown | None = None
        self._watcher: Any = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self._taken: Shown | None = None
        self._said: dict[str, bytes] = {}  # the newest state, by language
        self.number = 0
        """Of the newest state: it counts up with each."""
        self._changed = Event()

    @property
    def listeners(self) -> int:
        """How many pages listen."""
        return self._places.taken

    def accepts(self, guest: Guest) -> bool:
        """Whether this one may listen now; `first` are the table's own screen and scorers. Another one's stream may end
        for it."""
        return self._watcher is not None and self._places.room(guest)

    def open(self) -> None:
        """Begin to follow the table, on the hub of the calling thread."""
        self._watcher = gevent.get_hub().loop.async_()
        self._watcher.start(self._take)
        self._unsubscribe = self._table.subscribe(self._hear)
        newest = self._table.snapshot()
        with self._lock:
            self._latest = self._latest or newest
        self._take()

    def close(self) -> None:
        """Stop following and end every page's stream."""
        self._unsubscribe()
        with self._lock:
            watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.stop()
            watcher.close()
        self._changed.set()

    def listen(self, language: str, guest: Guest) -> Iterator[bytes]:
        """The stream of one page, from the newest state on, until the page leaves or the stream closes."""
        return self.messages(guest, lambda _: self.message(language))

    def messages(self, guest: Guest, message: Callable[[Shown | None], bytes]) -> Iterator[bytes]:
        """The same with `message`, which gives the update for a page that has a state, or none yet."""
        yield b"retry: %d\nevent: version\ndata: %s\n\n" % (RETRY, self._version)
        known: Shown | None = None
        for changed in self.follow(guest):
            if changed:
                known, before = self._taken, known
                yield message(before)
            else:
                yield self.beat()

    def beat(self) -> bytes:
        """A sign of life."""
        return b': still here\nevent: beat\ndata: {"clock": %.3f}\n\n' % self._table.clock()

    def follow(self, guest: Guest) -> Generator[bool]:
        """True now and after every change, False when nothing changed for a heartbeat, until the stream closes, or its
        place goes to another."""
        ended: list[bool] = []
        place = self._places.take(guest, lambda: ended.append(True), busy=True)
        seen = 0
        try:
            while self._watcher is not None and not ended:
                changed = self._changed
                if seen != self.number:
                    seen = self.number
                    yield True
                elif not changed.wait(self._heartbeat):
                    yield False
        finally:
            self._places.give_back(place)

    def _hear(self, snapshot: Shown) -> None:
        """On the engine's thread: leave the state where the hub finds it and wake the hub."""
        with self._lock:
            self._latest = snapshot
            if self._watcher is not None:
                self._watcher.send()

    def _take(self) -> None:
        """On the hub: wake who waits. States that came together become one message."""
        with self._lock:
            snapshot = self._latest
        if snapshot is None or snapshot is self._taken:
            return
        self._taken = snapshot
        self._said.clear()
        self.number += 1
        woken, self._changed = self._changed, Event()
        woken.set()

    def newest(self, language: str) -> bytes:
        """The newest state for the data of an event, encoded once for all who listen in this language."""
        assert self._taken is not None
        if language not in self._said:
            self._said[language] = state_in(self._taken, language).replace("\n", "\ndata: ").encode()
        return self._said[language]

    def message(self, language: str) -> bytes:
        """The newest state, whatever a page knows."""
        assert self._taken is not None
        return b"id: %d\ndata: %s\n\n" % (self._taken.id, self.newest(language))
