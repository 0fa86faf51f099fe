"""What the services of a table and a hub share: messages to systemd, and the signal to end."""

import os
import re
import signal
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress


def notify(message: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send READY=1, WATCHDOG=1 or STOPPING=1 to systemd, if it listens. See sd_notify(3)."""
    if address := environment.get("NOTIFY_SOCKET"):
        # systemd restarts the service if it receives nothing
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.sendto(message.encode(), re.sub("^@", "\0", address))


def asked_to_end() -> threading.Event:
    """An event that is set once systemd, or somebody at the terminal, asks this process to end. Call it on the main
    thread."""
    asked = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: asked.set())
    return asked
