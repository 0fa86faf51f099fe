"""The host's side of the protocol without I/O or a clock: bytes in, reports and bytes out, time as a parameter.

PROTOCOL.md specifies it. In short: an event is reported once and in order, acknowledged once the caller has it on disk,
and reported as a gap if it is lost."""

import random
from collections import deque
from collections.abc import Mapping

from firmware_bridge import frames, messages
from firmware_bridge import unit_texts as texts
from firmware_bridge.clocks import BootClocks
from firmware_bridge.delivery import Delivery, Gap, Report
from firmware_bridge.peer import SETTINGS_EVERY, SETTINGS_TRIES, Counts, Peer
from firmware_bridge.settings import Settings
from firmware_bridge.unit_services import SINCE, Note, Press, UnitServices
from hardware.devices import HoleEvent, Tint

PING_EVERY = 0.9839  # seconds; odd, to avoid beating with other periodic work
SILENT_AFTER = 4.5 * PING_EVERY
HELLO_FIRST, HELLO_SLOWEST = 0.5, 5.0  # seconds between greetings: doubled each time until the slowest
STRANGE = 2 * frames.MAX_WIRE  # bytes without a valid frame: more than the rest of one frame and a damaged one
ASKED_KEPT = 8  # questions whose late answers are still accepted
SessionOutput = Report | Press | Note
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


class Session:
    """The protocol between one host and one unit, over any number of reconnections."""

    def __init__(
        self, cursors: Mapping[int, int], *, device: str | None, settings: Settings, random_source: random.Random
    ) -> None:
        """`cursors`: the highest sequence on our disk by stream. `device`: the expected unit's id in hex; None for
        any."""
        self.counts = Counts()
        self.log = FrameLog()
        self.peer: Peer | None = None
        self.services = UnitServices(settings.sensor)
        self._streams = {stream: Delivery(stream, done, done) for stream, done in cursors.items()}
        self._device = device
        self._settings = settings.message()
        self._random = random_source
        self._clocks = BootClocks()
        self._splitter = frames.Splitter()
        self._asked: dict[int, float] = {}
        self._unreachable: str | None = None
        self._refusal: str | None = None
        self._unanswered = 0
        self._strange = 0  # bytes since the last valid frame
        self._heard = 0.0
        self._hello_at = self._ping_at = self._settings_at = 0.0
        self._ack_due = False
        self._fresh_line = False

    # Calls that change the session.

    def connected(self, now: float) -> None:
        """The port was opened or reopened."""
        self._unreachable = self._refusal = None
        self._splitter = frames.Splitter()
        self._unanswered = self._strange = 0
        self._fresh_line = True
        self._greet(now)

    def lost(self, why: str) -> None:
        self._unreachable = why
        self.peer = None

    def acknowledge(self, report: Report) -> None:
        """The report and all before it are on disk."""
        if report.stream in self._streams and report.sequence is not None:
            self._ack_due |= self._streams[report.stream].commit(report.sequence)

    def retract(self, report: Report) -> None:
        """The listener failed on the report: repeat it and all later ones when the unit resends them."""
        if report.stream in self._streams:
            self._streams[report.stream].retract(report)

    def configure(self, settings: Settings) -> None:
        """Change the settings; they are sent until the unit confirms them. Raises `BadSetting`."""
        self._settings = settings.message()
        if self.peer is not None:
            self.peer.settings_tries = 0

    def receive(self, data: bytes, now: float) -> list[SessionOutput]:
        """Take bytes from the unit. Returns their reports, presses and notes in order."""
        outputs: list[SessionOutput] = []
        self._strange += len(data)
        for raw in self._splitter.feed(data):
            self.log.incoming(now, raw)
            self.counts.frames_in += 1
            frame = frames.decode(raw)
            if frame is None:
                self.counts.damaged += 1
                continue
            self._strange = 0
            if frame[0] >> 4 != messages.MAJOR:
                if self.peer is None:
                    self._refusal = texts.wrong_version(frame[0] >> 4)
            else:
                message = messages.decode(*frame)
                self.counts.unknown += message is None
                outputs += self._handle(message, now)
        return outputs

    def send(self, now: float) -> bytes:
        """The bytes to send now. Call it after `receive`, and by `wake` at the latest."""
        if self._unreachable is not None:
            return b""
        if self.peer is not None and now - self._heard > SILENT_AFTER:
            self.counts.silences += 1
            self._unanswered = 2
            self._greet(now)
        out = b"\0" if self._fresh_line else b""  # ends any partial frame in the unit's buffer
        self._fresh_line = False
        for message in self._due(now):
            encoded = messages.encode(message)
            self.log.outgoing(now, encoded[:-1])
            self.counts.frames_out += 1
            out += encoded
        return out

    # Queries.

    def wake(self) -> float:
        """When `send` is next due, unless bytes arrive before."""
        if self.peer is None:
            return self._hello_at
        if self._settings_wanted(self.peer):
            return min(self._ping_at, self._settings_at)
        return min(self._ping_at, self.services.wake() if self.peer.hello.minor >= SINCE else self._ping_at)

    def occupied(self) -> bool | None:
        """The hole's last reported level; None while no unit answers."""
        return self.peer.occupied if self.peer else None

    def trouble(self) -> str | None:
        """A sentence that says what is wrong; None if nothing is."""
        if self._unreachable or self._refusal:
            return self._unreachable or self._refusal
        peer = self.peer
        if peer is None:
            return self._silence()
        if peer.settings_tries >= SETTINGS_TRIES and self._settings_wanted(peer):
            return texts.NO_SETTINGS
        fault = next((text for bit, text in texts.FAULTS if peer.faults & bit), None)
        return fault or self.services.trouble(peer)

    def _silence(self) -> str | None:
        """What is wrong while no unit answers; None before the second greeting."""
        if self._unanswered < 2:
            return None
        return texts.NO_UNIT if self._strange > STRANGE else texts.NO_ANSWER

    def settings_in_force(self) -> bool:
        """Whether the unit has confirmed the present settings."""
        return self.peer is not None and not self._settings_wanted(self.peer)

    def clock_error(self, now: float) -> float:
        """The largest error of an event's time now, in seconds; infinite while no unit answers."""
        return self.peer.clock.error(now) if self.peer else float("inf")

    # Sending.

    def _due(self, now: float) -> list[tuple[int | bytes, ...]]:
        peer = self.peer
        if peer is None:
            if now < self._hello_at:
                return []
            pause = min(HELLO_FIRST * 2.0 ** min(self._unanswered, 8), HELLO_SLOWEST)
            self._hello_at = now + pause
            self._unanswered += 1
            return [messages.Hello(messages.MINOR, self._ask(now))]
        return self._due_to(peer, now)

    def _due_to(self, peer: Peer, now: float) -> list[tuple[int | bytes, ...]]:
        out: list[tuple[int | bytes, ...]] = []
        if self._settings_wanted(peer) and now >= self._settings_at:
            peer.settings_tries += 1
            self._settings_at = now + SETTINGS_EVERY
            out.append(self._settings)
        if self._ack_due:
            self._ack_due = False
            stream = peer.hello.stream
            out.append(messages.Ack(stream, self._streams[stream].committed))
        if peer.hello.minor >= SINCE and not self._settings_wanted(peer):  # test the sensor with its final settings
            out += self.services.due(peer, now, self._ask, pinging=now >= self._ping_at)
        if now >= self._ping_at:
            self._ping_at = now + PING_EVERY
            out.append(messages.Ping(self._ask(now)))
        return out

    def _ask(self, now: float) -> int:
        nonce = self._random.getrandbits(32)
        self._asked[nonce] = now
        while len(self._asked) > ASKED_KEPT:
            del self._asked[next(iter(self._asked))]
        return nonce

    def _greet(self, now: float) -> None:
        self.peer = None
        self._asked.clear()
        self._hello_at = now

    def _settings_wanted(self, peer: Peer) -> bool:
        return peer.settings != messages.settings_crc(self._settings)

    # Receiving.

    def _handle(self, message: object, now: float) -> list[SessionOutput]:
        if isinstance(message, messages.HelloAck):
            return [*self._on_hello(message, now)]
        peer = self.peer
        if peer is None:
            return []
        if isinstance(message, messages.Event):
            self._heard = now
            return [*self._on_event(peer, message, now)]
        if isinstance(message, messages.Pong):
            return [*self._on_pong(peer, message, now)]
        if isinstance(message, messages.SettingsAck):
            self._heard = now
            peer.settings = message.settings
            return []
        return [*self.services.handle(peer, message, now, lambda nonce: self._asked.pop(nonce, None) is not None)]

    def _on_hello(self, hello: messages.HelloAck, now: float) -> list[Report]:
        asked = self._asked.pop(hello.nonce, None)
        if asked is None or self.peer is not None:
            return []
        device = hello.device.hex()
        if self._device is not None and device != self._device.lower():
            self._refusal = texts.wrong_unit(device, self._device)
            return []
        self._refusal = None
        self._unanswered = 0
        self._heard = self._ping_at = self._settings_at = now
        self.counts.greetings += 1
        clock = self._clocks.of(hello.boot)
        clock.sample(asked, hello.time_us * 1e-6, now)
        self.peer = Peer(
            hello, hello.settings, bool(hello.occupied), hello.next, hello.dropped, hello.presses, clock=clock
        )
        self.services.test()
        # A new journal begins with its oldest event: another host had the earlier ones.
        before = hello.oldest - 1
        delivery = self._streams.setdefault(hello.stream, Delivery(hello.stream, before, before))
        self._ack_due = True
        if hello.next <= delivery.committed:
            # The unit has lost events that we hold, and may have reused their numbers.
            return [Gap(hello.stream, hello.next, delivery.committed)]
        return self._skip(delivery, hello.oldest)

    def _on_pong(self, peer: Peer, pong: messages.Pong, now: float) -> list[Report]:
        asked = self._asked.pop(pong.nonce, None)
        if asked is None:
            return []
        self._heard = now
        if pong.boot != peer.hello.boot:
            self._greet(now)
            return []
        peer.clock.sample(asked, pong.time_us * 1e-6, now)
        peer.dropped, peer.faults, peer.loop_us = pong.dropped, pong.faults, pong.loop_us
        peer.withheld = pong.withheld
        if pong.next >= peer.next:
            peer.next, peer.occupied = pong.next, bool(pong.occupied)
        delivery = self._streams[peer.hello.stream]
        self._ack_due |= pong.next <= delivery.committed
        return self._skip(delivery, pong.oldest)

    def _on_event(self, peer: Peer, event: messages.Event, now: float) -> list[Report]:
        if event.stream != peer.hello.stream:
            return []
        delivery = self._streams[event.stream]
        reports = self._skip(delivery, min(event.oldest, event.sequence))
        if delivery.accept(event.sequence):
            self.counts.events += 1
            if event.sequence >= peer.next:
                peer.next, peer.occupied = event.sequence + 1, bool(event.occupied)
            t = self._clocks.event_time(event.boot, event.time_us * 1e-6, peer.clock, now)
            tint = Tint(event.clear, event.red, event.green, event.blue) if event.clear else None
            reports.append(HoleEvent(t, bool(event.occupied), event.stream, event.sequence, tint))
        elif event.sequence <= delivery.reported:
            self.counts.duplicates += 1
            self._ack_due |= event.sequence <= delivery.committed
        return reports

    def _skip(self, delivery: Delivery, oldest: int) -> list[Report]:
        gaps = delivery.skip_to(oldest)
        self.counts.gaps += len(gaps)
        return [*gaps]
