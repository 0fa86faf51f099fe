"""Bytes that nobody meant, into both sides. `python -m tests.firmware_bridge.fuzz` goes on until it is stopped.

Each round has a seed of its own; a round that fails ends it, and the seed can be given to run it again.
"""

import argparse
import random
import struct
import subprocess
from collections.abc import Iterator

from firmware_bridge import frames, messages
from firmware_bridge.firmware.core import Unit
from firmware_bridge.firmware.journal import Journal, Store
from firmware_bridge.session import Session
from firmware_bridge.settings import Settings
from firmware_bridge.unit_services import Note
from hardware.devices import HoleEvent
from tests.firmware_bridge.board import CHECKOUT
from tests.micropython import micropython

BYTES = 1_000_000
STREAM = 77
IN_MICROPYTHON = """
import sys
sys.path.insert(0, sys.argv[1])
from firmware_bridge.firmware.core import Unit
from firmware_bridge.firmware.journal import Journal, Store
unit = Unit(Journal(Store(), 77), b"UNIT0001", 1, 0, 0, 0, 1)
unit.sense(10, 0)
while True:
    data = sys.stdin.buffer.read(200)
    if not data:
        break
    unit.receive(data, 20)
    unit.step(30)
print([entry.sequence for entry in unit.journal.pending], unit.leave, unit.journal.lockout_us, unit.journal.active_low)
"""


def sound_frames() -> Iterator[bytes]:
    """One of every message, for the stream that both sides know, so that a slip would count."""
    for kind, layout in messages.LAYOUTS.values():
        message = kind(*struct.unpack(layout, b"\1" * struct.calcsize(layout)))
        yield messages.encode(message._replace(stream=STREAM) if "stream" in kind._fields else message)


def noise(seed: int, count: int) -> Iterator[bytes]:
    """Random bytes, zeros, and sound frames with a few bits flipped or their ends cut off."""
    source = random.Random(seed)
    sound = list(sound_frames())
    sent = 0
    while sent < count:
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


def into_host(seed: int, count: int) -> None:
    """The host reports nothing, and takes the next sound event."""
    session = Session({}, device=None, settings=Settings(), random_source=random.Random(seed))
    session.connected(0.0)
    (hello,) = frames.Splitter().feed(session.send(0.0))
    frame = frames.decode(hello)
    assert frame is not None
    nonce = messages.decode(*frame).nonce  # type: ignore[attr-defined]
    answer = messages.HelloAck(nonce, 1, 1, b"UNIT0001", STREAM, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0)
    assert session.receive(messages.encode(answer), 0.0) == []
    for piece in noise(seed, count):
        assert session.receive(piece, 1.0) == []
    assert session.occupied() is False
    assert session.counts.damaged > count / 1000
    event = messages.Event(STREAM, 1, 1, 1, 0, 1, 0, 0, 0, 0)
    items = session.receive(b"\0" + messages.encode(event), 1.0)
    assert [type(item) for item in items if not isinstance(item, Note)] == [HoleEvent]


def into_unit(seed: int, count: int) -> None:
    """The unit does nothing, and answers the next sound greeting."""
    unit = Unit(Journal(Store(), STREAM), b"UNIT0001", 1, 0, 0, 0, 1)
    unit.sense(10, 0)
    for piece in noise(seed, count):
        unit.receive(piece, 20)
    assert [entry.sequence for entry in unit.journal.pending] == [1]
    assert unit.leave is None
    assert (unit.journal.lockout_us, unit.journal.active_low) == (20_000, 1)
    unit.step(30)
    unit.receive(b"\0" + messages.encode(messages.Hello(1, 3)), 40)
    assert len(frames.Splitter().feed(unit.step(50))) == 2


def into_micropython(seed: int, count: int) -> None:
    """The same in the interpreter that a unit has."""
    interpreter = micropython()
    assert interpreter
    done = subprocess.run(
        [interpreter, "-c", IN_MICROPYTHON, str(CHECKOUT)],
        input=b"".join(noise(seed, count)),
        capture_output=True,
        check=True,
    )
    assert done.stdout.strip() == b"[1] None 20000 1", done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**9))
    parser.add_argument("--rounds", type=int, help="end after so many")
    wanted = parser.parse_args()
    seed = wanted.seed
    while wanted.rounds is None or seed < wanted.seed + wanted.rounds:
        print(f"seed {seed}", flush=True)
        into_host(seed, BYTES)
        into_unit(seed, BYTES)
        if micropython() is not None:
            into_micropython(seed, BYTES)
        seed += 1


if __name__ == "__main__":
    main()
