"""The Flask application of a club's hub, with the look of a table's."""

import time
from collections.abc import Callable, Sequence

from flask import Flask

from controller.club.admin_service import AdminService
from web_ui.access import PASSWORD, Access
from web_ui.app import SILENCE, bare_app
from web_ui.club.pages import club_pages
from web_ui.club.parts import ClubParts
from web_ui.club.routes import club_routes
from web_ui.club.sessions import ClubGuesses, ClubSessions
from web_ui.club.stream import ClubStream
from web_ui.events import HEARTBEAT
from web_ui.off_thread import off_thread
from web_ui.trust import trust


def create_club_app(
    club: AdminService,
    secret: bytes,
    *,
    heartbeat: float = HEARTBEAT,
    silence: float = SILENCE,
    clock: Callable[[], float] = time.monotonic,
    names: Sequence[str] = (),
    proxy: bool = False,
) -> Flask:
    """The pages of one club. `secret` signs the sessions and the boards' codes; the other parameters are those of
    `web_ui.create_app`."""
    app = bare_app(secret, "crokinole-club", clock, names, proxy)
    stream = ClubStream(club, heartbeat, app.extensions["assets"].version)
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
    app.extensions["club"] = ClubParts(club, stream, access, secret, silence)
    for part in (club_pages, club_routes, trust):
        app.register_blueprint(part)
    return app
