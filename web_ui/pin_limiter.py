"""Bounds how often a PIN can be guessed: by one guesser, and by all of them together, however many addresses they have.

Strangers and devices that were let in before have a lane each, so that strangers who guess hold up strangers alone. A
try is booked before the PIN is looked at, and taken back when it was right: guesses that come at one time count too.
"""

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

FREE_ATTEMPTS = 5
"""Wrong PINs before somebody has to wait: enough for typing errors."""

LONGEST_WAIT = 300.0
"""Seconds. The wait doubles with each wrong PIN from 2 s up to this."""

FORGIVEN_AFTER = 3600.0
"""Seconds without a wrong PIN after which a guesser's count begins at 0 again."""

ALLOWANCE = 50
"""Wrong PINs that all guessers of one lane may send at once: ten who mistype five times each."""

STRANGERS_EVERY = 150.0
"""Seconds in which all strangers together get one more: 50 + 576 = 626 in the first day."""

KNOWN_EVERY = 300.0
"""The same for all devices that were let in: 50 + 288 = 338 in the first day. With the strangers' that makes 964; to
guess one of a million PINs takes 1.6 years on average."""


class Bound(Protocol):
    """A bound on the wrong PINs of all guessers of one lane together."""

    def book(self, known: bool, every: float, most: int) -> float:
        """Book a try and give 0, or the seconds until one may come: `most` at once, then one in `every` seconds."""

    def unbook(self, known: bool, every: float) -> None:
        """The try that was booked was right."""


@dataclass
class _Lane:
    """Wrong PINs that may still come, of one kind of guesser, and who sent how many."""

    every: float  # s for one more
    left: float = ALLOWANCE
    since: float = 0.0  # as of when
    wrong: dict[str, tuple[int, float]] = field(default_factory=dict)  # by guesser: how many, when the last

    def refill(self, now: float) -> None:
        self.left = min(ALLOWANCE, self.left + (now - self.since) / self.every)
        self.since = now
        # No restraint is dropped, and none need be: `left` bounds how many there can be.
        for guesser in [who for who, (_, last) in self.wrong.items() if now - last > FORGIVEN_AFTER]:
            del self.wrong[guesser]

    def wait(self, who: str, now: float) -> float:
        count, last = self.wrong.get(who, (0, 0.0))
        pause = min(LONGEST_WAIT, 2.0 ** min(count - FREE_ATTEMPTS + 1, 16)) if count >= FREE_ATTEMPTS else 0.0
        return max(0.0, last + pause - now if pause else 0.0, (1 - self.left) * self.every)


class PinLimiter:
    """Counts wrong PINs by whoever sends them. Times in seconds."""

    def __init__(self, clock: Callable[[], float], shared: Bound | None = None) -> None:
        """`shared`: a bound that holds beside this one, for several processes together."""
        self._shared = shared
        self.failures = 0  # since the start, for the technician
        self._clock = clock
        now = clock()
        self._lanes = {False: _Lane(STRANGERS_EVERY, since=now), True: _Lane(KNOWN_EVERY, since=now)}

    def take(self, who: str, known: bool = False) -> float:
        """Book a try of `who`, and give 0; where none is to be had, the seconds until one is.

        `known`: `who` is a device that was let in before.
        """
        lane, now = self._lanes[known], self._clock()
        lane.refill(now)
        if (wait := lane.wait(who, now)) > 0:
            return wait
        self.failures += 1
        lane.left -= 1
        count, _ = lane.wrong.get(who, (0, 0.0))
        lane.wrong[who] = (count + 1, now)
        return self._shared.book(known, lane.every, ALLOWANCE) if self._shared else 0.0

    def right(self, who: str, known: bool = False) -> None:
        """The try that was booked was right: it costs nothing, and the guesser's own count is forgotten."""
        lane = self._lanes[known]
        self.failures -= 1
        lane.left = min(ALLOWANCE, lane.left + 1)
        lane.wrong.pop(who, None)
        if self._shared is not None:
            self._shared.unbook(known, lane.every)


def network(address: str) -> str:
    """What counts as one address: an IPv4 address, but with IPv6 the whole /64 network, which one phone has."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else address
