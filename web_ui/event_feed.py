"""The table's events for all programs that listen. New events are read from the journal once, not once for each."""

import json
from collections import deque
from collections.abc import Iterator

from gevent.lock import BoundedSemaphore

from controller.api import Table
from web_ui.connections import Guest
from web_ui.events import RETRY, Stream
from web_ui.off_thread import off_thread

MOST_KEPT = 500
"""Events in memory: a program that is further behind reads the journal itself until it has caught up."""


class EventFeed:
    """The journal's events as server-sent events. For the thread of the stream's hub."""

    def __init__(self, table: Table, stream: Stream) -> None:
        self._table = table
        self._stream = stream
        self._one = BoundedSemaphore(1)
        self._read_for = 0  # the stream's number up to which the journal was read
        self._before = table.snapshot().id  # what is kept comes after this event
        self._kept: deque[tuple[int, bytes]] = deque()

    def listen(self, after: int, language: str, guest: Guest) -> Iterator[bytes]:
        """Every event after the one of this number, and the state whenever it changed, until the program leaves."""
        yield b"retry: %d\n\n" % RETRY
        for changed in self._stream.follow(guest):
            if not changed:
                yield self._stream.beat()
                continue
            self._read()
            while after < self._before and (batch := self._look_up(after)):
                after = batch[-1][0]
                yield from (message for _, message in batch)
            newer = [(number, message) for number, message in self._kept if number > after]
            if newer:
                after = newer[-1][0]
                yield b"".join(message for _, message in newer)
            yield b"event: state\ndata: %s\n\n" % self._stream.newest(language)

    def _read(self) -> None:
        """Read what is new, if nobody has yet."""
        with self._one:
            number = self._stream.number
            if self._read_for == number:
                return
            while batch := self._look_up(self._kept[-1][0] if self._kept else self._before):
                self._kept.extend(batch)
            while len(self._kept) > MOST_KEPT:
                self._before, _ = self._kept.popleft()
            self._read_for = number

    def _look_up(self, after: int) -> list[tuple[int, bytes]]:
        events = off_thread(self._table.archive.events, after)
        return [(e["id"], f"id: {e['id']}\nevent: {e['kind']}\ndata: {json.dumps(e)}\n\n".encode()) for e in events]
