"""Streams the newest state to every open page, as server-sent events, on the serving thread's gevent hub.

Every message is the whole state, so missing some of them does no harm: a slow page skips to the newest, and a page that
reconnects gets the newest first, unless that is the one in the page. Nothing is queued, so nothing can grow."""

import hashlib
import json
import threading
from collections.abc import Callable, Generator, Iterator
from functools import lru_cache
from typing import Any

import gevent
from gevent.event import Event
from gevent.lock import BoundedSemaphore

from controller.api import NumberedState as NumberedState
from controller.api import StateSource, Table
from web_ui.connections import Guest, Places
from web_ui.languages import document
from web_ui.reader_pool import off_thread

HEARTBEAT = 2.0
"""Seconds between heartbeats. Browsers hide comments from scripts, so a small event `beat` follows each. It has the
time of the table's monotonic clock, which a match's clocks use."""
RETRY = 1000  # milliseconds before a browser reconnects
MOST_LISTENERS = 450  # pages that may listen at the same time; each takes a socket and some 30 kB
TURN = 30.0  # seconds after which a page gives its place to another if there are too few: so all are served in turn
RESERVED = 50  # places among `MOST_LISTENERS` that only the table's own screen and scorers get


class Stream:
    """Passes each new state from the engine's thread to the listening pages. `open` and `close` on one thread."""

    def __init__(self, table: StateSource, heartbeat: float = HEARTBEAT, version: str = "") -> None:
        """`version`: of the pages' files; a page with another one reloads itself."""
        self._places = Places(MOST_LISTENERS, RESERVED, TURN)
        self._table = table
        self._heartbeat = heartbeat
        self._version = version.encode()
        self._lock = threading.Lock()  # guards _watcher: the engine's thread and the hub's share it
        self._watcher: Any = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self.taken: NumberedState | None = None  # the newest state
        self._said: dict[str, bytes] = {}  # the same, by language
        self._changed = Event()

    @property
    def listeners(self) -> int:
        return self._places.taken

    def accepts(self, guest: Guest) -> bool:
        """Whether this client may listen now. Another one's stream may end for it."""
        return self._watcher is not None and self._places.room(guest)

    def open(self) -> None:
        """Start following the table, on the hub of the calling thread."""
        self._watcher = gevent.get_hub().loop.async_()
        self._watcher.start(self._publish)
        self._unsubscribe = self._table.subscribe(self._on_new_state)
        self._publish()

    def close(self) -> None:
        """Stop following and end every page's stream."""
        self._unsubscribe()
        with self._lock:
            watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.stop()
            watcher.close()
        self._changed.set()

    def listen(self, language: str, guest: Guest, mark: str = "") -> Iterator[bytes]:
        """The stream of one page, from the newest state on, until the page disconnects or the stream closes. `mark`: of
        the state in the page, which is not sent again."""
        yield b"retry: %d\nevent: version\ndata: %s\n\n" % (RETRY, self._version)
        known: NumberedState | None = None
        for changed in self.follow(guest):
            if not changed:
                yield self.beat()
                continue
            known, before = self.taken, known
            unchanged = before is None and mark == mark_of(self.newest(language))
            yield b"event: unchanged\ndata: {}\n\n" if unchanged else self.message(language, before)

    def beat(self) -> bytes:
        return b': still here\nevent: beat\ndata: {"clock": %.3f}\n\n' % self._table.clock()

    def follow(self, guest: Guest, places: Places | None = None, heartbeat: float | None = None) -> Generator[bool]:
        """True now and after every change, False after a heartbeat without one, until the stream closes or its place
        goes to another. `places` and `heartbeat` other than those of pages are for programs."""
        ended: list[bool] = []
        places = places or self._places
        place = places.take(guest, lambda: ended.append(True), busy=True)
        seen: NumberedState | None = None
        try:
            while self._watcher is not None and not ended:
                changed = self._changed
                if seen is not self.taken:
                    seen = self.taken
                    yield True
                elif not changed.wait(heartbeat or self._heartbeat):
                    yield False
        finally:
            places.give_back(place)

    def _on_new_state(self, _state: NumberedState) -> None:
        """On the engine's thread: wake the hub."""
        with self._lock:
            if self._watcher is not None:
                self._watcher.send()

    def _publish(self) -> None:
        """On the hub: take the newest state and wake the listeners. Several new states become one message."""
        snapshot = self._table.snapshot()
        if snapshot == self.taken:
            return
        self.taken = snapshot
        self._said.clear()
        woken, self._changed = self._changed, Event()
        woken.set()

    def newest(self, language: str) -> bytes:
        """The newest state as the data of an event, encoded once for all listeners in this language."""
        assert self.taken is not None
        if language not in self._said:
            self._said[language] = document(self.shown(self.taken), language).encode()
        return self._said[language]

    def shown(self, state: Any) -> object:
        """What pages get of a state."""
        return state

    def message(self, language: str, before: NumberedState | None) -> bytes:
        """The newest state for a page that has the state `before`, or none yet."""
        assert self.taken is not None
        return b"id: %d\ndata: %s\n\n" % (self.taken.id, self.newest(language))


def mark_of(state: bytes) -> str:
    """Names a state by its content."""
    return hashlib.blake2b(state, digest_size=8).hexdigest()


MOST_KEPT = 20  # batches of events in memory, of which programs that are up to date need the newest


class EventFeed:
    """The journal's events as server-sent events, read once for all programs. For the thread of the stream's hub."""

    def __init__(self, table: Table, stream: Stream) -> None:
        self._table = table
        self._stream = stream
        self._one = BoundedSemaphore(1)
        self._batch = lru_cache(MOST_KEPT)(self._look_up)

    def listen(self, after: int, language: str, guest: Guest) -> Iterator[bytes]:
        """Every event after this number, and the state after each change, until the program disconnects."""
        yield b"retry: %d\n\n" % RETRY
        for changed in self._stream.follow(guest):
            while batch := self._newer(after):
                after, messages = batch
                yield messages
            yield b"event: state\ndata: %s\n\n" % self._stream.newest(language) if changed else self._stream.beat()

    def _newer(self, after: int) -> tuple[int, bytes] | None:
        with self._one:  # whoever asks for the same waits for it
            return self._batch(after, self._table.archive.last_event)

    def _look_up(self, after: int, newest: int) -> tuple[int, bytes] | None:
        """What follows an event in the journal up to the `newest` one, and the number of the last of it."""
        events = off_thread(self._table.archive.events, after)
        messages = (f"id: {e['id']}\nevent: {e['kind']}\ndata: {json.dumps(e)}\n\n" for e in events)
        return (events[-1]["id"], "".join(messages).encode()) if events else None
