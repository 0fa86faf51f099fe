"""Limits the requests of one address: enough for every page, too few to keep the table busy."""

from collections import OrderedDict
from collections.abc import Callable

BURST = 2000
"""Requests that one address may make at once. It may be a whole club behind one router: 300 phones that open a page
make some 1,500 requests. Files under /static do not count."""

REFILL = 50.0
"""Requests a second that one address may make without end: a tenth of what keeps a Pi busy."""

MOST_DEVICES = 1000


class RequestLimiter:
    """Counts the requests of each address: a bucket that a request empties and time fills. Times in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.refused = 0  # since the start, for the technician
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # by address: how many, as of when

    def allows(self, address: str) -> bool:
        """Whether this address may make one more request now; counts it."""
        now = self._clock()
        left, since = self._left.pop(address, (float(BURST), now))
        left = min(float(BURST), left + (now - since) * REFILL)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now)
        self.refused += not allowed
        while len(self._left) > MOST_DEVICES:
            self._left.popitem(last=False)
        return allowed
