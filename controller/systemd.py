"""Messages of a table's or a hub's service to systemd."""

import os
import re
import socket
from collections.abc import Mapping
from contextlib import suppress


def notify(message: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send READY=1, WATCHDOG=1 or STOPPING=1 to systemd, if it listens. See sd_notify(3)."""
    if address := environment.get("NOTIFY_SOCKET"):
        # systemd restarts the service if it receives nothing
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.sendto(message.encode(), re.sub("^@", "\0", address))
