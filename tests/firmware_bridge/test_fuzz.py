"""A million bytes that nobody meant into each side; `python -m tests.firmware_bridge.fuzz` goes on for ever."""

import random
import struct

import pytest

from firmware_bridge import frames, messages
from firmware_bridge.client import HoleUnit
from firmware_bridge.virtual import VirtualUnit
from hardware.devices import ManualClock
from tests.firmware_bridge.fuzz import BYTES, into_host, into_micropython, into_unit
from tests.micropython import REASON, micropython

SEED = 5


def test_the_host_takes_any_bytes_and_reports_nothing():
    into_host(SEED, BYTES)


def test_the_unit_takes_any_bytes_and_does_nothing():
    into_unit(SEED, BYTES)


@pytest.mark.skipif(micropython() is None, reason=REASON)
def test_the_unit_in_micropython_takes_any_bytes_and_does_nothing():
    into_micropython(SEED, BYTES)


def test_intact_frames_with_absurd_content_stop_neither_side():
    source = random.Random(SEED)
    clock, unit = ManualClock(), VirtualUnit(seed=SEED)
    host = HoleUnit(unit.link, clock, seed=SEED)
    host.attach(lambda event: None)
    for _ in range(2000):
        kind, layout = source.choice(list(messages.LAYOUTS.values()))
        size = struct.calcsize(layout)
        head = messages.MAJOR << 4 | messages.KINDS[kind]
        payload = source.choice((bytes(size), b"\xff" * size, source.randbytes(size)))
        (unit.wire.host if source.random() < 0.5 else unit.wire.unit).write(frames.encode(head, payload))
        clock.t += 0.01
        unit.step(clock.t)
        host.pump(clock.t)
    for _ in range(1000):
        clock.t += 0.01
        unit.step(clock.t)
        host.pump(clock.t)
    assert host.occupied() is False, host.diagnostics()
