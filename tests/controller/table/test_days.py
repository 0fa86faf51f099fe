"""The days that a table counts: what is kept for 30 days is kept so long, whatever the date is set to."""

import pytest

from controller.config import ClipsSection, PicturesSection
from controller.journal.media import Clip
from controller.table.clocks import DateClock
from controller.table.housekeeping import DAYS, LOOKS, Days, Housekeeping

KEPT = 30


class Running:
    """A table that runs on such days as the test says, and writes one event on each, numbered from 1."""

    def __init__(self, journal):
        self.journal = journal
        self.date = 20_000
        self.start()

    def start(self):
        """Switch it on; the steady clock begins again."""
        self.now = 0.0
        self.days = Days(self.journal, KEPT, lambda: self.date)
        self.days.step(self.now)

    def look(self):
        self.now += LOOKS
        self.days.step(self.now)

    def runs_on(self, date):
        """Run on this date; returns the newest event that is old."""
        self.date = date
        self.look()
        self.journal.append(1, 0.0, [("paused", {"paused": True})])
        self.look()
        return self.days.old(KEPT)


@pytest.fixture
def running(journal):
    journal.writer.execute("PRAGMA synchronous = OFF")  # the disk is not what is tested
    return Running(journal)


@pytest.mark.parametrize("restarts", [False, True])
def test_a_table_that_is_always_on_counts_the_days_of_the_calendar(running, restarts):
    for number in range(1, 100):
        assert running.runs_on(20_000 + number) == max(0, number - KEPT - 1)
        if restarts:
            running.start()


def test_the_events_of_an_evening_are_not_those_of_the_last_one(running):
    """They are written before the first look at the date."""
    running.runs_on(20_000)
    for date in range(20_001, 20_031):
        running.date = date
        running.start()
        written = running.journal.append(1, 0.0, [("paused", {"paused": True})])[0].id
        running.runs_on(date)
        assert running.days.old(0) < written


def test_the_table_of_a_club_that_meets_each_week_counts_the_weeks(running):
    old = []
    for week in range(12):
        running.start()
        old.append(running.runs_on(20_000 + 7 * week))
    assert old == [0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6], "a pause counts with the next one"


@pytest.mark.parametrize("ahead", [40, 400, 40_000])
def test_a_date_that_was_set_ahead_for_an_evening_makes_nothing_old(running, ahead):
    for date in range(20_000, 20_025):
        assert running.runs_on(date) == 0
    for date in (20_025 + ahead, 20_026, 20_027, 20_028, 20_029):
        running.start()
        assert running.runs_on(date) == 0
    for date in range(20_030, 20_090):
        running.runs_on(date)
    assert 58 <= running.days.old(KEPT) <= 60, "and the count goes on"


def test_no_date_makes_more_old_than_a_pause_of_a_week_would(running):
    for date in (20_000, 20_001, 20_002, 90_000, 90_001):
        assert running.runs_on(date) == 0


def test_a_date_that_was_set_back_keeps_nothing_for_ever(running):
    running.runs_on(40_000)
    for date in range(20_000, 20_032):
        old = running.runs_on(date)
    assert old == 2, "the event of that day and the next one's"


def test_the_date_before_the_network_corrected_it_does_not_count(running):
    for date in range(20_000, 20_010):
        running.date = 0
        running.start()
        running.now += LOOKS - 1
        running.days.step(running.now)
        assert running.runs_on(date) == 0
    assert running.runs_on(20_031 + 8) == 0


def test_an_unreadable_count_begins_again(running):
    for date in range(20_000, 20_040):
        running.runs_on(date)
    assert running.days.old(KEPT) > 0
    running.journal.facts.keep(DAYS, '{"date": 1}')
    running.start()
    assert running.runs_on(20_041) == 0


def test_what_is_counted_takes_no_more_room_than_the_days_that_are_kept(running):
    for date in range(20_000, 20_060):
        running.runs_on(date)
    assert len(running.journal.facts.get(DAYS) or "") < 20 * (KEPT + 4)


def test_no_clip_goes_because_of_its_date(table):
    """Of the running match, and of matches of another century."""
    clips = table.journal.clips
    for number, at in enumerate((0.0, 1.7e9, 9e9), start=1):
        clips.keep(1, number, number, at, Clip(8, 8, (0.0,), (b"x",)))
    Housekeeping(
        table.journal,
        table.engine,
        PicturesSection(),
        ClipsSection(),
        lambda _: None,
        lambda *_: None,
        DateClock(table.journal, ""),
    ).step()
    assert len(clips.of(1)) == 3
