"""The 20-hole unit without its pins and its port: levels and bytes in, bytes out, time as a parameter.

Runs on the microcontroller and, unchanged, on the host. Times are microseconds since the unit started, as integers.
"""

from firmware_bridge import frames, messages
from firmware_bridge.firmware.debounce import Debouncer
from firmware_bridge.firmware.flicker import FlickerFilter
from firmware_bridge.firmware.journal import Journal
from firmware_bridge.firmware.presses import Presses

WINDOW = 4  # events that may be sent before one is acknowledged
RESEND_US = 250_000  # longer than an SD card takes for a commit, shorter than a player's patience
HOST_SILENT_US = 5_000_000  # five heartbeats: nobody listens, so nothing is sent and the port never blocks
TINT_AFTER_US = 300_000  # by then a disc that skimmed the hole is gone, and one that fell in is at rest
SLOW_TURN_US = 250_000  # a longer turn of the loop is logged: a write to flash takes a tenth of it
SLOW_OVER_US = 60_000_000  # slow turns and lost edges are logged again only after this long without any
LOGS_KEPT = 8  # until a host listens: the first ones, which say most about the cause
DARK = messages.Show(0, 0, 0, 0)


class Unit:
    """One run of the firmware, from start to reset."""

    def __init__(
        self,
        journal: Journal,
        device: bytes,
        boot: int,
        reset: int,
        firmware: int,
        now_us: int,
        level: int,
        fitted: int = 0,
    ) -> None:
        """`device`: 8 bytes; `boot`: random; `reset`: an index of RESETS; `firmware`: the files' CRC. `level`: the
        pin's; `fitted`: COLOUR_SENSOR if it answered."""
        self.journal = journal
        self.device = device
        self.boot = boot
        self.reset = reset
        self.firmware = firmware
        self.fitted = fitted
        self.presses = Presses()
        self.leave: int | None = None  # RESTART or INTO_REPL once the host asked for it
        self.test_asked: int | None = None  # the nonce of a self-test that is due; see `tested`
        self._splitter = frames.Splitter()
        self._debouncer = Debouncer(journal.occupied, journal.lockout_us)
        self._filter = FlickerFilter()
        self._flickered = False  # when the log was last written
        self._host_minor: int | None = None  # the version of the host's last greeting; None before the first
        self._heard_us = now_us
        self._sent = 0  # the last event sent
        self._resend_us = now_us
        self._turn_us = now_us
        self._longest_turn_us = 0
        self._slow_until_us = now_us
        self._losing_until_us = now_us
        self._answers = b""
        self._logs: list[messages.Log] = []
        self._show = DARK
        self._tint_at_us: int | None = None
        if journal.damaged:
            self.log(messages.LOG_JOURNAL_DAMAGED, len(journal.pending), journal.next)
        if self.occupied:
            self._tint_at_us = now_us + TINT_AFTER_US
        self.sense(now_us, level)

    @property
    def occupied(self) -> int:
        """The hole's level, bounce removed."""
        return self._debouncer.occupied

    def sense(self, t_us: int, level: int) -> None:
        """Take the pin's level at `t_us`. Call it at each edge, and between edges as often as you like."""
        self._record(t_us, self._debouncer.sense(t_us, level ^ self.journal.active_low))

    def wants_tint(self, now_us: int) -> bool:
        """Whether the disc in the hole is at rest and its colour not yet measured."""
        return self._tint_at_us is not None and now_us >= self._tint_at_us

    def tint(self, now_us: int, counts: tuple[int, int, int, int]) -> None:
        """Take the colour sensor's counts for the disc in the hole: clear, red, green, blue."""
        if self._tint_at_us is not None:
            self._tint_at_us = None
            clear, red, green, blue = counts
            self.journal.record(self.boot, now_us, 1, (max(1, clear), red, green, blue))  # 0 means "not measured"

    def lamps(self, now_us: int) -> messages.Show:
        """What the lamps must show; dark while no host answers."""
        return self._show if now_us - self._heard_us < HOST_SILENT_US else DARK

    def tested(self, lit: int, dark: int, level_lit: int, level_dark: int) -> None:
        """Answer `test_asked` with the light and the pin's level with the sensor's lamp on and off."""
        nonce, self.test_asked = self.test_asked, None
        if nonce is not None:
            active_low = self.journal.active_low
            self._answer(
                messages.SelfTestResult(
                    nonce, lit, dark, level_lit ^ active_low, level_dark ^ active_low, self._debouncer.edges
                )
            )

    def log(self, code: int, a: int = 0, b: int = 0) -> None:
        """Log a line for the technician; it is sent when a host listens."""
        if len(self._logs) < LOGS_KEPT:
            self._logs.append(messages.Log(code, a, b))

    def edges_lost(self, now_us: int, count: int) -> None:
        """Log that this number of edges came too fast to be kept."""
        if now_us >= self._losing_until_us:
            self.log(messages.LOG_EDGES_LOST, count)
        self._losing_until_us = now_us + SLOW_OVER_US

    def receive(self, data: bytes, now_us: int) -> None:
        """Take bytes from the host."""
        for raw in self._splitter.feed(data):
            frame = frames.decode(raw)
            if frame is None:
                continue
            if frame[0] >> 4 != messages.MAJOR and frame[0] & 0x0F == messages.REBOOT:
                frame = (messages.MAJOR << 4 | messages.REBOOT, frame[1])
            if frame[0] >> 4 != messages.MAJOR:
                self._answer(self._hello_ack(0, now_us))  # its head has our version
                continue
            message = messages.decode(frame[0], frame[1])
            if message is not None:
                self._heard_us = now_us
                self._take(message, now_us)

    def waited(self, now_us: int) -> None:
        """For a simulated loop, which was stopped on purpose until now: do not count that as a slow turn."""
        self._turn_us = now_us

    def step(self, now_us: int) -> bytes:
        """One turn of the loop. Returns the bytes to send now."""
        turn_us = now_us - self._turn_us
        if turn_us > SLOW_TURN_US:
            if now_us >= self._slow_until_us:
                self.log(messages.LOG_SLOW_TURN, turn_us)
            self._slow_until_us = now_us + SLOW_OVER_US
        self._longest_turn_us = max(self._longest_turn_us, turn_us)
        self._turn_us = now_us
        self._record(now_us, self._debouncer.settle(now_us))
        out = self._answers
        self._answers = b""
        if self._host_minor is not None and now_us - self._heard_us < HOST_SILENT_US:
            out += self._events(now_us)
            if self._host_minor >= 1:
                out += self._since_1_1(now_us)
        return out

    def _since_1_1(self, now_us: int) -> bytes:
        """The messages for hosts of version 1.1 or later."""
        out = b""
        for press in self.presses.due(now_us):
            out += messages.encode(messages.Press(self.boot, *press))
        for log in self._logs:
            out += messages.encode(log)
        self._logs = []
        return out

    def _answer(self, message: tuple[int | bytes, ...]) -> None:
        self._answers += messages.encode(message)

    def _record(self, now_us: int, changes: list[tuple[int, int]]) -> None:
        filter_ = self._filter
        passed = filter_.settle(now_us)
        for change in changes:
            if not change[1]:
                self._tint_at_us = None
            passed += filter_.take(now_us, change)
        for t_us, occupied in passed:
            full = self.journal.dropped
            self.journal.record(self.boot, t_us, occupied)
            if self.journal.dropped and not full:
                self.log(messages.LOG_JOURNAL_FULL, self.journal.next - 1)
            self._tint_at_us = t_us + TINT_AFTER_US if occupied else None
        if self._flickered and not filter_.flickers:
            self.log(messages.LOG_FLICKERED, filter_.withheld)
        self._flickered = filter_.flickers

    def _events(self, now_us: int) -> bytes:
        journal = self.journal
        if now_us >= self._resend_us:
            self._sent = 0
        out = b""
        for entry in journal.pending[:WINDOW]:
            if entry.sequence > self._sent:
                out += messages.encode(
                    messages.Event(
                        journal.stream,
                        journal.oldest,
                        entry.sequence,
                        entry.boot,
                        entry.time_us,
                        entry.occupied,
                        *entry.tint,
                    )
                )
                self._sent = entry.sequence
        if out:
            self._resend_us = now_us + RESEND_US
        return out

    def _take(self, message: object, now_us: int) -> None:
        if isinstance(message, messages.Hello):
            self._host_minor = message.minor
            self._sent = 0
            self._answer(self._hello_ack(message.nonce, now_us))
        elif isinstance(message, messages.Ping):
            self._answer(self._pong(message.nonce, now_us))
        elif isinstance(message, messages.Ack):
            if message.stream == self.journal.stream and message.sequence < messages.LAST_SEQUENCE:
                self.journal.acknowledge(message.sequence)
        elif isinstance(message, messages.Settings):
            if messages.LOCKOUT_US[0] <= message.lockout_us <= messages.LOCKOUT_US[1] and message.active_low <= 1:
                self.journal.settle(message.lockout_us, message.active_low)
                self._debouncer.lockout_us = message.lockout_us
            self._answer(messages.SettingsAck(self._settings_crc()))
        else:
            self._take_since_1_1(message)

    def _take_since_1_1(self, message: object) -> None:
        """Take a message that came with version 1.1, or one that needs no answer."""
        if isinstance(message, messages.SelfTest):
            self.test_asked = message.nonce
        elif isinstance(message, messages.Show) and message.signal < len(messages.SIGNALS):
            self._show = message
        elif isinstance(message, messages.PressAck) and message.boot == self.boot:
            self.presses.acknowledge(message.number)
        elif isinstance(message, messages.Reboot) and message.into in (messages.RESTART, messages.INTO_REPL):
            self.leave = message.into

    def _settings_crc(self) -> int:
        return messages.settings_crc(messages.Settings(self.journal.lockout_us, self.journal.active_low))

    def _hello_ack(self, nonce: int, now_us: int) -> messages.HelloAck:
        journal = self.journal
        return messages.HelloAck(
            nonce,
            messages.MINOR,
            self.firmware,
            self.device,
            journal.stream,
            self.boot,
            self.reset,
            now_us,
            journal.oldest,
            journal.next,
            journal.dropped,
            self._settings_crc(),
            self.occupied,
            self.fitted,
            self.presses.count,
        )

    def _pong(self, nonce: int, now_us: int) -> messages.Pong:
        journal = self.journal
        longest = self._longest_turn_us
        self._longest_turn_us = 0
        faults = (
            journal.damaged * messages.JOURNAL_DAMAGED
            + (not journal.writable) * messages.JOURNAL_UNWRITABLE
            + self._filter.flickers * messages.SENSOR_FLICKERS
        )
        return messages.Pong(
            nonce,
            self.boot,
            now_us,
            journal.oldest,
            journal.next,
            journal.dropped,
            longest,
            faults,
            self.occupied,
            self._filter.withheld,
        )
