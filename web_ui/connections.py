"""Limits the connections of one address, so that nobody can take them all. Some are reserved for the table's screen."""

import ipaddress
from collections import Counter

from web_ui.pin_limiter import network


class Places:
    """Places that are taken and given back. For one thread."""

    def __init__(self, most: int, most_of_one: int, reserved: int) -> None:
        """`most`: places in all; `most_of_one`: for one address; `reserved`: of all, for those who have precedence."""
        self.most = most
        self.most_of_one = most_of_one
        self.reserved = reserved
        self.taken = 0
        self._of: Counter[str] = Counter()

    def free(self, address: str, first: bool) -> bool:
        """Whether there is a place. `first`: for somebody with precedence, the table's own screen or a scorer."""
        if first:
            return self.taken < self.most
        return self.taken < self.most - self.reserved and self._of[network(address)] < self.most_of_one

    def take(self, address: str) -> None:
        """One place more is taken."""
        self.taken += 1
        self._of[network(address)] += 1

    def give_back(self, address: str) -> None:
        """One place is free again."""
        self.taken -= 1
        who = network(address)
        self._of[who] -= 1
        if not self._of[who]:
            del self._of[who]


def is_loopback(address: str | None) -> bool:
    """Whether an address is this machine's own."""
    if address == "localhost":
        return True
    try:
        ip = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return bool((mapped or ip).is_loopback)
