"""Heartbeats for systemd, which restarts a service that has stopped working (`Type=notify`, `WatchdogSec=30`)."""

import logging
import os
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

log = logging.getLogger(__name__)
EVERY = 10.0  # s between heartbeats: three within the unit's WatchdogSec
PATIENCE = 60.0
"""Seconds without progress after which a part counts as stuck. The longest legitimate delays: closing and reopening a
camera take up to 10 s each, followed by the search for the board; waiting for a full disk takes 20 s."""


def notify(message: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send READY=1, WATCHDOG=1 or STOPPING=1 to systemd, if it listens. See sd_notify(3)."""
    address = environment.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
        try:
            to.sendto(message.encode(), address)
        except OSError:
            return  # systemd restarts the service if it receives nothing


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the service that must make progress."""

    name: str
    count: Callable[[], int | None]  # its progress; None while it has nothing to do


class Watchdog:
    """Sends heartbeats while every part makes progress, else has systemd restart the service. Nothing else helps a part
    that hangs inside a library. The journal makes a restart harmless."""

    def __init__(self, parts: Sequence[Part], send: Callable[[str], None] = notify) -> None:
        self._parts = parts
        self._send = send
        self._seen: dict[str, tuple[int | None, float]] = {}  # each part's count, and since when
        self._sent_at = -EVERY
        self._given_up = False

    def beat(self, now: float) -> None:
        """Check every part; call it every few seconds. `now`: seconds on a monotonic clock."""
        late = [part.name for part in self._parts if now - self._since(part, now) > PATIENCE]
        if late:
            self.give_up(f"no progress for {PATIENCE:.0f} s: {', '.join(late)}")
        elif not self._given_up and now - self._sent_at >= EVERY:
            self._sent_at = now
            self._send("WATCHDOG=1")

    def give_up(self, why: str) -> None:
        """Have systemd replace this process. Without systemd, the log says what to do."""
        if self._given_up:
            return
        self._given_up = True
        log.critical(
            "The service can't go on (%s). Unless it is restarted by itself now, restart it.\n%s", why, _stacks()
        )
        self._send("WATCHDOG=trigger")

    def _since(self, part: Part, now: float) -> float:
        count, (before, since) = part.count(), self._seen.get(part.name, (None, now))
        if count is None or count != before:
            since = now
        self._seen[part.name] = count, since
        return since


def _stacks() -> str:
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    return "\n".join(
        f"{names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}"
        for ident, frame in sys._current_frames().items()
    )
