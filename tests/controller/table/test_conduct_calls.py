"""Players are called for what the rules forbid beside the board: told in the source's words, costing what it says."""

import re

import pytest

from controller import rules
from controller.errors import BadInput, Refused
from controller.journal.match_log import record as match_record
from controller.rules.conduct import FORBIDDEN
from tests.controller.fed_table import a, b
from tests.shared import VISION

SOURCE_TEXTS = VISION.parent / "rules"
STRICT = {"id": "our-club", "base": "nca", "conduct": "foul"}


@pytest.fixture
def table(new_table):
    return new_table(own_rules=[STRICT])


def strict(table):
    """A match by a club's rules by which conduct costs the shot: two valid shots."""
    table.do("start", rules="our-club", sides=[{"name": "Ann", "colour": "black"}, {"name": "Bo", "colour": "natural"}])
    table.see(a(0, 60))
    table.see(a(0, 60.9), b(30, 40))


def test_where_the_source_names_no_penalty_nothing_changes_and_the_page_says_so(opened):
    opened.do("call_conduct", side="A", conduct="left_chair", round=1, shot=1)
    (called,) = opened.shown.conduct
    assert str(called.text) == "Black left the chair. These rules forbid it and name no penalty: both sides decide."
    assert called.says == "One cheek stays on the chair."
    assert (opened.totals, opened.state.to_remove) == ((15, 0), {})
    opened.do("undo")
    assert opened.shown.conduct == []
    opened.do("redo")
    assert len(opened.shown.conduct) == 1
    assert opened.journalled == opened.state


def test_conduct_that_the_source_does_not_name_is_shown_as_such(new_table):
    table = new_table(rules="carrom-maker")
    table.do("call_conduct", side="B", conduct="floor")
    (called,) = table.shown.conduct
    assert called.says is None
    assert "These rules do not cover that" in str(called.text)


def test_where_conduct_costs_the_shot_it_is_played_as_a_foul_and_the_verdict_stays(table):
    strict(table)
    table.do("call_conduct", side="B", conduct="left_chair", round=1, shot=2)
    assert table.totals == (15, 0)
    assert table.state.to_remove == {"b1": "foul"}
    call = table.shown.last_call
    assert (call.valid, call.by_rules, call.played_as) == (False, True, "conduct_foul")
    assert str(table.shown.conduct[0].text) == "Bo left the chair. The shot is played as a foul."
    record = match_record(table.journal, 2)
    assert rules.judge_document(record)["rounds"][0]["totals"] == {"A": 15, "B": 0}
    table.do("undo")
    assert table.totals == (15, 15)
    assert table.journalled == table.state


def test_what_both_sides_agree_on_stands_above_the_penalty(table):
    strict(table)
    table.do("call_conduct", side="B", conduct="left_chair", round=1, shot=2)
    table.do("correct_shot", round=1, shot=2, agreed="valid")
    assert table.totals == (15, 15)
    assert "Something else was agreed" in str(table.shown.conduct[0].text)


@pytest.mark.parametrize("at", [{}, {"round": 1, "shot": 2}])
def test_who_did_not_shoot_loses_no_shot(table, at):
    """Ann distracts Bo, who shoots; or she is called between the shots."""
    strict(table)
    table.do("call_conduct", side="A", conduct="distracted", **at)
    assert table.totals == (15, 15)
    assert "It was not during their own shot" in str(table.shown.conduct[0].text)


def test_an_undone_shot_takes_no_call_for_conduct_with_it(table):
    strict(table)
    table.do("call_conduct", side="B", conduct="pushed", round=1, shot=2)
    target = table.state.shots[1, 2]
    table.do("correct_shot", round=1, shot=2, annulled=True)
    assert table.journalled == table.state
    assert [c.conduct for c in table.state.conduct] == ["pushed"]
    assert table.state.shots[1, 2] == target


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ({"side": "A", "conduct": "snored"}, BadInput),
        ({"side": "A", "conduct": "early", "shot": 1}, BadInput),
        ({"side": "C", "conduct": "early"}, Refused),
        ({"side": "A", "conduct": "early", "round": 1, "shot": 9}, Refused),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(table, command, error):
    before = table.engine.snapshot.id
    with pytest.raises(error):
        table.do("call_conduct", **command)
    assert table.engine.snapshot.id == before


SOURCES = {
    "club-100": ("left_chair", "moved_chair", "moved_board", "touched_board", "pushed"),
    "definitive": ("left_chair", "moved_chair", "moved_board", "other_hand", "early", "floor"),
    "family": ("moved_chair", "moved_board", "touched_board", "early"),
    "carrom-maker": ("left_chair",),
}
WORDS = {
    "left_chair": "lift themselves out|buttocks must be in contact|must stay seated",
    "moved_chair": "may not move their chairs|chair of any player may be moved|seats of the players may be moved",
    "moved_board": "board may not be moved|Neither the board",
    "touched_board": "touch the board unless|off the board unless",
    "other_hand": "only contact the board with their shooting hand",
    "early": "cannot be placed on the board until|discs off the board unless",
    "pushed": "pushing it is not legal",
    "floor": "contact the floor",
}


@pytest.mark.skipif(not SOURCE_TEXTS.is_dir(), reason=f"the sources are not at {SOURCE_TEXTS}")
@pytest.mark.parametrize("id", SOURCES)
def test_each_source_forbids_what_is_said_of_it_and_names_no_penalty(id):
    """Read in the source's own text, which the program never sees."""
    text = " ".join((SOURCE_TEXTS / f"{id}.txt").read_text().split()).replace("’", "'")
    assert set(FORBIDDEN[id]) == set(SOURCES[id])
    for code in SOURCES[id]:
        assert re.search(WORDS[code], text), code
    assert not re.search("penalt|forfeit|disqualif", text, re.IGNORECASE)
