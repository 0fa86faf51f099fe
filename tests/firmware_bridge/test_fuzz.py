"""Bytes that nobody meant, into both sides. HOLE_UNIT_FUZZ_BYTES sets how many each side gets."""

import os
import random
import struct
from collections.abc import Iterator

from firmware_bridge import frames, messages
from firmware_bridge.client import HoleUnit
from firmware_bridge.firmware.core import Unit
from firmware_bridge.firmware.journal import Journal, Store
from firmware_bridge.session import Session
from firmware_bridge.settings import Settings
from firmware_bridge.virtual import VirtualUnit
from hardware.devices import HoleEvent, ManualClock

BYTES = int(os.environ.get("HOLE_UNIT_FUZZ_BYTES", "100000"))
SEED = 5
STREAM = 77


def sound_frames() -> Iterator[bytes]:
    """One of every message, for the stream that both sides know, so that a slip would count."""
    for kind, layout in messages.LAYOUTS.values():
        message = kind(*struct.unpack(layout, b"\1" * struct.calcsize(layout)))
        yield messages.encode(message._replace(stream=STREAM) if "stream" in kind._fields else message)


def noise(seed: int) -> Iterator[bytes]:
    """Random bytes, zeros, and sound frames with a few bits flipped or their ends cut off."""
    source = random.Random(seed)
    sound = list(sound_frames())
    sent = 0
    while sent < BYTES:
        if source.random() < 0.3:
            piece = source.randbytes(source.randrange(300))
        else:
            damaged = bytearray(source.choice(sound))
            if source.random() < 0.3:
                damaged = damaged[: source.randrange(len(damaged) - 1)] + b"\xff"
            else:
                for bit in source.sample(range(8 * len(damaged)), source.randint(1, 6)):
                    damaged[bit // 8] ^= 1 << bit % 8
            piece = b"\0" + bytes(damaged) + b"\0"
        sent += len(piece)
        yield piece


def test_the_host_takes_any_bytes_and_reports_nothing() -> None:
    session = Session({}, device=None, settings=Settings(), random_source=random.Random(SEED))
    session.connected(0.0)
    (hello,) = frames.Splitter().feed(session.send(0.0))
    frame = frames.decode(hello)
    assert frame is not None
    nonce = messages.decode(*frame).nonce  # type: ignore[attr-defined]
    answer = messages.HelloAck(nonce, 0, 1, b"UNIT0001", STREAM, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0)
    assert session.receive(messages.encode(answer), 0.0) == []
    for piece in noise(SEED):
        assert session.receive(piece, 1.0) == [], SEED
    assert session.occupied() is False
    assert session.counts.damaged > BYTES / 1000
    event = messages.Event(STREAM, 1, 1, 1, 0, 1, 0, 0, 0, 0)
    (report,) = session.receive(b"\0" + messages.encode(event), 1.0)
    assert isinstance(report, HoleEvent)


def test_the_unit_takes_any_bytes_and_does_nothing() -> None:
    unit = Unit(Journal(Store(), STREAM), b"UNIT0001", 1, 0, 0, 0, 1)
    unit.sense(10, 0)
    for piece in noise(SEED + 1):
        unit.receive(piece, 20)
    assert [entry.sequence for entry in unit.journal.pending] == [1], SEED
    assert unit.leave is None
    assert (unit.journal.lockout_us, unit.journal.active_low) == (20_000, 1)
    unit.step(30)
    unit.receive(b"\0" + messages.encode(messages.Hello(0, 3)), 40)
    assert len(frames.Splitter().feed(unit.step(50))) == 2


def test_sound_frames_with_absurd_content_stop_neither_side() -> None:
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
