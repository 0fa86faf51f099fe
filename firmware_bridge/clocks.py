"""What the unit's clock shows against the host's, with a bound on the error."""

BOOTS_KEPT = 4  # runs of the unit whose clock is remembered
DRIFT = 600e-6  # seconds per second: 500 ppm is the most that Linux slews its clock, 100 ppm is a poor crystal


class ClockOffset:
    """Host time less unit time, as an interval that holds the truth.

    Each question and its answer bound it: the unit read its clock after we asked and before we heard. The interval is
    the intersection of all these bounds, each widened by the drift since then. So the quickest answer counts most, and
    a slow one does no harm.
    """

    def __init__(self) -> None:
        self._low = 0.0
        self._high = 0.0
        self._at: float | None = None

    def sample(self, asked: float, unit: float, heard: float) -> None:
        """One answer: when we asked and heard (host's seconds), what the unit's clock showed (unit's seconds)."""
        low, high = asked - unit, heard - unit
        if self._at is not None:
            widened = DRIFT * (heard - self._at)
            cut_low, cut_high = max(low, self._low - widened), min(high, self._high + widened)
            if cut_low <= cut_high:  # else a clock has jumped: what was known before is void
                low, high = cut_low, cut_high
        self._low, self._high, self._at = low, high, heard

    def known(self) -> bool:
        """Whether there was any answer yet."""
        return self._at is not None

    def to_host(self, unit: float) -> float:
        """The host's time at a moment of the unit's clock, in seconds."""
        return unit + (self._low + self._high) / 2

    def error(self, now: float) -> float:
        """The most by which `to_host` can be wrong for a moment just now, in seconds."""
        return float("inf") if self._at is None else (self._high - self._low) / 2 + DRIFT * (now - self._at)


class BootClocks:
    """The clocks of the unit's last boots: each starts its own at 0. Gives events their times on the host."""

    def __init__(self) -> None:
        self._clocks: dict[int, ClockOffset] = {}
        self._newest_t = float("-inf")

    def of(self, boot: int) -> ClockOffset:
        """This boot's clock, to be compared."""
        clock = self._clocks.setdefault(boot, ClockOffset())
        while len(self._clocks) > BOOTS_KEPT:
            del self._clocks[next(iter(self._clocks))]
        return clock

    def event_time(self, boot: int, unit: float, present: ClockOffset, now: float) -> float:
        """The host's time of an event at `unit` seconds of that boot; never after now nor before an earlier event.

        An event of a boot whose clock was never compared gets the time at which the `present` boot began: all that is
        known is that it happened before.
        """
        clock = self._clocks.get(boot)
        t = clock.to_host(unit) if clock else present.to_host(0.0)
        self._newest_t = min(
            now, max(t, self._newest_t)
        )  # events stay in order when the estimate of the clock gets better
        return self._newest_t
