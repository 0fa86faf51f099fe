"""Keeps the last frames in each direction as bytes, and decodes them on request."""

from collections import deque

from firmware_bridge import frames, messages

LENGTH = 100  # frames each direction


class FrameLog:
    """A flight recorder of the wire."""

    def __init__(self) -> None:
        self._count = 0
        self._in: deque[tuple[int, float, str, bytes]] = deque(maxlen=LENGTH)
        self._out: deque[tuple[int, float, str, bytes]] = deque(maxlen=LENGTH)

    def incoming(self, t: float, raw: bytes) -> None:
        """Record a received frame, without its closing zero."""
        self._count += 1
        self._in.append((self._count, t, "in", raw))

    def outgoing(self, t: float, raw: bytes) -> None:
        """Record a sent frame, without its closing zero."""
        self._count += 1
        self._out.append((self._count, t, "out", raw))

    def lines(self) -> list[str]:
        """Time, direction and content of each frame, in order."""
        return [f"{t:.6f} {direction} {_describe(raw)}" for _, t, direction, raw in sorted([*self._in, *self._out])]


def _describe(raw: bytes) -> str:
    frame = frames.decode(raw)
    message = messages.decode(*frame) if frame else None
    if message is not None:
        return str(message)
    return f"{'unknown' if frame else 'damaged'} {raw.hex()}"
