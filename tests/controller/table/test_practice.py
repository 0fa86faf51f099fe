"""One player alone at a table that sees: twenties out of so many discs, and a series of points."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller import rules
from controller.errors import BadInput, Refused
from controller.views.history import Selection
from tests.controller.fed_table import LABS, ReadTable, a, b, history_of

ALONE = [{"name": "Black"}]
HOLE = a(0, 0, "in_hole")


@pytest.fixture
def begin(tmp_path):
    tables = []

    def begun(practice, **start):
        tables.append(ReadTable(tmp_path, practice, sides=ALONE, **start))
        return tables[-1]

    yield begun
    for table in tables:
        table.journal.close()


def test_twenties_are_counted_and_what_missed_has_to_come_off(begin):
    table = begin("practice-twenties", discs=8)
    table.see(HOLE)
    assert str(table.shown.last_call.text) == "Twenty!"
    table.see()
    table.see(a(0, 60))
    match = table.shown
    assert str(match.last_call.text) == "No twenty."
    assert [disc.remove for disc in match.discs] == ["foul"]
    assert str(match.situation) == "1 of 2 in the hole; 6 shots left."
    (side,) = match.sides
    assert (side.hammer, side.twenties, side.total, side.shots_left) == (False, 1, 20, 6)
    table.see()
    for _ in range(6):
        table.see(HOLE)
        table.see()
    table.do("confirm")
    assert table.state.over
    assert table.state.score == {"A": 7}
    assert table.shown.winner is None
    assert str(table.shown.next_step) == "That was the practice round."


def test_both_colours_of_a_set_are_the_one_players(begin):
    table = begin("practice-series", discs=24)
    assert LABS["A"] != LABS["B"]
    table.see(a(0, 60))
    table.see(a(0, 60), b(0, 150))
    table.see(a(0, 60), b(0, 150), b(250, 0))
    table.see(a(0, 60), b(0, 150), b(250, 0), b(0, 0, "in_hole"))
    assert table.round.totals == {"A": 15 + 10 + 5 + 20}
    assert not table.state.questions
    assert str(table.shown.situation) == "50 points with 4 discs; 20 shots left."


def test_a_miss_that_nobody_took_off_counts_for_nothing(begin):
    table = begin("practice-twenties", discs=8)
    left = a(0, 60)
    table.see(left)
    table.see(left, HOLE)
    table.see(left)
    table.see()
    assert table.round.twenty_counts == {"A": 1}
    assert table.round.shots_left == {"A": 6}


def in_doubt(pose):
    return replace(a(0, 0, pose), zone=20 if pose == "in_hole" else 15, call="close")


@pytest.mark.parametrize("pose", ["in_hole", "leaning"])
def test_a_disc_at_the_hole_that_is_not_sure_is_asked_about_also_once_it_is_taken_off(begin, pose):
    """A match takes a disc that people lift for a twenty, and one that leans is left lying. Here all come off."""
    table = begin("practice-twenties", discs=8)
    table.see(in_doubt(pose))
    assert table.round.twenty_counts == {"A": 1}
    table.see()
    table.see(HOLE)
    table.see()
    (question,) = table.shown.questions
    assert [str(one.text) for one in question.answers][:2] == ["20", "No twenty"]
    assert table.shown.sides[0].total_range == [20, 40]
    table.answer("off")
    assert table.round.twenty_counts == {"A": 1}
    assert not table.state.questions


def test_a_practice_is_in_its_own_figures_and_in_no_others(begin):
    table = begin("practice-twenties", discs=8, manual=True)
    for twenties in (3, 6, 5):
        table.do("end_round", totals={"A": 20 * twenties}, twenties={"A": twenties})
        table.do("start", rules="practice-twenties", sides=ALONE, discs=8, manual=True)
    table.do("start", rules="practice-series", sides=ALONE, discs=12, manual=True)
    table.do("end_round", totals={"A": 95}, twenties={"A": 1})
    with history_of(table.journal) as archive:
        figures = archive.figures()
        assert figures.players == figures.records == figures.trend.points == []
        twenties, series = figures.practice
        assert (twenties.counts, twenties.discs, twenties.times) == ("twenties", 8, 3)
        assert [one.twenties for one in twenties.points] == [3, 6, 5]
        assert (twenties.best.match, twenties.best.twenties) == (2, 6)
        assert (series.discs, series.best.total) == (12, 95)
        assert archive.players().players == ["Black"]
        assert archive.figures(Selection(player="Black")).practice == figures.practice
        assert archive.figures(Selection(player="Natural")).practice == []


def test_a_practice_that_was_broken_off_is_no_personal_best(begin):
    table = begin("practice-series", discs=8)
    table.see(HOLE)
    table.do("end_round")
    with history_of(table.journal) as archive:
        assert archive.figures().practice == []


@pytest.mark.parametrize(
    ("start", "says"),
    [
        ({"rules": "nca", "sides": ALONE}, "one player alone can't play by nca"),
        ({"rules": "practice-series", "sides": [*ALONE, {"name": "Natural"}]}, "for one player alone"),
        ({"rules": "practice-series", "sides": ALONE, "format": {"kind": "points"}}, "can't be counted as points"),
        ({"rules": "nca", "sides": [*ALONE, {"name": "Natural"}], "format": {"kind": "series"}}, "can't be counted"),
        ({"rules": "practice-twenties", "sides": ALONE, "discs": 25}, "there are 6 to 24"),
    ],
)
def test_practice_and_match_are_not_mixed(begin, start, says):
    table = begin("practice-series")
    with pytest.raises((BadInput, Refused), match=says):
        table.do("start", **start)


PLACES = [[0.0, y] for y in (60.0, 90.0, 130.0, 190.0, 240.0, 280.0)]


@st.composite
def rests(draw):
    """Where eight discs came to rest, one after the other; no two in one place."""
    lying = draw(st.lists(st.sampled_from(PLACES), unique_by=str))
    gone = draw(st.lists(st.sampled_from(["hole", "ditch"]), min_size=8 - len(lying), max_size=8 - len(lying)))
    return draw(st.permutations([*lying, *gone]))


def _points(rest):
    """By the radii of the rings and of a disc alone: the inner edge of the line must be clear of the disc's edge."""
    if rest == "hole":
        return 20
    distance = 1e9 if rest == "ditch" else rest[1] + 15.9
    return next((points for radius, points in ((101.6, 15), (203.2, 10), (303.0, 5)) if distance < radius), 0)


@given(shots=rests())
def test_what_is_counted_is_what_a_count_by_hand_gives(shots):
    def played(practice):
        told = [
            {"side": "A", "disc": f"a{k}", "contacts": [], "rest": {f"a{k}": {"at": rest}}}
            for k, rest in enumerate(shots, start=1)
        ]
        record = {
            "schema": "match-record/1",
            "rules": practice,
            "discs": 8,
            "sides": [{"id": "A"}],
            "rounds": [{"starter": "A", "shots": told}],
        }
        answer = rules.judge_document(record)["match"]
        assert (answer["over"], answer["winner"], answer["next_starter"]) == (True, None, None)
        return dict(answer["score"])

    assert played("practice-twenties") == {"A": shots.count("hole")}
    assert played("practice-series") == {"A": sum(_points(rest) for rest in shots)}


def test_a_dead_sensor_is_one_notice_and_one_question_with_one_answer(begin):
    table = begin("practice-twenties", discs=24)
    table.hole((0.0, False))  # the last thing that the sensor ever says
    for shot in range(1, 8):
        table.see(in_doubt("in_hole"))
        assert any("missed the last" in text for text in table.notices) == (shot >= 3)
        table.see()
    questions = table.shown.questions
    assert [one.shot for one in questions] == list(range(1, 8))
    assert len({str(one.text) for one in questions}) == 1
    first, *others = (one.id for one in questions)
    seen = table.engine.snapshot.id
    with pytest.raises(Refused, match="not open any more"):
        table.do("answer", question=first, answer="off", also=[*others, 9999])
    table.do("answer", question=first, answer="off", also=others, seen=seen)
    assert not table.state.questions
    assert table.round.twenty_counts == {"A": 0}
    with pytest.raises(Refused, match="A question answered"):
        table.do("answer", question=others[0], answer="20", seen=seen)
    table.do("undo")
    assert [one.id for one in table.shown.questions] == [first, *others]
    table.do("redo")
    table.restart()
    assert (table.round.twenty_counts, len(table.state.questions)) == ({"A": 0}, 0)
    table.hole((0.0, True))
    table.see(felt=False)
    assert not any("The hole sensor missed" in text for text in table.notices), "it feels again"
