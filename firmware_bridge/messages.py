"""What the host and the microcontroller tell each other. PROTOCOL.md says when, and what it guarantees.

The same file runs on the host and on the microcontroller, so it keeps to what MicroPython knows. A message is a named
tuple of whole numbers (and `bytes` where the layout has an `s`); times are microseconds of the unit's own clock.
"""

import binascii
import struct
from collections import namedtuple

from firmware_bridge import frames

MAJOR = 1  # a change that the other side can't live with
MINOR = 0  # fields added at a message's end, messages added: the lower of both sides' numbers is spoken

# Host to unit: who are you? A new nonce each time, so that an old answer is never taken for a new one.
Hello = namedtuple("Hello", ("minor", "nonce"))
# Unit to host. `stream` names the unit's journal, `boot` this run of it; `oldest` is the sequence of the first event
# that is not yet acknowledged, `next` that of the event to come; `dropped` counts events that found the journal full.
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
    ),
)
# Host to unit: how to sense. `lockout_us`: after a change, how long further changes count as bounce.
Settings = namedtuple("Settings", ("lockout_us", "active_low"))
SettingsAck = namedtuple("SettingsAck", ("settings",))
# Unit to host: the hole was occupied (1) or cleared (0). Repeated until acknowledged.
Event = namedtuple("Event", ("stream", "oldest", "sequence", "boot", "time_us", "occupied"))
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
        "faults",  # bits: JOURNAL_DAMAGED, JOURNAL_UNWRITABLE
        "occupied",
    ),
)
# Host to unit: start anew, as RESTART or INTO_REPL (the interpreter's prompt, for new firmware) says.
Reboot = namedtuple("Reboot", ("into",))

RESETS = ("power on", "watchdog or restart")
JOURNAL_DAMAGED, JOURNAL_UNWRITABLE = 1, 2
RESTART, INTO_REPL = 0, 1
LOCKOUT_US = (1_000, 1_000_000)  # what the unit accepts
LAST_SEQUENCE = 0xFFFFFFFE  # one before the end of the field: 130 years at an event a second

# Kinds 9 and 10 are kept for a self-test and its result, 11 for a log line. A number once used is never given anew.
LAYOUTS = {
    1: (Hello, "<BI"),
    2: (HelloAck, "<IBI8sIIBQIIIIB"),
    3: (Settings, "<IB"),
    4: (SettingsAck, "<I"),
    5: (Event, "<IIIIQB"),
    6: (Ack, "<II"),
    7: (Ping, "<I"),
    8: (Pong, "<IIQIIIIBB"),
    12: (Reboot, "<B"),
}
KINDS = {kind: number for number, (kind, _) in LAYOUTS.items()}


def pack(message: tuple[int | bytes, ...]) -> bytes:
    """A message's payload."""
    return struct.pack(LAYOUTS[KINDS[type(message)]][1], *message)


def encode(message: tuple[int | bytes, ...]) -> bytes:
    """A message as it goes out on the wire."""
    return frames.encode(MAJOR << 4 | KINDS[type(message)], pack(message))


def decode(head: int, payload: bytes) -> object:
    """The message of a sound frame; None for a kind that this version does not know, or one that is too short.

    Bytes beyond the layout are fields of a later minor version, and left alone.
    """
    kind, layout = LAYOUTS.get(head & 0x0F, (None, ""))
    if kind is None or head >> 4 != MAJOR or len(payload) < struct.calcsize(layout):
        return None
    return kind(*struct.unpack_from(layout, payload))


def settings_crc(settings: Settings) -> int:
    """The checksum by which both sides make sure that the same settings are in force."""
    return binascii.crc32(pack(settings))
