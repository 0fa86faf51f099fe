"""The messages between the host and the microcontroller. PROTOCOL.md describes their order and guarantees.

This file runs on the host and on the microcontroller, so it uses only what MicroPython has. A message is a named
tuple of whole numbers (and `bytes` where the layout has an `s`); times are microseconds of the unit's own clock."""

import binascii
import struct
from collections import namedtuple

from firmware_bridge import frames

MAJOR = 1  # changes that break the other side
MINOR = 2  # added messages, and fields at a message's end: both sides use the lower of their numbers

# Host to unit: a greeting, with a new nonce each time, so that an old answer is never mistaken for a new one.
Hello = namedtuple("Hello", ("minor", "nonce"))
# Unit to host. `stream` names the unit's journal, `boot` this run of it; `oldest` is the sequence of the first event
# that is not yet acknowledged, `next` that of the next event; `dropped` counts events that found no room.
HelloAck = namedtuple(
    "HelloAck",
    (
        "nonce",
        "minor",
        "firmware",  # CRC-32 of the firmware's files
        "device",  # 8 bytes, unique
        "stream",
        "boot",
        "reset",  # why it started: see RESETS
        "time_us",
        "oldest",
        "next",
        "dropped",
        "settings",  # CRC-32 of the settings in force
        "occupied",
        "fitted",  # bits, since 1.1: COLOUR_SENSOR
        "presses",  # since 1.1: number of button presses in this boot
    ),
)
# Host to unit: the sensor's settings. `lockout_us`: how long after a change further changes count as bounce.
Settings = namedtuple("Settings", ("lockout_us", "active_low"))
SettingsAck = namedtuple("SettingsAck", ("settings",))
# Unit to host: the hole was occupied (1) or cleared (0). Repeated until acknowledged. With a `clear` (since 1.1) it is
# no change, but the colour sensor's counts for the disc in the hole.
Event = namedtuple(
    "Event", ("stream", "oldest", "sequence", "boot", "time_us", "occupied", "clear", "red", "green", "blue")
)
# Host to unit: every event up to `sequence` is on the host's disk.
Ack = namedtuple("Ack", ("stream", "sequence"))
Ping = namedtuple("Ping", ("nonce",))
Pong = namedtuple(
    "Pong",
    (
        "nonce",
        "boot",
        "time_us",
        "oldest",
        "next",
        "dropped",
        "loop_us",  # longest turn of the unit's loop since the last Pong
        "faults",  # bits: JOURNAL_DAMAGED, JOURNAL_UNWRITABLE; since 1.2: SENSOR_FLICKERS
        "occupied",
        "withheld",  # since 1.2: changes that cancelled each other while the sensor flickered, in this boot
    ),
)
# Host to unit, since 1.1: test the sensor now, with its lamp off and on.
SelfTest = namedtuple("SelfTest", ("nonce",))
# `lit` and `dark`: the light on the sensor with its lamp on and off, 0 to 65535; `occupied_lit` and `occupied_dark`:
# the level at that time; `edges`: raw ones since the start, bounce included.
SelfTestResult = namedtuple("SelfTestResult", ("nonce", "lit", "dark", "occupied_lit", "occupied_dark", "edges"))
# Unit to host, since 1.1: a log line for the technician; may be lost. `code`: see LOG_*, with two numbers.
Log = namedtuple("Log", ("code", "a", "b"))
# Host to unit, since 1.1: what the lamp ring shows, an index of SIGNALS, and in which colour. Repeated with each Ping.
Show = namedtuple("Show", ("signal", "red", "green", "blue"))
# Unit to host, since 1.1: a button went down, an index of BUTTONS; `number` counts the presses of this boot from 1.
Press = namedtuple("Press", ("boot", "number", "time_us", "button"))
PressAck = namedtuple("PressAck", ("boot", "number"))
# Host to unit: restart. `into`: RESTART, or INTO_REPL for the interpreter's prompt, to install firmware.
Reboot = namedtuple("Reboot", ("into",))
RESETS = ("power on", "watchdog or restart")
JOURNAL_DAMAGED, JOURNAL_UNWRITABLE, SENSOR_FLICKERS = 1, 2, 4
RESTART, INTO_REPL = 0, 1
COLOUR_SENSOR = 1
SIGNALS = ("idle", "turn", "twenty", "foul", "check")
BUTTONS = ("undo", "confirm")
LOG_JOURNAL_DAMAGED, LOG_JOURNAL_FULL, LOG_EDGES_LOST, LOG_SLOW_TURN, LOG_COLOUR_SENSOR_LOST = 1, 2, 3, 4, 5
LOG_FLICKERED = 6
LOCKOUT_US = (1_000, 1_000_000)  # the range that the unit accepts
LAST_SEQUENCE = 0xFFFFFFFE  # one below the field's maximum: 130 years at an event a second

# Kind 0 is reserved for an extension, since no other number is left. A number once used is never reused.
LAYOUTS = {
    1: (Hello, "<BI"),
    2: (HelloAck, "<IBI8sIIBQIIIIBBI"),
    3: (Settings, "<IB"),
    4: (SettingsAck, "<I"),
    5: (Event, "<IIIIQB4H"),
    6: (Ack, "<II"),
    7: (Ping, "<I"),
    8: (Pong, "<IIQIIIIBBI"),
    9: (SelfTest, "<I"),
    10: (SelfTestResult, "<IHHBBI"),
    11: (Log, "<BII"),
    12: (Reboot, "<B"),
    13: (Show, "<BBBB"),
    14: (Press, "<IIQB"),
    15: (PressAck, "<II"),
}
KINDS = {kind: number for number, (kind, _) in LAYOUTS.items()}
REBOOT = KINDS[Reboot]  # the same in every major version, so that any software can install its firmware on any unit
SIZES_1_0 = {
    2: 50,
    5: 25,
    8: 34,
}  # bytes in version 1.0 of the messages that have grown since; missing fields count as 0


def pack(message: tuple[int | bytes, ...]) -> bytes:
    """A message's payload."""
    return struct.pack(LAYOUTS[KINDS[type(message)]][1], *message)


def encode(message: tuple[int | bytes, ...]) -> bytes:
    """A message as sent on the wire."""
    return frames.encode(MAJOR << 4 | KINDS[type(message)], pack(message))


def decode(head: int, payload: bytes) -> object:
    """The message in an intact frame; None if its kind is unknown or it is too short. Bytes beyond the layout are
    fields of a later minor version and are ignored."""
    kind, layout = LAYOUTS.get(head & 0x0F, (None, ""))
    if kind is None or head >> 4 != MAJOR:
        return None
    size = struct.calcsize(layout)
    if len(payload) < SIZES_1_0.get(head & 0x0F, size):
        return None
    return kind(*struct.unpack_from(layout, payload + bytes(size)))


def settings_crc(settings: Settings) -> int:
    """The checksum by which both sides check that they use the same settings."""
    return binascii.crc32(pack(settings))
