"""Frames on the wire: COBS(head | payload | CRC-32), then one zero byte.

This file runs on the host and on the microcontroller, so it uses only what MicroPython has.
COBS (consistent overhead byte stuffing, Cheshire and Baker 1997) leaves no zero inside a frame: a receiver out of step
waits for the next zero. Damaged frames are normal, so they raise no error: they decode to None and are counted."""

import binascii

MAX_BODY = 128  # head, payload and CRC before stuffing; short enough that one COBS block never fills up (254)
MAX_WIRE = MAX_BODY + 1  # stuffed, without the closing zero


def stuff(data: bytes) -> bytes:
    """COBS: encode `data` (at most 253 bytes) without zeros, in one byte more."""
    out = bytearray()
    for part in data.split(b"\0"):
        out.append(len(part) + 1)
        out += part
    return bytes(out)


def unstuff(data: bytes) -> bytes | None:
    """Decode what `stuff` returned; None if `data` can't come from it."""
    if b"\0" in data:
        return None
    parts = []
    i = 0
    while i < len(data):
        n = data[i]
        if i + n > len(data):
            return None
        parts.append(data[i + 1 : i + n])
        i += n
    return b"\0".join(parts)


def encode(head: int, payload: bytes) -> bytes:
    """A frame as sent on the wire, with its closing zero."""
    body = bytes([head]) + payload
    return stuff(body + binascii.crc32(body).to_bytes(4, "little")) + b"\0"


def decode(raw: bytes) -> tuple[int, bytes] | None:
    """Head and payload of a frame from a `Splitter`; None if it was damaged."""
    body = unstuff(raw)
    if body is None or not 5 <= len(body) <= MAX_BODY:
        return None
    if binascii.crc32(body[:-4]) != int.from_bytes(body[-4:], "little"):
        return None
    return body[0], body[1:-4]


class Splitter:
    """Splits a stream of bytes at its zeros, whatever pieces it arrives in. Buffers one frame at most."""

    def __init__(self) -> None:
        self.overlong = 0  # number of stretches without a zero that were too long for a frame
        self._open = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """The complete frames, still stuffed, in order; empty ones are skipped."""
        closed = []
        parts = (self._open + data).split(b"\0")
        for part in parts[:-1]:
            if not self._skipping and part and self._fits(part):
                closed.append(part)
            self._skipping = False
        self._open = parts[-1]
        if self._skipping or not self._fits(self._open):
            self._open = b""
            self._skipping = True
        return closed

    def _fits(self, part: bytes) -> bool:
        if len(part) <= MAX_WIRE:
            return True
        self.overlong += 1
        return False
