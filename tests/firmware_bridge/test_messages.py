"""The lines on the cable: what comes back is what was said, or nothing. PROTOCOL.md's bytes are these."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import client, messages
from firmware_bridge.messages import Lines, decode, encode
from tests.firmware_bridge.fuzz import ORDERS, STATUS

PAGE = Path(client.PACKAGE, "PROTOCOL.md").read_text("utf-8")
numbers = st.lists(st.integers(0, 2**64), max_size=8)


@given(st.sampled_from(["host1", "unit1", "restart"]), numbers, st.integers(1, 7))
def test_a_line_comes_back_whole_whatever_pieces_it_arrives_in(word, said, size):
    data = b"some noise" + encode(word, tuple(said)) + encode(word, tuple(said))
    lines = Lines()
    found = [line for k in range(0, len(data), size) for line in lines.feed(data[k : k + size])]
    assert [decode(line) for line in found] == [None, (word, said), (word, said)]


@given(st.data())
def test_a_line_with_any_three_bits_wrong_is_noticed(data):
    line = bytearray(encode(messages.UNIT, STATUS).strip())
    for bit in data.draw(st.sets(st.integers(0, 8 * len(line) - 1), min_size=1, max_size=3)):
        line[bit // 8] ^= 1 << bit % 8
    assert decode(bytes(line)) is None


@given(st.binary())
def test_bytes_that_nobody_meant_raise_nothing(data):
    for line in Lines().feed(data + b"\n"):
        decode(line)


def test_a_sound_checksum_over_no_numbers_is_no_line():
    for text in (b"unit1 x", b"unit1 \xff", b"unit1 1.5"):
        assert decode(text + b" " + str(messages.binascii.crc32(text)).encode()) is None


def test_an_endless_line_is_not_kept():
    lines = Lines()
    for _ in range(1000):
        assert lines.feed(b"x" * 1000) == []
    assert len(lines._open) <= messages.LONGEST
    line = encode(messages.HOST, ORDERS)
    assert [decode(one) is not None for one in lines.feed(line + line)] == [False, True, True]


def test_the_longest_line_fits():
    ids, times, counts = (2**32, 2**64, 2**32, 7), (2**43,) * 2, (1, 2**32, 2**32, 2**43, 2**43)
    assert len(encode(messages.UNIT, (*ids, *times, *counts, *(65535,) * 11))) < messages.LONGEST


def test_only_lines_of_the_known_form_are_taken():
    assert messages.status("unit1", list(STATUS)) == STATUS
    assert messages.status("unit2", list(STATUS)) is None
    assert messages.status("unit1", list(STATUS[1:])) is None
    assert messages.orders("host1", list(ORDERS)) == ORDERS
    assert messages.orders("unit1", list(ORDERS)) is None
    assert messages.orders("host1", [*ORDERS, 1]) is None
