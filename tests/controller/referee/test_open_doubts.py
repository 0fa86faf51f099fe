"""Doubts that no later board can settle are asked about, however the round goes on, and stay open until answered."""

import pytest

from tests.controller.fed_table import a, b, unsure

CLOSE = b(30, 79.35)  # 0.07 mm from the 15
NEAR_TEN = 186.55  # mm from the hole: the same at the 10


def filled(table, lying, shots):
    """So many shots into the ditch, of the sides in turn."""
    for k in range(shots):
        shot = a(-150 - 5 * k, -150) if table.round.to_shoot == "A" else b(-150 - 5 * k, 150)
        table.see(*lying, shot)
        table.see(*lying)


def close_to_the_15(new_table, shots):
    """A table with one of Natural's discs too near a line, after so many shots more."""
    table = new_table(discs=6)
    table.see(a(0, 60))
    lying = a(0, 76), CLOSE
    table.see(*lying)
    filled(table, lying, shots)
    return table


@pytest.mark.parametrize(
    ("left", "command"),
    [(4, {"do": "time_out"}), (1, {"do": "add_shot", "side": "B", "at": "ditch"})],
    ids=["time", "added"],
)
def test_a_close_call_is_asked_although_a_command_completes_the_round(new_table, left, command):
    table = close_to_the_15(new_table, 10 - left)
    assert sum(table.round.shots_left.values()) == left
    table.do(**command)
    table.see()
    table.see()
    assert table.state.confirmed == 1
    assert table.asked("case") == ["line"]
    assert table.state.total_ranges(1)["B"] == (10, 15)


def test_what_the_shown_account_leaves_unexplained_is_asked_although_another_account_is_cheaper(opened):
    opened.hole((1.0, True), (4.0, False))
    opened.see(a(0, 60), b(60, 30))
    assert opened.state.game.round.twenty_counts == {"A": 0, "B": 0}
    assert "felt_alone" in opened.asked("case")


def test_of_shots_in_the_dark_those_that_no_other_question_is_about_are_asked_about(opened):
    opened.gate("covered")
    opened.see(a(0, 150), b(50, 0), a(-50, 0), b(0, -50), a(40, 90))
    asked = [(q.asked.case, q.asked.discs) for q in opened.state.questions.values()]
    assert asked == [("two_shots", ("a3", "b2")), ("unwatched", ("b1", "a2"))]


def test_a_board_that_is_swept_early_is_asked_about_again_after_play_went_on(opened):
    lying = a(0, 60), b(30, 75)
    opened.see(*lying)
    opened.see(*lying, a(-40, 20))
    opened.see()
    opened.answer("goes_on")
    opened.see(*lying, a(-40, 20))
    opened.see(a(0, 60), b(60, 120), a(-40, 20), b(70, 70))
    opened.happened.clear()
    opened.see()
    opened.see()
    assert "swept" in opened.asked()


def test_a_foul_whose_disc_stays_by_own_rules_takes_nothing_off(new_table):
    own = {"id": "ours", "base": "nca", "open_failure_removes": (), "foul_removes": ()}
    table = new_table("ours", own_rules=[own])
    table.see(a(-103, -119), b(314, -170, "ditch"))
    table.see(a(-103, -119), b(314, -170, "ditch"), a(20, 40))
    assert table.asked("case") == ["foul"]
    table.answer("foul")
    assert table.totals == (25, 0)
    assert not table.state.to_remove


def test_a_disc_that_leans_after_a_contact_may_count_15_where_an_open_board_wants_a_twenty(new_table):
    table = new_table("ours", own_rules=[{"id": "ours", "base": "nca", "open_board": "hole"}])
    table.see(a(0.2, 0.2, "in_hole"))
    table.see()
    table.see(b(60, 60))
    table.do("correct_shot", round=1, shot=2, agreed="valid")
    table.see(b(60, 60), hand=False)
    table.see(b(90, 90), unsure(a(16, 5, "leaning")))
    answers = [answer.id for q in table.state.questions.values() for answer in q.asked.answers]
    assert "off" not in answers


def test_what_a_disc_counts_is_no_answer_to_whether_its_shot_touched(new_table):
    table = new_table(discs=6)
    table.see(a(0, 60))
    filled(table, (a(0, 60),), 8)
    lying = a(0, 60.4), b(NEAR_TEN, 0)
    table.see(*lying)
    filled(table, lying, 2)
    by_case = {q.asked.case: q.id for q in table.state.questions.values()}
    table.do("answer", question=by_case["line"], answer="10")
    table.see(*lying)
    assert by_case["moved"] in table.state.questions


def test_taking_a_disc_off_for_the_outer_line_is_no_answer_to_whether_it_was_touched_before(opened):
    shot, lying = b(-60, -100), a(-40, 40)
    opened.see(a(0, 60.4), shot)
    opened.see(a(0, 60.4), shot, a(340, -30, "ditch"), lying)
    opened.see(a(0, 293), shot, b(60, 100), lying, hand=False)
    before = opened.state.total_ranges(1)
    opened.see(shot, b(60, 100), lying)
    assert opened.state.total_ranges(1) == before
    assert "contact" in [q.asked.what for q in opened.state.questions.values()]


def test_a_shot_that_only_another_account_has_is_asked_about(table):
    """Black begins; the sensor feels a disc that nobody sees, and the first disc on the board is Natural's."""
    table.hole((1.0, True))
    table.see(b(60, 30))
    assert table.verdicts == [("B", True)]
    assert table.asked("case") == ["doubtful", "felt_alone"]
    assert "Natural's shot #1" in str(table.questions_shown[0].text)
    table.do("answer", question=min(table.state.questions), answer="agree")
    table.see(b(60, 30), a(-60, 40))
    assert "doubtful" not in table.asked("case")
    assert {h.state.game.round.shots[0].shot.side for h in table.engine.referee.belief.hypotheses} == {"B"}


def test_an_answer_about_the_last_round_leaves_what_is_in_doubt_in_this_one(new_table):
    table = close_to_the_15(new_table, 10)
    table.see()
    table.see()
    assert table.asked("case") == ["line"]
    table.see(b(60, 30))
    table.see(b(60, 30), a(62, 58))
    assert table.verdicts == [("B", True), ("A", False)]
    table.answer("15")
    table.see(b(60, 30), a(62, 58))
    assert table.verdicts == [("B", True), ("A", True)], "they left it lying: they had touched"


def test_a_round_that_people_end_early_is_asked_about_its_close_calls(new_table):
    table = close_to_the_15(new_table, 9)
    table.do("end_round")
    table.see()
    assert sorted(table.asked("case")) == ["ended_short", "line"]
    assert table.state.total_ranges(1)["B"] == (10, 15)
    table.answer("10")
    assert table.state.game.all_rounds[0].totals["B"] == 10
    assert table.asked("case") == ["ended_short"]


def test_a_disc_that_no_shot_explains_is_asked_about_again_after_the_first_is_gone(opened):
    opened.see(a(0, 60), b(60, 60), b(-90, 40), b(100, -50), b(-120, -90))
    assert "strange" in opened.asked("case")
    opened.see(a(0, 60), b(60, 60))
    assert "strange" not in opened.asked("case")
    opened.see(a(0, 60), b(60, 60), b(-90, 40), b(100, -50), b(-120, -90))
    assert "strange" in opened.asked("case")


def test_an_answer_about_two_shots_keeps_the_account_that_agrees_with_it_and_is_likelier(new_table):
    """A miss that stops at the outer line looks like a disc placed there; it is taken off as the next one is shot."""
    table = new_table(discs=6)
    table.see(a(0, 60))
    table.see(a(0, 70), b(40, 71))
    lying = a(0, 70), b(18, 120), a(52, -30)
    table.see(*lying)
    table.see(*lying, b(-223.3, 214.3))
    after = a(0, 70), b(56, -1), a(80, -189), a(7, 110)
    table.see(*after)
    assert table.totals == (30, 15)
    table.answer("clear")
    assert "two_shots" not in table.asked("case"), "it is not asked again"
    table.see(*after)
    assert table.verdicts[-2:] == [("B", False), ("A", True)]
    assert table.totals == (30, 15), "what struck the discs was the next shot"


def test_a_disc_that_is_overlooked_as_people_correct_the_verdict_is_no_shot(new_table):
    table = new_table(discs=6, starter="B")
    table.see(b(54, 67))
    table.see(b(54, 67), a(-117, 17))
    table.see(b(54, 67))
    table.see(b(54, 67), b(35, 27))
    table.see(b(54, 67), a(132, -200))
    table.do("correct_shot", round=1, shot=4, valid=False)
    table.see(b(54, 67), b(35, 27))
    assert table.shooters == ["B", "A", "B", "A"]
    assert table.totals == (0, 25)


def swept_after(table, lying, *last):
    """A round of which one shot is left, that shot, and a sweep."""
    filled(table, lying, sum(table.round.shots_left.values()) - 1)
    table.see(*last)
    table.see()
    table.see()
    assert table.state.confirmed == 1


def test_what_the_last_board_left_in_doubt_is_asked_as_the_round_ends(new_table):
    table = new_table(discs=6)
    table.hole((0.5, False))
    table.see(a(0, 60))
    lying = a(0, 76), b(30, 70)
    table.see(*lying)
    swept_after(table, lying, a(110, 76), b(90, -118))
    assert "doubtful" in table.asked("case")
    (asked,) = [q for q in table.state.questions.values() if q.asked.case == "doubtful"]
    table.do("answer", question=asked.id, answer="agree")
    assert "doubtful" not in table.asked("case")
