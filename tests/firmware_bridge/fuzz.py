"""Bytes that nobody meant, into both sides."""

import random

from firmware_bridge import messages
from firmware_bridge.firmware.core import Unit
from firmware_bridge.session import Settings, UnitSession

NOW = 1.0
STATUS = messages.Status(5, 6, 7, 0, 1000, 900, *[0] * 16)
ORDERS = messages.Orders(1000, 20, 1, 0, 0, 0, 0, 0)


def noise(seed, count):
    """Random bytes, and sound lines with a few bits flipped or their ends cut off."""
    source = random.Random(seed)
    sound = [
        messages.encode(messages.HOST, ORDERS._replace(lockout_ms=500, active_low=0, signal=3)),
        messages.encode(messages.UNIT, STATUS._replace(level=1, rises=1)),
        messages.encode(messages.RESTART, (messages.PROMPT,)),
    ]
    sent = 0
    while sent < count:
        if source.random() < 0.3:
            piece = source.randbytes(source.randrange(1, 9000))
        else:
            damaged = bytearray(source.choice(sound))
            if source.random() < 0.3:
                damaged = damaged[: source.randrange(2, len(damaged) - 1)] + b"\n"
            else:
                for bit in source.sample(range(8, 8 * len(damaged) - 8), source.randint(1, 6)):
                    damaged[bit // 8] ^= 1 << bit % 8
            piece = bytes(damaged)
        sent += len(piece)
        yield piece


def into_host(seed, count):
    """The host reports nothing, and takes the next sound line."""
    session = UnitSession(Settings(), firmware=5, kept=None, device=None)
    session.receive(b"", NOW)
    session.send(NOW)
    assert len(session.receive(messages.encode(messages.UNIT, STATUS), NOW)) == 1
    for piece in noise(seed, count):
        assert session.receive(piece, NOW) == [], seed
    assert session.damaged > count / 10_000
    assert session.trouble() is None
    (event,) = session.receive(messages.encode(messages.UNIT, STATUS._replace(level=1, rises=1)), NOW)
    assert getattr(event, "occupied", None) is True


def into_unit(seed, count):
    """The unit changes nothing."""
    unit = Unit(5, 6, 7, 0)
    unit.receive(messages.encode(messages.HOST, ORDERS), 0)
    unit.sense(0, 1)
    for piece in noise(seed, count):
        unit.receive(piece, 0)
        unit.sense(0, 1)
    assert (unit.leave, unit.occupied, unit.lamps(0)) == (None, 0, (0, 0, 0, 0)), seed
    assert unit.step(0) == messages.encode(messages.UNIT, STATUS._replace(now_ms=0))
