"""Shots from what is conserved: haste, second thoughts, late and wrong hands, a camera that saw nothing for a while."""

import json
import math
from dataclasses import replace

import pytest

from controller.messages import encoded
from tests.controller.fed_table import ReadTable, a, b, kinds


def hint(table):
    notices = {n["kind"]: n["text"] for n in json.loads(encoded(table.engine.snapshot))["notices"]}
    return notices.get("placing")


def test_the_next_disc_lies_ready_before_the_last_shot_was_read(table):
    table.see(a(0, 60), b(20, 302))
    assert table.shots == [("A", True, (), ())]
    assert table.round.to_shoot == "B"
    table.see(a(0, 60.1), b(40, 302))
    table.see(a(0, 150), b(10, 50))
    assert table.shots[1:] == [("B", True, (), ())]


def test_a_placed_disc_that_is_taken_back_is_no_shot(table):
    table.see(a(20, -303))
    table.see()
    table.see(a(-60, -299))
    table.see(a(0, 60))
    assert table.shots == [("A", True, (), ())]
    assert hint(table) is None


@pytest.mark.parametrize(
    ("disc", "words"),
    [
        (a(0, -325), "does not touch the starting line"),
        (a(223, -208), "more than half over the quadrant line"),
        (b(20, 302), "not Natural's turn"),
    ],
)
def test_faults_of_placing_are_hints_and_change_nothing(table, disc, words):
    assert "shot_seen" not in kinds(table.see(disc))
    assert words in (hint(table) or "")
    table.see()
    assert hint(table) is None


@pytest.mark.parametrize("disc", [a(0, -305), a(0, -291), a(0, -319), a(210, -218), a(-214, -217)])
def test_a_disc_that_is_placed_well_raises_no_hint(table, disc):
    table.see(disc)
    assert hint(table) is None


def test_a_ready_disc_that_is_read_a_little_elsewhere_each_time_becomes_no_shot(table):
    """Its place is as uncertain as the camera says."""
    lying = a(0, 61), b(30, 40)
    table.see(a(0, 60))
    table.see(*lying)
    for k in range(4):
        table.see(*lying, replace(a(150 + 0.8 * (k % 2), -265), sigma=0.63))
    assert {len(h.state.game.round.shots) for h in table.engine.referee.belief.hypotheses} == {2}


AT_FIFTEEN = 101.6 + 1.59 / 2 + 15.9  # mm from the hole: the disc just touches the line from outside


@pytest.mark.parametrize("short", [-1.5, -0.2, 0.2, 1.5])
def test_a_shot_on_an_open_board_that_ends_too_near_the_fifteen_is_asked_about(table, short):
    for _ in range(3):  # the same place read again says nothing new
        table.see(a(0, -AT_FIFTEEN - short))
        assert table.shots[0][:2] == ("A", short < 0)
        assert table.asked("case") == ["reach"] * (abs(short) < 1)
    for answer, valid in (("reached", True), ("short", False)) if abs(short) < 1 else ():
        table.answer(answer)
        assert table.shots[0][:2] == ("A", valid)
        assert table.totals == (10 if valid else 0, 0)
        table.do("undo")


def test_an_answer_about_the_fifteen_holds_whatever_is_shown_by_then(table):
    table.see(a(0, -AT_FIFTEEN - 0.05))
    assert table.shots[0][:2] == ("A", False)
    table.see(a(0, -AT_FIFTEEN - 0.05), b(20, 302))  # who leaves it there takes it for good
    assert table.shots[0][:2] == ("A", True)
    for answer, total in (("short", 0), ("reached", 10)):
        table.answer(answer)
        assert table.shots[0][:2] == ("A", answer == "reached")
        assert table.totals == (total, 0)
        table.do("undo")


@pytest.mark.parametrize("short", [-0.2, 0.2])
def test_who_takes_a_disc_off_that_hardly_reached_the_fifteen_takes_it_for_short(table, short):
    table.see(a(0, -AT_FIFTEEN - short))
    table.see()
    assert table.shots == [("A", False, ("a1",), ())]
    assert table.asked() == []


@pytest.mark.parametrize(("rules", "asked"), [("nca", True), ("club-100", False)])
def test_a_disc_that_a_shot_moved_too_near_the_fifteen_is_asked_about_where_it_counts(tmp_path, rules, asked):
    """Under some rules only the disc that was shot makes a shot on an open board valid."""
    table = ReadTable(tmp_path, rules=rules)
    table.see(a(0, -60))
    table.see(a(0, -60), b(340, 30, "ditch"))
    table.see(a(0, -AT_FIFTEEN - 0.1), a(0, -200))
    assert ("reach" in table.asked("case")) == asked
    table.journal.close()


@pytest.mark.parametrize(("rules", "asked"), [("nca", True), ("club-100", False)])
def test_on_an_open_board_a_touched_own_disc_in_the_fifteen_counts_where_the_rules_say_so(tmp_path, rules, asked):
    table = ReadTable(tmp_path, rules=rules)
    lying = a(0, 100), b(340, 30, "ditch")
    table.see(a(0, 100))
    table.see(*lying)
    table.see(*lying, a(0, 131.85))  # it rests against the own disc, out of the 15
    assert table.shots[-1][:2] == ("A", False)
    assert table.asked("case") == ["apart"] * asked
    if asked:
        table.answer("touched")
        assert table.shots[-1][:2] == ("A", True)
        assert table.totals == (20, 0)
    table.journal.close()


def test_both_players_discs_lie_ready(opened):
    assert "shot_seen" not in kinds(opened.see(a(0, 60), b(20, 302), a(10, -303)))
    opened.see(a(0, 150), b(10, 50), a(10, -303))
    assert opened.shooters == ["A", "B"]


def test_two_shots_at_once_are_asked_about_when_contact_decides(opened):
    opened.see(a(0, 150), b(10, 50), a(60, 0))
    assert opened.verdicts == [("A", True), ("B", True), ("A", True)]
    assert "contact" in opened.asked()
    before = opened.totals
    question = next(q for q in opened.state.questions.values() if q.asked.what == "contact")
    assert {answer.id for answer in question.asked.answers} == {"touched", "clear"}
    opened.do("answer", question=question.id, answer="clear")
    assert opened.totals != before
    opened.do("undo")
    assert opened.totals == before


def test_play_goes_on_under_a_sleeve_and_nothing_is_lost(opened):
    opened.gate("covered")
    opened.see(a(0, 61), b(50, 0), a(-50, 0), b(0, -50), a(40, 90))
    assert opened.shooters == ["A", "B", "A", "B", "A"]
    assert sum(opened.totals) == 70
    assert "contact" in opened.asked()


def test_a_disc_that_the_next_shot_struck_out_of_the_fifteen_before_a_board_was_read_was_no_foul(table):
    """On an open board, if people leave it there and play on; else it was one."""
    lying = a(-103, -119), b(314, -170, "ditch")
    table.see(*lying)
    assert table.asked("case") == ["foul"]
    table.see(*lying, a(0, 60))
    assert [shot[:2] for shot in table.shots] == [("A", True), ("B", True), ("A", True)]
    assert table.state.to_remove == {}
    assert table.asked("case") == ["foul"]
    for answer, total in (("valid", 25), ("foul", 15)):
        table.answer(answer)
        assert table.shots[0][:2] == ("A", answer == "valid")
        assert table.totals == (total, 0)
        table.do("undo")


@pytest.mark.parametrize(
    ("lying", "shot", "then"),
    [
        # a1 went off: by b1, or by a2 after a foul of b1
        ((a(60, 40), b(40, 40), a(340, 30, "ditch")), ("b1", "a2"), b(-100, 120)),
        ((a(5, -59), b(100, 120)), ("b1",), a(-100, 120)),
    ],
)
def test_shots_in_the_dark_are_asked_about_though_one_account_of_them_is_by_far_the_likeliest(table, lying, shot, then):
    table.see(a(5, -59))
    table.gate("covered")
    table.see(*lying)
    asked = table.question.asked
    assert (asked.case, asked.discs) == ("unwatched", shot)
    table.see(*lying, then)
    assert table.asked("case") == ["unwatched"]


def test_the_same_discs_without_a_covered_camera_are_no_five_shots(opened):
    opened.see(a(0, 61), b(50, 0), a(-50, 0), b(0, -50), a(40, 90), b(-40, 90))
    assert "unexplained" in opened.asked()


def test_a_bumped_board_is_no_shot(table):
    lying = [(0, 60), (50, 0), (-50, 10), (90, 120)]
    for k in range(len(lying)):
        table.see(*(a(x + k, y) if j % 2 == 0 else b(x + k, y) for j, (x, y) in enumerate(lying[: k + 1])))
    shots, totals = len(table.shots), table.totals
    table.see(*(a(x + 6, y - 2) if j % 2 == 0 else b(x + 6, y - 2) for j, (x, y) in enumerate(lying)))
    assert len(table.shots) == shots
    assert table.totals == totals


def test_a_nudge_over_a_line_is_asked_about(table):
    table.see(a(0, 82))
    table.see(a(0, 90))
    assert len(table.shots) == 1
    assert table.totals == (15, 0)
    table.answer("10")
    assert table.totals == (10, 0)
    table.do("undo")
    assert table.totals == (15, 0)


def test_a_marked_disc_that_is_knocked_about_stays_marked(opened):
    opened.see(a(0, 60), b(100, 120))
    opened.see(a(0, 60), b(140, 60), a(50, 20))
    assert opened.state.to_remove == {"b1": "foul"}
    assert opened.shooters == ["A", "B", "A"]
    assert opened.totals[1] == 0


def test_a_wrong_disc_that_is_taken_off_and_put_back_changes_nothing(opened):
    opened.see(a(0, 61.5), b(100, 120))
    totals, shots = opened.totals, len(opened.shots)
    opened.see(b(100, 120))
    opened.see(a(3, 64), b(100, 120))
    assert opened.totals == totals
    assert len(opened.shots) == shots
    assert not opened.asked()


@pytest.mark.parametrize(("hand", "likelier"), [(True, 0), (False, 15)])
def test_a_disc_that_stays_away_is_asked_about_once(opened, hand, likelier):
    """At one board the camera may overlook it, so people are asked at the second.

    With a hand over the board people took it off; without one it is likelier that the camera misses it.
    """
    opened.see(a(10, 70), b(40, 0))
    opened.see(b(40, 0), hand=hand)
    assert not opened.asked()
    opened.see(b(40, 0), hand=hand)
    assert opened.asked() == ["lost"]
    assert opened.totals == (likelier, 15)
    for said, count in (("off", 0), ("counts", 15)):
        opened.answer(said)
        assert opened.totals == (count, 15)
        opened.do("undo")
        assert opened.totals == (likelier, 15)
    opened.answer("counts")
    opened.see(b(40, 0), hand=hand)
    opened.see(b(40, 0), hand=hand)
    assert not opened.asked()
    assert opened.totals == (15, 15)


@pytest.mark.parametrize("hand", [True, False])
def test_a_question_about_an_unseen_disc_goes_when_it_is_seen_again(opened, hand):
    opened.see(a(10, 70), b(40, 0))
    opened.see(b(40, 0), hand=hand)
    opened.see(b(40, 0), hand=hand)
    assert opened.asked() == ["lost"]
    assert "question_closed" in kinds(opened.see(a(10, 69.9), b(40, 0), hand=False))
    assert not opened.asked()
    assert opened.totals == (15, 15)


def test_a_shot_that_went_off_unseen_may_have_been_a_twenty(opened):
    opened.see(a(0, 60), a(40, 20))
    assert opened.verdicts == [("A", True), ("B", False), ("A", True)]
    assert "lost" in opened.asked()
    opened.answer("20")
    assert opened.totals == (30, 20)
    opened.do("undo")
    assert opened.totals == (30, 0)


def test_an_undone_shot_that_happened_counts_again_when_play_goes_on(opened):
    opened.see(a(0, 62), b(40, 0))
    opened.do("undo")
    opened.see(a(0, 62), b(41.5, 0), a(60, 60))
    assert opened.verdicts == [("A", True), ("B", True), ("A", True)]
    assert not opened.state.strangers


def test_an_undone_shot_that_is_shot_again_counts_once(opened):
    opened.see(a(0, 62), b(40, 0))
    opened.do("undo")
    opened.see(a(0, 62))
    opened.see(a(0, 64), b(-40, 0))
    assert opened.verdicts == [("A", True), ("B", True)]
    assert opened.totals == (15, 15)


def test_a_disc_taken_off_after_the_last_shot_begins_the_clearing(new_table):
    """The result of a complete round stands once it was read at rest, whatever hands do until the board is clear."""
    table = new_table(discs=6)

    def lies(k, radius):
        return (b if k % 2 else a)(radius * math.cos(k / 2), radius * math.sin(k / 2))

    for k in range(12):  # each shot moves the disc of the one before
        lying = [*(lies(n, 80) for n in range(k)), lies(k, 60)]
        table.see(*lying)
    assert table.state.round_proposed
    assert table.totals == (90, 90)
    table.see(lying[0], *lying[2:], b(320, 150, "ditch"))
    assert not table.asked()
    assert table.state.round_proposed
    assert table.totals == (90, 90)


def test_a_round_that_ends_on_an_empty_surface_is_ended_by_clearing_the_ditch(new_table):
    table = new_table(discs=6)
    table.see(a(150, 0))
    table.see()
    off = []
    for k in range(11):
        off.append((a if k % 2 else b)(345 * math.cos(k / 2), 345 * math.sin(k / 2), "ditch"))
        table.see(*off)
    assert table.state.round_proposed
    assert "round_ended" in kinds(table.see())


def test_the_next_rounds_first_shot_ends_a_round_that_left_nothing_to_sweep(new_table):
    table = new_table(discs=6)
    for _k in range(12):
        table.hole((1.0, True), (3.0, False))
        table.see()
    assert table.state.round_proposed
    assert table.totals == (120, 120)
    starter = table.round.hammer
    table.see(a(0, 60) if starter == "A" else b(0, 60))
    assert table.round.number == 2
    assert len(table.shots) == 1


def test_an_early_sweep_is_asked_about_once(new_table):
    table = new_table()
    table.see(a(0, 60))
    table.see(a(0, 70), b(50, 0))
    for _ in range(2):
        table.see()
        assert table.asked() == ["swept"]
    table.answer("goes_on")
    table.see()
    assert not table.asked()
    assert table.round.number == 1


def test_what_bounced_back_may_be_taken_off_after_the_next_shot(table):
    for board in ((a(0, 60),), (a(0, 150), b(10, 50)), (a(0, 150), b(10, 90), a(40, 0))):
        table.see(*board)
    table.see(b(10, 90), a(40, 0), a(320, 150, "ditch"))
    assert [s[2] for s in table.shots] == [(), ("a1",), ()]
    assert table.totals == (15, 10)


@pytest.mark.parametrize("taken", [(-50.0, 0.0), (0.0, 60.0)])
def test_a_wrong_disc_that_is_put_back_counts_again(table, taken):
    lying = [(0.0, 60.0), (-50.0, 0.0)]
    table.see(a(*lying[0]))
    table.see(a(*lying[0]), b(200, 90))  # a foul
    table.see(a(*lying[0]), b(320, 150, "ditch"))
    table.see(a(*lying[0]), a(*lying[1]), b(320, 150, "ditch"))
    rest = [a(*at) for at in lying if at != taken]
    table.see(*rest, b(320, 150, "ditch"), a(150, 320, "ditch"))
    assert table.totals == (15, 0)
    table.see(*rest, b(320, 150, "ditch"), a(taken[0] + 1.5, taken[1] - 2.0))
    assert table.totals == (30, 0)
    assert [s[2] for s in table.shots] == [(), ("b1",), ()]
    assert not table.state.strangers


def test_a_shot_that_left_nothing_is_recorded_when_the_next_player_shoots(opened):
    """Nothing changed: a disc that went off unseen, or no shot. Whose turn is next decides."""
    opened.see(a(0, 60))
    assert opened.shots == [("A", True, (), ())]
    assert not opened.asked()
    events = opened.see(a(0, 60), a(50, 30))
    assert kinds(events) == ["amended", "shot_seen"]
    assert opened.shots[1:] == [("B", False, ("b1",), ()), ("A", True, (), ())]
    assert opened.totals == (30, 0)


def test_what_left_nothing_was_no_shot_where_the_same_player_shoots(opened):
    opened.see(a(0, 60))
    opened.see(a(0, 70), b(50, 30))
    assert opened.shots[1:] == [("B", True, (), ())]
    assert not opened.asked()


def test_a_disc_that_was_overlooked_after_a_shot_lies_there_again(opened):
    """It seemed to be struck off, and lies where it lay: the shot touched nothing, and is revised."""
    opened.see(b(30, 75))  # the camera missed a1
    assert opened.totals == (0, 15)
    assert "amended" in kinds(opened.see(a(0.1, 60.1), b(30, 75)))
    assert opened.shots == [("A", True, (), ()), ("B", False, ("b1",), ())]
    assert opened.state.to_remove == {"b1": "foul"}
    assert opened.totals == (15, 0)
    assert not opened.asked()
    opened.see(a(0.1, 60.1))
    opened.see(a(0.1, 60.1), a(60, -40))
    assert opened.shots[2:] == [("A", True, (), ())]
    assert opened.totals == (30, 0)


def test_a_shot_disc_that_was_overlooked_lies_there_at_the_next_board(opened):
    """It was told as off and asked about; where it is seen before anybody else has shot, it has lain there."""
    opened.see(a(0, 100))  # the camera missed b1
    assert opened.asked() == ["lost"]
    assert opened.totals == (10, 0)
    opened.see(a(0, 100), b(40, 20))
    assert opened.verdicts == [("A", True), ("B", True)]
    assert opened.totals == (10, 15)
    assert not opened.asked()


def test_a_struck_disc_that_leans_and_was_overlooked_leans_there_at_the_next_boards(table):
    """A black disc that leans over a dark hole: it was recorded as off, and no later shot brought it there."""
    table.see(a(-50, 70))
    table.see(b(-65, 95), hole_unclear=True)
    leans = a(1, 0.5, "leaning")
    table.see(b(-65, 95), leans)
    table.see(b(-65, 95), leans, a(0, -60))
    assert table.verdicts == [("A", True), ("B", True), ("A", False)]
    assert table.state.measured["a1"].pose == "leaning"
    assert table.totals == (15, 10)


def test_a_shot_disc_that_was_overlooked_may_have_been_struck_before_it_was_seen(opened):
    """Where it lay before that shot nobody saw: it is taken for struck, as most shots strike, and asked about."""
    opened.see(a(0, 100))  # the camera missed b1
    opened.see(a(0, 100), b(40, 120), a(60, 10))
    assert opened.verdicts == [("A", True), ("B", True), ("A", True)]
    assert opened.totals == (25, 10)
    assert opened.asked() == ["contact"]
    opened.answer("clear")
    assert opened.totals == (10, 10)


def test_a_shot_disc_reported_lost_while_another_was_overlooked_takes_its_place(opened):
    opened.see(a(0, 60), b(30, 75))
    opened.see(b(30, 75), a(250, 90))  # a1 is missed: so it looks as if a2 had knocked it there and gone off
    opened.see(a(0, 60), b(30, 75), a(250, 90))
    assert len(opened.shots) == 3
    assert sorted(opened.state.measured) == ["a1", "a2", "b1"]
    assert not opened.state.questions


def test_a_disc_shot_near_an_old_place_is_a_shot(opened):
    opened.see(b(60, 60), a(345, -40, "ditch"))
    opened.see(b(60, 60), a(0, 64), a(345, -40, "ditch"))
    assert opened.shooters == ["A", "B", "A"]


def test_a_shot_disc_among_discs_that_had_to_come_off_is_asked_about(opened):
    opened.see(a(0, 60), b(150, 0))  # a foul, and nobody takes it off
    opened.see(a(100, 60), a(60, 90), b(150, 0))
    opened.see(a(250, 60), a(60, 90), b(220, 30), b(40, 40))  # one of the two was shot
    (question,) = [q for q in opened.state.questions.values() if q.asked.what == "order"]
    other = next(answer for answer in question.asked.answers if answer.events)
    assert opened.totals[1] == 15
    assert opened.effects(question)[other.id] == "Natural 5 in round 1."  # the other one lies in the five
    opened.do("answer", question=question.id, answer=other.id)
    assert opened.totals[1] == 5


HAND = (((300.0, -120.0), (420.0, -120.0), (420.0, 60.0), (300.0, 60.0)),)
"""What a hand beside the board hides."""


def test_a_disc_that_a_hand_carries_over_the_ditch_is_no_shot(opened):
    assert opened.see(a(0, 60), b(345, -40, "ditch"), hidden=HAND) == []
    opened.see(a(0, 150), b(10, 50))
    assert opened.shots[-1] == ("B", True, (), ())


def test_a_disc_that_may_lie_under_a_hand_in_the_ditch_is_off_at_once(opened):
    """People who leave a hand there keep nobody waiting, and nobody is asked about what only the hand hides."""
    opened.see(b(30, 75), hidden=HAND)
    told = [("A", True, (), ()), ("B", True, ("a1",), ())]
    assert opened.shots == told
    assert not opened.asked()
    opened.see(b(30, 75), a(345, -40, "ditch"))
    assert opened.shots == told
    assert not opened.asked()


def test_what_a_graze_put_out_is_in_play_when_people_play_on(opened):
    opened.see(a(0, 60.4), b(100, 120))
    assert opened.state.to_remove == {"b1": "foul"}
    opened.see(a(0, 60.4), b(140, 160), a(80, 90))
    assert [shot[1] for shot in opened.shots] == [True, True, True]
    assert opened.state.to_remove == {}
    assert opened.asked() == ["contact"]


def test_a_fouls_disc_that_was_forgotten_for_a_shot_is_still_a_fouls(opened):
    opened.see(a(0, 60.4), b(100, 120))
    opened.see(a(0, 60.4), b(100, 120), a(-50, 40))
    opened.see(a(0, 60.4), a(-50, 40))
    assert [shot[1] for shot in opened.shots] == [True, False, True]


def test_what_may_be_over_the_outer_line_is_in_play_when_people_play_on(opened):
    opened.see(a(288.4, 0), b(10, 50))
    assert opened.state.to_remove == {"a1": "outer_line"}
    assert opened.asked() == ["close_call"]
    opened.see(a(288.4, 0), b(10, 120), a(10, 40))
    assert opened.state.to_remove == {}
    assert not opened.asked()
    assert opened.totals[0] == 20


def test_what_is_ruled_in_play_hides_nothing_of_the_shot_that_was_taken(opened):
    opened.see(a(288.4, 0), b(10, 50))
    opened.see(a(288.4, 0), b(10, 50), a(340, 30, "ditch"))
    assert opened.shots[-1] == ("A", False, ("a2",), ())
    assert opened.state.to_remove == {}


def test_what_is_taken_off_late_from_the_outer_line_counts_nothing(opened):
    opened.see(a(288.4, 0), b(10, 50))
    opened.see(a(288.4, 0), b(10, 120), a(10, 40))
    assert opened.totals[0] == 20
    opened.see(b(10, 120), a(10, 40))
    opened.see(b(10, 120), a(10, 40), hand=False)
    assert opened.totals[0] == 15


def test_what_was_gone_before_the_next_shot_was_not_played_on_with(opened):
    opened.see(a(0, 60.4), b(100, 120))
    opened.see(a(0, 60.4), a(40, 10))
    assert opened.shots[1:] == [("B", False, ("b1",), ()), ("A", True, (), ())]
    assert opened.asked() == ["contact"]


def test_people_who_leave_all_discs_that_have_to_come_off_say_nothing_by_leaving_one(opened):
    opened.see(a(0, 60), b(-100, -150))  # a foul
    opened.see(a(0, 60), b(-100, -150), a(100, -120))
    opened.see(a(0, 60.4), b(-100, -150), a(100, -120), b(-150, 60))
    opened.see(a(0, 60.4), b(-100, -150), a(100, -120), b(-150, 60), a(-140, 90))
    assert opened.asked() == ["contact"]
    assert {"b1", "b2"} <= opened.state.to_remove.keys()


def test_what_is_taken_off_from_the_outer_line_stays_off(opened):
    opened.see(a(288.4, 0), b(10, 50))
    opened.see(b(10, 50))
    opened.see(b(10, 120), a(10, 40))
    assert opened.totals[0] == 15


def test_a_shot_that_left_nothing_to_hit_leaves_what_went_off_to_the_next(opened):
    opened.see(a(0, 60), b(0, 90))
    opened.gate("covered")
    opened.see(a(0, 60), a(100, 50), b(340, 30, "ditch"), a(-340, 30, "ditch"))
    assert [shot[1] for shot in opened.shots[-1:]] == [True]


def test_what_a_hand_took_off_before_anybody_shot_is_no_shot(opened):
    opened.see(a(0, 200), b(10, 50))
    opened.see(b(10, 50), a(340, 30, "ditch"))
    assert opened.shooters == ["A", "B"]
    assert "a1" not in opened.state.on_board


def test_a_disc_that_the_sensor_felt_was_shot_whether_or_not_that_was_seen(opened):
    opened.see(a(0, 60), b(10, 120))
    opened.hole((1.0, True), (3.0, False))
    opened.see(a(0, 60), b(10, 120))
    assert [shot[3] for shot in opened.shots] == [(), (), ("a2",)]


def test_a_disc_that_comes_back_to_its_own_old_place_is_no_other_that_went_off(opened):
    opened.see(a(0, 66), b(100, 60))
    opened.see(a(0, 66), b(100, 64), a(-60, 60))
    opened.see(a(0, 70), b(100, 64), a(-60, 60), b(60, -60))
    off = b(340, 30, "ditch")
    opened.see(a(0, 70), b(100, 62), a(-60, 60), a(-100, -60), off)
    opened.see(a(0, 74), b(100, 64), a(-60, 60), a(-100, -60), b(150, -100), off)
    assert opened.notices == []
    assert opened.verdicts == [("A", True), ("B", True)] * 3
    assert opened.shots[4][2] == ("b2",)


def test_a_disc_that_was_pushed_into_another_zone_is_asked_about_until_people_say_what_it_counts(table):
    """Through later boards and after the end of its round."""
    table.see(a(0, 60))
    table.see(b(0, -184), a(340, 30, "ditch"))
    pushed = b(0, -190), a(340, 30, "ditch")
    table.see(*pushed)
    assert table.asked("case") == ["pushed"]
    table.see(*pushed)
    table.see(*pushed, a(-60, 60))
    table.do("end_round")
    assert "pushed" in table.asked("case")
    table.answer("5")
    assert table.state.game.all_rounds[0].totals["B"] == 5
    table.see()
    table.see(b(0, -83))
    table.see(b(0, -89))
    assert "pushed" in table.asked("case"), "in the next round too"
