"""Whatever people, camera and disk do: what is in memory and on the page is what the journal alone gives."""

import json
import math
import os
import random
import sqlite3
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from controller.errors import BadInput, JournalError, Refused
from controller.journal import Journal
from controller.match import events as ev
from controller.match.events import parse
from controller.match.fold import fold
from controller.messages import encoded
from controller.table.engine import Engine
from controller.vision.calibration.calibration import calibrate
from hardware.devices import HoleCounts, HoleEvent
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.controller.fed_table import ReadTable, a, b, disc
from tests.controller.table import full_disk
from tests.slow import slow

FRAMES = 24_000  # bytes: a commit of the longest step writes about five pages of 4 kB to the log


COMMANDS = (
    "undo",
    "undo",
    "undo",
    "redo",
    "end_round",
    "end_round",
    "answer",
    "answer",
    "start",
    "confirm",
    "time_out",
    "pause",
    "resume",
    "correct_round",
    "correct_round",
    "correct_round",
    "correct_disc",
    "correct_disc",
    "correct_shot",
    "correct_shot",
    "correct_shot",
    "correct_shot",
    "call_conduct",
    "set_timer",
    "set_timer",
    "shoot_out",
    "manual",
    "automatic",
    "automatic",
)


def random_board(dice, lying):
    """The board a moment later: discs come, go, move, fall into the hole or the ditch."""
    board = [disc(side, x, y, pose) for side, x, y, pose in lying if dice.random() < 0.93]
    if dice.random() < 0.8:
        angle, radius = dice.uniform(0, 2 * math.pi), dice.uniform(20, 320)
        pose = dice.choices(["flat", "in_hole", "leaning", "ditch"], [12, 2, 1, 2])[0]
        x, y = {"in_hole": (0.0, 0.0), "leaning": (9.0, 4.0), "ditch": (340.0, 30.0)}.get(
            pose, (radius * math.cos(angle), radius * math.sin(angle))
        )
        board.append(disc(dice.choice("AB"), x, y, pose))
    return board


def random_command(dice, table):
    do = dice.choice(COMMANDS)
    round_, side = dice.randint(1, 3), dice.choice("AB")
    questions = list(table.state.questions) or [0]
    discs = list(table.state.measured) or ["a1"]
    totals = {"A": 5 * dice.randint(0, 9), "B": 5 * dice.randint(0, 9)}
    shot = {"round": round_, "shot": dice.randint(1, 6)}
    place = {"at": [dice.uniform(-180, 180), dice.uniform(-180, 180)]} if dice.random() < 0.3 else {}
    return {
        "correct_round": {
            "round": round_,
            **dice.choice(
                [
                    {"totals": totals},
                    {"twenties": {side: dice.randint(0, 6)}},
                    {"points": {"A": dice.randint(0, 2), "B": dice.randint(0, 2)}},
                ]
            ),
        },
        "correct_disc": {
            "disc": dice.choice(discs),
            "zone": dice.choice([20, 15, 10, 5, 0, "remove"]),
            **dice.choice([{}, shot, {"round": round_}]),
            **place,
        },
        "correct_shot": {
            **shot,
            **dice.choice(
                [
                    *({"valid": valid} for valid in (True, False)),
                    *({"agreed": agreed} for agreed in ("valid", "foul", "by_rules")),
                    {"annulled": True},
                ]
            ),
        },
        "call_conduct": {"side": side, "conduct": "early", **dice.choice([{}, shot])},
        "set_timer": {
            "timer": "round",
            **dice.choice([{"seconds": dice.randint(1, 60), "on_first_shot": dice.random() < 0.5}, {"running": True}]),
        },
        "end_round": dice.choice([{}, {"totals": totals}]),
        "shoot_out": {"twenties": {"A": dice.randint(0, 3), "B": dice.randint(0, 3)}},
        "automatic": dice.choice([{}, {"left": {"A": dice.randint(0, 6), "B": dice.randint(0, 6)}}]),
        "answer": {"question": dice.choice(questions), "answer": dice.choice(["15", "10", "20", "over", "seen"])},
        "start": {"rules": dice.choice(["nca", "family"]), "sides": [{"name": "1"}, {"name": "2"}], "discs": 6},
    }.get(do, {}) | {"do": do}


class Evening(RuleBasedStateMachine):
    """A match that is played, corrected and interrupted while the disk fills and empties."""

    def __init__(self):
        super().__init__()
        self.folder = TemporaryDirectory()
        self.table = ReadTable(Path(self.folder.name), discs=6)
        self.lying = []
        self.full = False

    def teardown(self):
        full_disk.open_again()
        self.table.journal.close()
        self.folder.cleanup()

    def does(self, work):
        """Something happens; where the disk is full it may fail, and people are told."""
        before = self.table.state
        try:
            work()
        except JournalError:
            assert self.full, "a disk with room takes everything"
            assert "journal" in self.notices
        except (Refused, BadInput):
            assert self.table.state == before

    @property
    def notices(self):
        return [notice.kind for notice in self.table.engine.snapshot.notices]

    @initialize()
    def begins(self):
        self.table.see()

    @rule(seed=st.integers(0, 2**32), hand=st.booleans())
    def people_do_something_on_the_board(self, seed, hand):
        board = random_board(random.Random(seed), self.lying)
        self.lying = [({"black": "A", "natural": "B"}[d.colour], d.x, d.y, d.pose) for d in board]
        self.does(lambda: self.table.see(*board, hand=hand))

    @rule(occupied=st.booleans())
    def the_sensor_changes(self, occupied):
        self.does(lambda: self.table.engine.hole_changed(HoleEvent(self.table.t + 0.5, occupied)))

    @rule(missed=st.sampled_from([0, 2, None]), counted=st.integers(1, 40))
    def the_unit_was_away(self, missed, counted):
        event = HoleEvent(self.table.t + 0.5, None, counts=HoleCounts(7, counted, counted), missed=missed)
        self.does(lambda: self.table.engine.hole_changed(event))

    @rule(seed=st.integers(0, 2**32))
    def somebody_sends_a_command(self, seed):
        self.does(lambda: self.table.do(**random_command(random.Random(seed), self.table)))

    @rule(left=st.integers(0, FRAMES))
    def the_disk_fills(self, left):
        self.full = True
        full_disk.close(self.table.journal, left)

    @precondition(lambda self: self.full)
    @rule()
    def somebody_makes_room(self):
        self.full = False
        full_disk.open_again()
        self.table.engine.try_again()
        assert "journal" not in self.notices, "it can be written, and the page says so"

    @rule()
    def the_table_looks_whether_it_can_write(self):
        self.table.engine.try_again()

    @precondition(lambda self: not self.full)
    @rule()
    def the_power_is_cut(self):
        self.table.restart()

    @invariant()
    def what_is_in_memory_is_what_the_journal_says(self):
        number, history = match_going_on(self.table.journal)
        assert fold(number, history) == self.table.state
        assert list(self.table.engine.history) == history

    @invariant()
    def the_page_shows_the_take_snapshot(self):
        engine = self.table.engine
        assert engine.snapshot.match == engine._take_snapshot().match
        assert engine.snapshot.id == engine.state.last_id


def match_going_on(journal):
    """The newest match whose start was not undone, as the journal has it."""
    number, history = journal.newest(), [parse(entry) for entry in journal.events(journal.newest())]
    while isinstance(last := history[-1].event, ev.MatchDeleted) and last.resumed:
        number, history = last.resumed, [parse(entry) for entry in journal.events(last.resumed)]
    return number, history


TestEvening = slow(Evening.TestCase)
TestEvening.settings = settings(
    max_examples=25, stateful_step_count=30, database=None, suppress_health_check=list(HealthCheck)
)


def test_a_shot_that_could_not_be_written_is_seen_when_there_is_room_again(opened):
    opened.see(a(0, 90), b(20, 70))
    with full_disk.closed(opened.journal), pytest.raises(JournalError):
        opened.see(a(0, 90), b(20, 70), a(-60, 0))
    assert len(opened.shots) == 2
    assert any("can't be written" in notice for notice in opened.notices)
    opened.engine.try_again()
    assert opened.shooters == ["A", "B", "A"]
    assert opened.notices == []


def fill(table):
    """Write until it fails."""
    for there in cycle((True, False)):
        table.engine.hole_changed(HoleEvent(table.t, there))


def test_the_notice_stands_until_something_was_written(table):
    table.see()
    with full_disk.no_pages(table.journal):
        with pytest.raises(JournalError, match="disk is full"):
            fill(table)
        table.engine.set_notice("camera", None)
        with suppress(JournalError):
            table.see(hand=False)
        assert any("disk is full" in notice for notice in table.notices)
        table.engine.try_again()
        assert any("disk is full" in notice for notice in table.notices)
    table.engine.try_again()
    assert not any("disk is full" in notice for notice in table.notices)


def test_a_match_begins_by_hand_whole_or_not_at_all(table):
    start = {"do": "start", "rules": "nca", "sides": [{"name": "P"}, {"name": "Q"}], "manual": True}
    for left in range(0, FRAMES, 1500):
        before = table.state.number
        try:
            with full_disk.closed(table.journal, left):
                table.engine.command(start)
        except JournalError:
            assert table.state.number == before
        else:
            assert table.state.manual
            assert table.state.number == before + 1


def test_pictures_are_dropped_before_events(tmp_path, monkeypatch):
    board = Painter().full(Scene(0.0))
    table = ReadTable(tmp_path, calibration=calibrate(board))
    table.see(hand=False)
    monkeypatch.setattr("tests.controller.fed_table.NOTHING", board)
    monkeypatch.setattr("controller.table.question_pictures.encode", lambda *_: b"\xff" * 400_000)

    def picture_of(*board):
        table.see(*board)
        (seen,) = [event for event in table.happened if isinstance(event, ev.ShotSeen)]
        return seen.picture

    first = picture_of(a(0, 60))
    assert table.journal.pictures.cut(first)
    with full_disk.closed(table.journal, left=100_000):
        assert picture_of(a(0, 80), b(20, 120)) is None, "that is enough for the events"
    assert "journal" not in [notice.kind for notice in table.engine.snapshot.notices]
    monkeypatch.setattr(table.journal.pictures, "room", 2**62)
    assert picture_of(a(0, 80), b(20, 150), a(-60, 60)) is None
    assert any("no pictures" in notice for notice in table.notices)
    monkeypatch.setattr(table.journal.pictures, "room", 0)
    assert picture_of(a(0, 80), b(20, 150), a(-60, 90), b(60, -100)) is not None
    assert table.notices == []
    table.journal.close()


def test_a_writer_that_finds_the_log_changed_by_others_writes_nothing(new_table):
    table = new_table()
    table.see(a(0, 60))
    other = sqlite3.connect(table.journal.path)
    other.execute("INSERT INTO events (match, at, kind, body) VALUES (1, 0, 'paused', '{\"paused\": true}')")
    other.commit()
    other.close()
    with pytest.raises(JournalError, match="another program"):
        table.do("pause")
    assert not table.state.paused
    assert any("another program" in notice for notice in table.notices)
    table.restart()
    assert table.state.paused


def test_a_second_table_on_the_same_journal_is_refused_with_the_number_of_the_first(tmp_path):
    first = Journal(tmp_path / "journal.sqlite")
    (tmp_path / "link").symlink_to(tmp_path)
    for path in (tmp_path / "journal.sqlite", tmp_path / "link" / "journal.sqlite"):
        with pytest.raises(JournalError, match=f"process {os.getpid()}"):
            Journal(path)
    looking = Journal(tmp_path / "journal.sqlite", writing=False)
    with pytest.raises(JournalError, match="nothing is accepted"):
        looking.append(1, 0.0, [("a", {})])
    looking.close()
    first.close()
    Journal(tmp_path / "journal.sqlite").close()


def test_an_engine_on_a_journal_that_is_only_read_shows_the_same_match(new_table):
    table = new_table()
    table.see(a(0, 60))
    looking = Journal(table.journal.path, writing=False)
    again = Engine(looking, wall=lambda: 0.0)
    assert json.loads(encoded(again.snapshot))["match"] == json.loads(encoded(table.engine.snapshot))["match"]
    looking.close()
