"""A sensor that flickers must not wear the flash out. Runs on the microcontroller.

Flash bears 100,000 erasures of each sector (data sheet of the Pico's W25Q16JV), and each event that is journaled costs
about one. A sensor that flickers at 50 changes a second would make 4 million events a day.
"""

BURST = 20  # changes that pass at once: within 10 s more than any hand can seat and lift discs
REGAIN_US = 500_000  # after which one more may pass: 20 in 10 s
FLOOR_US = 10_000_000  # between two that pass while it flickers: 8,640 a day, which the flash bears for a season
OVER_US = 10_000_000  # so long without a change, the flicker is over


class Calm:
    """Lets a few changes in a row pass at once. After them, changes that cancel each other are withheld and counted.

    A level that holds always passes in the end, with the time of its own edge.
    """

    def __init__(self) -> None:
        self.withheld = 0  # changes that cancelled each other, since the start
        self.flickers = False
        self._held: tuple[int, int] | None = None  # the last change, while it has not passed
        self._spent_us = 0  # when all of the burst may pass again
        self._floor_us = 0  # when the next one may pass, while it flickers
        self._over_us = 0  # when it flickers no more, if nothing changes until then

    def take(self, now_us: int, change: tuple[int, int]) -> list[tuple[int, int]]:
        """A change (time, occupied), the opposite of the one before; returns what passes now."""
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
        """As `take`, when only time has passed."""
        if self._held is None:
            self.flickers = self.flickers and now_us < self._over_us
            return []
        if self.flickers and now_us < self._floor_us:
            return []
        passed = [self._held]
        self._held = None
        self._floor_us = now_us + FLOOR_US
        return passed
