"""The table's maintenance: checks the storage, deletes old pictures and clips, makes backups, detects clock changes,
and reports failing webhooks."""

import json
import logging
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from controller.config import ClipsSection, PicturesSection
from controller.errors import JournalError
from controller.journal import Journal, salvage
from controller.journal.store import UNWRITABLE
from controller.messages import say
from controller.table.clip_keeper import NO_CLIPS
from controller.table.clocks import ClockJumps
from controller.table.engine import Engine
from controller.table.pruning import ClipPruning, PicturePruning
from controller.table.storage_check import FORGOTTEN, is_volatile
from controller.table.webhooks import WEBHOOKS

log = logging.getLogger(__name__)

BACKUPS = 60.0  # s between checks whether an automatic backup is due


class Housekeeping:
    """`post` queues work for the engine's thread."""

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

    def begin(self, data: Path) -> None:
        """Report at a start what is wrong with the disk of `data`: damage, read-only, or not persistent."""
        self._post(lambda: self._engine.notice("salvage", salvage.report(self._journal)))
        if not self._journal.writing:
            self._post(lambda: self._engine.notice("journal", UNWRITABLE))
        if is_volatile(data):
            log.warning("%s", FORGOTTEN)
            self._post(lambda: self._engine.notice("overlay", FORGOTTEN))

    def step(self) -> None:
        """Call every few seconds, on one thread."""
        self._pruning.step(time.monotonic())
        self._clip_pruning.step(time.monotonic())
        lack = NO_CLIPS if self._keeps_clips and not self._journal.clips.has_room() else None
        self._post(lambda: self._engine.notice("clips", lack))
        self._post(self._engine.try_again)
        ahead = self._clock_jumps.seconds_ahead()
        if ahead is not None:
            self._post(lambda: self._engine.clock_set(ahead))

    def run_backups(self, wait: Callable[[float], bool]) -> None:
        """Make automatic backups, on a separate thread since one may take a minute, until `wait` returns True."""
        while not wait(BACKUPS):
            trouble = None
            try:
                self._journal.backups.back_up_if_due(datetime.now())
            except JournalError as error:
                trouble = error.args[0]
            self._post(lambda text=trouble: self._engine.notice("backup", text))  # type: ignore[misc]

    def webhooks_changed(self, troubles: dict[str, str]) -> None:
        """A webhook begins to fail, or works again. May be called on any thread."""

        def work() -> None:
            lines = tuple(f"{place} ({why})" for place, why in troubles.items())
            text = say("Webhooks are not accepted: {places}.", places=lines) if lines else None
            self._engine.notice("webhooks", text)
            self._journal.facts.keep(WEBHOOKS, json.dumps(troubles))

        self._post(work)
