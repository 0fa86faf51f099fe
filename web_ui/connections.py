"""Places for connections and streams, shared out by address as they become scarce. Some are for the table's screen."""

import ipaddress
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from web_ui.pin_limiter import network


@dataclass(frozen=True, slots=True)
class Guest:
    """Who wants a place. `first`: with precedence, as the table's own screen and scorers have."""

    address: str
    first: bool = False

    @property
    def network(self) -> str:
        """What counts as one address."""
        return network(self.address)


@dataclass(eq=False)
class Place:
    """One that is taken. `end` has it given back soon; `busy`: somebody is being served there, and not waited for."""

    guest: Guest
    end: Callable[[], None]
    since: float
    busy: bool = field(default=False)


class Places:
    """Places that are taken and given back. For one thread.

    Where none is left, the address that holds most of them loses one to an address that holds fewer: the one that was
    idle for longest. Where all hold as many, that which was held for longer than `turn` (s).
    """

    def __init__(self, most: int, reserved: int, turn: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`most`: places in all; `reserved`: of all, for those who have precedence."""
        self.most = most
        self.reserved = reserved
        self.turn = turn
        self._clock = clock
        self._held: dict[Place, None] = {}  # who was idle for longest comes first

    @property
    def taken(self) -> int:
        """How many are taken."""
        return len(self._held)

    def room(self, guest: Guest) -> bool:
        """Whether this one gets a place now; another loses it where that is fair."""
        if self.taken < (self.most if guest.first else self.most - self.reserved):
            return True
        given_up = self._given_up_for(guest)
        if given_up is None:
            return False
        self.give_back(given_up)
        given_up.end()
        return True

    def take(self, guest: Guest, end: Callable[[], None], *, busy: bool = False) -> Place:
        """One place more is taken."""
        place = Place(guest, end, self._clock(), busy)
        self._held[place] = None
        return place

    def idle(self, place: Place) -> None:
        """Whoever has this place was served and is waited for from now on."""
        place.busy, place.since = False, self._clock()
        if place in self._held:
            del self._held[place]
            self._held[place] = None

    def give_back(self, place: Place) -> None:
        """One place is free again. Safe to call twice."""
        self._held.pop(place, None)

    def _given_up_for(self, guest: Guest) -> Place | None:
        others = [place for place in self._held if not place.guest.first]
        if not others:
            return None
        held = Counter(place.guest.network for place in others)
        greedy = max(held, key=lambda address: held[address])
        if guest.first or held[greedy] > held[guest.network] + 1:
            return _longest_idle([place for place in others if place.guest.network == greedy])
        longest = _longest_idle(others)
        return longest if self._clock() - longest.since > self.turn else None


def _longest_idle(places: list[Place]) -> Place:
    return next((place for place in places if not place.busy), places[0])


def is_loopback(address: str | None) -> bool:
    """Whether an address is the one by which this machine's own screen comes: not all of 127.0.0.0/8."""
    if address == "localhost":
        return True
    try:
        ip = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    return str(getattr(ip, "ipv4_mapped", None) or ip) in ("127.0.0.1", "::1")
