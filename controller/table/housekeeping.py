"""What a running table does beside the match.

It deletes old pictures and clips, makes backups, notices that the clock was set, and tells of webhooks that fail.
"""

import json
import time
from collections.abc import Callable
from datetime import datetime

from controller.config import ClipsSection, PicturesSection
from controller.errors import JournalError
from controller.journal import Journal
from controller.messages import say
from controller.table.clip_keeper import NO_CLIPS, ClipPruning
from controller.table.clock_jumps import ClockJumps
from controller.table.engine import Engine
from controller.table.picture_pruning import PicturePruning
from controller.table.webhooks import WEBHOOKS

BACKUPS = 60.0  # s between two looks whether an automatic backup is due


class Housekeeping:
    """`post` has the engine's thread do something."""

    def __init__(
        self,
        journal: Journal,
        engine: Engine,
        pictures: PicturesSection,
        clips: ClipsSection,
        post: Callable[[Callable[[], None]], None],
    ) -> None:
        self._journal = journal
        self._engine = engine
        self._pruning = PicturePruning(journal, pictures.days, pictures.megabytes)
        self._keeps_clips = clips.keep
        self._clip_pruning = ClipPruning(journal.clips, clips.days, clips.megabytes)
        self._post = post
        self._clock_jumps = ClockJumps()

    def step(self) -> None:
        """Every few seconds, on one thread."""
        self._pruning.step(time.monotonic())
        self._clip_pruning.step(time.monotonic())
        lack = NO_CLIPS if self._keeps_clips and not self._journal.clips.welcome() else None
        self._post(lambda: self._engine.notice("clips", lack))
        self._post(self._engine.try_again)
        ahead = self._clock_jumps.look()
        if ahead is not None:
            self._post(lambda: self._engine.clock_set(ahead))

    def run_backups(self, wait: Callable[[float], bool]) -> None:
        """Make the automatic backups, on a thread of their own: one may take a minute. `wait` tells when to stop."""
        while not wait(BACKUPS):
            trouble = None
            try:
                self._journal.backups.attend(datetime.now())
            except JournalError as error:
                trouble = error.args[0]
            self._post(lambda text=trouble: self._engine.notice("backup", text))  # type: ignore[misc]

    def webhooks_changed(self, troubles: dict[str, str]) -> None:
        """An address of the webhooks begins to fail, or takes what is sent again. May be called on any thread."""

        def work() -> None:
            lines = tuple(f"{place} ({why})" for place, why in troubles.items())
            text = say("Programs that are told what happens do not take it: {places}.", places=lines) if lines else None
            self._engine.notice("webhooks", text)
            self._journal.facts.keep(WEBHOOKS, json.dumps(troubles))

        self._post(work)
