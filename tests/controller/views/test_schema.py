"""What is promised is kept: every member and every word of the schema is in some document that the table makes."""

import ast
import math
import sqlite3
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from controller import rules
from controller.errors import NameTaken, Stale
from controller.journal import Journal, Picture
from controller.journal.clips import Clip
from controller.match.club import Assigned, PairedSide, Player
from controller.match.commands import command_schema
from controller.table.club.membership import in_club
from controller.table.engine import Engine
from controller.table.setup.setup_service import Device
from controller.views.history import Archive, queries, statistics
from controller.views.history import review as one_match
from controller.views.history.summing import note_made_with
from controller.views.history.upkeep import Progress
from controller.views.rule_sets import Rules
from controller.views.schema import FOR_PAGES, FOR_PROGRAMS, components
from controller.views.state import NoticeKind
from controller.vision.readings import BoardReading, Doubt
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.devices import HoleEvent
from tests.controller.fed_table import SIDES, ReadTable, a, b, disc
from tests.controller.films import every_kind, keeping_clips
from tests.controller.referee.test_referee_rounds import full_round
from tests.produced import Shown, one_of
from tests.slow import slow

CONTROLLER = Path(__file__).resolve().parents[3] / "controller"
FOUR = [*SIDES, {"name": "Red", "colour": "red"}, {"name": "Green", "colour": "unheard of"}]
PICTURE = np.zeros((4, 4, 3), np.uint8)
GATE = ("hand", "moving", "covered", "light_changed", "camera_moved", "still")


class Photographer:
    """Keeps a picture of everything."""

    def of_question(self, *_):
        return Picture(b"question", b"whole", {})

    def of_shot(self, *_):
        return Picture(b"shot")


class Evening:
    """One table, match after match, whose every state is taken."""

    def __init__(self, folder, sees):
        self.sees = sees
        own = {"id": "our-club", "base": "nca", "conduct": "foul"}
        self.table = ReadTable(folder, picture_maker=Photographer(), own_rules=[own])
        self.keeper = keeping_clips(self.table)
        self.table.engine.on_changed.append(lambda snapshot: sees.take(snapshot.document, "State"))

    def begin(self, **start):
        """Another match, over a swept board."""
        self.table.see(hand=False)
        self.table.do(do="start", **{"rules": "nca", "sides": SIDES, **start})
        return self.table

    def answer(self, what, which):
        question = next(q for q in self.table.state.questions.values() if q.asked.what == what)
        self.table.do(do="answer", question=question.id, answer=which)

    def play(self):
        """All but what needs a table of its own."""
        for one in (
            self.calls,
            self.questions,
            self.amended,
            self.pictured,
            self.pictured,
            self.filmed,
            self.by_hand,
            self.misconduct,
            self.timed,
            self.decided,
            self.in_club,
            self.four,
        ):
            one()
        self.swept()
        self.status()

    def filmed(self):
        """Films of shots, and clips of them and of a question."""
        table = self.begin()
        self.keeper.settled(Clip(1, 1, (0.0,), (b"jpeg",)))
        every_kind(table)
        table.engine.publish()
        table = self.begin()
        self.keeper.settled(Clip(1, 1, (0.0,), (b"jpeg",)))
        table.see(a(0, 60))
        table.see(a(0, 60.4), b(100, 120))
        assert table.state.questions

    def in_club(self):
        """What a club assigns: shown, begun, taken back; singles and doubles; no club any more."""
        engine = self.table.engine
        players = [Player(id=f"p{n}", name=f"Player {n}") for n in range(4)]
        for each, starter, kind in ((1, "A", None), (2, "B", {"kind": "points", "target": 50})):
            sides = [PairedSide(name=f"Side {n}", players=tuple(players[n * each : (n + 1) * each])) for n in (0, 1)]
            match = Assigned(id=f"m{each}", round=1, sides=tuple(sides), rules="nca", format=kind, starter=starter)
            engine.set_club(in_club("Our club", match, {}))
            following = engine.snapshot.document.club.next
            self.begin(**asdict(following.start))
            assert engine.state.started.assignment == f"m{each}"
            engine.set_club(in_club("Our club", None, {}))
            assert engine.snapshot.document.club.taken_back
        engine.set_club(None)

    def calls(self):
        """Fouls, twenties, contacts, discs in the ditch; what the sensor alone knows of."""
        table = self.begin()
        table.see(a(0, 60))
        table.see(a(0, 60.4), b(100, 120))
        self.answer("contact", "touched")
        table.see(a(0, 61), b(100, 120), b(150, 90))  # out of turn: no shot explains it
        table = self.begin()
        table.see(a(0, 60))
        table.see(a(0, 60), b(200, 90))  # a foul
        table.see(a(0, 61), b(320, 150, "ditch"), a(9, 4, "leaning"))
        table = self.begin()
        table.see(a(0.5, 0.3, "in_hole"))
        table.see()
        table.see(b(0, 60))
        table.see(b(0, 80), a(250, 0))
        table.see(b(304.8 - 15.9 - 0.4, 10), a(250, 40))  # hardly over the outer line
        self.table.do(do="end_round")

    def questions(self):
        """Each kind of question."""
        table = self.begin()
        table.see(a(0, 60))
        table.see(a(0, 61.5), b(40, 0))
        for _ in range(2):
            table.see(b(40, 0), hand=False)
        self.answer("lost", "counts")
        table = self.begin()
        table.see(a(0, 60))
        table.hole((1.0, True))
        table.see(b(340, 30, "ditch"))
        self.answer("twenty", "off")
        table.engine.hole_changed(HoleEvent(table.t, None, missed=2))
        table = self.begin()
        table.see(a(0, 60))
        table.see(a(0, 60), b(150, 0))
        table.see(a(100, 60), a(60, 90), b(150, 0))
        table.see(a(250, 60), a(60, 90), b(220, 30), b(40, 40))  # one of the two was shot: order
        table = self.begin()
        table.see(a(0, 60))
        table.see(a(0, 61), b(50, 0), a(-50, 0), b(0, -50), a(40, 90), b(-40, 90))  # unexplained

    def amended(self):
        """A shot that is revised, since people take off what it had moved."""
        table = self.begin()
        table.see(a(0, 60))
        table.see(a(0, 150), b(10, 50))
        table.see(b(10, 50), a(320, 150, "ditch"))
        assert table.state.amendments

    def seats(self, folder):
        """A simulated table before its first match; then two discs leave it open who sits where."""
        folder.mkdir()
        table = ReadTable(folder, seats_known=False)
        with closing(Journal(folder / "simulated.sqlite")) as journal:
            simulated = Engine(journal, simulated=True, wall=lambda: 0.0)
            self.sees.take(simulated.snapshot.document, "State")
        table.engine.on_changed.append(lambda snapshot: self.sees.take(snapshot.document, "State"))
        for discs in ([_at(225, 304.8)], [_at(225, 60)], [_at(225, 60), _at(45, 304.8, "B")]):
            table.see(*discs)
        table.journal.close()

    def colours(self, folder):
        """Sides that did not say what they play; one places the other's disc first."""
        folder.mkdir()
        table = ReadTable(folder, seats_known=False, sides=[{"name": "Player 1"}, {"name": "Player 2"}])
        table.engine.on_changed.append(lambda snapshot: self.sees.take(snapshot.document, "State"))
        for discs in ([], [_at(277, 304.8)], [], [_at(272, 304.8, "B")]):
            table.see(*discs)
        table.hole((1.0, True))
        table.see(disc("B", 0.5, 0.3, "in_hole"))
        table.hole((1.0, False))
        for discs in ([], [_at(97, 304.8)], [_at(90, 40)]):
            table.see(*discs)
        assert [question.asked.what for question in table.state.questions.values()].count("colours") == 1
        table.journal.close()

    def swept(self):
        """A whole round, spot-checked; a scorer ends it, who had not seen that a swept board had ended it."""
        table = self.begin(discs=6)
        full_round(table)
        table.do(do="check_board")
        seen = table.engine.snapshot.id
        table.see()
        with pytest.raises(Stale) as refusal:
            table.do(do="end_round", seen=seen)
        self.sees.take({"error": str(refusal.value), "changes": refusal.value.changes}, "Changed")

    def pictured(self):
        """A shot and a close call with their pictures, some of them deleted later."""
        table = self.begin()
        for discs in ((a(0, 85.5),), (a(0, 86), b(50, 0)), (a(0, 87.5), b(50, 1), a(-50, 0))):
            table.t += 8
            table.engine.observe(GateChanged(table.t, "still"))
            table.engine.observe(BoardRead(table.t, BoardReading(discs, False, 0.0, table.t), PICTURE))
        table.do(do="end_round")

    def by_hand(self):
        """What people do, from wherever they can, in each kind of line of the audit."""
        table = self.begin(format={"kind": "rounds", "rounds": 2, "games": 2, "tie": "shoot_out"}, manual=True)
        for points in (20, 15, 10, 5):
            table.do(do="count", round=1, side="A", points=points, by="phone")
        table.do(do="enter_round", totals={"A": 40, "B": 20}, twenties={"A": 1, "B": 0}, by="phone", who="one")
        table.do(do="correct_round", round=1, totals={"A": 45, "B": 20}, by="screen")
        table.do(do="award", round=1, points={"A": 0, "B": 2}, by="button")
        table.do(do="undo")
        table.do(do="redo")
        table.do(do="correct_twenties", round=1, side="B", value=1)
        table.do(do="automatic", left={"A": 8, "B": 8})
        table.do(do="pause")
        table.do(do="resume")
        table.do(do="turn_seats", quarters=1)
        table.do(do="turn_seats", quarters=3)
        table.do(do="add_shot", side=table.state.game.round.to_shoot, at=[0.0, 60.0])
        table.do(do="correct_disc", disc="b1", zone=10)
        table.do(do="add_shot", side="A", at=[0.0, -60.0])
        table.do(do="correct_shot", round=2, shot=2, valid=False)
        table.do(do="undo")
        table.do(do="overrule_shot", round=2, shot=2, valid=False)
        table.do(do="overrule_shot", round=2, shot=1, valid=False)
        table.do(do="overrule_shot", round=2, shot=1, valid=True)
        for code in rules.CONDUCTS:
            table.do(do="call_conduct", side="A", conduct=code)
        table.do(do="annul_shot", round=2, shot=2)
        table.do(do="time_out")
        table.do(do="set_timer", timer="match", seconds=600, running=True)
        table.do(do="run_timer", timer="match", running=False)
        table.do(do="set_timer", timer="round", seconds=60, on_first_shot=True)
        table.do(do="remove_timer", timer="match")
        table.do(do="end_round")
        table.do(do="enter_round", totals={"A": 40, "B": 20})
        table.do(do="enter_round", totals={"A": 40, "B": 20})
        self.begin(manual=True).do(do="win_round", round=1, winner="B", twenties={"A": 0, "B": 0})

    def misconduct(self):
        """By a club's own rules, by which conduct costs the shot."""
        table = self.begin(rules="our-club")
        table.see(a(0, 60))
        table.do(do="call_conduct", side="A", conduct="left_chair", round=1, shot=1)
        table.do(do="end_round")

    def timed(self):
        """A clock that the first shot starts, until it has run down."""
        table = self.begin()
        table.do(do="set_timer", timer="round", seconds=60, on_first_shot=True)
        table.see(a(0, 60))
        table.t += 60
        table.engine.time_is_up()
        table.do(do="end_round")

    def decided(self):
        """Matches of four that each side wins, with each kind of format; a level one goes to a shoot-out."""
        for side in "ABCD":
            table = self.begin(sides=FOUR, format={"kind": "rounds", "rounds": 4, "tie": "round"}, manual=True)
            for _ in range(4):
                table.do(do="enter_round", totals={other: 20 * (other == side) for other in "ABCD"})
            assert table.state.game.winner == side
        for kind in ("points", "race"):
            for tie in ("stands", "round", "twenties", "shoot_out"):
                self.begin(format={"kind": kind, "target": 5, "tie": tie})
        for tie in ("stands", "twenties", "shoot_out"):
            table = self.begin(format={"kind": "rounds", "rounds": 1, "tie": tie}, doubles=True, manual=True)
            table.do(do="enter_round", totals={"A": 20, "B": 20}, twenties={"A": 1, "B": 1})
        table.do(do="shoot_out", twenties={"A": 3, "B": 2})
        for practice in ("practice-twenties", "practice-series"):
            table = self.begin(rules=practice, sides=[{"name": "Black"}], discs=8, manual=True)
            table.do(do="enter_round", totals={"A": 40}, twenties={"A": 2} if practice == "practice-twenties" else {})

    def four(self):
        """Everybody for themselves; then the board is not cleared for the next match."""
        table = self.begin(sides=FOUR)
        lying = [disc(side, *at) for side, at in zip("ABCD", ((0, 60), (0, 100), (0, 140), (0, 180)), strict=True)]
        for k in range(4):
            table.see(*(replace(one, x=one.x + 3.0 * (3 - n)) for n, one in enumerate(lying[: k + 1])))
        table.do(do="start", rules="nca", sides=FOUR)

    def many_days(self):
        """More evenings than a trend shows one by one, and a player who came once."""
        for name in ("Once", *["Black"] * (statistics.MAX_DAYS + 1)):
            self.table.t += 86_400.0
            self.begin(sides=[{"name": name}, {"name": "Natural"}], manual=True)
            self.table.do(do="enter_round", totals={"A": 40, "B": 20})

    def status(self):
        """Whatever the gate says, with a match and without a camera."""
        table = self.begin()
        for word in GATE:
            table.engine.observe(GateChanged(table.t, word))
        table.engine.camera_changed(lost=True)
        table.engine.camera_changed(lost=False)


def _at(direction, distance, side="A"):
    turn = math.radians(direction)
    return disc(side, distance * math.cos(turn), distance * math.sin(turn))


@pytest.fixture
def sees():
    return Shown()


@pytest.fixture
def evening(tmp_path, sees):
    evening = Evening(tmp_path, sees)
    yield evening
    evening.table.journal.close()


@slow
def test_the_state_and_the_history_show_all_that_the_schema_names(tmp_path, evening, sees, monkeypatch):
    note_made_with(evening.table.journal, "picamera", "gpio:17")
    evening.play()
    evening.seats(tmp_path / "seats")
    evening.colours(tmp_path / "colours")
    evening.table.do(do="start", rules="nca", sides=[{"name": "Black"}, {"name": "Natural"}], by="phone")
    evening.table.do(do="undo", by="phone")
    journal = evening.table.journal
    numbers = range(1, evening.table.state.number + 1)
    first = next(number for number in numbers if journal.pictures.of(number))
    journal.pictures.remove(lambda match, *_: match == first)
    with closing(sqlite3.connect(journal.path)) as damaging, damaging:
        damaging.execute("UPDATE events SET body = '{}' WHERE match = ? AND kind = 'match_started'", (numbers[1],))
    with closing(Archive(journal)) as archive:
        evening.table.do(do="delete_match", match=numbers[-1])
        archive.upkeep.catch_up()
        for number in (numbers[0], *numbers[2:]):
            sees.take(archive.match(number), "Match")
        sees.take(archive.matches(), "Matches")
        sees.take(archive.match(numbers[-1]), "Match")
        evening.table.do(do="delete_match", match=numbers[-1], deleted=False)
        archive.upkeep.catch_up()
        sees.take(archive.figures(), "Figures")
        sees.take(archive.players(), "Players")
        sees.take(archive.accuracy(), "TableAccuracy")
        evening.many_days()
        archive.upkeep.catch_up()
        sees.take(archive.figures(player="Once"), "Figures")
        evening.table.do(do="rename_player", name="Green", to="Player 4")
        with pytest.raises(NameTaken) as taken:
            evening.table.do(do="rename_player", name="Once", to="Red")
        evening.table.do(do="rename_player", name="Once", to="Red", merge=True)
        sees.take({"error": str(taken.value), "player": taken.value.player}, "Taken")
        sees.take(archive.players(), "Players")
        for change in archive.players().changes:
            evening.table.do(do="undo_naming", event=change.id)
        archive.upkeep.progress = Progress(3, 40)
        monkeypatch.setattr(queries, "PAGE", 1)
        monkeypatch.setattr(one_match, "MAX_SHOTS", 1)
        sees.take(archive.matches(), "Matches")
        sees.take(archive.match(numbers[2]), "Match")
        sees.take(archive.figures(player="Black", since="1969-01-01", until="2100-01-01"), "Figures")
    notices = {f"{one_of(get_args(NoticeKind))} = {kind}" for kind in get_args(NoticeKind)}  # see the next test
    assert (
        sees.never("State", "Match", "Matches", "Figures", "Players", "TableAccuracy", "Changed", "Taken") - notices
        == set()
    )


def test_rules_and_readings_show_all_that_the_schema_names(sees):
    own = rules.own_rule_set({"id": "our-club", "base": "club-100", "open_board": "free", "discs": 10})
    sees.take(Rules.of(*rules.rule_sets(), *rules.practices(), own), "Rules")
    lying = [disc(side, *at) for side, at in zip("ABCD", ((0, 60), (0, 150), (250, 0), (0, 85.5)), strict=True)]
    near = [a(0, 0, "in_hole"), a(9, 4, "leaning"), b(340, 30, "ditch")]
    told = [one.of_side(side) for one, side in zip((*lying, *near), ("A", "B", "C", "D", "A", "A", None), strict=True)]
    doubts = get_args(Doubt)
    told += [told[0].doubted(doubt) for doubt in doubts]
    for obstructed in (True, False):
        sees.take(BoardReading(tuple(told), obstructed).to_json(), "Reading")
    assert sees.never("Rules", "Reading") == set()


def test_every_member_is_described_and_no_schema_has_the_name_of_a_command():
    schemas = components(*FOR_PROGRAMS, *FOR_PAGES)
    bare = [
        f"{name}.{member}"
        for name, schema in schemas.items()
        for member, of_member in schema["properties"].items()
        if "description" not in of_member and "$ref" not in of_member
    ]
    assert bare == []
    assert schemas.keys() & command_schema()["$defs"].keys() == set()


@slow
def test_every_notice_that_the_schema_names_is_given_somewhere():
    """That no other is given, the types see to; all of them at one table would need a broken one."""
    told = set()
    for path in CONTROLLER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr in ("set_notice", "set"):
                told.update(
                    one.value for one in node.args[:1] if isinstance(one, ast.Constant) and one.value is not None
                )
    assert told | set(get_args(Device)) == set(get_args(NoticeKind))
