"""Keeps a flickering hole sensor from the match. Each change costs a write to the journal's disk and a look of the
referee, and a loose wire may flicker for days."""

import threading
from collections.abc import Callable
from dataclasses import replace

from controller.messages import Message, say
from hardware.devices import HoleEvent

BURST = 20  # changes that pass at once: more than any hand can seat and lift discs within 10 s
REGAIN = 0.5  # seconds after which one more may pass
OVER = 10.0  # seconds without a change: then the flicker is over
FLICKERS = say(
    "The hole's sensor flickers: only the camera counts until it is calm. Check its mounting, its plug, and stray "
    "light."
)


class FlickerFilter:
    """Passes a sensor's events on to `listener`, whichever sensor it is. Of one that flickers it passes that it can't
    tell, and after 10 s of calm its level. Thread-safe."""

    def __init__(self, listener: Callable[[HoleEvent], None], now: Callable[[], float]) -> None:
        self._listener = listener
        self._now = now
        self._held: HoleEvent | None = None  # the newest change, while it flickers
        self._spent_until = 0.0  # when a whole burst may pass again
        self._over_at = 0.0
        self._lock = threading.Lock()

    def take(self, event: HoleEvent) -> None:
        """Take a sensor's event: its listener."""
        with self._lock:
            now = self._now()
            self._settle(now)
            if event.tint is None:
                self._over_at = now + OVER
                changes = 1 + (event.missed or 0)
                self._spent_until = max(self._spent_until, now) + REGAIN * changes
            if self._held is not None:
                self._held = event if event.tint is None else self._held
            elif self._spent_until - now > REGAIN * BURST:
                self._held = event
                self._listener(replace(event, occupied=None, tint=None, missed=None))
            else:
                self._listener(event)

    def trouble(self) -> Message | None:
        """Whether it flickers, in a sentence. Call it regularly: it passes on the level once that is calm."""
        with self._lock:
            self._settle(self._now())
            return None if self._held is None else FLICKERS

    def _settle(self, now: float) -> None:
        if self._held is not None and now >= self._over_at:
            self._listener(replace(self._held, missed=0))
            self._held = None
            self._spent_until = now + REGAIN * BURST
