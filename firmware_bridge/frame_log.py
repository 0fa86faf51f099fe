"""The last frames each way, kept as bytes and decoded when somebody asks."""

from collections import deque

from firmware_bridge import frames, messages

LENGTH = 100  # frames each way


class FrameLog:
    """A flight recorder for the technician."""

    def __init__(self) -> None:
        self._frames: dict[str, deque[tuple[float, str, bytes]]] = {way: deque(maxlen=LENGTH) for way in ("in", "out")}

    def add(self, t: float, way: str, raw: bytes) -> None:
        """A frame without its closing zero went `in` or `out` at `t`."""
        self._frames[way].append((t, way, raw))

    def lines(self) -> list[str]:
        """Time, direction and content of each, in order of time."""
        logged = sorted([*self._frames["in"], *self._frames["out"]], key=lambda frame: frame[0])
        return [f"{t:.6f} {way} {_words(raw)}" for t, way, raw in logged]


def _words(raw: bytes) -> str:
    frame = frames.decode(raw)
    message = messages.decode(*frame) if frame else None
    if message is not None:
        return str(message)
    return f"{'unknown' if frame else 'damaged'} {raw.hex()}"
