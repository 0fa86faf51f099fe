"""Who may change the match: the PIN, the session that it opens, and the session's token against forged requests.

Anybody may look. A command needs a session. The table's PIN opens one; at the table's own screen it needs no PIN. A
session ends after half a day without use, and at once when the PIN changes.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Request, Response, after_this_request, session
from werkzeug.exceptions import Forbidden, TooManyRequests

from web_ui.connections import is_loopback
from web_ui.languages import told
from web_ui.pin_limiter import PinLimiter, network
from web_ui.sessions import COOKIE_LASTS, Held

DEVICE = "crokinole-device"
"""The cookie of a device that was let in once. Wrong PINs of others do not make it wait."""


class Access:
    """Opens sessions for those who know the PIN, and tells who has one."""

    def __init__(
        self,
        pin: Callable[[], str],
        secret: bytes,
        clock: Callable[[], float],
        sessions: Held,
        fits: Callable[[str], bool] | None = None,
    ) -> None:
        """`fits` says whether a text is the right one, where that is not the PIN itself: then `pin` is a mark that
        changes with it."""
        self.pin_limiter = PinLimiter(clock)
        self._pin = pin
        self._fits = fits or (lambda given: hmac.compare_digest(given.encode(), pin().encode()))
        self._secret = secret
        self._sessions = sessions

    def enter(self, pin: str, request: Request, who: str = "") -> None:
        """Open a session for `who`. Raises as `check` does."""
        self.check(pin, request)
        self.admit(who)

    def admit(self, who: str = "") -> None:
        """Open a session for somebody who needs no PIN, or knew it."""
        session.clear()
        session["opened_by"] = self._fingerprint()
        session["token"] = secrets.token_urlsafe(24)
        session["who"] = who
        self._sessions.open(session["token"])
        after_this_request(self._remember_device)

    def _remember_device(self, response: Response) -> Response:
        """Have the browser keep a cookie that says that this device was let in."""
        name = secrets.token_urlsafe(12)
        value = f"{name}.{self._signed(name)}"
        response.set_cookie(DEVICE, value, max_age=COOKIE_LASTS, httponly=True, samesite="Strict")
        return response

    def _device(self, request: Request) -> str | None:
        """The device that sends a request, if it was let in once."""
        name, _, signature = request.cookies.get(DEVICE, "").partition(".")
        return name if name and hmac.compare_digest(signature.encode(), self._signed(name).encode()) else None

    def _signed(self, name: str) -> str:
        return hmac.new(self._secret, f"device {name}".encode(), hashlib.sha256).hexdigest()

    def who(self) -> str:
        """The name that the session's scorer gave; empty without one."""
        return str(session.get("who", ""))

    def check(self, pin: str, request: Request) -> None:
        """Raise `Forbidden` for a wrong PIN, and `TooManyRequests` for one that comes too soon after wrong ones.

        Wrong PINs are counted by address; those of a device that was let in once are counted by device.
        """
        device = self._device(request)
        guesser = device or network(request.remote_addr or "")
        wait = self.pin_limiter.wait(guesser, known=device is not None)
        if wait > 0:
            seconds = int(wait) + 1
            raise TooManyRequests(
                told("Too many wrong PINs. Try again in {seconds} seconds.", seconds=seconds), retry_after=seconds
            )
        if not self._fits(pin):
            self.pin_limiter.wrong(guesser)
            raise Forbidden(told("That is not this table's PIN. It is shown on the table's screen."))
        self.pin_limiter.right(guesser)

    def leave(self) -> None:
        """Close the session, if there is one. A copy of its cookie does not open it again."""
        self._sessions.close(str(session.get("token", "")))
        session.clear()

    def token(self) -> str | None:
        """The session's token, which every changing request must carry; None without a session."""
        opened_by, token = str(session.get("opened_by", "")), str(session.get("token", ""))
        known = hmac.compare_digest(opened_by.encode(), self._fingerprint().encode())
        return token if known and self._sessions.holds(token) else None

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
    return not forwarded and name is not None and is_loopback(request.remote_addr) and is_loopback(name)
