"""Places for connections and streams, shared fairly among addresses when they are scarce. Some are reserved."""

import ipaddress
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Guest:
    """A client that wants a place. `first`: with precedence, like the table's own screen and scorers."""

    address: str
    first: bool = False

    @property
    def network(self) -> str:
        return network(self.address)


@dataclass(eq=False)
class HeldPlace:
    """A taken place. `end` makes its client give it back soon; `busy`: a request is being served, not awaited."""

    guest: Guest
    end: Callable[[], None]
    since: float
    busy: bool = False


@dataclass
class Places:
    """A limited number of places. Not thread-safe. When none is left, the address with most places loses the one that
    has been idle longest to an address with fewer. If all have equally many, the longest idle place is lost once that
    is longer than `turn` (s). `most`: of all places; `reserved`: those of them for clients with precedence."""

    most: int
    reserved: int
    turn: float
    clock: Callable[[], float] = time.monotonic
    _held: dict[HeldPlace, None] = field(default_factory=dict)  # the longest idle first

    @property
    def taken(self) -> int:
        return len(self._held)

    def room(self, guest: Guest) -> bool:
        """Whether there is a place for this client; another may lose its own."""
        if self.taken < (self.most if guest.first else self.most - self.reserved):
            return True
        given_up = self._given_up_for(guest)
        if given_up is None:
            return False
        self.give_back(given_up)
        given_up.end()
        return True

    def take(self, guest: Guest, end: Callable[[], None], *, busy: bool = False) -> HeldPlace:
        place = HeldPlace(guest, end, self.clock(), busy)
        self._held[place] = None
        return place

    def idle(self, place: HeldPlace) -> None:
        """The client of this place was served; its next request is awaited."""
        place.busy, place.since = False, self.clock()
        if place in self._held:
            del self._held[place]
            self._held[place] = None

    def give_back(self, place: HeldPlace) -> None:
        """Release a place. Safe to call twice."""
        self._held.pop(place, None)

    def _given_up_for(self, guest: Guest) -> HeldPlace | None:
        others = [place for place in self._held if not place.guest.first]
        if not others:
            return None
        held = Counter(place.guest.network for place in others)
        greedy = max(held, key=lambda address: held[address])
        if guest.first or held[greedy] > held[guest.network] + 1:
            return _longest_idle([place for place in others if place.guest.network == greedy])
        longest = _longest_idle(others)
        return longest if self.clock() - longest.since > self.turn else None


def _longest_idle(places: list[HeldPlace]) -> HeldPlace:
    return next((place for place in places if not place.busy), places[0])


def is_loopback(address: str | None) -> bool:
    """Whether an address is the loopback address of this machine's own screen, not any of 127.0.0.0/8."""
    if address == "localhost":
        return True
    try:
        ip = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    return str(getattr(ip, "ipv4_mapped", None) or ip) in ("127.0.0.1", "::1")


def network(address: str) -> str:
    """The unit that places are shared among: an IPv4 address, or the /64 network that one IPv6 phone has."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else address
