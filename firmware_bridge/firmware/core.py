"""The 20-hole unit without its pins and its port: levels and bytes in, bytes out, the time a parameter.

Runs on the microcontroller and, unchanged, on the host. Times are whole microseconds since the unit started.
"""

from firmware_bridge import frames, messages
from firmware_bridge.firmware.debounce import Debouncer
from firmware_bridge.firmware.journal import Journal

WINDOW = 4  # events on the way at once
RESEND_US = 250_000  # longer than an SD card takes for a commit, shorter than a player's patience
HOST_SILENT_US = 5_000_000  # five heartbeats: nobody listens, so nothing is sent and the port never blocks


class Unit:
    """One run of the firmware, from start to reset."""

    def __init__(
        self, journal: Journal, device: bytes, boot: int, reset: int, firmware: int, now_us: int, level: int
    ) -> None:
        """`device` 8 bytes, `boot` random, `reset` an index of RESETS, `firmware` the files' CRC, `level` the pin's."""
        self.journal = journal
        self.device = device
        self.boot = boot
        self.reset = reset
        self.firmware = firmware
        self.leave: int | None = None  # RESTART or INTO_REPL once the host asked for it
        self._splitter = frames.Splitter()
        self._debouncer = Debouncer(journal.occupied, journal.lockout_us)
        self._greeted = False
        self._heard_us = now_us
        self._sent = 0  # the last event on its way
        self._resend_us = now_us
        self._turn_us = now_us
        self._longest_turn_us = 0
        self._answers = b""
        self.sense(now_us, level)

    @property
    def occupied(self) -> int:
        """The hole's level, bounce removed."""
        return self._debouncer.occupied

    def sense(self, t_us: int, level: int) -> None:
        """The pin's level at `t_us`; call it at each edge, and as often as you like."""
        self._record(self._debouncer.sense(t_us, level ^ self.journal.active_low))

    def receive(self, data: bytes, now_us: int) -> None:
        """Bytes from the host."""
        for raw in self._splitter.feed(data):
            frame = frames.decode(raw)
            if frame is None:
                continue
            if frame[0] >> 4 != messages.MAJOR:
                self._answers += messages.encode(self._hello_ack(0, now_us))  # its head tells the host our version
                continue
            message = messages.decode(frame[0], frame[1])
            if message is not None:
                self._heard_us = now_us
                self._take(message, now_us)

    def step(self, now_us: int) -> bytes:
        """One turn of the loop: what is to be sent now."""
        self._longest_turn_us = max(self._longest_turn_us, now_us - self._turn_us)
        self._turn_us = now_us
        self._record(self._debouncer.settle(now_us))
        out = self._answers
        self._answers = b""
        if self._greeted and now_us - self._heard_us < HOST_SILENT_US:
            out += self._events(now_us)
        return out

    def _record(self, changes: list[tuple[int, int]]) -> None:
        for t_us, occupied in changes:
            self.journal.record(self.boot, t_us, occupied)

    def _events(self, now_us: int) -> bytes:
        journal = self.journal
        if now_us >= self._resend_us:
            self._sent = 0
        out = b""
        for entry in journal.pending[:WINDOW]:
            if entry.sequence > self._sent:
                out += messages.encode(
                    messages.Event(
                        journal.stream, journal.oldest, entry.sequence, entry.boot, entry.time_us, entry.occupied
                    )
                )
                self._sent = entry.sequence
        if out:
            self._resend_us = now_us + RESEND_US
        return out

    def _take(self, message: object, now_us: int) -> None:
        if isinstance(message, messages.Hello):
            self._greeted = True
            self._sent = 0
            self._answers += messages.encode(self._hello_ack(message.nonce, now_us))
        elif isinstance(message, messages.Ping):
            self._answers += messages.encode(self._pong(message.nonce, now_us))
        elif isinstance(message, messages.Ack):
            if message.stream == self.journal.stream and message.sequence < messages.LAST_SEQUENCE:
                self.journal.acknowledge(message.sequence)
        elif isinstance(message, messages.Settings):
            if messages.LOCKOUT_US[0] <= message.lockout_us <= messages.LOCKOUT_US[1] and message.active_low <= 1:
                self.journal.settle(message.lockout_us, message.active_low)
                self._debouncer.lockout_us = message.lockout_us
            self._answers += messages.encode(messages.SettingsAck(self._settings_crc()))
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
        )

    def _pong(self, nonce: int, now_us: int) -> messages.Pong:
        journal = self.journal
        longest = self._longest_turn_us
        self._longest_turn_us = 0
        faults = journal.damaged * messages.JOURNAL_DAMAGED + (not journal.writable) * messages.JOURNAL_UNWRITABLE
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
        )
