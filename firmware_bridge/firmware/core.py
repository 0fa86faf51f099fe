"""The 20-hole unit without its pins and its port: levels and bytes in, bytes out, time as a parameter.

Runs on the microcontroller and, unchanged, on the host. Times are milliseconds since the unit started, as integers.
"""

from firmware_bridge import messages
from firmware_bridge.firmware.debounce import Debouncer

EVERY_MS = 500  # between two lines while nothing changes
COPIES, COPY_MS = 3, 20  # a change's line is sent as often, and as far apart as no noise lasts
HOST_SILENT_MS = 5000  # nobody listens: nothing is sent, so that no full port blocks the loop, and the lamps are dark
TINT_AFTER_MS = 300  # by then a disc that skimmed the hole is gone, and one that fell in is at rest
BUTTON_LOCKOUT_MS = 50  # cheap push buttons chatter for 5 to 20 ms, and nobody presses 20 times a second
NOT_MEASURED = (0, 0, 0, 0)
DARK = (0, 0, 0, 0)


class Unit:
    """One run of the firmware, from start to reset."""

    def __init__(self, firmware: int, device: int, boot: int, flags: int) -> None:
        """`firmware`: the files' CRC; `device`: unique; `boot`: random; `flags`: see messages."""
        self.flags = flags
        self.leave: int | None = None  # PROGRAM or PROMPT once the host asked for a restart
        self._identity = (firmware, device, boot)
        self._lines = messages.Lines()
        self._orders: messages.Orders | None = None
        self._heard_ms = -HOST_SILENT_MS
        self._sent_ms = -EVERY_MS
        self._copies = 0
        self._debouncer: Debouncer | None = None  # nothing is sensed before the host has said how
        self._counts = [0, 0]  # falls and rises
        self._changed_ms = self._lasted_ms = 0
        self._tint = NOT_MEASURED
        self._tint_at_ms: int | None = None
        self._buttons: list[Debouncer | None] = [None, None]
        self._presses = [0, 0]
        self._tested = (0, 0, 0, 0, 0)

    @property
    def occupied(self) -> int:
        """The hole's level, bounce removed."""
        return self._counts[1] - self._counts[0]

    def sense(self, t_ms: int, level: int) -> None:
        """Take the pin's level at `t_ms`: at each edge, and in each turn of the loop."""
        if self._debouncer is None or self._orders is None:
            return
        for at_ms, occupied in self._debouncer.sense(t_ms, level ^ self._orders.active_low):
            self._counts[occupied] += 1
            self._lasted_ms = at_ms - self._changed_ms
            self._changed_ms = at_ms
            self._tint = NOT_MEASURED
            self._tint_at_ms = at_ms + TINT_AFTER_MS if occupied else None
            self._copies = COPIES

    def press(self, now_ms: int, button: int, down: int) -> None:
        """Take a button's level. One that is down from the start is stuck, and was not pressed."""
        debouncer = self._buttons[button]
        if debouncer is None:
            self._buttons[button] = Debouncer(down, BUTTON_LOCKOUT_MS)
            return
        for _, pressed in debouncer.sense(now_ms, down):
            self._presses[button] += pressed
            self._copies = COPIES

    def wants_tint(self, now_ms: int) -> bool:
        """Whether the disc in the hole is at rest and its colour not yet measured."""
        return self._tint_at_ms is not None and now_ms >= self._tint_at_ms

    def tint(self, counts: tuple[int, int, int, int]) -> None:
        """Take the colour sensor's counts for the disc in the hole: clear, red, green, blue."""
        clear, red, green, blue = counts
        self._tint = (max(1, clear), red, green, blue)  # 0 means "not measured"
        self._tint_at_ms = None
        self._copies = COPIES

    @property
    def test_due(self) -> bool:
        """Whether the host wants a self-test that was not made yet; see `tested`."""
        return self._orders is not None and self._orders.test != self._tested[0]

    def tested(self, lit: int, dark: int, level_lit: int, level_dark: int) -> None:
        """Take the light and the pin's level with the sensor's lamp on and off."""
        if self._orders is not None:
            low = self._orders.active_low
            self._tested = (self._orders.test, lit, dark, level_lit ^ low, level_dark ^ low)
            self._copies = COPIES

    def lamps(self, now_ms: int) -> tuple[int, ...]:
        """What the lamps must show: an index of SIGNALS, red, green, blue."""
        if self._orders is None or self._host_is_silent(now_ms):
            return DARK
        return tuple(self._orders[4:])

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host. Whoever says anything sound listens, whatever it means."""
        for line in self._lines.feed(data):
            found = messages.decode(line)
            if found is None:
                continue
            self._heard_ms = now_ms
            if found in ((messages.RESTART, [messages.PROGRAM]), (messages.RESTART, [messages.PROMPT])):
                self.leave = found[1][0]
            orders = messages.orders(*found)
            if orders is not None:
                self._obey(orders)

    def step(self, now_ms: int) -> bytes:
        """One turn of the loop. Returns the bytes to send now."""
        if self._host_is_silent(now_ms) or now_ms - self._sent_ms < (COPY_MS if self._copies else EVERY_MS):
            return b""
        self._sent_ms = now_ms
        self._copies = max(0, self._copies - 1)
        falls, rises = self._counts
        heard_ms = self._orders.sent_ms if self._orders else 0
        status = messages.Status(  # type: ignore[call-arg]  # mypy can't count the starred ones
            *self._identity,
            self.flags,
            heard_ms,
            now_ms,
            self.occupied,
            rises,
            falls,
            self._changed_ms,
            self._lasted_ms,
            *self._tint,
            *self._presses,
            *self._tested,
        )
        return messages.encode(messages.UNIT, status)

    def _host_is_silent(self, now_ms: int) -> bool:
        return now_ms - self._heard_ms >= HOST_SILENT_MS

    def _obey(self, orders: messages.Orders) -> None:
        low, high = messages.LOCKOUT_MS
        if not (low <= orders.lockout_ms <= high and orders.active_low <= 1 and orders.signal < len(messages.SIGNALS)):
            return
        self._orders = orders
        if self._debouncer is None:
            self._debouncer = Debouncer(0, orders.lockout_ms)
        self._debouncer.lockout_ms = orders.lockout_ms
