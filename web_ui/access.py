"""Who may change the match: the PIN, the session that it opens, and the session's token against forged requests.

Anybody may look. A command needs a session. The table's PIN opens one; at the table's own screen it needs no PIN. A
session ends after half a day without use, and at once when the PIN changes.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Request, Response, after_this_request, current_app, session
from flask import request as current_request
from werkzeug.exceptions import Forbidden, TooManyRequests

from controller.messages import counted
from web_ui.connections import is_loopback
from web_ui.languages import rendered, told
from web_ui.names import host_of
from web_ui.pin_limiter import PinLimiter, SharedLimit, network
from web_ui.sessions import COOKIE_LASTS, Held, cookie_name

DEVICE = "crokinole-device"
"""The cookie of a device that knew the PIN. Wrong PINs of others do not make it wait."""

MOST_PROGRAMS = 100
"""Addresses of programs that are remembered; only who knows the PIN adds one."""

PROXIED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")
"""Headers that proxies add."""


class Access:
    """Opens sessions for those who know the PIN, and tells who has one."""

    def __init__(
        self,
        pin: Callable[[], str],
        secret: bytes,
        clock: Callable[[], float],
        sessions: Held,
        fits: Callable[[str], bool] | None = None,
        guesses: SharedLimit | None = None,
    ) -> None:
        """`fits` says whether a text is the right one, where that is not the PIN itself: then `pin` is a mark that
        changes with it. `guesses`: a bound on wrong PINs for several processes together."""
        self.pin_limiter = PinLimiter(clock, guesses)
        self._pin = pin
        self._fits = fits or (lambda given: hmac.compare_digest(given.encode(), pin().encode()))
        self._secret = secret
        self._sessions = sessions
        self._programs: dict[str, str] = {}  # by address: the fingerprint of the PIN that it sent

    def enter(self, pin: str, request: Request, who: str = "") -> None:
        """Open a session for `who`. Raises as `check` does."""
        self.check(pin, request)
        self.admit(request, who)
        after_this_request(self._remember_device)

    def admit(self, request: Request, who: str = "") -> None:
        """Open a session for somebody who needs no PIN, or knew it."""
        session.clear()
        session["opened_by"] = self._fingerprint()
        session["token"] = secrets.token_urlsafe(24)
        session["who"] = who
        self._sessions.open(session["token"], network(request.remote_addr or ""))

    def _remember_device(self, response: Response) -> Response:
        """Have the browser keep a cookie that says that this device knew the PIN, for as long as that is the PIN."""
        name, secure = secrets.token_urlsafe(12), current_request.is_secure
        value = f"{name}.{self._signed(name)}"
        response.set_cookie(
            cookie_name(DEVICE, secure), value, max_age=COOKIE_LASTS, httponly=True, samesite="Strict", secure=secure
        )
        return response

    def _device(self, request: Request) -> str | None:
        """The device that sends a request, if it knew the PIN."""
        cookie = request.cookies.get(cookie_name(DEVICE, request.is_secure), "")
        name, _, signature = cookie.partition(".")
        return name if name and hmac.compare_digest(signature.encode(), self._signed(name).encode()) else None

    def _signed(self, name: str) -> str:
        return hmac.new(self._secret, f"device {name} {self._fingerprint()}".encode(), hashlib.sha256).hexdigest()

    def who(self) -> str:
        """The name that the session's scorer gave; empty without one."""
        return str(session.get("who", ""))

    def check(self, pin: str, request: Request) -> None:
        """Raise `Forbidden` for a wrong PIN, and `TooManyRequests` for one that comes too soon after wrong ones.

        Wrong PINs are counted by address; those of a device that knew the PIN are counted by device.
        """
        device = self._device(request)
        self._check(pin, device or network(request.remote_addr or ""), known=device is not None)

    def check_program(self, pin: str, request: Request) -> None:
        """The same for a program, which keeps no cookies: it is known by its address, once that sent the PIN."""
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
            raise Forbidden(told("That is not this table's PIN. It is shown on the table's screen."))
        self.pin_limiter.succeeded(guesser, known)

    def leave(self) -> None:
        """Close the session, if there is one. A copy of its cookie does not open it again."""
        self._sessions.close(str(session.get("token", "")))
        session.clear()

    def token(self) -> str | None:
        """The session's token, which every changing request must carry; None without a session."""
        opened_by, token = str(session.get("opened_by", "")), str(session.get("token", ""))
        known = hmac.compare_digest(opened_by.encode(), self._fingerprint().encode())
        return token if known and self._sessions.is_valid(token) else None

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
        origin is not None and place_of(origin) != request.host
    ):
        raise Forbidden(told("This request came from another site's page."))


def place_of(url: str) -> str | None:
    """The host and port of a URL; None for what is none."""
    try:
        return urlsplit(url).netloc
    except ValueError:
        return None


def is_table(request: Request) -> bool:
    """Whether the request comes from the table's own screen: over loopback, by a loopback name, through no proxy.

    The name matters: a hostile site can point its own name at 127.0.0.1, but it can't change what the browser sends.
    Behind a proxy on this machine every visitor would look so: `[web] proxy` says that there is one.
    """
    if current_app.config["PROXY"] or any(name in request.headers for name in PROXIED):
        return False
    name = host_of(request)
    return name is not None and is_loopback(request.remote_addr) and is_loopback(name)
