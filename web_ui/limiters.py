"""Limits requests by address, and PIN guesses by one guesser and by all together, however many addresses they have.

Strangers and devices that knew the PIN have separate lanes, so that guessing strangers delay only strangers. An attempt
is booked before the PIN is checked and refunded if it was right, so that concurrent guesses count too."""

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

FREE_ATTEMPTS = 5  # wrong PINs before a sender has to wait: enough for typing errors
LONGEST_WAIT = 300.0  # seconds. The wait doubles with each wrong PIN from 2 s up to this.
FORGIVEN_AFTER = 3600.0  # seconds without a wrong PIN after which a sender's count is cleared
ALLOWANCE = 50  # wrong PINs that one lane may send at once: ten people who mistype five times each
STRANGERS_EVERY = 150.0  # seconds in which all strangers together get one more: 50 + 576 = 626 in the first day
KNOWN_EVERY = 300.0
"""The same for all devices that knew the PIN: 50 + 288 = 338 in the first day, 964 with the strangers'. Guessing one of
a million PINs takes 1.6 years on average."""


class SharedLimit(Protocol):
    """A limit on the wrong PINs of one lane, shared by several processes."""

    def reserve(self, known: bool, every: float, most: int) -> float:
        """Book an attempt and return 0, or the seconds until one is allowed: `most` at once, then one in `every` s."""

    def refund(self, known: bool, every: float) -> None:
        """The booked attempt was right."""


@dataclass
class _Lane:
    """The remaining wrong PINs of strangers or of known devices, and who sent how many."""

    every: float  # s for one more
    left: float = ALLOWANCE
    since: float = 0.0  # time of the last refill
    wrong: dict[str, tuple[int, float]] = field(default_factory=dict)  # by guesser: how many, when the last

    def refill(self, now: float) -> None:
        self.left = min(ALLOWANCE, self.left + (now - self.since) / self.every)
        self.since = now
        # Only forgiven counts are dropped; `left` limits how many there can be.
        for guesser in [who for who, (_, last) in self.wrong.items() if now - last > FORGIVEN_AFTER]:
            del self.wrong[guesser]

    def wait(self, who: str, now: float) -> float:
        count, last = self.wrong.get(who, (0, 0.0))
        pause = min(LONGEST_WAIT, 2.0 ** min(count - FREE_ATTEMPTS + 1, 16)) if count >= FREE_ATTEMPTS else 0.0
        return max(0.0, last + pause - now if pause else 0.0, (1 - self.left) * self.every)

    def refund(self) -> None:
        self.left = min(ALLOWANCE, self.left + 1)


class PinLimiter:
    """Counts wrong PINs by sender. Times in seconds."""

    def __init__(self, clock: Callable[[], float], shared: SharedLimit | None = None) -> None:
        """`shared`: a further limit, for several processes together."""
        self._shared = shared
        self.failures = 0  # since the start, for the technician
        self._clock = clock
        now = clock()
        self._lanes = {False: _Lane(STRANGERS_EVERY, since=now), True: _Lane(KNOWN_EVERY, since=now)}

    def reserve(self, who: str, known: bool = False) -> float:
        """Book an attempt of `who` and return 0, or the seconds until one is allowed. `known`: `who` is a device that
        knew the PIN."""
        lane, now = self._lanes[known], self._clock()
        lane.refill(now)
        if (wait := lane.wait(who, now)) > 0:
            return wait
        count, last = lane.wrong.get(who, (0, 0.0))
        self.failures += 1
        lane.left -= 1
        lane.wrong[who] = (count + 1, now)
        if self._shared is None or (wait := self._shared.reserve(known, lane.every, ALLOWANCE)) <= 0:
            return 0.0
        # nothing was tried: what others have used up elsewhere does not count against this one
        self.failures -= 1
        lane.refund()
        lane.wrong[who] = (lane.wrong[who][0] - 1, last)
        return wait

    def succeeded(self, who: str, known: bool = False) -> None:
        """The booked attempt was right: it costs nothing, and the sender's own count is cleared."""
        lane = self._lanes[known]
        self.failures -= 1
        lane.refund()
        lane.wrong.pop(who, None)
        if self._shared is not None:
            self._shared.refund(known, lane.every)


BURST = 2000
"""Requests that one address may make at once. It may be a whole club behind one router: 300 phones that open a page
make some 1,500 requests. Files under /static do not count."""
REFILL = 50.0  # requests a second that one address may sustain: a tenth of what keeps a Pi busy
TIDIED = 1000  # addresses beyond which those with a full allowance are dropped


class RequestLimiter:
    """A token bucket for each address or session. Times in s."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.refused = 0  # since the start, for the technician
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}  # by sender: how many, at what time
        self._tidied = clock()

    def allows(self, who: str) -> bool:
        """Whether one more request is allowed now; counts it."""
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


def network(address: str) -> str:
    """The unit that limits count by: an IPv4 address, or the /64 network that one IPv6 phone has."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else address
