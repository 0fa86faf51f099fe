"""Runs calls that may block on other threads, so that the serving thread's streams do not wait for them."""

from collections.abc import Callable
from typing import Any, TypeVar

import gevent

Result = TypeVar("Result")


def off_thread(call: Callable[..., Result], *arguments: Any, pool: Any = None) -> Result:
    """What the call returns or raises, made on a thread of this pool, by default gevent's own."""

    def work() -> tuple[Any, Exception | None]:  # gevent would print an exception that leaves here
        try:
            return call(*arguments), None
        except Exception as error:
            return None, error

    result, error = (pool or gevent.get_hub().threadpool).apply(work)
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]
