"""The lines on the cable, as PROTOCOL.md describes them: a word, whole numbers, and a checksum of both.

This file runs on the host and on the microcontroller, so it uses only what MicroPython has. Times are milliseconds."""

import binascii
from collections import namedtuple

HOST, UNIT, RESTART = "host1", "unit1", "restart"  # a line whose numbers mean something else has another word
LONGEST = 300  # bytes of a line
LOCKOUT_MS = (1, 1000)  # the range of `lockout_ms`
SIGNALS = ("idle", "turn", "twenty", "foul", "check")
BUTTONS = ("undo", "confirm")
BY_WATCHDOG, COLOUR_SENSOR, COLOUR_SENSOR_LOST = 1, 2, 4  # bits of `flags`
PROGRAM, PROMPT = 0, 1  # where a restart ends

Orders = namedtuple("Orders", ("sent_ms", "lockout_ms", "active_low", "test", "signal", "red", "green", "blue"))
Status = namedtuple(
    "Status",
    (
        "firmware",
        "device",
        "boot",
        "flags",
        "heard_ms",
        "now_ms",
        "level",
        "rises",
        "falls",
        "changed_ms",
        "lasted_ms",
        "clear",
        "red",
        "green",
        "blue",
        "undo",
        "confirm",
        "test",
        "lit",
        "dark",
        "occupied_lit",
        "occupied_dark",
    ),
)


def encode(word: str, numbers: tuple[int, ...]) -> bytes:
    """A line as sent. It begins with a line break too, which ends whatever noise came before it."""
    text = " ".join([word] + [str(number) for number in numbers]).encode()
    return b"\n" + text + b" " + str(binascii.crc32(text)).encode() + b"\n"


def decode(line: bytes) -> tuple[str, list[int]] | None:
    """Word and numbers of a line without its breaks; None if it was damaged."""
    text, _, checksum = line.rpartition(b" ")
    if checksum != str(binascii.crc32(text)).encode():
        return None
    try:
        word, *numbers = text.decode().split(" ")
        return word, [int(number) for number in numbers]
    except ValueError:
        return None


def orders(word: str, numbers: list[int]) -> Orders | None:
    """The host's line; None if it is another."""
    try:
        return Orders(*numbers) if word == HOST else None
    except TypeError:  # another number of them
        return None


def status(word: str, numbers: list[int]) -> Status | None:
    """The unit's line; None if it is another."""
    try:
        return Status(*numbers) if word == UNIT else None
    except TypeError:
        return None


class Lines:
    """Splits a stream of bytes at its line breaks, whatever pieces it arrives in. Of a line that is too long it keeps
    too little for its checksum."""

    def __init__(self) -> None:
        self._open = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The complete lines, in order; empty ones are skipped."""
        *whole, rest = (self._open + data).split(b"\n")
        self._open = rest[:LONGEST]
        return [line for line in whole if line]
