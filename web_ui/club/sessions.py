"""The organiser's sessions and the limit on guesses, shared by all processes of the hub and kept over a restart."""

import logging
from contextlib import suppress

from controller.club.admin_service import AdminService, ControllerError
from web_ui.off_thread import off_thread
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
    """As `web_ui.limiters.SharedLimit`, for a hub. If the database can't be written, each process has its own
    limit."""

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
