"""Heartbeats for systemd, which restarts a service that has stopped working (`Type=notify`, `WatchdogSec=30`)."""

import json
import logging
import math
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.errors import JournalError
from controller.journal import Facts
from controller.systemd import notify

log = logging.getLogger(__name__)
EVERY = 10.0  # s between heartbeats: three within the unit's WatchdogSec
PATIENCE = 60.0
"""Seconds without progress after which a part counts as stuck. The longest legitimate delays: closing and reopening a
camera take up to 10 s each, followed by the search for the board; waiting for a full disk takes 20 s."""
MOST_ENDS, WITHIN = 5, 3600.0
"""The number of ends for a part that the table can do without, and the seconds in which they count: each stops the
scoreboard for some seconds, and a camera that five new processes could not keep is broken."""
ENDS = "camera_ends"  # the fact with the times of those ends


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the service that must make progress."""

    name: str
    count: Callable[[], int | None]  # its progress; None while it has nothing to do
    vital: bool = True  # whether the table can't do without it


@dataclass(frozen=True, slots=True)
class Ends:
    """When processes of this table ended for a part that it can do without, in this boot of the machine: the clock on
    the wall may be wrong, and a new boot may have mended it. The journal keeps it. `steady`: seconds on a clock that
    restarts with each `boot`."""

    facts: Facts
    steady: Callable[[], float]
    boot: str

    def another(self) -> bool:
        """Whether this process may end as well. If so, that is noted first: without a note it might be for ever."""
        now = self.steady()
        recent = [t for t in self.facts.read(ENDS, self._times) or () if now - WITHIN < t <= now]
        if len(recent) >= MOST_ENDS:
            return False
        try:
            self.facts.keep(ENDS, json.dumps({"boot": self.boot, "at": [*recent, now]}))
        except JournalError:
            return False
        return True

    def _times(self, text: str) -> list[float]:
        kept = json.loads(text)
        return [float(t) for t in kept["at"]] if kept["boot"] == self.boot else []


@dataclass
class Watchdog:
    """Sends heartbeats while every part makes progress, else has systemd restart the service. Nothing else helps a part
    that hangs inside a library. The journal makes a restart harmless. `may_end`: whether this process may end for a
    part that is not vital; asked once for each failure of one."""

    parts: Sequence[Part]
    send: Callable[[str], None] = notify
    may_end: Callable[[], bool] = lambda: True
    _seen: dict[str, tuple[int | None, float]] = field(default_factory=dict)  # each part's count, and since when
    _sent_at: float = -EVERY
    _given_up: bool = False

    def beat(self, now: float) -> None:
        """Check every part; call it every few seconds. `now`: seconds on a monotonic clock."""
        late = [part for part in self.parts if now - self._since(part, now) > PATIENCE]
        why = f"no progress for {PATIENCE:.0f} s: {', '.join(part.name for part in late)}"
        if any(part.vital for part in late):
            self.give_up(why)
        elif late and not self.replace(why):
            for part in late:  # until it makes progress
                self._seen[part.name] = part.count(), math.inf
        if not self._given_up and now - self._sent_at >= EVERY:
            self._sent_at = now
            self.send("WATCHDOG=1")

    def replace(self, why: str) -> bool:
        """Give up for a part that is not vital, if this process may end for it. Returns whether it may."""
        if not self._given_up and not self.may_end():
            log.error("A new process has not helped often enough: this one goes on (%s).", why)
            return False
        self.give_up(why)
        return True

    def give_up(self, why: str) -> None:
        """Have systemd replace this process. Without systemd, the log says what to do."""
        if self._given_up:
            return
        self._given_up = True
        log.critical(
            "The service can't go on (%s). Unless it is restarted by itself now, restart it.\n%s", why, _stacks()
        )
        self.send("WATCHDOG=trigger")

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
