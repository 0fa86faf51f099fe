"""Signs of life for systemd: it restarts a service that has stopped working (`Type=notify`, `WatchdogSec=30`)."""

import logging
import os
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

log = logging.getLogger(__name__)

EVERY = 10.0  # s between two signs: three within the unit's WatchdogSec
PATIENCE = 60.0
"""Seconds that a part may make no progress. The longest times that are no fault: closing a camera and opening it again
take up to 10 s each, and then the board is looked for; waiting for a full disk takes 20 s."""


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
            return  # no reason to stop: systemd restarts the service if it hears nothing


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the service that must make progress."""

    name: str
    count: Callable[[], int | None]
    """How much it has done; None while there is nothing for it to do."""


class Watchdog:
    """Tells systemd that the service lives while each of its parts makes progress; when one does not, has it restarted.

    Nothing else helps a part that waits for ever inside a library. The journal makes a restart harmless.
    """

    def __init__(self, parts: Sequence[Part], tell: Callable[[str], None] = notify) -> None:
        self._parts = parts
        self._tell = tell
        self._seen: dict[str, tuple[int | None, float]] = {}  # by part: its count, and since when that is
        self._told = -EVERY
        self._given_up = False

    def beat(self, now: float) -> None:
        """Look at every part, at `now` seconds of a clock that never goes back; call it every few seconds."""
        late = [part.name for part in self._parts if now - self._since(part, now) > PATIENCE]
        if late:
            self.give_up(f"no progress for {PATIENCE:.0f} s: {', '.join(late)}")
        elif not self._given_up and now - self._told >= EVERY:
            self._told = now
            self._tell("WATCHDOG=1")

    def give_up(self, why: str) -> None:
        """Have systemd end this process and start a new one. Where there is no systemd, the log says what to do."""
        if self._given_up:
            return
        self._given_up = True
        log.critical(
            "The service can't go on (%s). Unless it is restarted by itself now, restart it.\n%s", why, _stacks()
        )
        self._tell("WATCHDOG=trigger")

    def _since(self, part: Part, now: float) -> float:
        count, (before, since) = part.count(), self._seen.get(part.name, (None, now))
        if count is None or count != before:
            since = now
        self._seen[part.name] = count, since
        return since


def _stacks() -> str:
    """Where each thread is."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    return "\n".join(
        f"{names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}"
        for ident, frame in sys._current_frames().items()
    )
