"""Waiting for what other threads and processes do, and ports for them to listen on."""

import socket
import time
from contextlib import suppress
from random import SystemRandom

PATIENCE = 30.0  # s; only a test that fails waits so long


def eventually(condition, what="", seconds=PATIENCE):
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.005)


def free_port():
    """A port that nobody listens on, and that no system gives to whoever asks for any: it stays free until then."""
    while True:
        port = SystemRandom().randrange(20_000, 32_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
