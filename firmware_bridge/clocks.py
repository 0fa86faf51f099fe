"""Synchronises the unit's clock with the host's, with a bound on the error."""

BOOTS_KEPT = 4  # boots of the unit whose clock is kept
DRIFT = 600e-6  # seconds per second: 500 ppm is the most that Linux slews its clock, 100 ppm is a poor crystal


class ClockOffset:
    """Host time minus unit time, as an interval that contains the true offset. Each exchange bounds it: the unit read
    its clock after we asked and before we heard the answer. The interval is the intersection of all these bounds, each
    widened by the drift since. So fast answers narrow it most, and slow ones do no harm."""

    def __init__(self) -> None:
        self._low = 0.0
        self._high = 0.0
        self._at: float | None = None

    def sample(self, asked: float, unit: float, heard: float) -> None:
        """Take one exchange: host seconds of question and answer, and unit seconds in the answer."""
        low, high = asked - unit, heard - unit
        if self._at is not None:
            widened = DRIFT * (heard - self._at)
            cut_low, cut_high = max(low, self._low - widened), min(high, self._high + widened)
            if cut_low <= cut_high:  # else a clock has jumped, and earlier bounds are void
                low, high = cut_low, cut_high
        self._low, self._high, self._at = low, high, asked  # the unit read its clock then, or later

    def to_host(self, unit: float) -> float:
        """The host's time at a moment of the unit's clock, in seconds."""
        return unit + (self._low + self._high) / 2

    def error(self, now: float) -> float:
        """The largest error of `to_host` for the present, in seconds."""
        return float("inf") if self._at is None else (self._high - self._low) / 2 + DRIFT * (now - self._at)


class BootClocks:
    """The clocks of the unit's last boots, each of which starts at 0. Converts event times to host time."""

    def __init__(self) -> None:
        self._clocks: dict[int, ClockOffset] = {}
        self._newest_t = float("-inf")

    def of(self, boot: int) -> ClockOffset:
        """The clock of this boot, created on first use."""
        clock = self._clocks.setdefault(boot, ClockOffset())
        while len(self._clocks) > BOOTS_KEPT:
            del self._clocks[next(iter(self._clocks))]
        return clock

    def event_time(self, boot: int, unit: float, present: ClockOffset, now: float) -> float:
        """The host time of an event at `unit` seconds of a boot, never after `now` or before an earlier event. An event
        of a boot whose clock was never sampled gets the start of the `present` boot: nothing else is known than that it
        happened before."""
        clock = self._clocks.get(boot)
        t = clock.to_host(unit) if clock else present.to_host(0.0)
        # keeps events in order when the estimate of the offset improves
        self._newest_t = min(now, max(t, self._newest_t))
        return self._newest_t
