import random
import struct

import pytest
from cobs import cobs
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_bridge import frames, messages
from firmware_bridge.client import HoleUnit
from firmware_bridge.virtual import VirtualUnit
from hardware.devices import ManualClock
from tests.firmware_bridge.fuzz import BYTES, into_host, into_micropython, into_unit
from tests.micropython import REASON, micropython

bodies = st.binary(max_size=frames.MAX_BODY)
heads = st.integers(0, 255)
payloads = st.binary(max_size=frames.MAX_BODY - 5)


@given(bodies)
def test_stuffing_gives_what_the_cobs_library_gives(data):
    assert frames.stuff(data) == cobs.encode(data)
    assert frames.unstuff(frames.stuff(data)) == data


@given(st.binary(max_size=frames.MAX_WIRE))
@example(b"\x03a\0")
def test_unstuffing_takes_what_cobs_takes_and_nothing_else(raw):
    try:
        expected: bytes | None = cobs.decode(raw)
    except cobs.DecodeError:
        expected = None
    assert frames.unstuff(raw) == expected


@given(heads, payloads)
def test_frames_survive_the_round_trip(head, payload):
    wire = frames.encode(head, payload)
    assert wire.index(0) == len(wire) - 1
    assert frames.decode(wire[:-1]) == (head, payload)


@given(heads, payloads, st.data())
def test_no_flipped_bit_goes_unnoticed(head, payload, data):
    wire = bytearray(frames.encode(head, payload))
    bit = data.draw(st.integers(0, 8 * len(wire) - 1))
    wire[bit // 8] ^= 1 << bit % 8
    assert all(frames.decode(raw) is None for raw in frames.Splitter().feed(bytes(wire)))


@given(heads, payloads, st.data())
def test_no_truncated_frame_is_taken(head, payload, data):
    wire = frames.encode(head, payload)
    short = wire[: data.draw(st.integers(0, len(wire) - 2))]
    assert frames.decode(short) is None


@given(st.lists(st.tuples(heads, payloads), max_size=5), st.data())
def test_the_pieces_in_which_bytes_arrive_do_not_matter(sent, data):
    stream = b"".join(frames.encode(*frame) for frame in sent)
    splitter = frames.Splitter()
    raws = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        raws += splitter.feed(stream[:size])
        stream = stream[size:]
    assert [frames.decode(raw) for raw in raws] == sent


@given(st.binary(max_size=600), heads, payloads)
def test_after_any_garbage_and_a_zero_the_next_frame_is_whole(garbage, head, payload):
    raws = frames.Splitter().feed(garbage + b"\0" + frames.encode(head, payload))
    assert frames.decode(raws[-1]) == (head, payload)


def test_endless_bytes_without_a_zero_are_counted_once_and_not_kept():
    splitter = frames.Splitter()
    for _ in range(1000):
        assert splitter.feed(b"\xff" * 100) == []
    assert splitter.overlong == 1
    assert splitter.feed(b"\xff\0" + frames.encode(1, b"next")) == [frames.encode(1, b"next")[:-1]]


def test_the_crc_is_the_published_one():
    wire = frames.encode(ord("1"), b"23456789")
    assert frames.unstuff(wire[:-1]) == b"123456789" + 0xCBF43926.to_bytes(4, "little")


def test_a_frame_beyond_the_limit_is_refused_even_with_a_right_crc():
    assert frames.decode(frames.encode(1, bytes(frames.MAX_BODY - 5))[:-1]) is not None
    assert frames.decode(frames.encode(1, bytes(frames.MAX_BODY - 4))[:-1]) is None


def test_noise_is_never_a_frame():
    seed = 20
    noise = random.Random(seed).randbytes(100_000)
    assert [raw for raw in frames.Splitter().feed(noise) if frames.decode(raw)] == [], seed


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
