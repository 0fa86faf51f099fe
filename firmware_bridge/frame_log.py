"""The last frames each way, kept as bytes and decoded when somebody asks."""

from collections import deque

from firmware_bridge import frames, messages

LENGTH = 100  # frames each way


class FrameLog:
    """A flight recorder for the technician."""

    def __init__(self) -> None:
        self._count = 0
        self._in: deque[tuple[int, float, str, bytes]] = deque(maxlen=LENGTH)
        self._out: deque[tuple[int, float, str, bytes]] = deque(maxlen=LENGTH)

    def incoming(self, t: float, raw: bytes) -> None:
        """A frame, without its closing zero, came at `t`."""
        self._count += 1
        self._in.append((self._count, t, "in", raw))

    def outgoing(self, t: float, raw: bytes) -> None:
        """A frame, without its closing zero, left at `t`."""
        self._count += 1
        self._out.append((self._count, t, "out", raw))

    def lines(self) -> list[str]:
        """Time, direction and content of each, in the order in which they came and left."""
        return [f"{t:.6f} {way} {_words(raw)}" for _, t, way, raw in sorted([*self._in, *self._out])]


def _words(raw: bytes) -> str:
    frame = frames.decode(raw)
    message = messages.decode(*frame) if frame else None
    if message is not None:
        return str(message)
    return f"{'unknown' if frame else 'damaged'} {raw.hex()}"
