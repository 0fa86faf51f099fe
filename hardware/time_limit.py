"""Calls with a time limit, for libraries whose calls may never return."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDone
from typing import TypeVar

from hardware.errors import DeviceStuck

T = TypeVar("T")


def within(seconds: float, call: Callable[[], T], otherwise: str) -> T:
    """What `call` returns or raises. Raises `DeviceStuck` with `otherwise` when it takes longer.

    The call then goes on in a thread of its own, which only the end of the process can end. While the interpreter is
    ending no thread can be started, so `call` is not called and `DeviceStuck` is raised.
    """
    if sys.is_finalizing():
        raise DeviceStuck(otherwise)
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
        if done.done():  # the call itself raised it
            raise
        raise DeviceStuck(otherwise) from error
