"""How often the table was wrong, held against people and a table whose errors are known here and nowhere else."""

import math
import random
from collections.abc import Container, Iterator
from contextlib import closing
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import Refused
from controller.match import events as ev
from controller.table.listener import Listener
from controller.table.spot_checks import NEW, NEW_SHARE, SHARE, SpotChecks
from controller.views.history import Archive
from controller.views.history.made_with import note_made_with
from controller.views.history.proportion import Proportion
from tests.controller.fed_table import START, ReadTable, a, b
from tests.controller.referee.test_referee_rounds import touched

ONE_ROUND = {"kind": "rounds", "rounds": 1}
SIX_EACH = {"discs": 6, "format": ONE_ROUND}


@pytest.fixture
def table(tmp_path) -> Iterator[ReadTable]:
    with_discs = ReadTable(tmp_path, **SIX_EACH)
    with_discs.see()
    yield with_discs
    with_discs.journal.close()


def accuracy(table: ReadTable) -> dict:
    with closing(Archive(table.journal)) as archive:
        archive.upkeep.catch_up()
        return archive.accuracy()


def play(table: ReadTable, wrong: Container[int] = (), *, last: float = 66.0) -> None:
    """Each side in turn leaves a disc in the fifteen and touches all others; the table sees those of the shots `wrong`
    in the ten instead, and is sure. The `last` disc lies so far from the middle, mm."""
    discs: list = []
    for k in range(12):
        discs = touched(discs, k)
        far, turn = last if k == 11 else 150 if k in wrong else 66, k * math.pi / 6
        discs.append((a if k % 2 == 0 else b)(far * math.cos(turn), far * math.sin(turn)))
        table.see(*discs)


@given(of=st.integers(1, 60), data=st.data())
def test_the_bounds_are_where_a_tail_has_a_fortieth_of_the_probability(of, data):
    """By exact fractions, which share nothing with logarithms of the gamma function."""
    counted = data.draw(st.integers(0, of))
    found = Proportion(counted, of)

    def at_most(k: int, p: float) -> float:
        share = Fraction(p)
        return float(sum(comb(of, i) * share**i * (1 - share) ** (of - i) for i in range(k + 1)))

    if counted:
        assert 1 - at_most(counted - 1, found.least) == pytest.approx(0.025, abs=1e-6)
    else:
        assert found.least == 0
    if counted < of:
        assert at_most(counted, found.most) == pytest.approx(0.025, abs=1e-6)
    else:
        assert found.most == 1


def test_a_match_that_nobody_corrected_has_no_noticed_error(table):
    play(table)
    table.do(do="end_round")
    found = accuracy(table)["all"]
    assert (found["matches"], found["shots"]) == (1, 12)
    assert found["rounds_silent"]["count"] == 0
    assert set(found["silent"].values()) == {0}
    assert 0.9 < found["rounds_silent"]["most"] <= 1  # one round says next to nothing


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ({"do": "correct_disc", "disc": "a1", "zone": 10}, "ring"),
        ({"do": "correct_disc", "disc": "a1", "zone": "remove"}, "ring"),
        ({"do": "annul_shot", "round": 1, "shot": 12}, "extra"),
        ({"do": "correct_shot", "round": 1, "shot": 3, "valid": False}, "verdict"),
        ({"do": "correct_twenties", "round": 1, "side": "A", "value": 1}, "twenty"),
    ],
)
def test_a_correction_of_what_nobody_was_asked_about_is_a_silent_error(table, command, kind):
    play(table)
    table.do(**command, by="phone")
    found = accuracy(table)["all"]
    assert {name for name, times in found["silent"].items() if times} >= {kind}


def test_the_same_thing_corrected_twice_is_one_error_and_one_that_was_undone_is_none(table):
    play(table)
    table.do(do="correct_disc", disc="a1", zone=10, by="phone")
    table.do(do="correct_disc", disc="a1", zone=5, by="phone")
    assert accuracy(table)["all"]["silent"]["ring"] == 1
    table.do(do="undo", by="phone")
    table.do(do="undo", by="phone")
    assert accuracy(table)["all"]["silent"]["ring"] == 0


NEAR = 84.7
"""mm from the middle: 0.2 mm clear of the line, less than four standard errors of 0.15 mm."""


def test_a_correction_of_what_the_table_asked_about_is_no_silent_error(table):
    play(table, last=NEAR)
    assert [q.asked.what for q in table.state.questions.values()] == ["close_call"]
    table.do(do="correct_disc", disc="b6", zone=10, by="phone")
    found = accuracy(table)["all"]
    assert found["silent"]["ring"] == 0
    assert found["corrected_asked"] == 1


@pytest.mark.parametrize(
    ("far", "answer", "as_shown"), [(NEAR, "15", True), (NEAR, "10", False), (NEAR + 0.4, "10", True)]
)
def test_an_answer_is_counted_as_for_or_against_what_was_likelier(table, far, answer, as_shown):
    play(table, last=far)
    (question,) = table.state.questions.values()
    table.do(do="answer", question=question.id, answer=answer, by="phone")
    found = accuracy(table)["all"]["likelier_right"]
    assert (found["count"], found["of"]) == (as_shown, 1)


def test_a_board_is_checked_once_and_only_when_every_disc_is_shot(table):
    with pytest.raises(Refused, match="every disc"):
        table.do(do="check_board")
    play(table)
    table.do(do="check_board")
    with pytest.raises(Refused, match="already"):
        table.do(do="check_board")
    assert not table.state.pressing, "a spot check holds nothing up"
    table.do(do="end_round")
    (question,) = table.state.questions.values()  # it can be answered when the round is over
    table.do(do="answer", question=question.id, answer="wrong", by="phone")
    assert accuracy(table)["all"]["spot_checks"] == {"count": 1, "of": 1, "least": 0.025, "most": 1.0}
    assert table.state.finished[0].totals == {"A": 90, "B": 90}, "the answer alone changes no score"


def test_a_disc_that_is_tapped_and_corrected_answers_the_spot_check(table):
    play(table)
    table.do(do="check_board")
    table.do(do="correct_disc", disc="a1", zone=10, by="phone")
    assert not table.state.questions
    found = accuracy(table)["all"]
    assert (found["spot_checks"]["count"], found["spot_checks"]["of"]) == (1, 1)
    assert found["silent"]["ring"] == 1
    table.do(do="undo", by="phone")
    assert accuracy(table)["all"]["silent"]["ring"] == 0, "the disc first, then the answer"


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
    checks.drawn = lambda match, round_: True  # type: ignore[method-assign]
    table.engine.listen(Listener(happened=checks.happened))
    play(table)
    assert len(waiting) == 1
    waiting[0]()
    assert [q.asked.what for q in table.state.questions.values()] == ["check"]


def month(table: ReadTable, seed: int, matches: int) -> tuple[int, int]:
    """The table shows each disc with a chance of one in a hundred in a wrong ring, and is sure. Who is asked whether a
    board is right looks and says so. Of the wrong boards people notice seven of ten and correct a disc, and now and
    then one of a board that was right. How many rounds were wrong, and in how many somebody corrected something."""
    dice, wrong_rounds, corrected = random.Random(seed), 0, 0
    for match in range(matches):
        if match:
            table.do(**{**START, **SIX_EACH})
            table.see()
        wrong = [k for k in range(12) if dice.random() < ERROR]
        play(table, wrong)
        table.do(do="check_board")
        (check,) = table.state.questions.values()
        table.do(do="answer", question=check.id, answer="wrong" if wrong else "right", by="phone")
        if dice.random() < (0.7 if wrong else 0.02):
            table.do(do="correct_disc", disc="a1", zone=5, by="phone")
            corrected += 1
        table.do(do="end_round")
        wrong_rounds += bool(wrong)
    return wrong_rounds, corrected


ERROR = 0.01


@pytest.mark.parametrize("seed", [2])
def test_a_clubs_matches_give_bounds_that_hold_the_truth(table, seed):
    matches = 10
    print("seed", seed)
    wrong_rounds, corrected = month(table, seed, matches)
    found = accuracy(table)["all"]
    assert (found["matches"], found["shots"]) == (matches, 12 * matches)
    assert found["spot_checks"]["count"] == wrong_rounds
    assert found["spot_checks"]["least"] <= 1 - (1 - ERROR) ** 12 <= found["spot_checks"]["most"]
    assert found["rounds_silent"]["count"] == corrected


def test_turning_the_seats_is_a_correction_only_where_the_table_had_found_them_by_itself(table):
    table.do(do="turn_seats", quarters=1, by="phone")
    assert accuracy(table)["all"]["silent"]["side"] == 0
    learnt = ev.SeatsLearnt(directions=dict(table.state.seating.directions))
    table.journal.append(table.state.number, 0.0, [(learnt.kind, ev.body(learnt))])
    table.restart()
    table.do(do="turn_seats", quarters=1, by="phone")
    play(table)
    assert accuracy(table)["all"]["silent"]["side"] == 1


def test_matches_are_grouped_by_what_the_table_saw_with_then(table):
    note_made_with(table.journal, "usb:0", "none")
    table.do(**{**START, **SIX_EACH})
    table.see()
    play(table)
    note_made_with(table.journal, "usb:0", "none")  # another start of the same table
    table.do(**{**START, **SIX_EACH})
    table.see()
    play(table)
    note_made_with(table.journal, "usb:0", "gpio:17")
    table.do(**{**START, **SIX_EACH})
    table.see()
    play(table)
    kinds = accuracy(table)["kinds"]
    assert {one["name"]: one["matches"] for one in kinds} == {"camera": 2, "camera+hole": 1}
