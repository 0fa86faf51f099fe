"""What the routes of the club's application share."""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from flask import current_app
from werkzeug.exceptions import NotFound, ServiceUnavailable

from controller.club.admin_service import AdminService, BadInput, Refused
from web_ui.access import Access
from web_ui.club.stream import ClubStream
from web_ui.connections import Guest
from web_ui.languages import error_text, translated
from web_ui.parts import listener, no_place
from web_ui.reader_pool import off_thread

Result = TypeVar("Result")

CODE = 12  # characters of a board's code: 48 bits, too many to guess


@dataclass(frozen=True, slots=True)
class ClubParts:
    """What the club's routes work with."""

    club: AdminService
    stream: ClubStream
    access: Access
    secret: bytes
    silence: float

    def password_fingerprint(self) -> str:
        """A text that changes with the organiser's password; empty while there is none."""
        return off_thread(self.club.credentials.fingerprint, "organiser")

    def board_code(self, board: str) -> str:
        """The code at a board, so that only phones that were there keep its score. It changes with the organiser's
        password."""
        text = f"board {board} {self.password_fingerprint()}"
        return hmac.new(self.secret, text.encode(), hashlib.sha256).hexdigest()[:CODE]


def club_parts() -> ClubParts:
    """The parts of the application that answers this request."""
    found = current_app.extensions["club"]
    assert isinstance(found, ClubParts)
    return found


def place() -> Guest:
    """The client that wants to listen. Raises `ServiceUnavailable` if there is no place for it, and while the evening
    can't be followed."""
    here = club_parts()
    if not here.club.follows():
        words = translated(
            "The hub can't read its database now. Its log says why; this page goes on as soon as it can."
        )
        raise ServiceUnavailable(words, retry_after=2)
    guest = listener(here.access)
    if not here.stream.accepts(guest):
        raise no_place()
    return guest


def call_or_404(call: Callable[..., Result], *arguments: object) -> Result:
    """The hub's answer. Raises `NotFound` with the hub's message if there is no such thing."""
    try:
        return off_thread(call, *arguments)
    except (BadInput, Refused) as error:
        raise NotFound(error_text(error)) from error
