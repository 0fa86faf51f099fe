"""The Flask application of a club's hub, with the look of a table's."""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from flask import Flask

from controller.club.admin_service import AdminService, ControllerError
from web_ui.access import PASSWORD, Access
from web_ui.app import SILENCE, bare_app
from web_ui.club.pages import club_pages
from web_ui.club.parts import ClubParts, ClubStream
from web_ui.club.routes import club_routes
from web_ui.events import HEARTBEAT
from web_ui.reader_pool import off_thread
from web_ui.sessions import LASTS

log = logging.getLogger(__name__)


class ClubSessions:
    """As `web_ui.sessions.Sessions`, for a hub."""

    def __init__(self, club: AdminService) -> None:
        self._club = club
        self._unstored: set[str] = set()  # those that could not be stored, as on a full disk: valid until a restart

    def open(self, token: str, address: str) -> None:
        try:
            off_thread(self._club.credentials.open_session, token, self._club.wall(), LASTS)
        except ControllerError as error:
            log.warning("A session can't be stored and is valid until a restart: %s", error)
            self._unstored.add(token)

    def close(self, token: str) -> None:
        """End a session: copies of its cookie are invalid at every process."""
        if token in self._unstored:
            self._unstored.remove(token)
        else:
            off_thread(self._club.credentials.end_session, token)

    def is_valid(self, token: str) -> bool:
        """Whether the session is valid. This counts as using it."""
        return token in self._unstored or off_thread(
            self._club.credentials.is_session_valid, token, self._club.wall(), LASTS
        )


class ClubGuesses:
    """As `web_ui.limiters.SharedLimit`, for a hub. If the database can't be written, each process has its own limit."""

    def __init__(self, club: AdminService) -> None:
        self._club = club

    def reserve(self, known: bool, every: float, most: int) -> float:
        """Book an attempt, or return the seconds until one is allowed."""
        try:
            return off_thread(self._club.credentials.reserve_attempt, known, every, most, self._club.wall())
        except ControllerError:
            return 0.0

    def refund(self, known: bool, every: float) -> None:
        with suppress(ControllerError):
            off_thread(self._club.credentials.refund_attempt, known, every)


def create_club_app(
    club: AdminService,
    secret: bytes,
    *,
    clock: Callable[[], float] = time.monotonic,
    names: Sequence[str] = (),
    proxy: bool = False,
) -> Flask:
    """The pages of one club. `secret` signs the sessions and the boards' codes; the other parameters are those of
    `web_ui.create_app`."""
    app = bare_app(secret, "crokinole-club", clock, names, proxy)
    stream = ClubStream(club, HEARTBEAT, app.extensions["assets"].version)
    app.extensions["stream"] = stream
    access = Access(
        lambda: off_thread(club.credentials.fingerprint, "organiser"),
        secret,
        clock,
        ClubSessions(club),
        words=PASSWORD,
        fits=lambda given: off_thread(club.credentials.accepts, "organiser", given),
        guesses=ClubGuesses(club),
    )
    app.extensions["access"] = access
    app.extensions["club"] = ClubParts(club, stream, access, secret, SILENCE)
    for part in (club_pages, club_routes):
        app.register_blueprint(part)
    return app
