"""The organiser's sessions and the bound on guesses, which hold at every process of the hub and after a restart."""

import logging
from contextlib import suppress

from controller.club.api import Club, ControllerError
from web_ui.off_thread import off_thread
from web_ui.sessions import LASTS

log = logging.getLogger(__name__)


class ClubSessions:
    """As `web_ui.sessions.Sessions`, for a hub."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._here: set[str] = set()  # those that could not be kept, as on a full disk: they hold until a restart

    def open(self, token: str, address: str) -> None:
        """A new session."""
        try:
            off_thread(self._club.open_session, token, LASTS)
        except ControllerError as error:
            log.warning("That somebody was let in can't be kept and holds until a restart: %s", error)
            self._here.add(token)

    def close(self, token: str) -> None:
        """The session is left; no copy of its cookie opens it again, at no process."""
        if token in self._here:
            self._here.remove(token)
        else:
            off_thread(self._club.end_session, token)

    def holds(self, token: str) -> bool:
        """Whether the session still holds. Asking counts as using it."""
        return token in self._here or off_thread(self._club.holds_session, token, LASTS)


class ClubGuesses:
    """As `web_ui.pin_limiter.Bound`, for a hub. While the database can't be written, each process bounds its own."""

    def __init__(self, club: Club) -> None:
        self._club = club

    def book(self, known: bool, every: float, most: int) -> float:
        """Book a try, or give the seconds until one may come."""
        try:
            return off_thread(self._club.book_guess, known, every, most)
        except ControllerError:
            return 0.0

    def unbook(self, known: bool, every: float) -> None:
        """The try that was booked was right."""
        with suppress(ControllerError):
            off_thread(self._club.unbook_guess, known, every)
