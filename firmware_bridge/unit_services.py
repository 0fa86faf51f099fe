"""The host's side of protocol version 1.1's additions: self-test, lamps, buttons and log. No I/O."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from firmware_bridge import messages
from firmware_bridge import unit_texts as texts
from firmware_bridge.peer import Peer
from firmware_bridge.settings import Sensor
from hardware.devices import Signal

SINCE = 1  # the minor version
TEST_EVERY = 0.5  # seconds, until the result arrives
TEST_AGAIN = 10.0  # seconds, after a bad result: somebody may be cleaning the sensor
PRESS_FRESH = 2.0  # seconds: the unit offers a press for as long


@dataclass(frozen=True, slots=True)
class Press:
    """One of the unit's buttons was pressed just now."""

    button: Literal["undo", "confirm"]


@dataclass(frozen=True, slots=True)
class Note:
    """A line of the unit's log, for ours. `level` as in the standard library's logging."""

    level: int
    text: str


class UnitServices:
    """The services of one unit, over any number of handshakes."""

    def __init__(self, sensor: Sensor) -> None:
        self.needed = sensor != "plain"  # whether the table uses devices that protocol 1.0 lacks
        self._sensor = sensor
        self._press_ack_due = self._show_due = self._test_wanted = False
        self._test_at = 0.0
        self._show: messages.Show | None = None

    def show(self, signal: Signal, colour: tuple[int, int, int]) -> None:
        """Set the lamp ring's signal and colour: red, green and blue, 0 to 255."""
        self._show = messages.Show(messages.SIGNALS.index(signal), *colour)
        self._show_due = self.needed = True

    def test(self) -> None:
        """Have the unit test its sensor; the result is in `Peer.test`."""
        self._test_wanted = self._sensor != "plain"
        self._test_at = 0.0

    def trouble(self, peer: Peer) -> str | None:
        """A sentence that says what is wrong with the unit's version or sensor; None if nothing is."""
        if self.needed and peer.hello.minor < SINCE:
            return texts.OLD_FIRMWARE
        return texts.self_test(self._sensor, peer.test) if peer.test else None

    def wake(self) -> float:
        """When `due` next has something to send."""
        return self._test_at if self._test_wanted else float("inf")

    def due(self, peer: Peer, now: float, ask: Callable[[float], int], pinging: bool) -> list[tuple[int | bytes, ...]]:
        """The messages to send now. `ask` returns a new nonce; the lamps' signal is repeated with each ping."""
        out: list[tuple[int | bytes, ...]] = []
        if self._press_ack_due:
            self._press_ack_due = False
            out.append(messages.PressAck(peer.hello.boot, peer.presses))
        if self._test_wanted and now >= self._test_at:
            self._test_at = now + TEST_EVERY
            out.append(messages.SelfTest(ask(now)))
        if self._show is not None and (self._show_due or pinging):
            self._show_due = False
            out.append(self._show)
        return out

    def handle(self, peer: Peer, message: object, now: float, asked: Callable[[int], bool]) -> list[Press | Note]:
        """Handle a message from the unit; `asked` returns True once for each of our nonces."""
        if isinstance(message, messages.SelfTestResult) and asked(message.nonce):
            peer.test = message
            self._test_wanted = texts.self_test(self._sensor, message) is not None
            self._test_at = now + TEST_AGAIN
        elif isinstance(message, messages.Log):
            return [Note(*texts.log(message))]
        elif isinstance(message, messages.Press) and message.boot == peer.hello.boot:
            return self._pressed(peer, message, now)
        return []

    def _pressed(self, peer: Peer, press: messages.Press, now: float) -> list[Press | Note]:
        self._press_ack_due = True
        if press.number <= peer.presses or press.button >= len(messages.BUTTONS):
            return []
        peer.presses = press.number
        if now - peer.clock.to_host(press.time_us * 1e-6) > PRESS_FRESH:
            return []  # too old: a buffer delayed it
        return [Press("undo" if messages.BUTTONS[press.button] == "undo" else "confirm")]
