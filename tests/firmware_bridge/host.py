"""The shipped client at a board's serial port. Time is real here."""

import threading
import time

from firmware_bridge.client import HoleUnit
from hardware.devices import SystemClock
from hardware.serial_link import SerialLink

PATIENCE = 20.0  # seconds until a test gives up; a busy machine is slow


class Host:
    """A client on the board's port."""

    def __init__(
        self,
        board,
        link=None,
        settings=None,
        kept=None,
    ):
        self.events = []
        self.arrivals = []
        self._changed = threading.Condition()
        link = link or SerialLink(str(board.terminal.name))
        self.unit = HoleUnit(link, SystemClock(time.monotonic()), settings=settings, kept=kept)
        self.unit.start(self._take)

    def _take(self, event):
        with self._changed:
            self.arrivals.append(time.monotonic())
            self.events.append(event)
            self._changed.notify_all()

    def wait_for(self, count):
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.events) >= count, PATIENCE), self.unit.diagnostics()

    def until(self, condition):
        give_up = time.monotonic() + PATIENCE
        with self._changed:
            while not condition():
                assert time.monotonic() < give_up, self.unit.diagnostics()
                self._changed.wait(0.01)

    def until_connected(self):
        """Until it knows the level, which is its first event."""
        self.until(lambda: self.unit.occupied() is not None)
        self.wait_for(1)

    def levels(self):
        """The levels reported, the first one included."""
        return [event.occupied for event in self.events]

    def figures(self):
        """The unit's last line; empty while it is silent."""
        return self.unit.statistics()["unit"] or {}
