"""Hole sensor alone, camera alone, scorer alone, and from each to the others during a match."""

import json

from controller.table.hole_sensor import HoleWatch
from firmware_bridge.tints import MIN_MEASUREMENTS
from hardware.devices import HoleEvent, Tint
from tests.controller.fed_table import a, b

DARK, PALE = Tint(900, 300, 300, 300), Tint(4000, 1900, 1300, 800)


def twenties(table):
    counts = table.round.twenty_counts
    return counts["A"], counts["B"]


def sink(table, seconds=2.0):
    """A disc lies in the hole for so long, and is lifted."""
    table.hole((0.0, True), (seconds, False))
    table.t += seconds


def asked(table):
    return [q.id for q in table.state.questions.values() if q.asked.what == "twenty"]


def test_the_sensor_alone_counts_twenties_when_people_say_whose(table):
    table.engine.camera_changed(lost=True)
    assert table.engine.word == "no_camera"
    sink(table)
    sink(table)
    assert twenties(table) == (0, 0)
    first, second = asked(table)
    table.do("answer", question=first, answer="A")
    table.do("answer", question=second, answer="A")
    assert twenties(table) == (2, 0)
    table.do("undo")
    assert twenties(table) == (1, 0)
    table.do("end_round", totals={"A": 65, "B": 40})
    assert table.state.score == {"A": 2, "B": 0}
    assert table.state.finished[0].twenty_counts == {"A": 1, "B": 0}


def test_a_disc_that_skims_the_hole_is_no_twenty(table):
    table.engine.camera_changed(lost=True)
    sink(table, 0.1)
    assert asked(table) == []


def test_nobody_is_asked_whose_twenty_it_is_where_the_unit_sees_colours(table):
    table.engine.camera_changed(lost=True)
    table.hole((0.0, True))
    table.engine.hole_changed(HoleEvent(table.t + 0.3, True, tint=PALE), side="B")
    table.hole((2.0, False))
    assert twenties(table) == (0, 1)
    assert asked(table) == []
    table.restart()
    assert twenties(table) == (0, 1)


def test_a_camera_that_comes_back_finds_the_shot_of_the_twenty_and_it_counts_once(opened):
    opened.engine.camera_changed(lost=True)
    sink(opened)
    assert len(asked(opened)) == 1
    opened.engine.camera_changed(lost=False)
    opened.see(a(0, 66))
    assert twenties(opened) == (0, 1)
    assert asked(opened) == []
    assert opened.round.to_shoot == "A"


def test_a_camera_that_comes_back_after_the_answer_does_not_count_the_twenty_again(table):
    table.engine.camera_changed(lost=True)
    sink(table)
    table.answer("A")
    table.engine.camera_changed(lost=False)
    table.see(b(0, 60))
    assert twenties(table) == (1, 0)


def test_the_scorer_alone_with_live_twenties_then_the_table_again(opened):
    opened.do("manual")
    sink(opened)
    opened.answer("B")
    assert twenties(opened) == (0, 1)
    opened.see(a(0, 60), a(-60, 0), b(100, 0))
    assert len(opened.shots) == 1
    opened.do("automatic", left={"A": 6, "B": 6})
    assert opened.totals == (30, 30)
    opened.see(a(0, 60), a(-60, 0), b(100, 0), a(-100, -60))
    assert opened.totals[0] == 30, "the shot touched nobody: foul"
    assert opened.shots[-1][:2] == ("A", False)


def test_a_board_that_contradicts_a_round_taken_over_in_the_middle_is_followed(new_table):
    """People's count of the shots has no events; the first disc revises which colours the sides play."""
    table = new_table(discs=6)
    table.see()
    table.do("automatic", left={"A": 5, "B": 6})
    table.see(hand=True)
    table.see(a(158, 172), hand=False)
    assert table.shooters == ["A", "B", "A"], "A's first was before; B's was missed"
    assert any(q.asked.disc == "b1" for q in table.state.questions.values()), "B's was not seen"
    before = table.state
    table.restart()
    assert table.state == before


def test_what_the_unit_sees_of_a_disc_is_learnt_from_discs_that_the_camera_sees(new_table):
    table = new_table()
    tinting = HoleWatch(table.journal)
    table.engine.on_happened.append(tinting.happened)
    table.see(hand=False)
    for n in range(MIN_MEASUREMENTS):
        for disc, tint in ((a, DARK), (b, PALE)):
            table.hole((0.0, True))
            assert tinting.side(HoleEvent(0.0, True, tint=tint), table.state) is None
            table.see(disc(0.2, 0.1 * n, "in_hole"))
            tinting.side(HoleEvent(1.0, False), table.state)
            table.see(felt=False)
    assert tinting.side(HoleEvent(0.0, True, tint=PALE), table.state) == "B"
    assert tinting.side(HoleEvent(0.0, True, tint=DARK), table.state) == "A"
    assert json.loads(table.journal.facts.get("tints")).keys() == {"black", "natural"}
    again = HoleWatch(table.journal)
    assert again.side(HoleEvent(0.0, True, tint=PALE), table.state) == "B"


def test_an_uninformative_tint_is_no_event(table):
    table.hole((0.0, True))
    before = len(table.engine.history)
    table.engine.hole_changed(HoleEvent(table.t + 1.0, True, tint=DARK))
    assert len(table.engine.history) == before


def test_a_contact_that_chatters_when_a_disc_is_lifted_asks_once(table):
    table.engine.camera_changed(lost=True)
    table.hole((0.0, True), (2.0, False), (2.01, True), (2.03, False), (2.04, True), (2.06, False))
    assert len(asked(table)) == 1
    table.t += 2.0
    sink(table)
    assert len(asked(table)) == 2


def test_without_a_camera_every_match_is_by_hand(table):
    table.engine.camera_changed(lost=True)
    sides = [{"name": side.name} for side in table.state.started.sides]
    for _ in range(2):
        table.do("start", rules="nca", sides=sides, format={"kind": "rounds", "rounds": 1})
        table.do("end_round", totals={"A": 20, "B": 0})
        assert (table.state.over, table.state.manual) == (True, True)
