"""A match's clocks and dates: they are reckoned by a clock that nobody sets, whatever happens to the time of day."""

import threading

import pytest

from controller.errors import BadInput, JournalError, Refused
from controller.match import events as ev
from controller.service import Service
from controller.table.clocks import DateClock, next_end
from controller.table.engine import Engine
from controller.table.engine_thread import EngineThread
from controller.views.audit import audit
from controller.views.history.one_match import corrected_times
from tests.controller.fed_table import START, ReadTable, a, b, settings_of
from tests.waiting import PATIENCE, eventually

NOON = 1_800_000_000.0  # s since 1970
ROUND = {"do": "set_timer", "timer": "round", "seconds": 600}


class TimedTable(ReadTable):
    """The machine's two clocks, set by the test; its readings' times are a third."""

    wall, steady, boot = NOON, 50.0, "first"

    def _open(self):
        self.dates = DateClock(self.journal, self.boot, lambda: self.wall, lambda: self.steady)
        self.engine = Engine(self.journal, wall=self.dates.now, steady=lambda: self.steady, boot=self.boot)
        self.engine.on_happened.append(lambda events, _: self.happened.extend(events))

    def passes(self, seconds):
        self.wall += seconds
        self.steady += seconds
        self.engine.time_is_up()

    def off(self, seconds, wall_shows=None):
        """The power is cut for so long; afterwards the time of day is right, or shows something else."""
        self.wall += seconds
        self.right = self.wall
        self.wall = self.right if wall_shows is None else wall_shows
        self.steady, self.boot = 12.0, f"{self.boot}+"
        self.restart()

    def looks_at_the_clock(self):
        """As the table does every few seconds."""
        self.dates.follow(lambda ahead: self.engine.clock_set(ahead, self.dates.begins_after))

    def dated(self):
        """When the events of the match happened, as the history shows it."""
        shown = corrected_times(self.engine.history)
        return [one.at for one in shown if isinstance(one.event, ev.MatchStarted | ev.ShotSeen)]

    def timer(self, name="round"):
        timers = self.shown.timers
        return next((one for one in timers if one.timer == name), None)

    @property
    def left(self):
        """What a page that knows the steady clock shows."""
        shown = self.timer()
        return shown.left if shown.left is not None else shown.ends - self.steady


@pytest.fixture
def table(tmp_path):
    table = TimedTable(tmp_path)
    yield table
    table.journal.close()


def test_the_first_shot_of_each_round_starts_it_and_only_that(table):
    table.do(**ROUND, on_first_shot=True)
    table.passes(100)
    assert (table.timer().word, table.left) == ("waiting", 600)
    table.see(a(0, 60))
    table.passes(30)
    assert (table.timer().word, table.left) == ("running", 570)
    table.see(a(0, 60.9), b(30, 40))
    assert table.left == 570, "a later shot changes nothing"
    table.do("end_round")
    assert (table.timer().word, table.left) == ("waiting", 600)
    table.see()
    table.see(b(0, 60))
    assert table.timer().word == "running"
    assert table.journalled == table.state


def test_it_is_stopped_corrected_and_goes_on(table):
    table.do(**ROUND, running=True)
    table.passes(100)
    table.do("set_timer", timer="round", running=False)
    table.passes(1000)
    assert (table.timer().word, table.left) == ("stopped", 500)
    table.do("set_timer", timer="round", left=450)
    assert (table.timer().word, table.left) == ("stopped", 450)
    table.do("set_timer", timer="round", running=True)
    table.passes(50)
    assert table.left == 400
    table.do("remove_timer", timer="round")
    assert table.timer() is None


def test_its_end_is_announced_once_and_blocks_nothing(table):
    table.do(**ROUND, running=True)
    table.passes(599.9)
    assert table.timer().word == "running"
    table.happened.clear()
    table.passes(0.2)
    table.passes(60)
    assert [event.kind for event in table.happened] == ["timer_ended"]
    assert (table.timer().word, table.left) == ("ended", 0)
    assert "The scorer calls it" in str(table.timer().text)
    table.see(a(0, 60))
    assert table.totals == (15, 0), "play goes on"
    table.do("time_out")
    assert table.round.shots_left == {"A": 0, "B": 1}, "NCA rule 8"
    assert str(table.timer().text) == "Time was called."
    table.do("undo")
    assert table.round.time_out is None
    table.do("set_timer", timer="round", left=60)
    assert (table.timer().word, table.left) == ("running", 60), "it was the clock that was wrong"


def test_no_message_is_needed_while_it_runs(table):
    table.do(**ROUND, running=True)
    told = []
    table.engine.on_changed.append(told.append)
    for _ in range(100):
        table.passes(5)
    assert told == []


def test_a_restart_and_a_jump_of_the_time_of_day_change_nothing(table):
    table.do(**ROUND, running=True)
    table.passes(100)
    table.restart()
    assert table.left == 500
    table.wall += 7200
    table.looks_at_the_clock()
    assert table.left == 500
    table.passes(100)
    table.restart()
    assert table.left == 400


def test_while_the_power_was_off_it_ran_on(table):
    table.do(**ROUND, running=True)
    table.passes(100)
    table.off(200)
    assert table.left == 300
    assert table.journalled == table.state


def test_without_a_clock_that_runs_on_it_is_right_once_the_network_has_set_the_time_of_day(table):
    """A Pi has none: it starts with the time at which it was last shut down."""
    table.do(**ROUND, running=True)
    table.passes(100)
    table.off(200, wall_shows=NOON - 5000)
    assert table.left == 600, "no time is known to have passed"
    table.passes(20)
    ahead = table.right + 20 - table.wall
    table.wall += ahead
    table.looks_at_the_clock()
    assert table.left == 280
    table.wall += 100
    table.looks_at_the_clock()
    assert table.left == 280, "a later setting has nothing to do with it"


NEW = {"do": "start", "rules": "nca", "sides": [{"name": "Black"}, {"name": "Natural"}]}


@pytest.mark.parametrize("ahead", [40 * 86_400.0, -3600.0, 61.0])
@pytest.mark.parametrize("restarts", [False, True], ids=["running", "restarted"])
def test_a_match_that_began_about_when_the_date_was_corrected_is_dated_right(table, ahead, restarts):
    """Before it, after it and before the table noticed, and afterwards; also by another process of the same boot."""
    table.wall -= ahead
    table.looks_at_the_clock()
    table.do(**NEW)
    table.see(hand=False)
    table.passes(100)
    table.see(a(0, 60))
    table.wall += ahead
    if restarts:
        table.restart()
    table.passes(2)
    table.see(a(0, 60.9), b(30, 40))
    assert table.dated() == [NOON - ahead, NOON - ahead + 100, NOON - ahead + 102], "nobody noticed yet"
    table.looks_at_the_clock()
    assert table.dated() == [NOON, NOON + 100, NOON + 102]
    table.do(**NEW)
    assert table.dated() == [NOON + 102]
    table.looks_at_the_clock()
    assert table.dated() == [NOON + 102]


def test_a_correction_dates_nothing_that_was_played_before_the_machine_was_off(opened):
    opened.passes(100)
    opened.off(200, wall_shows=NOON - 5000)
    opened.see(a(0, 60.9), b(30, 40))
    opened.wall = opened.right
    opened.looks_at_the_clock()
    assert opened.dated() == [NOON, NOON, NOON + 300]


def test_a_small_step_is_followed_without_a_word(opened):
    opened.wall += 59
    opened.looks_at_the_clock()
    opened.restart()
    opened.wall += 59
    opened.looks_at_the_clock()
    opened.see(a(0, 60.9), b(30, 40))
    assert opened.dated() == [NOON, NOON, NOON + 118]
    assert not any(isinstance(one.event, ev.ClockSet) for one in opened.engine.history)


def test_a_correction_that_the_disk_refuses_is_made_later(table):
    def refused(ahead):
        raise JournalError("The disk is full")

    table.wall += 3600
    with pytest.raises(JournalError):
        table.dates.follow(refused)
    table.see(a(0, 60))
    table.looks_at_the_clock()
    assert table.dated() == [NOON + 3600, NOON + 3600]


def test_the_undone_end_of_a_round_brings_its_clock_back_as_it_ran_on(opened):
    opened.do(**ROUND, running=True)
    opened.passes(100)
    opened.do("end_round")
    opened.passes(10)
    opened.do("undo")
    assert opened.left == 490


def test_the_clock_of_the_match_runs_through_its_rounds_and_ends_with_it(table):
    table.do("set_timer", timer="match", seconds=1800, running=True)
    for _ in range(3):
        table.passes(60)
        table.do("end_round", totals={"A": 20, "B": 0})
    assert table.timer("match").ends == 50 + 1800
    table.do("end_round", totals={"A": 20, "B": 0})
    table.happened.clear()
    table.passes(5000)
    assert table.happened == []
    assert table.timer("match").word == "stopped"


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ({"do": "set_timer", "timer": "round", "running": True}, Refused),
        ({"do": "remove_timer", "timer": "match"}, Refused),
        ({"do": "set_timer", "timer": "round", "left": 5}, Refused),
        ({"do": "set_timer", "timer": "round", "seconds": float("nan")}, BadInput),
    ],
)
def test_impossible_settings_are_refused(table, command, error):
    with pytest.raises(error):
        table.do(**command)
    assert table.state.timers == {}


def test_the_audit_shows_who_set_it_to_what(table):
    table.do(**ROUND, running=True, by="phone", who="one")
    assert str(audit(table.engine.history)[-1].text) == "Round clock runs from 10:00"
    assert isinstance(table.engine.history[-1].event, ev.TimerSet)
    assert next_end(table.state) == 650


def test_a_running_table_notices_by_itself_that_a_clock_has_run_down(tmp_path):
    service = Service(settings_of(tmp_path, camera={"device": "none"}, hole={"device": "none"}))
    service.start()
    try:
        service.command(START)
        service.command({"do": "set_timer", "timer": "round", "seconds": 1, "running": True})
        eventually(lambda: service.engine.history[-1].event.kind == "timer_ended")
    finally:
        service.stop()


def test_a_clock_that_has_run_down_is_reported_again_until_that_is_written_and_none_that_was_taken_back():
    ends, rung, done = [0.05], threading.Semaphore(0), threading.Event()

    def time_is_up():
        rung.release()
        if done.is_set():
            ends[0] = None

    thread = EngineThread(print, lambda: ends[0], time_is_up, lambda: 0.0)
    running = threading.Thread(target=thread.run)
    running.start()
    assert rung.acquire(timeout=PATIENCE)
    assert rung.acquire(timeout=PATIENCE)
    done.set()
    assert thread.call(lambda: "work goes on") == "work goes on"
    thread.stop()
    running.join(PATIENCE)
    assert not running.is_alive()
