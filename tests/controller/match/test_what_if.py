"""What a question is worth is computed when it is shown: held against the totals after the answer was really given."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import ControllerError, Refused
from hardware.devices import HoleEvent
from tests.controller.fed_table import ReadTable, a, b
from tests.slow import slow

CLOSE = (30, 79.35)  # mm: some tenths of a millimetre from the fifteen's line


@pytest.fixture
def table(new_table):
    return new_table(discs=6)


def to_a_close_call(table):
    """The first round with all discs shot: one in the 15 and one that nobody can be sure of."""
    table.see(a(0, 60))
    board = (a(0, 76), b(*CLOSE))
    table.see(*board)
    for k in range(5):
        for missed in (a(-150 - 5 * k, -150), b(150 + 5 * k, -150)):  # no two discs come to rest at the very same place
            table.see(*board, missed)
            table.see(*board)


def question_of(table):
    (question,) = table.shown.questions
    return question


def effects(table):
    return {answer.id: str(answer.effect) for answer in question_of(table).answers}


def test_an_old_questions_effect_is_computed_today(table):
    to_a_close_call(table)
    assert effects(table)["10"] == "Natural 10 in round 1."
    table.do("end_round")
    table.see()
    table.do("correct_round", round=1, twenties={"B": 2})
    assert effects(table)["10"] == "Natural 50 in round 1."
    assert table.shown.rounds[0].ranges == {"A": [15, 15], "B": [50, 55]}
    table.answer("10")
    assert table.shown.rounds[0].totals == {"A": 15, "B": 50}


def test_a_disc_that_went_off_since_is_worth_nothing_in_any_answer(table):
    """Here the difference that the answer made when it was asked would lead below nothing."""
    to_a_close_call(table)
    table.do("correct_disc", disc="b1", zone="remove", round=1, shot=12)
    shown = table.shown
    assert shown.sides[1].total_range == [0, 0] or shown.sides[1].total_range[0] >= 0
    for question in shown.questions:
        assert all("-" not in str(answer.effect) for answer in question.answers)


def test_an_unknown_answer_leaves_the_range_and_is_not_asked_again(table):
    to_a_close_call(table)
    assert table.shown.sides[1].total_range == [10, 15]
    assert table.engine.word == "check"
    asked = question_of(table).id
    table.do("answer", question=asked, answer="unknown")
    assert table.shown.sides[1].total_range == [10, 15], "it is still not sure"
    assert not question_of(table).pressing
    assert table.engine.word == "ready"
    table.see(a(0, 76), b(*CLOSE))
    assert question_of(table).id == asked, "nobody is asked twice"
    with pytest.raises(Refused):
        table.do("answer", question=asked, answer="unknown")
    table.do("answer", question=asked, answer="10")
    assert table.shown.questions == []
    assert table.shown.sides[1].total_range == [10, 10]
    table.do("undo")
    assert not question_of(table).pressing
    table.do("undo")
    assert question_of(table).pressing


def test_a_question_is_not_pressing_once_its_round_is_agreed(table):
    to_a_close_call(table)
    assert question_of(table).pressing
    table.do("end_round")
    table.see()
    assert not question_of(table).pressing
    assert table.engine.word == "ready"
    assert table.shown.rounds[0].ranges["B"] == [10, 15], "what is open is still shown as open"


def test_every_question_can_be_left_open_until_somebody_knows(table):
    table.engine.hole_changed(HoleEvent(table.t, None, missed=2))
    assert effects(table)["unknown"] == "It stays open until the round ends."
    table.do("answer", question=question_of(table).id, answer="unknown")
    assert not question_of(table).pressing
    assert set(effects(table)) == {"agree"}
    table.do("answer", question=question_of(table).id, answer="agree")
    assert table.shown.questions == []


PLACES = ((0, 60), (30, 79.35), (-30, 79.4), (70, -30), (0, -120), (0, 0), None)


@slow
@settings(max_examples=15)
@given(plays=st.lists(st.sampled_from(PLACES), min_size=4, max_size=12), ended=st.booleans(), data=st.data())
def test_every_answer_changes_what_it_announced(tmp_path_factory, plays, ended, data):
    """Whatever was played: the range holds every answer's totals, and its words name what comes of it."""
    table = ReadTable(tmp_path_factory.mktemp("table"), discs=6)
    lying = []
    for number, place in enumerate(plays):
        side = a if number % 2 == 0 else b
        shot = () if place is None else ((side(*place, "in_hole") if place == (0, 0) else side(*place)),)
        table.see(*lying, *shot)
        lying = [*lying, *(d for d in shot if d.pose == "flat" and all((d.x, d.y) != (o.x, o.y) for o in lying))]
        table.see(*lying)
    if ended:
        table.do("end_round")
        table.see()
    shown = table.shown
    if not shown.questions:
        return
    question = data.draw(st.sampled_from(shown.questions))
    answer = data.draw(st.sampled_from([one for one in question.answers if one.id != "unknown"]))
    number = question.round
    try:
        table.do("answer", question=question.id, answer=answer.id)
    except ControllerError:
        return
    if answer.effect and " in round " in str(answer.effect):
        named = dict(re.findall(r"(Black|Natural) (\d+)", str(answer.effect)))
        after = table.state.game.all_rounds[number - 1].totals
        assert {{"A": "Black", "B": "Natural"}[s]: str(t) for s, t in after.items()}.items() >= named.items()
    totals = table.state.game.all_rounds[number - 1].totals
    before = next((r.ranges for r in shown.rounds if r.number == number), None)
    before = before or {side.id: side.total_range for side in shown.sides}
    for side, total in totals.items():
        assert before[side][0] <= total <= before[side][1], (question.kind, answer.id)
