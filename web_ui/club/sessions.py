"""The organiser's sessions, kept by the club, so that they hold at every process of its hub and after a restart."""

from controller.club.api import Club
from web_ui.off_thread import off_thread
from web_ui.sessions import LASTS


class ClubSessions:
    """As `web_ui.sessions.Sessions`, for a hub."""

    def __init__(self, club: Club) -> None:
        self._club = club

    def open(self, token: str) -> None:
        """A new session."""
        off_thread(self._club.open_session, token, LASTS)

    def close(self, token: str) -> None:
        """The session is left; no copy of its cookie opens it again, at no process."""
        off_thread(self._club.end_session, token)

    def holds(self, token: str) -> bool:
        """Whether the session still holds. Asking counts as using it."""
        return off_thread(self._club.holds_session, token, LASTS)
