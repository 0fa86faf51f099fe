"""How old what the table keeps is: in days that the table counts itself, and by the numbers of events. No date says it:
a Pi has no clock that runs on, so its date is wrong until the network corrects it, or is what somebody set by hand."""

import datetime as dt
import logging
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from pydantic import TypeAdapter

from controller.errors import JournalError
from controller.journal import Journal

DAYS = "days"  # the name of the fact
LOOKS = 600.0  # s between looks at the date. The first comes as late: by then the network has corrected it.
NIGHT = dt.timedelta(hours=4)  # an evening belongs to the day on which it began
PAUSE = 7  # days: the longest pause that counts, that of a club which meets each week
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Count:
    """`date`: the one seen last, in days; `today`: that day's number; `pause`: days just before it that do not count
    yet; `begun`: the counted days, the oldest first, each with the last event before it."""

    date: int
    today: int
    pause: int
    begun: tuple[tuple[int, int], ...]

    def at(self, date: int, before: int, longest: int) -> Self:
        """The count on another date. `before`: the last event before it; `longest`: days of which it must know.

        A pause counts only when the date has gone on since: one set ahead makes nothing old before it is set back."""
        on = date > self.date
        today = self.today + 1 + (self.pause if on else 0)
        begun = (*self.begun, (today, before))
        kept = [one for one, after in pairwise(begun) if after[0] > today - longest]
        return type(self)(date, today, min(date - self.date, PAUSE) - 1 if on else 0, (*kept, begun[-1]))


COUNTS = TypeAdapter(_Count)


def _date() -> int:
    return (dt.datetime.now() - NIGHT).toordinal()


class Days:
    """Counts the days on which the table ran, and pauses of up to a week between them. For one thread."""

    def __init__(self, journal: Journal, longest: int, date: Callable[[], int] = _date) -> None:
        """`longest`: the most days that anything is kept. `date`: the date in days, on any calendar."""
        self._journal = journal
        self._longest = longest
        self._date = date
        self._count = journal.facts.read(DAYS, COUNTS.validate_json)
        self._before = journal.last()
        self._due: float | None = None

    def step(self, now: float) -> None:
        """Look at the date if that is due. `now`: seconds on a monotonic clock."""
        due, self._due = self._due, self._due or now + LOOKS
        if due is None or now < due:
            return
        self._due = now + LOOKS
        count, date = self._count or _Count(self._date(), 0, 0, ((0, 0),)), self._date()
        if date != count.date:
            count = count.at(date, self._before, self._longest)
        try:
            self._before = self._journal.last()
            if count != self._count:
                self._journal.facts.keep(DAYS, COUNTS.dump_json(count).decode())
        except JournalError as error:  # for example a full disk, which has a notice
            log.warning("The day can't be counted: %s", error)
        self._count = count

    def old(self, days: int) -> int:
        """The number of the last event that is so many days old; 0 if none is."""
        if self._count is None:
            return 0
        today = self._count.today
        return max((event for day, event in self._count.begun if day <= today - days), default=0)
