"""Doing what may block beside the serving thread, so that nobody's stream waits for it."""

from collections.abc import Callable
from typing import Any, TypeVar

import gevent

Result = TypeVar("Result")


def off_thread(call: Callable[..., Result], *arguments: Any) -> Result:
    """Do what may block on gevent's thread pool."""

    def work() -> tuple[Any, Exception | None]:  # gevent would print an exception that leaves here
        try:
            return call(*arguments), None
        except Exception as error:
            return None, error

    result, error = gevent.get_hub().threadpool.apply(work)
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]
