"""The state as people see it: a disc is drawn where it counts."""

import math
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller import rules
from controller.match import events as ev
from controller.views.history import Archive
from controller.views.scoreboard import total_ranges
from controller.views.state import drawn_discs
from tests.controller.fed_table import ReadTable, a, b


@pytest.fixture(scope="module")
def one_disc():
    with TemporaryDirectory() as folder:
        table = ReadTable(Path(folder))
        table.see(hand=False)
        table.see(a(0, 60))
        table.journal.close()
        return table.state


@given(st.floats(1.0, 330.0), st.floats(0.0, 2 * math.pi), st.sampled_from([15, 10, 5]))
def test_a_ruled_disc_is_drawn_in_its_zone_and_no_farther_off_than_it_must(one_disc, distance, angle, wanted):
    x, y = distance * math.cos(angle), distance * math.sin(angle)
    ruled = one_disc.game.place("a1", rules.Placed(x, y, zone=wanted))
    drawn = drawn_discs(replace(one_disc, game=ruled, ruled={"a1": wanted}))["a1"]
    assert drawn.zone == wanted
    assert rules.zone(drawn.x, drawn.y) == wanted
    if rules.zone(x, y) == wanted:
        assert (drawn.x, drawn.y) == (x, y)
    else:
        assert abs(drawn.clearance) < 0.2, "just inside the line"
        assert abs(drawn.x * y - drawn.y * x) < 1e-6 * distance * distance, "on the same ray"


def test_a_zone_that_was_read_against_the_boards_own_lines_counts_where_the_standard_lines_say_another(new_table):
    table = new_table()
    table.see(replace(a(0, 92), zone=15, clearance=1.5))  # on a board whose 15 is wider than the standard's
    assert rules.zone(0, 92) == 10
    assert table.totals == (15, 0)
    assert table.round.board.discs["a1"].y == 92


ORDINALS = ("first", "second", "third", "fourth", "fifth")


def read_in(sentences):
    """The discs that English sentences name, by reading them."""
    found = re.findall(r"(Black|Natural)'s (\w+) disc", " ".join(map(str, sentences)))
    letters = {"Black": "a", "Natural": "b"}
    return list(dict.fromkeys(letters[name] + str(ORDINALS.index(ordinal) + 1) for name, ordinal in found))


def test_the_discs_that_are_marked_are_those_that_the_sentences_name(new_table):
    table = new_table()
    boards = ([a(0, 60)], [a(0, 90), b(30, 70)], [a(0, 90), b(30, 70), a(200, 0)], [a(0, 90), b(30, 70)])
    seen = []
    for board in (*boards, [a(0, 120), b(30, 70), b(0, 0, "in_hole")]):
        table.see(*board)
        call = table.shown.last_call
        assert call.named == read_in(call.why)
        seen.append(call.named)
    with closing(Archive(table.journal)) as archive:
        shots = archive.match(1).shots
    assert [shot.named for shot in shots] == [["a1"], ["a1"], ["a2"], ["a1", "b2"]]
    assert seen == [["a1"], ["a1"], ["a2"], ["a2"], ["a1", "b2"]]


def test_a_close_call_says_whether_a_line_decides(new_table):
    table = new_table()
    near = replace(a(85, 0), call="close", clearance=0.2)
    table.see(near)
    table.see(near, replace(b(0, 60), call="close", clearance=25.0))
    discs = table.shown.discs
    assert {one.id: one.at_line for one in discs} == {"a1": True, "b1": False}


def test_no_total_is_below_nothing_for_a_disc_that_is_in_doubt_twice(new_table):
    """By a foul it would come off with the disc that struck it; and it lies near a line."""
    table = new_table()
    table.see(a(0, 60))
    table.see(a(0, 90), b(20, 70))
    table.see(a(0, 84.7), b(40, 90), a(10, 50))
    shot = table.state.shots[1, 3]
    alone = ev.ShotCorrected(target=shot, contacts=(("a2", "a1"),))
    asked = {"what": "contact", "case": "moved", "round": 1, "disc": "a2", "shot": shot, "sides": ("A", "B")}
    answers = (ev.Answer(id="touched"), ev.Answer(id="clear", events=(alone,)))
    table.engine._commit([ev.QuestionAsked(**asked, clearance=0.1, sigma=0.2, answers=answers)])
    assert table.state.measured["a1"].call == "close"
    assert total_ranges(table.state)["A"] == (0, 30)
