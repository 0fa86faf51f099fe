"""The table's maintenance: checks the storage, deletes old pictures and clips, makes backups, detects clock changes,
and reports failing webhooks.

How old something is, is counted in days by the table itself, and by the numbers of events. No date says it: a Pi has
no clock that runs on, so its date is wrong until the network corrects it, or is what somebody set by hand."""

import datetime as dt
import json
import logging
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Self

from pydantic import TypeAdapter

from controller.config import ClipsSection, PicturesSection
from controller.errors import JournalError
from controller.journal import Journal, Pictures
from controller.journal.media import Clips
from controller.journal.recovery import report
from controller.messages import Message, say
from controller.table.clips import NO_CLIPS
from controller.table.clocks import DateClock
from controller.table.engine import Engine
from controller.table.webhooks import WEBHOOKS
from controller.views.state import NoticeKind

DAYS = "days"  # the name of the fact
LOOKS = 600.0  # s between looks at the date. The first comes as late: by then the network has corrected it.
NIGHT = dt.timedelta(hours=4)  # an evening belongs to the day on which it began
PAUSE = 7  # days: the longest pause that counts, that of a club which meets each week


@dataclass(frozen=True, slots=True)
class _Count:
    """`date`: the one seen last, in days; `pause`: days just before it that do not count yet; `begun`: the numbers of
    the counted days, the oldest first and that of `date` last, each with the last event before it."""

    date: int
    pause: int
    begun: tuple[tuple[int, int], ...]

    def at(self, date: int, before: int, longest: int) -> Self:
        """The count on another date. `before`: the last event before it; `longest`: the days that it must remember.

        A pause counts only when the date has gone on since: one set ahead makes nothing old before it is set back."""
        on = date > self.date
        today = self.begun[-1][0] + 1 + (self.pause if on else 0)
        begun = (*self.begun, (today, before))
        kept = [one for one, after in pairwise(begun) if after[0] > today - longest]
        return type(self)(date, min(date - self.date, PAUSE) - 1 if on else 0, (*kept, begun[-1]))


COUNTS = TypeAdapter(_Count)


def _date() -> int:
    return (dt.datetime.now() - NIGHT).toordinal()


@dataclass
class Days:
    """Counts the days on which the table ran, and pauses of up to a week between them. For one thread. `longest`: the
    most days that anything is kept. `date`: the date in days, on any calendar."""

    journal: Journal
    longest: int
    date: Callable[[], int] = _date
    _due: float | None = None

    def __post_init__(self) -> None:
        self._count = self.journal.facts.read(DAYS, COUNTS.validate_json)
        self._before = self.journal.last()

    def step(self, now: float) -> None:
        """Look at the date if that is due. `now`: seconds on a monotonic clock."""
        due, self._due = self._due, self._due or now + LOOKS
        if due is None or now < due:
            return
        self._due = now + LOOKS
        count, date = self._count or _Count(self.date(), 0, ((0, 0),)), self.date()
        if date != count.date:
            count = count.at(date, self._before, self.longest)
        try:
            self._before = self.journal.last()
            if count != self._count:
                self.journal.facts.keep(DAYS, COUNTS.dump_json(count).decode())
        except JournalError as error:  # for example a full disk, which has a notice
            log.warning("The day can't be counted: %s", error)
        self._count = count

    def old(self, days: int) -> int:
        """The number of the last event that is so many days old; 0 if none is."""
        if self._count is None:
            return 0
        (today, _) = self._count.begun[-1]
        return max((event for day, event in self._count.begun if day <= today - days), default=0)


log = logging.getLogger(__name__)
BACKUPS = 60.0  # s between checks whether an automatic backup is due
MOUNTS = Path("/proc/self/mounts")
IN_MEMORY = ("tmpfs", "ramfs")

FORGOTTEN: Message = say(
    "Matches played now are lost when this computer restarts, because its overlay file system keeps "
    "all files in memory. Switch it off (sudo raspi-config nonint do_overlayfs 1), then restart."
)

PRUNED_EVERY = 600.0  # s between searches for old pictures and clips while the disk has room


class Pruning:
    """Removes old pictures or clips, and the oldest clips as soon as the disk has little room. For one thread."""

    def __init__(self, media: Pictures | Clips, old: Callable[[], int], megabytes: int) -> None:
        """`old`: the newest event that is old; `megabytes`: of all of them together."""
        self._media = media
        self._old = old
        self._most = megabytes * 1_000_000
        self._due = float("-inf")

    def step(self, now: float) -> int:
        """Delete what has expired and return how many. `now`: seconds on any clock that never goes back."""
        if now < self._due and self._media.has_room():
            return 0
        self._due = now + PRUNED_EVERY
        try:
            return self._media.prune(self._old(), self._most)
        except JournalError as error:
            log.warning("Old pictures or clips can't be removed: %s", error)
            return 0


class _Mount(NamedTuple):
    point: Path
    kind: str
    options: str


def is_volatile(folder: Path, mounts: Path = MOUNTS) -> bool:
    """Whether what is written to the folder is gone at the next start, as with raspi-config's overlay file system.

    That is in an overlay whose upper layer, which receives the writes, is not known to be on a disk.
    `mounts`: the table described in fstab(5) and proc(5); without one, no overlay is assumed. The upper layer is often
    mounted before the root and then not listed."""
    try:
        table = [_mount(line) for line in mounts.read_text("utf-8", "surrogateescape").splitlines()]
    except OSError:
        return False
    mount = _mount_of(folder.resolve(), table)
    if mount is None or mount.kind != "overlay":
        return False
    upper = re.search(r"(?:^|,)upperdir=([^,]*)", mount.options)
    below = _mount_of(Path(upper[1]), table) if upper else None
    return below is None or below.kind in ("overlay", *IN_MEMORY)


def _mount(line: str) -> _Mount:
    _, point, kind, options, *_ = (re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), f) for f in line.split(" "))
    return _Mount(Path(point), kind, options)


def _mount_of(path: Path, table: list[_Mount]) -> _Mount | None:
    """The deepest mount above the path; of several at one place the last, which covers the others."""
    holding = [mount for mount in table if path.is_relative_to(mount.point)]
    return max(reversed(holding), key=lambda mount: len(mount.point.parts), default=None)


@dataclass
class Housekeeping:
    """`post` queues work for the engine's thread, which dates events by `dates`; `notice` sets a notice there."""

    journal: Journal
    engine: Engine
    pictures: PicturesSection
    clips: ClipsSection
    post: Callable[[Callable[[], None]], None]
    notice: Callable[[NoticeKind, Message | None], None]
    dates: DateClock

    def __post_init__(self) -> None:
        journal, pictures, clips = self.journal, self.pictures, self.clips
        self._days = days = Days(journal, max(pictures.days, clips.days))
        self._pruning = Pruning(journal.pictures, lambda: days.old(pictures.days), pictures.megabytes)
        self._clip_pruning = Pruning(journal.clips, lambda: days.old(clips.days), clips.megabytes)

    def begin(self, data: Path) -> None:
        """Report at a start what is wrong with the disk of `data`: damage, read-only, or not persistent."""
        self.notice("recovery", report(self.journal))
        if is_volatile(data):
            log.warning("%s", FORGOTTEN)
            self.notice("overlay", FORGOTTEN)

    def step(self) -> None:
        """Call every few seconds, on one thread."""
        self._days.step(time.monotonic())
        if self.journal.writer is not None:  # else what is shown lies where it was, and stays
            self._pruning.step(time.monotonic())
            self._clip_pruning.step(time.monotonic())
        self.notice("clips", NO_CLIPS if self.clips.keep and not self.journal.clips.has_room() else None)
        self.post(self.engine.try_again)
        self.post(self._follow_clock)

    def _follow_clock(self) -> None:
        with suppress(JournalError):  # a notice says so, and the next step tries again
            self.dates.follow(lambda ahead: self.engine.clock_set(ahead, self.dates.begins_after))

    def run_backups(self, wait: Callable[[float], bool]) -> None:
        """Make automatic backups, on a separate thread since one may take a minute, until `wait` returns True."""
        while not wait(BACKUPS):
            trouble = None
            try:
                self.journal.backups.back_up_if_due(datetime.now())
            except JournalError as error:
                trouble = error.args[0]
            self.notice("backup", trouble)

    def webhooks_changed(self, troubles: dict[str, str]) -> None:
        """A webhook begins to fail, or works again. May be called on any thread."""
        lines = tuple(f"{place} ({why})" for place, why in troubles.items())
        self.notice("webhooks", say("Webhooks are not accepted: {places}.", places=lines) if lines else None)
        self.post(lambda: self.journal.facts.keep(WEBHOOKS, json.dumps(troubles)))
