"""Access: the hosts that requests may name, who may change something, and how a phone is let in for the first time.

Anybody may look. A command needs a session or a program's token (`controller.api.Tokens`). The table's PIN, which can
be guessed, or an entry code, which can't, opens a session. The table's own screen and browsers that were let in before
need neither.

The PIN is for thumbs. All guesses, whoever sends them, come out of one bucket: `ATTEMPTS` at once, then one in
`NEXT_ATTEMPT` seconds. So 626 of a million PINs can be tried in the first day, and guessing the right one takes 2.4
years on average. While somebody keeps the bucket empty, phones come in by an entry code, which always works: a QR code
on the table's own screen or on a scorer's phone, whose owner is in the room.
"""

import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlsplit

from flask import Response, after_this_request, current_app, g, request
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, TooManyRequests, Unauthorized

from controller.api import Tokens
from controller.errors import Offer
from controller.messages import marked
from web_ui.connections import is_loopback
from web_ui.languages import translated
from web_ui.reader_pool import off_thread

ATTEMPTS = 50  # wrong PINs at once: ten people who mistype five times each
NEXT_ATTEMPT = 150.0  # s for one more
CODE_SHOWN = 30.0  # s that an entry code is shown
CODE_LASTS = 60.0  # s that it is valid from when it is first shown: a phone may be slow to open the link


class Bucket:
    """The limit on wrong PINs of one process. An attempt is taken before the PIN is checked, so that simultaneous ones
    count too. `clock`: monotonic, in s."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._full_at = clock()  # when all attempts will be there again

    def wait(self) -> float:
        """Seconds until an attempt is allowed."""
        return max(0.0, self._full_at - self._clock() - (ATTEMPTS - 1) * NEXT_ATTEMPT)

    def take(self) -> float:
        """Take an attempt and return 0, or the seconds until there is one."""
        if (wait := self.wait()) > 0:
            return wait
        self._full_at = max(self._full_at, self._clock()) + NEXT_ATTEMPT
        return 0.0

    def give_back(self) -> None:
        """The attempt was right: it costs nothing."""
        self._full_at -= NEXT_ATTEMPT


class EntryCodes:
    """Codes that let one phone in each. They can't be guessed, so nothing limits their use."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._codes: dict[str, float] = {}  # by code, when it was first shown; the newest last

    def current(self) -> str:
        """A code that was not used, and is valid for `CODE_LASTS` - `CODE_SHOWN` seconds at least."""
        now = self._clock()
        self._codes = {code: since for code, since in self._codes.items() if now - since < CODE_LASTS}
        newest = next(reversed(self._codes), None)
        if newest is None or now - self._codes[newest] >= CODE_SHOWN:
            newest = secrets.token_urlsafe(16)
            self._codes[newest] = now
        return newest

    def redeem(self, given: str) -> bool:
        """Whether the code is valid; each works once."""
        since = self._codes.pop(given, None)
        return since is not None and self._clock() - since < CODE_LASTS


COOKIE_LASTS = 400 * 86_400  # s: the browsers' maximum; what counts is how long the table takes a token as valid
ENCRYPTED = "__Host-"
"""The prefix of cookies that are sent over https only, to this host only (RFC 6265bis, 4.1.3.2). The names differ over
http, so that the two kinds of sessions do not interfere."""
PROXIED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")  # headers that proxies add
LOCAL = (".local", ".localhost", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Suffixes of names that nobody can own on the internet: RFC 6761, RFC 6762, RFC 8375, and what routers use."""


class UnknownHost(HTTPException):
    """The request's host name is not one of the table's."""

    code = 421


def check_host(names: Sequence[str]) -> None:
    """Raise `UnknownHost` unless the request's `Host` is an address, a local name or one of `names`. A hostile site can
    point its own name at the table's address, and a browser would then treat that site's scripts as the table's own
    (DNS rebinding). So names that somebody on the internet could own are refused."""
    name = (host_of() or "").rstrip(".")
    if _is_own(name, names):
        return
    raise UnknownHost(
        translated("This table is not called {name}. Use its address, or add the name to [web] names.", name=name[:100])
    )


def host_of() -> str | None:
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


class NotLetIn(Forbidden):
    """A browser without a session."""

    helps: ClassVar[dict[str, Offer]] = {"offer": "pin"}  # as in `controller.errors.Refused`


@dataclass(frozen=True, slots=True)
class PinWords:
    """The answers to a request that needs a session, to a wrong and a missing PIN, and after too many.
    `only_encrypted`: it may be sent over https only, if there is any."""

    needed: str
    wrong: str
    missing: str
    too_many: str
    only_encrypted: bool = False


TABLE_PIN = PinWords(
    marked("Enter the table's PIN first."),
    marked("That is not this table's PIN. It is shown on the table's screen."),
    marked("Send the PIN as text in the member pin."),
    marked("Too many wrong PINs. Scan the code on the table's screen, or one that another scorer's phone shows."),
)
PASSWORD = PinWords(
    marked("Log in as the organiser first."),
    marked("That is not the organiser's password. The hub's own screen needs none, and sets another one."),
    marked("Send the password as text in the member pin."),
    marked("Too many wrong passwords. Log in at the hub's own screen, which needs none."),
    only_encrypted=True,
)


@dataclass
class Access:
    """Opens sessions, and checks them: whoever holds a valid token may come in. Cookies carry the tokens of browsers,
    the header `Authorization` those of programs. `fits` checks a PIN, and may block; `cookie`: the session cookie's
    name."""

    tokens: Tokens
    fits: Callable[[str], bool]
    words: PinWords
    guesses: Bucket
    cookie: str
    wrong_pins: int = 0  # since the start, for the technician

    def __post_init__(self) -> None:
        self._cookies = {"session": self.cookie, "device": f"{self.cookie}-device"}

    def needs_pin(self) -> bool:
        """Whether this browser is asked for the PIN: neither the own screen nor one that was let in before."""
        return not is_table() and self._holder("device") is None

    def enter(self, pin: object, who: str) -> None:
        """Open a session for the scorer `who`. Raises `BadRequest` without a PIN where one is needed, `Forbidden` for a
        wrong one, and `TooManyRequests` after too many wrong ones."""
        if self.needs_pin():
            if not isinstance(pin, str):
                raise BadRequest(translated(self.words.missing))
            if (wait := self.guesses.take()) > 0:
                raise TooManyRequests(translated(self.words.too_many), retry_after=int(wait) + 1)
            if not off_thread(self.fits, pin):
                self.wrong_pins += 1
                raise Forbidden(translated(self.words.wrong))
            self.guesses.give_back()
        self.admit(who)

    def admit(self, who: str = "") -> None:
        """Open a session without a PIN. A browser other than the own screen then counts as let in before."""
        self._send("session", off_thread(self.tokens.make, "session", who))
        if self.needs_pin():
            self._send("device", off_thread(self.tokens.make, "device"))

    def leave(self) -> None:
        """Close the session; this browser no longer counts as let in. Copies of its cookies become invalid."""
        for kind in self._cookies:
            off_thread(self.tokens.end, self._sent(kind))
            self._send(kind, "")

    def who(self) -> str:
        """The name that the session's scorer gave; empty without one."""
        return self._holder("session") or ""

    def token(self) -> str | None:
        """The text that every command of this session must include: other sites' pages can't read it. None without a
        session."""
        if self._holder("session") is None:
            return None
        return hashlib.sha256(f"page {self._sent('session')}".encode(errors="replace")).hexdigest()[:32]

    def require(self) -> None:
        """Raise `Forbidden` unless the request comes from our own page, with a session and its token."""
        require_same_origin()
        token = self.require_session()
        if not hmac.compare_digest(request.headers.get("X-CSRF-Token", "").encode(), token.encode()):
            raise Forbidden(translated("This page is out of date. Load it again."))

    def require_session(self) -> str:
        """The session's token. Raises `Forbidden` without a session."""
        token = self.token()
        if token is None:
            raise NotLetIn(translated(self.words.needed))
        return token

    def bearer(self, kind: str) -> str:
        """Who sends this request, by the token of this kind in the header `Authorization: Bearer`. Raises
        `Unauthorized` without one, and `Forbidden` for one that is not valid."""
        token = bearer_token()
        if not token:
            raise Unauthorized(translated("Send a token in the header Authorization: Bearer TOKEN."))
        holder = off_thread(self.tokens.holder, kind, token)
        if holder is None:
            raise Forbidden(translated("This token is not valid: it was revoked, or never made here."))
        return holder

    def _sent(self, kind: str) -> str:
        """The token of this kind that the browser has: from its cookie, unless this request has changed it."""
        changed: dict[str, str] = g.get("tokens", {})
        return changed.get(kind, request.cookies.get(cookie_name(self._cookies[kind], request.is_secure), ""))

    def _holder(self, kind: str) -> str | None:
        """Who has this browser's token of this kind; looked up once in a request."""
        token = self._sent(kind)
        known: dict[str, str | None] = g.setdefault("holders", {})
        if token and token not in known:
            known[token] = off_thread(self.tokens.holder, kind, token)
        return known.get(token)

    def _send(self, kind: str, token: str) -> None:
        """Send a token as a cookie; an empty one deletes it."""
        g.setdefault("tokens", {})[kind] = token
        set_cookie(self._cookies[kind], token)


def bearer_token() -> str:
    """The token in the request's header `Authorization: Bearer`; empty without one."""
    sent = request.authorization
    return (sent.token or "") if sent and sent.type == "bearer" else ""


def set_cookie(name: str, value: str) -> None:
    """Send a cookie with the answer to this request: no script can read it, no other site's page can have it sent."""

    @after_this_request
    def send(response: Response) -> Response:
        secure = request.is_secure
        lasts = COOKIE_LASTS if value else 0
        response.set_cookie(
            cookie_name(name, secure), value, max_age=lasts, httponly=True, samesite="Strict", secure=secure
        )
        return response


def cookie_name(name: str, secure: bool) -> str:
    """A cookie's name, over https or http."""
    return ENCRYPTED + name if secure else name


def require_same_origin() -> None:
    """Raise `Forbidden` for a request from another site's page."""
    origin = request.headers.get("Origin")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none") or (
        origin is not None and origin.partition("://")[2] != request.host
    ):
        raise Forbidden(translated("This request came from another site's page."))


def is_table() -> bool:
    """Whether the request comes from the table's own screen: over loopback, with a loopback host name, without a proxy.
    The host name matters: a hostile site can point its own name at 127.0.0.1, but can't change what the browser sends.
    Behind a proxy on this machine every visitor would qualify; `[web] proxy` prevents that."""
    if current_app.config["PROXY"] or any(name in request.headers for name in PROXIED):
        return False
    name = host_of()
    return name is not None and is_loopback(request.remote_addr) and is_loopback(name)
