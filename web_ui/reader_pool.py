"""Look-ups of past matches on separate threads, so that commands and the live score never wait for them.

Addresses take turns: one with many requests does not delay the others."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import gevent
from gevent.lock import BoundedSemaphore
from gevent.threadpool import ThreadPool
from werkzeug.exceptions import ServiceUnavailable

from web_ui.languages import translated

Result = TypeVar("Result")
THREADS = 2
"""Threads for look-ups. Each rests as long as it has worked, so that commands and the live score always have half of
the interpreter's time."""
AT_ONCE = 1  # Look-ups of one address that run at the same time: fewer than threads, so that one is left for the others
MOST_WAITING = 100
"""Look-ups of one address that may wait. It may be a whole club behind one router; an answer takes some 20 ms."""
LONGEST_REST = 0.1  # s that a thread rests at most
PATIENCE = 5  # s after which a refused client may try again
MOST_KEPT = 200  # compressed answers, of some 20 kB: when there are more, all are made again


def off_thread(call: Callable[..., Result], *arguments: Any, pool: Any = None) -> Result:
    """What the call returns or raises, made on a thread of this pool, by default gevent's own. For calls that may
    block: the serving thread's streams do not wait for them."""

    def work() -> tuple[Any, Exception | None]:  # gevent would print an exception that leaves here
        try:
            return call(*arguments), None
        except Exception as error:
            return None, error

    result, error = (pool or gevent.get_hub().threadpool).apply(work)
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]


class _Address:
    def __init__(self) -> None:
        self.turn = BoundedSemaphore(AT_ONCE)
        self.asking = 0


class ReaderPool:
    """Runs look-ups for the clients' addresses. For the thread of one hub."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], tuple[str, bytes]] = {}
        """Compressed answers with their tags, by URL with the query and language."""
        self._pool: ThreadPool | None = None
        self._addresses: dict[str, _Address] = {}

    def look_up(self, address: str, call: Callable[[], Result]) -> Result:
        """The result of `call`, when it is this address's turn. Raises `ServiceUnavailable` if too many wait."""
        asker = self._addresses.setdefault(address, _Address())
        if asker.asking >= AT_ONCE + MOST_WAITING:
            raise ServiceUnavailable(
                translated("Too many people are looking things up at once. Try again in a moment."),
                retry_after=PATIENCE,
            )
        asker.asking += 1
        try:
            with asker.turn:
                return self._off_thread(call)
        finally:
            asker.asking -= 1
            if not asker.asking:
                self._addresses.pop(address, None)

    def _off_thread(self, call: Callable[[], Result]) -> Result:
        hub = gevent.get_hub()
        if self._pool is None or self._pool.hub is not hub:
            self._pool = ThreadPool(THREADS, hub=hub)
        worked = 0.0

        def work() -> Result:
            nonlocal worked
            began = time.thread_time()
            try:
                return call()
            finally:
                worked = time.thread_time() - began

        try:
            return off_thread(work, pool=self._pool)
        finally:
            self._pool.spawn(time.sleep, min(worked, LONGEST_REST))

    def close(self) -> None:
        if self._pool is not None:
            self._pool.kill()
            self._pool = None
