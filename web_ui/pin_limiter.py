"""Makes those who guess the PIN wait, and nobody else."""

import ipaddress
from collections import OrderedDict
from collections.abc import Callable

FREE_ATTEMPTS = 5
"""Wrong PINs before somebody has to wait: enough for typing errors."""

LONGEST_WAIT = 300.0
"""Seconds. The wait doubles with each wrong PIN from 2 s up to this: 288 guesses a day, of a million PINs."""

MANY = 10
"""When this number of addresses guess at one time, every device waits that was never let in before: one person can have
many addresses. Even this many need half a year on average to guess one of a million PINs."""

FORGIVEN_AFTER = 3600.0
"""Seconds without a wrong PIN after which an address's count begins at 0 again."""

MOST_ADDRESSES = 1000


class PinLimiter:
    """Counts wrong PINs by whoever sends them, and tells how long to wait before the next try. Times in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.failures = 0  # since the start, for the technician
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()  # by whom: how many, when the last

    def wait(self, who: str, known: bool = False) -> float:
        """Seconds until `who` may try again; 0 means now. `known`: `who` is a device that was let in before."""
        own = self._remaining(*self._count(who), free=FREE_ATTEMPTS)
        return own if known else max(own, self._of_all(who))

    def wrong(self, who: str) -> None:
        """This one sent a wrong PIN."""
        self.failures += 1
        count, _ = self._count(who)
        self._wrong[who] = (count + 1, self._clock())
        self._wrong.move_to_end(who)
        while len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)

    def right(self, who: str) -> None:
        """This one knew the PIN: its own count is forgotten."""
        self._wrong.pop(who, None)

    def _count(self, who: str) -> tuple[int, float]:
        count, last = self._wrong.get(who, (0, 0.0))
        return (0, last) if self._clock() - last > FORGIVEN_AFTER else (count, last)

    def _of_all(self, who: str) -> float:
        """Seconds that everybody has to wait who is not known, because so many addresses guess."""
        guessing = [last for count, last in map(self._count, self._wrong) if count >= FREE_ATTEMPTS]
        return self._remaining(len(guessing), max(guessing, default=0.0), free=MANY)

    def _remaining(self, count: int, last: float, free: int) -> float:
        if count < free:
            return 0.0
        pause = min(LONGEST_WAIT, 2.0 ** min(count - free + 1, 16))
        return max(0.0, last + pause - self._clock())


def network(address: str) -> str:
    """What counts as one address: an IPv4 address, but with IPv6 the whole /64 network, which one phone has."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else address
