"""How often the table was wrong, held against what people corrected and answered."""

import math
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import Refused
from controller.match import events as ev
from controller.table.spot_checks import NEW, NEW_SHARE, SHARE, SpotChecks
from controller.views.history.accuracy import Share, bounds
from controller.views.history.upkeep import note_made_with
from tests.controller.fed_table import START, a, b, history_of
from tests.controller.referee.test_referee_rounds import touched

ONE_ROUND = {"kind": "rounds", "rounds": 1}
SIX_EACH = {"discs": 6, "format": ONE_ROUND}


@pytest.fixture
def table(new_table):
    return new_table(**SIX_EACH)


def accuracy(table):
    with history_of(table.journal) as archive:
        return archive.accuracy()


def play(table, *, last=66.0):
    """Each side in turn leaves a disc in the fifteen and touches all others; the last is `last` mm off the middle."""
    discs = []
    sides = (a, b) if table.round.starter == "A" else (b, a)
    for k in range(12):
        discs = touched(discs, k)
        far, turn = last if k == 11 else 66, k * math.pi / 6
        discs.append(sides[k % 2](far * math.cos(turn), far * math.sin(turn)))
        table.see(*discs)


@given(of=st.integers(1, 60), data=st.data())
def test_the_bounds_are_where_a_tail_has_a_fortieth_of_the_probability(of, data):
    """By exact fractions, which share nothing with logarithms of the gamma function."""
    counted = data.draw(st.integers(0, of))
    least, most = bounds(counted, of)

    def at_most(k, p):
        share = Fraction(p)
        return float(sum(comb(of, i) * share**i * (1 - share) ** (of - i) for i in range(k + 1)))

    if counted:
        assert 1 - at_most(counted - 1, least) == pytest.approx(0.025, abs=1e-6)
    else:
        assert least == 0
    if counted < of:
        assert at_most(counted, most) == pytest.approx(0.025, abs=1e-6)
    else:
        assert most == 1


def silent(table):
    """The kinds of errors that nobody was asked about."""
    return {kind for kind, times in accuracy(table).all.silent.items() if times}


def test_a_correction_of_what_nobody_was_asked_about_is_a_silent_error_until_it_is_undone(table):
    play(table)
    for kind, command in (
        ("ring", {"do": "correct_disc", "disc": "a1", "zone": 10}),
        ("ring", {"do": "correct_disc", "disc": "a1", "zone": "remove"}),
        ("extra", {"do": "correct_shot", "round": 1, "shot": 12, "annulled": True}),
        ("verdict", {"do": "correct_shot", "round": 1, "shot": 3, "valid": False}),
        ("twenty", {"do": "correct_round", "round": 1, "twenties": {"A": 1}}),
    ):
        table.do(**command, by="phone")
        assert kind in silent(table), command
        table.do("undo", by="phone")
        assert silent(table) == set(), command
    for zone in (10, 5):  # of one disc: one error
        table.do("correct_disc", disc="a1", zone=zone, by="phone")
    assert accuracy(table).all.silent["ring"] == 1
    for _ in range(2):
        table.do("undo", by="phone")
    table.do("end_round")
    found = accuracy(table).all
    assert (found.matches, found.shots, found.rounds_silent.count) == (1, 12, 0)
    assert 0.9 < found.rounds_silent.most <= 1  # one round says next to nothing


NEAR = 84.7
"""mm from the middle: 0.2 mm clear of the line, less than four standard errors of 0.15 mm."""


def test_the_review_shows_no_answer_that_was_taken_back(table):
    play(table, last=NEAR)
    (question,) = table.state.questions.values()

    def shown():
        with history_of(table.journal) as archive:
            (asked,) = (one for shot in archive.match(1).shots for one in shot.questions)
            return asked.answer, asked.note

    assert shown() == (None, None)
    table.do(do="answer", question=question.id, answer="10", by="phone")
    assert str(shown()[0]) == "10"
    table.do(do="undo", by="phone")
    assert shown() == (None, None), "it is open again"


def test_a_correction_of_what_the_table_asked_about_is_no_silent_error(table):
    play(table, last=NEAR)
    assert [q.asked.what for q in table.state.questions.values()] == ["close_call"]
    table.do("correct_disc", disc="b6", zone=10, by="phone")
    found = accuracy(table).all
    assert found.silent["ring"] == 0
    assert found.corrected_asked == 1


@pytest.mark.parametrize(
    ("far", "answer", "as_shown"), [(NEAR, "15", True), (NEAR, "10", False), (NEAR + 0.4, "10", True)]
)
def test_an_answer_is_counted_as_for_or_against_what_was_likelier(table, far, answer, as_shown):
    play(table, last=far)
    table.answer(answer, by="phone")
    found = accuracy(table).all.likelier_right
    assert (found.count, found.of) == (as_shown, 1)


def test_a_board_is_checked_once_and_only_when_every_disc_is_shot(table):
    with pytest.raises(Refused, match="all discs"):
        table.do("check_board")
    play(table)
    table.do("check_board")
    with pytest.raises(Refused, match="already"):
        table.do("check_board")
    assert not table.state.pressing, "a spot check holds nothing up"
    table.do("end_round")
    table.answer("wrong", by="phone")  # it can be answered when the round is over
    assert accuracy(table).all.spot_checks == Share(1, 1, 0.025, 1.0)
    assert table.state.finished[0].totals == {"A": 90, "B": 90}, "the answer alone changes no score"


def test_a_disc_that_is_tapped_and_corrected_answers_the_spot_check(table):
    play(table)
    table.do("check_board")
    table.do("correct_disc", disc="a1", zone=10, by="phone")
    assert not table.state.questions
    found = accuracy(table).all
    assert (found.spot_checks.count, found.spot_checks.of) == (1, 1)
    assert found.silent["ring"] == 1
    table.do("undo", by="phone")
    assert accuracy(table).all.silent["ring"] == 0, "the disc first, then the answer"


def test_rounds_are_drawn_by_lot_and_more_often_on_a_new_table():
    checks = SpotChecks(b"lot", lambda _: None, lambda _: None)
    new = [checks.drawn(match, number) for match in range(1, NEW + 1) for number in range(1, 201)]
    old = [checks.drawn(match, 1) for match in range(NEW + 1, NEW + 6001)]
    assert sum(new) / len(new) == pytest.approx(NEW_SHARE, abs=0.02)
    assert sum(old) / len(old) == pytest.approx(SHARE, abs=0.01)
    assert new == [checks.drawn(match, number) for match in range(1, NEW + 1) for number in range(1, 201)]


def test_the_drawn_rounds_are_asked_about_after_their_last_shot(table):
    waiting = []
    checks = SpotChecks(b"lot", table.engine.command, waiting.append)
    checks.drawn = lambda match, round_: True
    table.engine.on_happened.append(checks.happened)
    play(table)
    assert len(waiting) == 1
    waiting[0]()
    assert [q.asked.what for q in table.state.questions.values()] == ["check"]


def test_turning_the_seats_is_a_correction_only_where_the_table_had_found_them_by_itself(table):
    table.do("turn_seats", quarters=1, by="phone")
    assert accuracy(table).all.silent["side"] == 0
    learnt = ev.SeatsLearnt(directions=dict(table.state.seating.directions))
    table.journal.append(table.state.number, 0.0, [(learnt.kind, ev.body(learnt))])
    table.restart()
    table.do("turn_seats", quarters=1, by="phone")
    play(table)
    assert accuracy(table).all.silent["side"] == 1


def test_matches_are_grouped_by_what_the_table_saw_with_then(table):
    for hole in ("none", "none", "gpio:17"):  # the second: another start of the same table
        note_made_with(table.journal, "usb:0", hole)
        table.do(**{**START, **SIX_EACH})
        table.see()
        table.see(a(0, 66))
        table.do("end_round")
    kinds = accuracy(table).kinds
    assert {one.name: one.matches for one in kinds} == {"camera": 2, "camera+hole": 1}
