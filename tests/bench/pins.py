"""From the edge at a Raspberry Pi's pin to the engine's queue: gpiozero and lgpio on a real kernel's gpiochip.

In the guest that `make test-hardware` made; without one there are no figures, and none on a host that is too busy.
"""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.guest.machine import Guest, folder
from tests.guest.test_devices import PATIENCE, PYTEST

FIGURES = r"edge to queue: median ([0-9.]+) ms, p99 ([0-9.]+) ms, most ([0-9.]+) ms"


def run() -> Iterator[tuple[str, float, str]]:
    """The figures of `tests/guest/inside/test_pins.py`."""
    if not (folder() / "linux").exists():
        return
    with tempfile.TemporaryDirectory() as world:
        with Guest(f"{PYTEST} tests/guest/inside/test_pins.py -k 15_ms", Path(world)) as guest:
            guest.status(PATIENCE)
        if found := re.search(FIGURES, guest.text):
            for share, figure in zip((50, 99, 100), found.groups(), strict=True):
                yield f"edge at the pin to the engine's queue, p{share}", float(figure), "ms"
