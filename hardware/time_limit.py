"""A time limit for calls into libraries that may never return."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDone
from typing import TypeVar

from hardware.errors import DeviceStuck

T = TypeVar("T")


def within(seconds: float, call: Callable[[], T], message: str) -> T:
    """Call `call` and return or raise what it does. Raises `DeviceStuck` with `message` if it takes longer.

    The call then continues in its own thread until the process ends. While the interpreter shuts down no thread can be
    started: then `call` is not called and `DeviceStuck` is raised.
    """
    if sys.is_finalizing():
        raise DeviceStuck(message)
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(call())
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=run, name="driver", daemon=True).start()
    try:
        return done.result(seconds)
    except NotDone as error:
        if done.done():  # `call` itself raised it
            raise
        raise DeviceStuck(message) from error
