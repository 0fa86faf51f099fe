"""Signs of life for systemd: it restarts a service that has stopped working (`Type=notify`, `WatchdogSec=30`)."""

import os
import socket
from collections.abc import Mapping

EVERY = 10.0  # s: three within the unit's WatchdogSec


def notify(message: str, environment: Mapping[str, str] = os.environ) -> None:
    """Tell systemd READY=1, WATCHDOG=1 or STOPPING=1; does nothing where it does not listen. See sd_notify(3)."""
    address = environment.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
        try:
            to.sendto(message.encode(), address)
        except OSError:
            return  # systemd will restart us if it hears nothing; it is no reason to stop
