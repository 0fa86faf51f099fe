"""The Flask application of a club's hub, with the look of a table's."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from flask import Flask, request

from controller.club.desk import Desk
from controller.errors import ControllerError
from web_ui.access import ATTEMPTS, NEXT_ATTEMPT, PASSWORD, Access, Bucket
from web_ui.app import SILENCE, bare_app
from web_ui.club.pages import club_pages
from web_ui.club.parts import ClubParts, ClubStream
from web_ui.club.routes import club_routes
from web_ui.events import HEARTBEAT
from web_ui.limits import largest_body
from web_ui.reader_pool import off_thread


class HubBucket(Bucket):
    """The bucket of all processes of a hub, in its database; this process's own while that can't be written."""

    def __init__(self, desk: Desk, clock: Callable[[], float]) -> None:
        super().__init__(clock)
        self._desk = desk

    def take(self) -> float:
        try:
            return off_thread(self._desk.tokens.take_attempt, NEXT_ATTEMPT, ATTEMPTS, self._desk.hub.clock())
        except ControllerError:
            return super().take()

    def give_back(self) -> None:
        with suppress(ControllerError):
            off_thread(self._desk.tokens.give_back_attempt, NEXT_ATTEMPT)


def create_club_app(
    desk: Desk,
    *,
    clock: Callable[[], float] = time.monotonic,
    names: Sequence[str] = (),
    proxy: bool = False,
) -> Flask:
    """The pages of one club; the other parameters are those of `web_ui.create_app`."""
    app = bare_app(clock, names, proxy)
    stream = ClubStream(desk, HEARTBEAT, app.extensions["assets"].version)
    app.extensions["stream"] = stream
    access = Access(
        desk.tokens,
        desk.tokens.accepts,
        PASSWORD,
        HubBucket(desk, clock),
        "crokinole-club",
    )
    app.extensions["access"] = access
    app.extensions["club"] = ClubParts(desk, stream, access, SILENCE)
    app.before_request(_allow_batches)
    for part in (club_pages, club_routes):
        app.register_blueprint(part)
    return app


def _allow_batches() -> None:
    request.max_content_length = largest_body(request.path)
