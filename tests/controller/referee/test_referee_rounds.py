"""How rounds end: swept, at once or by halves, too early, or with questions left."""

import math

import pytest

from controller.vision.readings import BoardReading
from controller.vision.watching.observations import BoardRead
from tests.controller.fed_table import a, b, disc, kinds


@pytest.fixture
def table(new_table):
    """Six discs a side, the fewest: what ends a round does not depend on how many it had."""
    return new_table(discs=6)


def full_round(table, spare=0):
    """Each side in turn leaves a disc and touches all others a little; `spare` shots are left."""
    discs = []
    spots = [(r * math.cos(k * math.pi / 4), r * math.sin(k * math.pi / 4)) for r in (60, 150) for k in range(8)]
    for k, (x, y) in enumerate(spots[: 12 - spare]):
        discs = touched(discs, k)
        discs.append(a(x, y) if k % 2 == 0 else b(x, y))
        table.see(*discs)
    return discs


def touched(discs, turn):
    """The discs after a shot that touched each a little: no two moved alike, as they do when the board is bumped."""
    way = 0.8 if turn % 2 else -0.8
    moves = [(way * math.cos(2.4 * k), way * math.sin(2.4 * k)) for k in range(len(discs))]
    return [disc(side, x + dx, y + dy) for (side, x, y), (dx, dy) in zip(discs_of(discs), moves, strict=True)]


def discs_of(discs):
    side = {"black": "A", "natural": "B"}
    return [(side[d.colour], d.x, d.y) for d in discs]


def test_discs_that_go_beside_a_hand_are_the_beginning_of_a_sweep(table):
    discs = full_round(table)
    totals = table.totals
    table.happened.clear()
    table.gate("hand")
    for left in (4, 2, 2):
        table.t += 1.0
        table.engine.observe(BoardRead(table.t, BoardReading(tuple(discs[:left]), t=table.t), None))
    assert table.happened == []
    assert table.totals == totals
    table.see()
    assert table.state.game.rounds[-1].complete


def test_a_sweep_with_the_hand_gone_between_its_strokes_leaves_the_result(table):
    discs = full_round(table)
    totals = table.totals
    for left in (4, 3, 2, 1):
        assert table.see(*discs[:left]) == []
        assert table.totals == totals
    assert table.state.round_proposed
    assert table.state.score == {"A": 0, "B": 0}
    assert "round_ended" in kinds(table.see())
    assert table.round.number == 2
    assert table.state.score == {"A": 1, "B": 1}
    (swept,) = table.state.finished
    assert (swept.totals["A"], swept.totals["B"]) == totals
    assert table.state.questions == {}


def test_discs_put_back_after_half_a_sweep_lie_where_they_lay(table):
    discs = full_round(table)
    totals = table.totals
    table.see(*discs[:3])
    assert table.see(*discs) == []
    assert table.totals == totals
    assert table.state.round_proposed


def test_a_swept_board_with_the_last_shot_unseen_ends_the_round(table):
    full_round(table, spare=1)
    table.see()
    assert table.round.number == 2


def test_a_board_swept_early_is_asked_about(table):
    full_round(table, spare=5)
    table.see()
    assert table.round.number == 1
    table.answer("over")
    assert table.round.number == 2
    assert not table.state.questions


def test_a_close_call_is_asked_at_the_end_of_the_round_with_its_figure(table):
    full = full_round(table, spare=1)
    discs = touched(full, 11)
    near = b(85.1 * math.cos(math.pi / 8), 85.1 * math.sin(math.pi / 8))
    assert near.call == "close"
    table.see(*discs, near)
    question = table.question
    assert question.asked.what == "close_call"
    assert {answer.id for answer in question.asked.answers} == {"15", "10"}
    before = table.totals
    table.do("answer", question=question.id, answer="15")
    assert table.totals == (before[0], before[1] + 5)
    table.do("undo")
    assert table.totals == before
    assert len(table.state.questions) == 1


def test_a_close_call_of_the_last_round_is_answered_after_the_sweep(new_table):
    table = new_table(format={"kind": "rounds", "rounds": 1}, discs=6)
    spots = [(r * math.cos(k * math.pi / 3), r * math.sin(k * math.pi / 3)) for r in (60, 150) for k in range(6)]
    spots[-1] = (85.1 * math.cos(math.pi / 6), 85.1 * math.sin(math.pi / 6))
    lying = []
    for k in range(12):
        lying = [*touched(lying, k), disc("AB"[k % 2], *spots[k])]
        table.see(*lying)
    assert table.asked() == ["close_call"]
    table.see()
    assert table.state.over
    before = table.state.game.rounds[0].totals["B"]
    table.answer("15")
    assert table.state.game.rounds[0].totals["B"] == before + 5


def test_a_round_that_ends_with_one_disc_in_play_is_ended_by_the_sweep(opened):
    for k in range(1, 12):
        opened.see(a(0, 60), b(100 + 8 * k, 120) if k % 2 else a(-100 - 8 * k, -120))  # a foul
        opened.see(a(0, 60))
    assert opened.state.round_proposed
    opened.see()
    assert opened.round.number == 2


def test_a_level_match_writes_nothing_while_it_waits_for_its_shoot_out(new_table):
    table = new_table(format={"kind": "rounds", "rounds": 1, "tie": "shoot_out"})
    table.do("end_round")
    assert not table.state.over
    events = len(list(table.journal.events(1)))
    table.see()
    table.see()
    assert len(list(table.journal.events(1))) == events
    table.do("shoot_out", twenties={"A": 3, "B": 5})
    assert table.state.over
    assert table.state.game.winner == "B"


@pytest.mark.parametrize(
    ("left", "figures", "asked"),
    [(1, {}, True), (2, {}, True), (5, {}, True), (0, {}, False), (1, {"totals": {"A": 60, "B": 45}}, False)],
)
def test_ending_a_round_short_by_the_tables_count_is_asked_about(table, left, figures, asked):
    """The table may have missed them, with all that they moved: nothing but the count shows it."""
    full_round(table, spare=left)
    table.do("end_round", **figures)
    short = [q.asked for q in table.state.questions.values() if q.asked.case == "ended_short"]
    assert [(one.round, one.count) for one in short] == [(1, left)] * asked
    table.do("undo")
    assert "ended_short" not in table.asked("case")


def test_undoing_a_correction_leaves_the_sweep_as_it_was(table):
    full_round(table)
    table.do("correct_round", round=1, twenties={"A": 1})
    table.do("undo")
    table.see()
    assert table.round.number == 2


def test_undoing_an_award_of_an_earlier_round_leaves_the_sweep_as_it_was(table):
    table.do("end_round")
    full_round(table)
    table.do("correct_round", round=1, points={"A": 2, "B": 0})
    table.do("undo")
    table.see()
    assert table.round.number == 3


@pytest.mark.parametrize("laid_off", [True, False])
def test_what_the_last_shot_moved_and_people_took_off_before_they_swept_may_have_bounced_back(table, laid_off):
    """Else it was the first disc of the sweep. Where nobody saw it laid to the discs that are off, that is likelier."""
    discs = full_round(table, spare=1)
    moved = disc("A", -200, 0)
    table.see(b(220, 60), moved, *discs[1:])
    totals = table.totals
    table.see(b(220, 60), *discs[1:], *[disc("A", -345, 20, "ditch")] * laid_off)
    table.see()
    assert table.round.number == 2
    assert table.asked() == ["lost"]
    assert table.state.game.rounds[0].totals["A"] == totals[0] - 5 * laid_off
    for said, off in (("off", 5), ("counts", 0)):
        table.answer(said)
        assert table.state.game.rounds[0].totals["A"] == totals[0] - off
        table.do("undo")


def test_people_who_play_on_answer_the_question_on_which_the_end_hung(new_table):
    """15 or 10 at a line decides whether the first to two points has them."""
    table = new_table(discs=6, format={"kind": "race", "target": 2})
    table.see(a(0, 60))
    lying = a(0, -84.7), b(150, 0)
    table.see(*lying)
    for k in range(5):
        for foul in (a(-150 - 15 * k, 40), b(-150 - 15 * k, -40)):
            table.see(*lying, foul)
            table.see(*lying)
    table.see()
    assert table.state.over
    table.see()
    assert table.state.over, "nobody plays on"
    table.see(b(20, 302))
    assert not table.state.over
    assert table.state.score == {"A": 1, "B": 1}
    table.see(b(20, 60))
    assert table.shooters == ["B"]


def test_a_notice_says_at_the_first_disc_that_the_match_is_over(new_table):
    table = new_table(discs=6, format={"kind": "race", "target": 2})
    full_round(table)
    table.do("end_round")
    table.do("correct_round", round=1, points={"A": 2, "B": 0})
    assert table.state.over
    table.see(a(0, 60))
    assert not table.notices, "people clear the board"
    table.see()
    table.see(b(20, 302))
    assert "The match is over" in table.notices[0]
    table.do("correct_round", round=1, points={"A": 1, "B": 1})
    table.see(b(20, 60))
    assert [shot[0] for shot in table.shots] == ["B"]
    assert not table.notices


def test_a_match_that_an_award_decides_while_its_round_runs_is_over_whatever_is_asked(new_table):
    """No answer lets another round begin before that one has ended."""
    table = new_table(discs=6, format={"kind": "race", "target": 2})
    table.do("end_round")
    table.see(a(0, 60))
    near = b(0, -84.7)
    table.see(a(20, 60), near)
    table.see(a(30, 50), near)
    table.see(a(30, 50), near, b(240, 0))
    table.see(a(30, 50))
    assert table.state.questions
    table.do("correct_round", round=1, points={"A": 2, "B": 0})
    assert table.state.over
    assert not table.round.complete
    table.see(a(30, 50), b(20, 302))
    assert table.state.over
    assert table.notices == []
