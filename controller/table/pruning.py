"""Deletes old pictures and clips, so that the table's memory card does not fill. Matches are kept for ever."""

import logging
import time
from collections.abc import Callable

from controller.errors import JournalError
from controller.journal import Journal
from controller.journal.clips import Clips

log = logging.getLogger(__name__)

DAY = 86_400.0  # seconds
PICTURES_EVERY = 3600.0  # s between searches for old pictures
CLIPS_EVERY = 600.0  # s between searches for old clips while the disk has room
AT_ONCE = 10  # pictures in one step, during which a shot has to wait for the journal


class PicturePruning:
    """Deletes a few pictures with each `step`. Not thread-safe."""

    def __init__(self, journal: Journal, days: int, megabytes: int, wall: Callable[[], float] = time.time) -> None:
        """`days`: how long pictures are kept after their match's last event; `megabytes`: of the whole journal."""
        self._journal = journal
        self._days = days
        self._most = megabytes * 1_000_000
        self._wall = wall
        self._due = float("-inf")
        self._stale: list[str] = []

    def step(self, now: float) -> int:
        """Delete at most `AT_ONCE` old pictures, and return how many. `now`: seconds on a monotonic clock."""
        try:
            if not self._stale and now >= self._due:
                self._due = now + PICTURES_EVERY
                self._stale = self._journal.pictures.stale(self._wall(), self._days * DAY, self._most)
                if self._stale:
                    log.info(
                        "%d pictures of earlier matches are deleted: [pictures] in the configuration says which",
                        len(self._stale),
                    )
            going, self._stale = self._stale[:AT_ONCE], self._stale[AT_ONCE:]
            if going:
                self._journal.pictures.forget(going)
        except JournalError as error:  # for example a full disk, which has a notice
            log.warning("Old pictures can't be removed: %s", error)
            self._stale = []
            return 0
        return len(going)


class ClipPruning:
    """Removes old clips, and the oldest as soon as the disk has little room. For one thread."""

    def __init__(self, clips: Clips, days: int, megabytes: int, wall: Callable[[], float] = time.time) -> None:
        """`days`: how long a clip is kept; `megabytes`: of all clips together."""
        self._clips = clips
        self._days = days
        self._most = megabytes * 1_000_000
        self._wall = wall
        self._due = float("-inf")

    def step(self, now: float) -> int:
        """Delete expired clips and return how many were deleted. `now`: seconds on any clock that never goes back."""
        if now < self._due and self._clips.has_room():
            return 0
        self._due = now + CLIPS_EVERY
        try:
            return self._clips.prune(self._wall(), self._days * DAY, self._most)
        except JournalError as error:
            log.warning("Old clips can't be removed: %s", error)
            return 0
