"""Sleeps in another way than Python, in every process on another date: libfaketime 0.9.10 lets the waits of Python's
own `time.sleep`, which are until a time of the steady clock, fail."""

import select
import time


def _sleep(seconds):
    select.select([], [], [], seconds)


time.sleep = _sleep
