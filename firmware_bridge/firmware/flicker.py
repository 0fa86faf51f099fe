"""Withholds the changes of a flickering sensor, which would wear out the flash. Runs on the microcontroller.

Flash endures 100,000 erasures of each sector (data sheet of the Pico's W25Q16JV), and each journaled event costs about
one. A sensor that flickers at 50 changes a second would cause 4 million events a day.
"""

BURST = 20  # changes that pass at once: more than any hand can seat and lift discs within 10 s
REGAIN_US = 500_000  # time after which one more may pass: 20 in 10 s
FLOOR_US = 10_000_000  # between two that pass while it flickers: 8,640 a day, which the flash endures for a season
OVER_US = 10_000_000  # without a change: then the flicker is over


class FlickerFilter:
    """Passes a few changes in a row at once. After them, changes that cancel each other are withheld and counted. A
    level that holds always passes in the end, with the time of its own edge."""

    def __init__(self) -> None:
        self.withheld = 0  # changes that cancelled each other, since the start
        self.flickers = False
        self._held: tuple[int, int] | None = None  # the last change, until it passes
        self._spent_us = 0  # when a whole burst may pass again
        self._floor_us = 0  # when the next one may pass, while it flickers
        self._over_us = 0  # when the flicker is over, if nothing changes until then

    def take(self, now_us: int, change: tuple[int, int]) -> list[tuple[int, int]]:
        """Take a change (time, occupied), the opposite of the one before. Returns what passes now."""
        self._over_us = now_us + OVER_US
        if self._held is not None:
            self._held = None
            self.withheld += 2
            return []
        self._held = change
        if not self.flickers:
            self._spent_us = max(self._spent_us, now_us) + REGAIN_US
            self.flickers = self._spent_us - now_us > BURST * REGAIN_US
        return self.settle(now_us)

    def settle(self, now_us: int) -> list[tuple[int, int]]:
        """Returns what passes now without another change."""
        if self._held is None:
            self.flickers = self.flickers and now_us < self._over_us
            return []
        if self.flickers and now_us < self._floor_us:
            return []
        passed = [self._held]
        self._held = None
        self._floor_us = now_us + FLOOR_US
        return passed
