"""The parts of the club's application that its routes use."""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from flask import current_app
from werkzeug.exceptions import BadRequest, Conflict, NotFound, ServiceUnavailable

from controller.club.api import BadInput, Club, PlanOutdated, Refused
from web_ui.access import Access
from web_ui.club.stream import ClubStream
from web_ui.connections import Guest
from web_ui.languages import in_words, told
from web_ui.off_thread import off_thread
from web_ui.parts import listener, no_place

Result = TypeVar("Result")

CODE = 12  # characters of a board's code: 60 bits, which nobody guesses


@dataclass(frozen=True, slots=True)
class ClubParts:
    """What the club's routes work with."""

    club: Club
    stream: ClubStream
    access: Access
    secret: bytes
    silence: float

    def board_code(self, board: str) -> str:
        """What the code at a board says, so that only phones that were there keep its score. A new password of the
        organiser's makes new ones."""
        told = f"board {board} {off_thread(self.club.password_mark)}"
        return hmac.new(self.secret, told.encode(), hashlib.sha256).hexdigest()[:CODE]


def club_parts() -> ClubParts:
    """The parts of the application that answers this request."""
    found = current_app.extensions["club"]
    assert isinstance(found, ClubParts)
    return found


def place() -> Guest:
    """The client that wants to listen. Raises `ServiceUnavailable` when there is no place for it, and
    while the evening can't be followed."""
    here = club_parts()
    if not here.club.follows():
        words = told("The hub can't read its database now. Its log says why; this page goes on as soon as it can.")
        raise ServiceUnavailable(words, retry_after=2)
    guest = listener(here.access)
    if not here.stream.accepts(guest):
        raise no_place()
    return guest


def done(call: Callable[..., Result], *arguments: object) -> Result:
    """What the hub answers, made on another thread. Raises `BadRequest` and `Conflict` with the hub's words."""
    try:
        return off_thread(call, *arguments)
    except BadInput as error:
        raise BadRequest(in_words(error)) from error
    except PlanOutdated:
        raise
    except Refused as error:
        raise Conflict(in_words(error)) from error


def found(call: Callable[..., Result], *arguments: object) -> Result:
    """What the hub has. Raises `NotFound` with its words where there is nothing of the kind."""
    try:
        return off_thread(call, *arguments)
    except (BadInput, Refused) as error:
        raise NotFound(in_words(error)) from error
