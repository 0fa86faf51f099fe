"""The life of a twenty, and contact: each combination of what camera and sensor say has an outcome, and says so."""

import json
from dataclasses import replace

import pytest

from controller.match import events as ev
from controller.messages import encoded
from hardware.devices import HoleEvent
from tests.controller.fed_table import a, b, unsure
from tests.controller.referee.test_film import film
from tests.controller.referee.test_model import filmed


@pytest.mark.parametrize(
    ("sensor", "pose", "total", "questions"),
    [
        ([(1.0, True)], "in_hole", 20, 0),  # both agree
        ([], "in_hole", 20, 0),  # no sensor, or a dead one
        ([(-9.0, True), (-8.0, False)], "in_hole", 20, 1),  # the sensor missed it
        ([(1.0, True)], "leaning", 15, 1),  # the sensor takes it for a twenty
        ([(1.0, True), (1.05, False)], "leaning", 15, 0),  # both say that it leans
        ([(1.0, True), (1.05, False), (1.1, True)], "in_hole", 20, 0),  # it bounced, and stayed
    ],
)
def test_what_camera_and_sensor_say_of_a_disc_at_the_hole(table, sensor, pose, total, questions):
    """It is asked about where people leave it there for the next shot: who lifts it takes it for a twenty."""
    there = a(0.5, 0.3, "in_hole") if pose == "in_hole" else a(9, 4, "leaning")
    table.hole(*sensor)
    table.see(there)
    assert table.totals == (total, 0)
    table.see(there, b(40, 0) if pose == "in_hole" else b(200, 0))
    assert table.totals[0] == total
    assert len(table.state.questions) == questions


def test_the_sensor_knows_better_than_a_camera_that_is_not_sure(table):
    in_doubt = unsure(a(2.5, 1.2, "in_hole"))
    table.hole((-9.0, True), (-8.0, False))
    table.see(in_doubt)
    assert table.totals == (15, 0)
    table.hole((1.0, True))
    table.see(a(0.2, 0.1, "in_hole"), b(40, 0))  # knocked in
    assert table.totals == (20, 15)
    assert not table.state.questions


def test_a_disc_that_the_sensor_feels_is_a_twenty_where_the_camera_is_not_sure_that_it_leans(table):
    table.hole((1.0, True))
    in_doubt = unsure(a(1.9, -2.0, "leaning"))
    table.see(in_doubt)
    assert table.totals == (20, 0)
    table.see(in_doubt, b(40, 0))
    assert len(table.state.questions) == 1


def test_who_lifts_a_disc_out_of_the_hole_at_once_takes_it_for_a_twenty(table):
    table.see(unsure(a(1.9, -2.0, "leaning")), felt=True)
    table.see(felt=False)
    assert table.asked() == []
    assert table.totals == (20, 0)


@pytest.mark.parametrize("left", [True, False])
def test_a_disc_that_may_have_leaned_until_the_next_shot_struck_it_decides_that_shot(table, left):
    """It is a twenty either way. Had it leaned, the next shot was valid: whoever leaves its disc there thinks so."""
    table.see(unsure(a(1.9, -2.0, "leaning")), felt=True)
    table.see(a(0.5, 0.3, "in_hole"), b(27, 211))
    assert table.asked() == ["contact"]
    assert table.state.to_remove == {"a1": "twenty", "b1": "foul"}
    table.see(*[b(27, 211)] * left, felt=False)
    assert table.totals == (20, 5 if left else 0)
    assert table.asked() == ["contact"] * left
    if left:
        table.answer("clear")
        assert table.totals == (20, 0)
        table.do("undo")
        table.answer("touched")
        assert table.shots[-1][:2] == ("B", True)
        assert table.totals == (20, 5)


def test_a_leaner_that_camera_and_sensor_took_for_a_twenty_was_struck_in_by_a_shot_that_people_let_stand(table):
    """A hand over the board comes between; then nobody takes off the discs of three shots that would be fouls."""
    in_hole = unsure(a(1.4, 0.6, "in_hole"))
    table.see(in_hole, felt=True)
    table.see(in_hole, hand=True)
    table.see(replace(in_hole, x=-0.5, y=-1.7), b(-135, -117))
    table.see(b(-135, -117), felt=False)
    table.see(a(-116, -88), b(-200, -150))
    table.see(a(-116, -88), b(-200, -150), hand=True)
    table.see(a(-180, -20), b(-90, -60), b(-200, -150))
    assert [valid for _, valid, _, _ in table.shots] == [True] * 4
    assert table.state.to_remove == {}
    assert table.totals == (30, 15)


def test_a_disc_that_the_sensor_felt_and_no_shot_explains_is_asked_about_until_the_round_ends(table):
    table.see(a(0, 60))
    table.hole((4.0, True))
    table.see(a(0, 60), film=filmed())
    assert table.totals == (15, 0)
    assert table.asked("case") == ["felt_alone"]
    table.hole((1.0, False))
    table.see(a(0, 60), b(20, 85))
    table.see(a(0, 60), b(20, 85), a(0, 0, "in_hole"), felt=True)
    assert "felt_alone" in table.asked("case")
    table.do("end_round")
    assert "felt_alone" not in table.asked("case")


def test_a_camera_that_is_not_sure_is_no_judge_of_the_sensor(table):
    for k in range(3):  # were they contradictions, the sensor would not be believed any more
        table.see(unsure(a(0.5, 0.3, "in_hole")), *(b(60 + 40 * n, 0) for n in range(k)))
        table.see(*(b(60 + 40 * n, 0) for n in range(k + 1)))
    assert table.engine.referee.trust.believed


def test_whose_twenty_is_asked_when_two_discs_are_gone(opened):
    opened.hole((1.0, True), (3.0, False))
    opened.see()
    assert opened.totals == (0, 20)
    assert "twenty" in opened.asked()
    opened.answer("other")
    assert opened.totals == (20, 0)
    opened.do("undo")
    assert opened.totals == (0, 20)


def test_a_question_goes_with_the_round_that_it_is_about(table):
    table.see(a(0, 120))
    table.do("end_round")
    table.see()
    table.do("manual")
    table.hole((1.0, True), (3.0, False))
    assert table.asked() == ["order", "twenty"]
    for _ in range(2):  # the handover, and the end of the round
        table.do("undo")
    assert table.round.number == 1
    assert table.asked() == []
    for _ in range(2):
        table.do("redo")
    assert table.asked() == ["order", "twenty"]


def test_the_units_colour_sensor_shows_whose_twenty_it_was(opened):
    opened.engine.hole_changed(HoleEvent(opened.t + 1.0, True), side="A")
    opened.hole((3.0, False))
    opened.see()
    assert opened.totals == (20, 0)
    assert "twenty" not in opened.asked()


def test_the_disc_that_lies_in_the_ditch_was_not_the_twenty(opened):
    opened.hole((1.0, True), (3.0, False))
    opened.see(b(340, 30, "ditch"))
    assert opened.totals == (20, 0)


def test_a_twenty_that_was_lifted_with_a_chattering_sensor_is_one_twenty(table):
    table.see(a(0.5, 0.3, "in_hole"), felt=True)
    table.hole((1.0, False), (1.1, True), (2.0, False))
    table.see()
    table.see(hand=False)
    assert table.totals == (20, 0)
    assert len(table.shots) == 1
    assert not table.asked()


def test_every_answer_says_what_it_does_to_the_score(opened):
    opened.see(b(340, 30, "ditch"), felt=True)
    question = opened.question
    assert opened.effects(question) == {
        "20": "Nothing changes.",
        "off": "Black 0 in round 1.",
        "unknown": "The likeliest stands, and it stays open.",
    }
    assert (question.asked.what, question.asked.discs) == ("twenty", ("a1",))
    assert opened.totals == (20, 0)
    opened.answer("off")
    assert opened.totals == (0, 0)


def test_who_has_counted_the_twenties_is_not_asked_about_one(opened):
    opened.see(b(340, 30, "ditch"), felt=True)
    assert len(opened.questions_shown) == 1
    opened.do("correct_round", round=1, twenties={"A": 3})
    assert opened.questions_shown == []


@pytest.mark.parametrize(("moved", "valid"), [(0.4, False), (0.5, True)])
def test_an_uncertain_graze_is_asked_about_with_both_discs_marked(opened, moved, valid):
    """Without a film. The likelier stands until people say."""
    opened.see(a(0, 60 + moved), b(100, 120))
    question = opened.question
    assert question.asked.what == "contact"
    assert question.asked.discs == ("b1", "a1")
    assert question.asked.clearance == pytest.approx(moved)
    assert opened.state.to_remove == ({} if valid else {"b1": "foul"})
    opened.answer("touched")
    assert opened.shots[-1][1]
    assert opened.state.to_remove == {}
    assert opened.totals == (15, 10)
    opened.do("undo")
    assert opened.totals == (15, 10 if valid else 0)
    opened.answer("clear")
    assert opened.state.to_remove == {"b1": "foul"}
    assert opened.totals == (15, 0)


def test_discs_that_come_to_rest_side_by_side_are_asked_about(opened):
    opened.see(a(0, 60), b(31.9, 60))
    assert opened.asked() == ["contact"]


def test_whoever_takes_the_fouled_disc_off_answers(opened):
    opened.see(a(0, 60.4), b(100, 120))
    opened.see(a(0, 60.4), b(-200, 280, "ditch"))
    assert not opened.asked()
    assert opened.totals == (15, 0)


def test_a_graze_that_decides_nothing_is_not_asked(opened):
    opened.see(a(0, 61), b(50, 0))
    opened.see(a(0, 61), b(50, 1), a(-50, 0))
    opened.see(a(0, 61.4), b(50, 1), a(-50, 40), b(30, -60))
    assert opened.verdicts == [("A", True), ("B", True), ("A", True), ("B", True)]
    assert not opened.asked()


def play_twenties(table, number, sensor):
    """What is asked while that many twenties are shot and lifted, by each side in turn."""
    questions = []
    for _ in range(number):
        if sensor:
            table.hole((1.0, True))
        turn = table.round.to_shoot
        events = table.see((a if turn == "A" else b)(0.5, 0.3, "in_hole"))
        if sensor:
            table.hole((1.0, False))
        questions += [e.what for e in (*events, *table.see()) if isinstance(e, ev.QuestionAsked)]
    return questions


def trusted(table):
    return "hole_trust" not in {n["kind"] for n in json.loads(encoded(table.engine.snapshot))["notices"]}


def test_a_dead_sensor_is_not_believed_and_nobody_is_asked_about_what_it_does_not_feel(table):
    """What the camera sees in the hole, and people lift or leave there, is a twenty then."""
    assert play_twenties(table, 2, sensor=True) == []
    assert play_twenties(table, 4, sensor=False) == []
    assert not trusted(table)
    assert [len(s[3]) for s in table.shots] == [1] * 6
    assert table.totals == (60, 60)
    table.see(a(0.5, 0.3, "in_hole"))
    table.see(a(0.5, 0.3, "in_hole"), b(40, 0))
    assert table.totals == (80, 75)
    assert not table.asked()


def test_a_sensor_that_moves_along_again_is_believed_again(table):
    play_twenties(table, 2, sensor=True)
    play_twenties(table, 2, sensor=False)
    assert not trusted(table)
    play_twenties(table, 4, sensor=True)
    assert trusted(table)
    table.see(a(0.5, 0.3, "in_hole"))
    table.see(a(0.5, 0.3, "in_hole"), b(40, 0))
    assert table.asked() == ["close_call"]


def test_one_missed_edge_is_no_reason_to_doubt_the_sensor(table):
    for sensor in (True, False, True, False, True):
        play_twenties(table, 2 if sensor else 1, sensor=sensor)
        assert trusted(table)


def test_a_disc_that_camera_and_sensor_saw_differently_counts_when_it_is_gone_with_the_next_shot(table):
    table.see(a(9, 4, "leaning"), felt=True)
    table.see()  # missed once: perhaps it was only not seen
    table.see(b(30, 40), felt=False)
    assert table.totals[0] == 20
    assert table.asked() == []


@pytest.mark.parametrize("felt", [True, False])
def test_a_doubtful_twenty_that_people_leave_in_the_hole_is_asked_about_unless_the_sensor_felt_it(table, felt):
    """Of 301 discs that the sensor felt and the camera was nearly sure of, all lay flat."""
    doubtful = unsure(a(0.5, 0.5, "in_hole"))
    table.see(doubtful, felt=felt or None)
    assert table.state.measured["a1"].call == ("sure" if felt else "close")
    table.see(doubtful, b(10, 50))
    assert table.asked() == ["close_call"] * (not felt)
    assert table.totals == (20, 15)
    table.see(b(10, 50), felt=False if felt else None)
    assert table.totals == (20, 15)


def test_who_lifts_a_disc_that_was_taken_to_lean_takes_it_for_a_twenty(table):
    """The table revises it and says why. Nobody is asked: hardly anybody lifts a disc that leans."""
    table.see(unsure(a(2, 1, "leaning")), felt=False)
    assert table.state.measured["a1"].call == "sure"
    assert table.totals == (15, 0)
    told = next(e for e in table.see() if isinstance(e, ev.Amended))
    assert (told.why, told.disc, [one.change for one in told.shots]) == ("lifted", "a1", ["twenty"])
    table.see(hand=False)
    assert table.totals == (20, 0)
    assert table.asked() == []


def test_a_disc_that_leaned_and_is_laid_into_the_ditch_was_hardly_a_twenty_and_is_asked_about(table):
    table.see(unsure(a(2, 1, "leaning")), felt=False)
    table.see(a(340, 30, "ditch"), film=film(()))
    table.see(a(340, 30, "ditch"), hand=False)
    assert table.totals == (0, 0)
    assert table.asked() == ["twenty"]
    table.answer("20")
    assert table.totals == (20, 0)


def test_a_twenty_that_stays_is_the_same_disc_however_the_camera_sees_it(table):
    table.see(unsure(a(0.5, 0.5, "in_hole")), felt=True)
    table.see(unsure(a(3.0, 2.0, "leaning")), b(10, 120))
    assert len(table.shots) == 2
    assert table.state.measured["a1"].pose == "in_hole"


def test_a_twenty_that_only_the_sensor_felt_is_asked_about_where_the_film_shows_no_shot(opened):
    opened.see(a(0, 60), b(10, 120))
    opened.hole((1.0, True), (3.0, False))
    opened.see(a(0, 60), b(10, 120), film=film((a(0, 60), b(10, 120))))
    assert opened.shots[-1][3] == ("a2",)
    assert opened.asked() == ["twenty"]
    assert opened.asked("case") == ["felt"]


@pytest.mark.parametrize("felt", [True, False])
def test_a_twenty_that_a_hand_hides_has_not_been_lifted_while_the_sensor_feels_it(table, felt):
    table.see(a(0.5, 0.3, "in_hole"), felt=True)
    table.see(b(20, 302), obstructed=True, felt=None if felt else False)
    assert ("a1" in table.state.measured) == felt


def test_a_camera_that_takes_the_empty_hole_for_a_disc_is_not_believed_against_a_sensor_that_works(table):
    table.see(felt=True)
    ghost = unsure(a(0.1, 0.0, "in_hole"))
    table.see(ghost, felt=False)
    table.see(ghost, b(10, 40))
    assert table.totals == (20, 15)
    table.see(ghost, b(10, 40), a(-150, 0))
    assert [shot[1] for shot in table.shots] == [True, True, False], "the third touched nothing"
    assert set(table.state.measured) == {"b1", "a2"}
    assert "hole_sensor" not in [question.asked.case for question in table.state.questions.values()]


def test_a_camera_that_misses_discs_in_the_hole_is_believed_about_one_over_it(table):
    """Black discs in a dark hole, which the sensor alone feels."""
    for _ in range(3):
        table.see(felt=True)
        table.see(felt=False)
    table.see(a(4.0, 2.0, "leaning"), b(150, 0))
    assert table.state.measured["a2"].pose == "leaning"


def test_a_disc_that_leans_without_reaching_the_sensor_counts_after_many_twenties(table):
    for _ in range(3):
        table.see(a(0.1, 0.0, "in_hole"), felt=True)
        table.see(felt=False)
        table.see(b(0.1, 0.0, "in_hole"), felt=True)
        table.see(felt=False)
    table.see(unsure(a(4.0, 2.0, "leaning")))
    assert table.totals == (75, 60)


def test_what_the_camera_clearly_sees_later_outweighs_the_sensor(table):
    """A closed sensor says that something is in the hole, not that it lies flat."""
    table.see(unsure(a(2.0, 1.0, "in_hole")), felt=True)
    assert table.totals == (20, 0)
    table.see(a(2.5, 1.5, "leaning"), hand=False)
    assert table.totals == (15, 0)
    assert [amended.kind for amended in table.happened] == ["amended"]
    assert table.shots == [("A", True, (), ())]


def test_a_disc_that_lies_in_the_hole_is_no_second_twenty_in_another_colour(table):
    """No sensor says whether one came or went."""
    table.see(a(2, 1, "in_hole"))
    table.see(b(1, 1, "in_hole"), hand=False)
    table.see(a(2.5, 1.5, "in_hole"), hand=False)
    assert table.totals == (20, 0)
    assert table.asked() == []
