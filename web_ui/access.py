"""Access: the hosts that requests may name; for commands the PIN, the session that it opens, and the session's token
against forged requests.

Anybody may look. A command needs a session. The table's PIN opens one; the table's own screen needs no PIN. A session
ends after half a day without use, and at once when the PIN changes."""

import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Request, Response, after_this_request, current_app, session
from flask import request as current_request
from werkzeug.exceptions import Forbidden, HTTPException, TooManyRequests

from controller.messages import counted, marked
from web_ui.connections import is_loopback
from web_ui.languages import rendered, translated
from web_ui.limiters import PinLimiter, SharedLimit, network
from web_ui.sessions import COOKIE_LASTS, SessionStore, cookie_name

DEVICE = "crokinole-device"  # the cookie of a device that knew the PIN. Other people's wrong PINs do not delay it.
MOST_PROGRAMS = 100  # remembered addresses of programs; only the right PIN adds one
CODE_LASTS = 60.0  # s that an entry code is shown
CODE_GRACE = 60.0  # s that it is valid after that, for a phone that is slow to open the link
PROXIED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")  # headers that proxies add
LOCAL = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Suffixes of names that nobody can own on the internet: RFC 6761, RFC 6762, RFC 8375, and what routers use."""


class UnknownHost(HTTPException):
    """The request's host name is not one of the table's."""

    code = 421


def check_host(request: Request, names: Sequence[str] = ()) -> None:
    """Raise `UnknownHost` unless the request's `Host` is an address, a local name or one of `names`. A hostile site can
    point its own name at the table's address, and a browser would then treat that site's scripts as the table's own
    (DNS rebinding). So names that somebody on the internet could own are refused."""
    name = (host_of(request) or "").rstrip(".")
    if _is_own(name, names):
        return
    raise UnknownHost(
        translated("This table is not called {name}. Use its address, or add the name to [web] names.", name=name[:100])
    )


def host_of(request: Request) -> str | None:
    """The name or address in the request's `Host`; None for an invalid one."""
    try:
        return urlsplit(f"//{request.host}").hostname
    except ValueError:
        return None


def _is_own(name: str, names: Sequence[str]) -> bool:
    try:
        ipaddress.ip_address(name.partition("%")[0])
        return True
    except ValueError:
        own = {socket.gethostname().lower(), *(one.lower() for one in names)}
        return bool(name) and ("." not in name or name.endswith(LOCAL) or name in own)


class EntryCodes:
    """Codes on the table's own screen that let one phone in each, without the PIN: whoever scans one is in the room."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._codes: dict[str, float] = {}  # by code, when it was first shown; the newest last

    def current(self) -> str:
        now = self._clock()
        self._codes = {code: since for code, since in self._codes.items() if now - since < CODE_LASTS + CODE_GRACE}
        newest = next(reversed(self._codes), None)
        if newest is None or now - self._codes[newest] >= CODE_LASTS:
            newest = secrets.token_urlsafe(18)
            self._codes[newest] = now
        return newest

    def redeem(self, given: str) -> bool:
        """Whether the code is valid; each works once."""
        now = self._clock()
        for code, since in self._codes.items():
            if hmac.compare_digest(code.encode(), given.encode()):
                del self._codes[code]
                return now - since < CODE_LASTS + CODE_GRACE
        return False


@dataclass(frozen=True, slots=True)
class PinWords:
    """The answers to a wrong and a missing PIN. `only_encrypted`: it may be sent over https only, if there is any."""

    wrong: str
    missing: str
    only_encrypted: bool = False


TABLE_PIN = PinWords(
    marked("That is not this table's PIN. It is shown on the table's screen."),
    marked("Send the PIN as text in the member pin."),
)
PASSWORD = PinWords(
    marked("That is not the organiser's password."),
    marked("Set a password at the hub's own screen first; then send it as text in the member pin."),
    only_encrypted=True,
)


class Access:
    """Opens sessions for clients that know the PIN, and checks them."""

    def __init__(
        self,
        pin: Callable[[], str],
        secret: bytes,
        clock: Callable[[], float],
        sessions: SessionStore,
        *,
        words: PinWords,
        fits: Callable[[str], bool] | None = None,
        guesses: SharedLimit | None = None,
    ) -> None:
        """`fits` checks a PIN, if only its hash is known: then `pin` gives a text that changes with it. `guesses`: a
        limit on wrong PINs for several processes together."""
        self.pin_limiter = PinLimiter(clock, guesses)
        self.words = words
        self._pin = pin
        self._fits = fits or (lambda given: hmac.compare_digest(given.strip().encode(), pin().encode()))
        self._secret = secret
        self._sessions = sessions
        self._programs: dict[str, str] = {}  # by address: the fingerprint of the PIN that it sent

    def enter(self, pin: str, request: Request, who: str = "") -> None:
        self.check(pin, request)
        self.admit(request, who)
        after_this_request(self._remember_device)

    def admit(self, request: Request, who: str = "") -> None:
        """Open a session, without checking a PIN."""
        session.clear()
        session["opened_by"] = self._fingerprint()
        session["token"] = secrets.token_urlsafe(24)
        session["who"] = who
        self._sessions.open(session["token"], network(request.remote_addr or ""))

    def _remember_device(self, response: Response) -> Response:
        """Set a cookie that proves that this device knew the PIN, valid while the PIN stays the same."""
        name, secure = secrets.token_urlsafe(12), current_request.is_secure
        value = f"{name}.{self._signed(name)}"
        response.set_cookie(
            cookie_name(DEVICE, secure), value, max_age=COOKIE_LASTS, httponly=True, samesite="Strict", secure=secure
        )
        return response

    def _device(self, request: Request) -> str | None:
        """The id of the device that sends a request, if it knew the PIN."""
        cookie = request.cookies.get(cookie_name(DEVICE, request.is_secure), "")
        name, _, signature = cookie.partition(".")
        return name if name and hmac.compare_digest(signature.encode(), self._signed(name).encode()) else None

    def _signed(self, name: str) -> str:
        return hmac.new(self._secret, f"device {name} {self._fingerprint()}".encode(), hashlib.sha256).hexdigest()

    def has_pin(self) -> bool:
        return bool(self._pin())

    def who(self) -> str:
        """The name that the session's scorer gave; empty without one."""
        return str(session.get("who", ""))

    def check(self, pin: str, request: Request) -> None:
        """Raise `Forbidden` for a wrong PIN, and `TooManyRequests` for one too soon after wrong ones. Wrong PINs are
        counted by address; for devices that knew the PIN, by device."""
        device = self._device(request)
        self._check(pin, device or network(request.remote_addr or ""), known=device is not None)

    def check_program(self, pin: str, request: Request) -> None:
        """The same for a program without cookies, which is known by its address once that has sent the PIN."""
        address, now = network(request.remote_addr or ""), self._fingerprint()
        self._check(pin, address, known=self._programs.get(address) == now)
        self._programs.pop(address, None)
        self._programs[address] = now
        if len(self._programs) > MOST_PROGRAMS:
            del self._programs[next(iter(self._programs))]

    def _check(self, pin: str, guesser: str, known: bool) -> None:
        if (wait := self.pin_limiter.reserve(guesser, known)) > 0:
            seconds = int(wait) + 1
            raise TooManyRequests(
                rendered(
                    counted(
                        "Too many wrong PINs. Try again in a second.",
                        "Too many wrong PINs. Try again in {n} seconds.",
                        seconds,
                    )
                ),
                retry_after=seconds,
            )
        if not self._fits(pin):
            raise Forbidden(translated(self.words.wrong))
        self.pin_limiter.succeeded(guesser, known)

    def leave(self) -> None:
        """Close the session, if there is one. Copies of its cookie become invalid."""
        self._sessions.close(str(session.get("token", "")))
        session.clear()

    def token(self) -> str | None:
        """The session's token, which every command must include; None without a session."""
        opened_by, token = str(session.get("opened_by", "")), str(session.get("token", ""))
        known = hmac.compare_digest(opened_by.encode(), self._fingerprint().encode())
        return token if known and self._sessions.is_valid(token) else None

    def require(self, request: Request) -> None:
        """Raise `Forbidden` unless the request comes from our own page, with a session and its token."""
        require_same_origin(request)
        token = self.require_session()
        if not hmac.compare_digest(request.headers.get("X-CSRF-Token", "").encode(), token.encode()):
            raise Forbidden(translated("This page is out of date. Load it again."))

    def require_session(self) -> str:
        """The session's token. Raises `Forbidden` without a session."""
        token = self.token()
        if token is None:
            raise Forbidden(translated("Enter the table's PIN first."))
        return token

    def _fingerprint(self) -> str:
        return hmac.new(self._secret, self._pin().encode(), hashlib.sha256).hexdigest()


def require_same_origin(request: Request) -> None:
    """Raise `Forbidden` for a request from another site's page."""
    origin = request.headers.get("Origin")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none") or (
        origin is not None and origin_host(origin) != request.host
    ):
        raise Forbidden(translated("This request came from another site's page."))


def origin_host(url: str) -> str | None:
    """The host and port of an origin; None for an invalid one."""
    try:
        return urlsplit(url).netloc
    except ValueError:
        return None


def is_table(request: Request) -> bool:
    """Whether the request comes from the table's own screen: over loopback, with a loopback host name, without a proxy.
    The host name matters: a hostile site can point its own name at 127.0.0.1, but can't change what the browser sends.
    Behind a proxy on this machine every visitor would qualify; `[web] proxy` prevents that."""
    if current_app.config["PROXY"] or any(name in request.headers for name in PROXIED):
        return False
    name = host_of(request)
    return name is not None and is_loopback(request.remote_addr) and is_loopback(name)
