"""Who may change the match: the PIN, the session that it opens, its token against forged requests, and the brakes.

Anybody may look. A command needs a session, which the table's PIN opens, or the table itself; the session is a signed
cookie that ends by itself after half a day without use, and at once when the PIN changes.
"""

import hashlib
import hmac
import ipaddress
import secrets
from collections import OrderedDict
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlsplit

from flask import Request, session
from werkzeug.exceptions import Forbidden, TooManyRequests

from web_ui.languages import told

SESSION_LASTS = timedelta(hours=12)

FREE_ATTEMPTS = 5
"""Wrong PINs before the brakes: enough for clumsy thumbs."""

LONGEST_WAIT = 300.0
"""Seconds. The wait doubles with each wrong PIN from 2 s up to this: one phone needs weeks to guess four digits."""

FREE_ATTEMPTS_OF_ALL = 50
"""Wrong PINs from all addresses together before everybody waits: one phone can have many addresses."""

FORGIVEN_AFTER = 3600.0
"""Seconds without a wrong PIN after which an address starts afresh."""

MOST_ADDRESSES = 1000

MOST_CLOSED = 1000
"""Sessions that were left: many evenings' worth; all others end by their age."""


class Brakes:
    """Counts wrong PINs and tells how long to wait before the next try. Times in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.failures = 0  # since the start, for the technician
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()  # by address: how many, when the last

    def wait(self, address: str) -> float:
        """Seconds until this address may try again; 0 when it may now."""
        own = self._remaining(network(address), FREE_ATTEMPTS)
        return max(own, self._remaining("everybody", FREE_ATTEMPTS_OF_ALL))

    def wrong(self, address: str) -> None:
        """This address sent a wrong PIN."""
        self.failures += 1
        for key in (network(address), "everybody"):
            count, _ = self._count(key)
            self._wrong[key] = (count + 1, self._clock())
            self._wrong.move_to_end(key)
        while len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)

    def right(self, address: str) -> None:
        """This address knew the PIN: its own count is forgotten."""
        self._wrong.pop(network(address), None)

    def _count(self, key: str) -> tuple[int, float]:
        count, last = self._wrong.get(key, (0, 0.0))
        return (0, last) if self._clock() - last > FORGIVEN_AFTER else (count, last)

    def _remaining(self, key: str, free: int) -> float:
        count, last = self._count(key)
        if count < free:
            return 0.0
        pause = min(LONGEST_WAIT, 2.0 ** min(count - free + 1, 16))
        return max(0.0, last + pause - self._clock())


class Access:
    """Opens sessions for those who know the PIN, and tells who has one."""

    def __init__(self, pin: Callable[[], str], secret: bytes, clock: Callable[[], float]) -> None:
        self.brakes = Brakes(clock)
        self._pin = pin
        self._secret = secret
        self._closed: OrderedDict[str, None] = OrderedDict()  # tokens of sessions that were left: no copy opens them

    def enter(self, pin: str, address: str, who: str = "") -> None:
        """Open a session for `who`. Raises `Forbidden` for a wrong PIN, `TooManyRequests` while the brakes are on."""
        self.check(pin, address)
        self.admit(who)

    def admit(self, who: str = "") -> None:
        """Open a session for somebody who needs no PIN, or knew it."""
        session.clear()
        session.permanent = True
        session["opened_by"] = self._fingerprint()
        session["token"] = secrets.token_urlsafe(24)
        session["who"] = who

    def who(self) -> str:
        """The name that the session's scorer gave; empty without one."""
        return str(session.get("who", ""))

    def check(self, pin: str, address: str) -> None:
        """Raise `Forbidden` for a wrong PIN, `TooManyRequests` while the brakes are on."""
        wait = self.brakes.wait(address)
        if wait > 0:
            seconds = int(wait) + 1
            raise TooManyRequests(
                told("Too many wrong PINs. Try again in {seconds} seconds.", seconds=seconds), retry_after=seconds
            )
        if not hmac.compare_digest(pin.encode(), self._pin().encode()):
            self.brakes.wrong(address)
            raise Forbidden(told("That is not this table's PIN. It is shown on the table's screen."))
        self.brakes.right(address)

    def leave(self) -> None:
        """Close the session, if there is one; a copy of its cookie is worth nothing any more."""
        if "token" in session:
            self._closed[session["token"]] = None
        while len(self._closed) > MOST_CLOSED:
            self._closed.popitem(last=False)
        session.clear()

    def token(self) -> str | None:
        """The session's token, which every changing request must carry; None without a session."""
        opened_by = str(session.get("opened_by", ""))
        known = hmac.compare_digest(opened_by, self._fingerprint()) and session.get("token") not in self._closed
        return session.get("token") if known else None

    def demand(self, request: Request) -> None:
        """Raise `Forbidden` unless the request comes from our own page with a session and its token."""
        demand_same_origin(request)
        token = self.demand_session()
        if not hmac.compare_digest(request.headers.get("X-CSRF-Token", "").encode(), token.encode()):
            raise Forbidden(told("This page is out of date. Load it again."))

    def demand_session(self) -> str:
        """The session's token. Raises `Forbidden` without a session."""
        token = self.token()
        if token is None:
            raise Forbidden(told("Enter the table's PIN first."))
        return token

    def _fingerprint(self) -> str:
        return hmac.new(self._secret, self._pin().encode(), hashlib.sha256).hexdigest()


def demand_same_origin(request: Request) -> None:
    """Raise `Forbidden` for a request that another site's page made."""
    origin = request.headers.get("Origin")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none") or (
        origin is not None and urlsplit(origin).netloc != request.host
    ):
        raise Forbidden(told("This request came from another site's page."))


def is_table(request: Request) -> bool:
    """Whether the request comes from the table's own screen: over loopback, by a loopback name, through no proxy.

    The name matters: a hostile site can point its own name at 127.0.0.1, but it can't change what the browser sends.
    """
    forwarded = any(name in request.headers for name in ("Forwarded", "X-Forwarded-For", "X-Real-IP"))
    name = urlsplit(f"//{request.host}").hostname
    return not forwarded and name is not None and _is_loopback(request.remote_addr) and _is_loopback(name)


def _is_loopback(address: str | None) -> bool:
    if address == "localhost":
        return True
    try:
        ip = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return (mapped or ip).is_loopback


def network(address: str) -> str:
    """Whom an address belongs to: a phone has one IPv4 address, but a whole /64 of IPv6."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else address
