"""Deletes old pictures, so that the table's memory card does not fill. The matches themselves are kept for ever."""

import logging
import time
from collections.abc import Callable

from controller.errors import JournalError
from controller.journal import Journal

log = logging.getLogger(__name__)

DAY = 86_400.0  # seconds
EVERY = 3600.0  # seconds between two searches for pictures that may go
AT_ONCE = 10  # pictures in one step: a shot waits for the journal no longer than these deletions take


class PicturePruning:
    """Removes a few pictures with each `step`. For one thread."""

    def __init__(self, journal: Journal, days: int, megabytes: int, wall: Callable[[], float] = time.time) -> None:
        """`days`: how long after a match's last event its pictures are kept; `megabytes`: of the whole journal."""
        self._journal = journal
        self._days = days
        self._most = megabytes * 1_000_000
        self._wall = wall
        self._due = float("-inf")
        self._stale: list[str] = []

    def step(self, now: float) -> int:
        """Remove what may go, at most `AT_ONCE`; returns how many. `now`: seconds on any clock that never goes back."""
        try:
            if not self._stale and now >= self._due:
                self._due = now + EVERY
                self._stale = self._journal.pictures.stale(self._wall(), self._days * DAY, self._most)
                if self._stale:
                    log.info(
                        "%d pictures of earlier matches are deleted: [pictures] in the configuration says which",
                        len(self._stale),
                    )
            going, self._stale = self._stale[:AT_ONCE], self._stale[AT_ONCE:]
            if going:
                self._journal.pictures.forget(going)
        except JournalError as error:  # for example a full disk, of which a notice on the page tells
            log.warning("Old pictures can't be removed: %s", error)
            self._stale = []
            return 0
        return len(going)
