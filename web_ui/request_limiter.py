"""Limits the requests of one address: enough for every page, too few to keep the table busy."""

from collections.abc import Callable

BURST = 2000
"""Requests that one address may make at once. It may be a whole club behind one router: 300 phones that open a page
make some 1,500 requests. Files under /static do not count."""

REFILL = 50.0
"""Requests a second that one address may make without end: a tenth of what keeps a Pi busy."""

TIDIED = 1000
"""Addresses beyond which those that hold nothing back any more are forgotten."""


class RequestLimiter:
    """Counts the requests of each address, or session: a bucket that a request empties and time fills. Times in s."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.refused = 0  # since the start, for the technician
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}  # by whom: how many, as of when
        self._tidied = clock()

    def allows(self, who: str) -> bool:
        """Whether this one may make one more request now; counts it."""
        now = self._clock()
        left = self._now(self._left.get(who, (float(BURST), now)), now)
        allowed = left >= 1
        self._left[who] = (left - 1 if allowed else left, now)
        self.refused += not allowed
        if len(self._left) > TIDIED and now - self._tidied > 1:
            self._tidied = now
            self._left = {who: one for who, one in self._left.items() if self._now(one, now) < BURST}
        return allowed

    def _now(self, one: tuple[float, float], now: float) -> float:
        left, since = one
        return min(float(BURST), left + (now - since) * REFILL)
