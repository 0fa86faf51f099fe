"""Scorers' sessions. They are stored on the table, and aged by a monotonic clock.

A signed cookie names its session; whether that is still valid is decided here. It ends when it is closed, when the PIN
changes, and after half a day without use while the table runs. The time of day is not used: without a network a table
may be days behind."""

import json
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from flask import Flask, Request, Response, has_request_context, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature

from controller.errors import ControllerError
from web_ui.reader_pool import off_thread

LASTS = 12 * 3600.0  # s without use: an evening and the night after it
COOKIE_LASTS = 400 * 86_400  # s: the browsers' maximum; the table ends the session much sooner
MOST_SESSIONS = 1000
"""Stored sessions: the scorers of many evenings. Beyond that the address with most of them loses the one that has been
unused longest."""
ENCRYPTED = "__Host-"
"""The prefix of cookies that are sent over https only, to this host only (RFC 6265bis, 4.1.3.2). The names differ over
http, so that the two kinds of sessions do not interfere."""
SAVED_EVERY = 3600.0  # s between two saves of how long each session has been unused
log = logging.getLogger(__name__)


def cookie_name(name: str, secure: bool) -> str:
    """A cookie's name, over https or http."""
    return ENCRYPTED + name if secure else name


class SessionStore(Protocol):
    """The valid sessions, by token."""

    def open(self, token: str, address: str) -> None:
        """A new session of somebody at this address."""

    def close(self, token: str) -> None:
        """End a session."""

    def is_valid(self, token: str) -> bool:
        """Whether the session is valid. This counts as using it."""


@dataclass(frozen=True, slots=True)
class SessionMemory:
    """Stores the sessions over a restart. Both may block; `save` may raise `ControllerError`."""

    load: Callable[[], str | None]
    save: Callable[[str], None]


NO_MEMORY = SessionMemory(lambda: None, lambda _: None)


class Sessions:
    """The valid sessions, by token. Times in seconds of a monotonic clock."""

    def __init__(self, clock: Callable[[], float], memory: SessionMemory = NO_MEMORY) -> None:
        self._clock = clock
        self._memory = memory
        self._used: dict[str, float] = {}  # the time of the last use; the longest unused first
        self._at: dict[str, str] = {}  # the address, of those that were opened since the start
        self._saved = clock()
        self._load()

    def _load(self) -> None:
        try:
            kept = json.loads(self._memory.load() or "{}")
            idle = {str(token): float(seconds) for token, seconds in kept.items()}
        except (ValueError, TypeError, AttributeError, ControllerError) as error:
            log.warning("The kept sessions can't be read: every scorer has to enter the PIN again (%s)", error)
            return
        now = self._clock()
        self._used = {token: now - seconds for token, seconds in sorted(idle.items(), key=lambda one: -one[1])}

    def open(self, token: str, address: str) -> None:
        self._used[token], self._at[token] = self._clock(), address
        while len(self._used) > MOST_SESSIONS:
            self._end_one()
        self._save()

    def _end_one(self) -> None:
        held = Counter(self._at.get(token, "") for token in self._used)
        greedy = max(held, key=lambda address: held[address])
        self._forget(next(token for token in self._used if self._at.get(token, "") == greedy))

    def _forget(self, token: str) -> float | None:
        self._at.pop(token, None)
        return self._used.pop(token, None)

    def close(self, token: str) -> None:
        """End a session; copies of its cookie stay invalid, also after a restart."""
        if self._forget(token) is not None:
            self._save()

    def is_valid(self, token: str) -> bool:
        """Whether the session is valid. This counts as using it."""
        last, now = self._used.pop(token, None), self._clock()
        if last is None or now - last > LASTS:
            self._at.pop(token, None)
            return False
        self._used[token] = now
        if now - self._saved > SAVED_EVERY:
            self._save()
        return True

    def _save(self) -> None:
        self._saved = now = self._clock()
        try:
            off_thread(self._memory.save, json.dumps({token: round(now - used) for token, used in self._used.items()}))
        except ControllerError as error:
            log.warning("Sessions can't be stored; scorers must enter the PIN again after a restart: %s", error)


class AgelessCookies(SecureCookieSessionInterface):
    """Signed cookies whose age is not checked by the time of day: `Sessions` knows it."""

    def get_cookie_name(self, app: Flask) -> str:
        return cookie_name(super().get_cookie_name(app), has_request_context() and request.is_secure)

    def open_session(self, app: Flask, request: Request) -> Any:
        """The session of the request's cookie; an empty one if that is missing or forged."""
        serializer = self.get_signing_serializer(app)
        if serializer is None:
            return None
        cookie = request.cookies.get(self.get_cookie_name(app))
        try:
            return self.session_class(serializer.loads(cookie)) if cookie else self.session_class()
        except BadSignature:
            return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the cookie with its lifetime in seconds, which the browser counts by its own clock."""
        name, serializer = self.get_cookie_name(app), self.get_signing_serializer(app)
        kind: dict[str, Any] = {"path": "/", "httponly": True, "samesite": "Strict", "secure": request.is_secure}
        if session.accessed:
            response.vary.add("Cookie")
        if not session.modified or serializer is None:
            return
        if session:
            value = serializer.dumps(dict(session))
            response.set_cookie(name, value, max_age=COOKIE_LASTS, **kind)
        else:
            response.delete_cookie(name, **kind)
