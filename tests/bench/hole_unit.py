"""The 20-hole unit: from the edge at its pin to the event on the table's queue, and how fast bytes are taken in."""

import queue
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from firmware_bridge.client import HoleUnit
from firmware_bridge.settings import Settings
from hardware.devices import HoleEvent, SystemClock
from hardware.serial_link import SerialLink
from tests.firmware_bridge.board import eager_board
from tests.firmware_bridge.fuzz import BYTES, into_host, into_unit
from tests.micropython import micropython

EDGES = 1000
LOCKOUT = 0.002  # seconds: the shortest but one, so that edges may follow each other


def run() -> Iterator[tuple[str, float, str]]:
    """The figures; those of the wire need a MicroPython."""
    if micropython() is not None:
        late, off = edges()
        for share in (50, 99, 100):
            yield f"edge at the pin to the event's queue, p{share}", float(np.percentile(late, share)), "ms"
        yield "error of the event's time, p99", float(np.percentile(np.abs(off), 99)), "ms"
    for what, feed in (("host", into_host), ("unit's core", into_unit)):
        began = time.process_time()
        feed(1, BYTES)
        yield f"a million fuzzed bytes into the {what}", 1000 * (time.process_time() - began), "ms"


def edges() -> tuple[list[float], list[float]]:
    """For each of `EDGES`, milliseconds from the pin to the queue, and by how many its time was wrong."""
    events: queue.SimpleQueue[tuple[float, HoleEvent]] = queue.SimpleQueue()
    late, off = [], []
    clock = SystemClock()
    with tempfile.TemporaryDirectory() as place:
        board = eager_board(Path(place))
        unit = HoleUnit(SerialLink(str(board.terminal.name)), clock, settings=Settings(lockout=LOCKOUT))
        unit.start(lambda event: events.put((clock.now(), event)))
        while not unit.statistics().get("unit", {}).get("settings_in_force"):
            time.sleep(0.01)
        for k in range(EDGES):
            time.sleep(2 * LOCKOUT)
            driven = clock.now()
            board.drive(k % 2)
            arrived, event = events.get(timeout=10)
            unit.acknowledge(event)
            late.append(1000 * (arrived - driven))
            off.append(1000 * (event.t - driven))
        unit.close()
        board.close()
    return late, off
