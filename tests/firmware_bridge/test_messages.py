import re
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware_bridge
from firmware_bridge import frames, messages

PROTOCOL = (Path(firmware_bridge.__file__).parent / "PROTOCOL.md").read_text()
SIZES = {"B": 8, "H": 16, "I": 32, "Q": 64}


@st.composite
def any_message(draw: st.DrawFn) -> tuple[int | bytes, ...]:
    kind, layout = draw(st.sampled_from(list(messages.LAYOUTS.values())))
    fields = re.findall(r"\d*[a-zA-Z]", layout.replace("4H", "HHHH"))
    values = [
        draw(st.binary(min_size=8, max_size=8)) if field == "8s" else draw(st.integers(0, 2 ** SIZES[field] - 1))
        for field in fields
    ]
    return kind(*values)  # type: ignore[no-any-return]


@given(any_message(), st.binary(max_size=20))
def test_messages_survive_the_round_trip_and_later_fields_are_ignored(message, more):
    head = messages.MAJOR << 4 | messages.KINDS[type(message)]
    assert messages.decode(head, messages.pack(message) + more) == message


@given(any_message(), st.data())
def test_a_short_payload_is_no_message(message, data):
    head = messages.MAJOR << 4 | messages.KINDS[type(message)]
    payload = messages.pack(message)
    least = messages.SIZES_1_0.get(head & 0x0F, len(payload))
    assert messages.decode(head, payload[: data.draw(st.integers(0, least - 1))]) is None


@pytest.mark.parametrize("head", [0x00, 0x10, 0x05, 0x21, 0xF5])
def test_unknown_kinds_and_other_majors_are_no_message(head):
    assert messages.decode(head, bytes(100)) is None


def test_every_message_fits_a_frame():
    for _, layout in messages.LAYOUTS.values():
        assert struct.calcsize(layout) + 5 <= frames.MAX_BODY


def test_the_settings_checksum_distinguishes_them():
    crcs = {
        messages.settings_crc(messages.Settings(us, low)) for us in (1000, 20_000, 20_001, 1_000_000) for low in (0, 1)
    }
    assert len(crcs) == 8


def worked_bytes() -> list[tuple[str, str]]:
    return re.findall(r"^([A-Z]\w+\(.*\))\n    ((?:[0-9a-f]{2} ?)+)$", PROTOCOL, re.MULTILINE)


def test_the_protocol_works_an_example_of_every_message():
    named = {text.split("(")[0] for text, _ in worked_bytes()}
    assert named == {kind.__name__ for kind, _ in messages.LAYOUTS.values()}


@pytest.mark.parametrize(("text", "wire"), worked_bytes())
def test_the_protocols_worked_bytes_are_what_is_sent(text, wire):
    message = eval(text, vars(messages))
    assert messages.encode(message).hex(" ") == wire.strip()
    frame = frames.decode(bytes.fromhex(wire)[:-1])
    assert frame is not None
    assert messages.decode(*frame) == message


def test_the_protocol_lists_every_kind_and_field():
    for number, (kind, _) in messages.LAYOUTS.items():
        row = re.search(rf"^\| {number} \| `{kind.__name__}` \|(.*)$", PROTOCOL, re.MULTILINE)
        assert row, kind.__name__
        for field in kind._fields:
            assert f"`{field}" in row[1], (kind.__name__, field)


def test_the_protocols_figures_are_the_programs():
    from firmware_bridge import clocks, session
    from firmware_bridge.firmware import core, flicker, journal, presses

    for value, unit in (
        (frames.MAX_BODY, "bytes"),
        (core.WINDOW, "events"),
        (core.RESEND_US // 1000, "ms"),
        (core.HOST_SILENT_US // 1_000_000, "s"),
        (core.TINT_AFTER_US // 1000, "ms"),
        (core.LOGS_KEPT, "lines"),
        (flicker.BURST, "changes"),
        (flicker.REGAIN_US // 1000, "ms of rest"),
        (flicker.FLOOR_US // 1_000_000, "s at most"),
        (flicker.OVER_US // 1_000_000, "s pass"),
        (presses.RESEND_US // 1000, "ms"),
        (presses.FRESH_US // 1_000_000, "s"),
        (journal.CAPACITY, "events"),
        (journal.LOCKOUT_US // 1000, "ms"),
        (session.PING_EVERY, "s"),
        (session.HELLO_FIRST, "s"),
        (session.HELLO_SLOWEST, "s"),
        (round(clocks.DRIFT * 1e6), "ppm"),
        (session.LENGTH, "frames"),
    ):
        assert re.search(rf"\b{value:g} {unit}\b", PROTOCOL), (value, unit)
