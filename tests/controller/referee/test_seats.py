"""Who sits where is learnt from play, wherever the camera hangs and whoever begins."""

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller import rules
from controller.errors import BadInput
from controller.journal.match_log import record
from controller.match.base import Stamped
from controller.match.events import SeatsLearnt
from controller.match.fold import apply
from controller.match.seating import Directions, Seating, assumed_seating, ways_to_sit
from controller.tools.replay import settled
from controller.vision.film.film import SHOT, Sample, Track
from tests.controller.fed_table import disc, kinds
from tests.controller.referee.test_model import filmed
from tests.slow import first_is_quick

FOUR = [{"name": colour.title(), "colour": colour} for colour in ("black", "natural", "red", "green")]
THREE = FOUR[:3]


@pytest.fixture
def table(new_table):
    return new_table(seats_known=False)


def at(direction, distance, side="A"):
    """A disc in a direction from the hole, in degrees."""
    return disc(side, distance * math.cos(math.radians(direction)), distance * math.sin(math.radians(direction)))


def ready(direction, side="A"):
    """A disc on the starting line."""
    return at(direction, 304.8, side)


def directions(table):
    assert table.state.seating.sure
    return dict(table.state.seating.directions)


@pytest.mark.parametrize("first", [270, 180, 90, 0])
def test_a_round_is_followed_wherever_the_first_player_sits(table, first):
    opposite = (first + 180) % 360
    table.see(ready(first + 10))
    assert table.shots == []
    assert directions(table) == {1: first, 3: opposite}
    table.see(at(first, 60))
    table.see(at(first, 60), ready(opposite - 20, "B"))
    table.see(at(first, 80), at(opposite, 50, "B"))
    assert table.shots == [("A", True, (), ()), ("B", True, (), ())]
    assert table.totals == (15, 15)
    assert table.state.questions == {}


@pytest.mark.parametrize("first", [270, 180, 90, 0])
def test_a_shot_that_ends_on_the_line_is_a_foul_once_the_seats_are_known(table, first):
    table.see(ready(first))
    table.see(at(first, 60))
    table.see(at(first, 60), ready(first + 180, "B"))
    table.see(at(first, 60), at(first + 90, 300, "B"))
    assert table.shots[-1][:2] == ("B", False)


@pytest.mark.parametrize("first", [270, 180, 90, 0])
@pytest.mark.parametrize(
    ("start", "sides"), [({"doubles": True}, "ABAB"), ({"rules": "family", "sides": FOUR}, "ABCD")]
)
def test_four_seats_follow_from_the_first(new_table, first, start, sides):
    table = new_table(seats_known=False, **start)
    table.see()
    for turn, side in enumerate(sides):
        lying = [at(first - 90 * turn - 40 * k, 40 + 14 * k, sides[k]) for k in range(turn)]
        table.see(*lying, ready(first - 90 * turn + 5, side))
    assert directions(table) == {seat: (first - 90 * (seat - 1)) % 360 for seat in (1, 2, 3, 4)}


@pytest.mark.parametrize("first", first_is_quick([270, 180, 90, 0]))
@pytest.mark.parametrize("empty", first_is_quick([1, 2, 3]))
def test_of_three_players_any_side_of_the_table_may_be_the_empty_one(new_table, first, empty):
    table = new_table("family", seats_known=False, sides=THREE)
    table.see()
    sitting = [(first - 90 * step) % 360 for step in range(4) if step != empty]
    for turn, (side, direction) in enumerate(zip("ABC", sitting, strict=True)):
        lying = [at(sitting[k], 30 + 12 * (turn - k), "ABC"[k]) for k in range(turn)]
        table.see(*lying, ready(direction, side))
        moved = [at(sitting[k], 42 + 12 * (turn - k), "ABC"[k]) for k in range(turn)]
        table.see(*moved, at(direction, 42, side))
    assert table.verdicts == [("A", True), ("B", True), ("C", True)]
    assert directions(table) == dict(zip((1, 2, 3), sitting, strict=True))


def test_the_side_that_begins_need_not_be_the_first(new_table):
    table = new_table(seats_known=False, starter="B")
    table.see()
    table.see(ready(180, "B"))
    assert directions(table) == {1: 0, 3: 180}


def test_a_disc_near_the_quadrant_line_leaves_two_ways_until_the_next_one(table):
    table.see(ready(225))
    assert not table.state.seating.sure
    table.see(at(225, 60))
    assert table.shots == [("A", True, (), ())]
    table.see(at(225, 60), ready(10, "B"))
    assert directions(table) == {1: 180, 3: 0}


def test_people_are_asked_once_when_two_discs_leave_it_open(table):
    table.see(ready(225))
    table.see(at(225, 60))
    table.see(at(225, 60), ready(45, "B"))
    question = table.question
    assert question.asked.what == "seats"
    names = table.answers(question)
    assert set(names) <= {"Black", "Natural", "Nobody", "We don't know"}
    assert len(names) == 3
    table.see(at(225, 60), ready(45.5, "B"))
    assert len(table.state.questions) == 1
    table.do("answer", question=question.id, answer=question.asked.answers[0].id)
    assert table.state.seating.sure
    assert table.state.questions == {}
    assert table.shots == [("A", True, (), ())]


def test_an_open_question_of_the_seats_closes_when_play_shows_them(table):
    table.see(ready(225))
    table.see(at(225, 60))
    table.see(at(225, 60), ready(45, "B"))
    table.see(at(225, 65), at(50, 60, "B"))
    table.see(at(225, 65), at(50, 60, "B"), ready(190))
    assert directions(table) == {1: 180, 3: 0}
    assert table.state.questions == {}


def flick(direction, speed=1200.0):
    """A disc that was shot from this direction, degrees, at the hole."""
    along = math.radians(direction)
    places = [(k * 0.05, r * math.cos(along), r * math.sin(along)) for k, r in enumerate((240, 180, 120, 60))]
    samples = tuple(Sample(*place, 0.5) for place in places)
    track = Track(SHOT, "black", samples, "flicked", "rest", places[-1][1:], speed)
    return filmed(track)


def test_where_a_disc_was_flicked_settles_what_a_disc_on_the_line_leaves_open(table):
    table.see(ready(229))
    table.see(at(250, 60), film=flick(250.0))
    assert directions(table) == {1: 270, 3: 90}


def test_a_slow_disc_on_the_film_says_nothing_of_the_seats(table):
    table.see(ready(225))
    table.see(at(250, 60), film=flick(250.0, speed=60.0))
    assert not table.state.seating.sure


def test_a_disc_at_another_seat_is_reported_at_once_and_is_no_foul(table):
    table.see(ready(270))
    table.see(at(270, 60))
    table.see(at(270, 60), ready(180, "B"))
    assert len(table.shots) == 1
    assert any("does not sit" in notice for notice in table.notices)
    assert directions(table) == {1: 270, 3: 90}


def test_two_discs_at_other_seats_turn_the_seats(table):
    table.see(ready(270))
    table.see(at(270, 60))
    table.see(at(270, 60), ready(180, "B"))
    table.see(at(270, 70), at(180, 50, "B"))
    table.see(at(270, 70), at(180, 50, "B"), ready(5))
    assert table.verdicts == [("A", True), ("B", True)]
    assert directions(table) == {1: 0, 3: 180}


@pytest.mark.parametrize("off", [90, 180, 270])
def test_wrong_seats_of_doubles_turn_with_the_second_shot(new_table, off):
    table = new_table(seats_known=False, doubles=True)
    table.do("turn_seats", quarters=off // 90)
    first, lying = directions(table)[1] + off, []
    for turn, side in enumerate("ABAB"):
        table.see(*lying, ready(first - 90 * turn + 5, side))
        lying = [at(first - 90 * k, 40 + 15 * (turn - k), "ABAB"[k]) for k in range(turn + 1)]
        table.see(*lying)
    assert table.verdicts == [("A", True), ("B", True), ("A", True), ("B", True)]
    assert directions(table) == {seat: (first - 90 * (seat - 1)) % 360 for seat in (1, 2, 3, 4)}
    assert table.state.questions == {}


def test_a_disc_that_lies_ready_for_long_counts_once(table):
    table.see(ready(270))
    table.see(at(270, 60))
    for k in range(5):
        table.see(at(270, 60), ready(180 + 0.2 * k, "B"))
    assert directions(table) == {1: 270, 3: 90}


def test_what_was_learnt_outlasts_a_power_cut(table):
    table.see(ready(180))
    table.see(at(180, 60))
    table.restart()
    assert directions(table) == {1: 180, 3: 0}
    table.see(at(180, 60), ready(0, "B"))
    assert len(table.shots) == 1


def test_the_next_match_assumes_the_seats_of_the_last_and_learns_them_again(table):
    table.see(ready(180))
    table.see(at(180, 60))
    table.do("start", rules="nca", sides=[{"name": "Player 1"}, {"name": "Player 2"}])
    assert table.state.seating == Seating({1: 180, 3: 0}, sure=False)
    table.see()
    table.see(ready(0))
    assert directions(table) == {1: 0, 3: 180}
    assert table.shots == []


def test_people_see_and_tell_places_with_seat_1_at_the_bottom(table):
    table.see(ready(180))
    table.see(at(180, 60))
    document = table.shown
    assert document.seats_known is True
    assert (document.discs[0].x, document.discs[0].y) == pytest.approx((0.0, -60.0), abs=0.06)
    (line,) = settled(table.engine, table.engine.reading, [])["reading"]["discs"]
    assert (line["x"], line["y"]) == pytest.approx((0.0, -60.0), abs=0.01)
    (shot,) = record(table.journal, 1)["rounds"][0]["shots"]
    assert shot["rest"]["a1"]["at"] == pytest.approx([0.0, -60.0], abs=0.01)
    table.do("correct_disc", disc="a1", at=[10.0, -150.0])
    where = table.round.board.discs["a1"]
    assert (where.x, where.y) == pytest.approx((-150.0, -10.0))


def test_people_can_turn_the_seats(table):
    table.see(ready(270))
    table.do("turn_seats", quarters=1)
    assert directions(table) == {1: 180, 3: 0}
    table.see(ready(180))
    assert directions(table) == {1: 180, 3: 0}
    with pytest.raises(BadInput, match="quarters"):
        table.do("turn_seats", quarters=4)


def test_a_disc_ready_where_somebody_else_sits_asks_after_what_people_said(table):
    table.do("turn_seats", quarters=1)
    table.see(ready(0))
    assert "shot_seen" not in kinds(table.see(ready(0)))
    assert any("does not sit" in notice for notice in table.notices)


@pytest.mark.parametrize("wrong", [{1: 270, 3: 270}, {1: 270, 2: 90}, {1: 270, 2: 180, 3: 90}])
def test_seats_that_cannot_be_are_refused(table, wrong):
    learnt = Stamped(table.state.last_id + 1, 0.0, SeatsLearnt(directions=wrong))
    with pytest.raises(rules.BadCorrection, match=r"seat|side"):
        apply(table.state, learnt)


@settings(suppress_health_check=list(HealthCheck), max_examples=60)
@given(x=st.floats(-350, 350), y=st.floats(-350, 350), first=st.sampled_from([270, 180, 90, 0]))
def test_a_shown_place_comes_back_as_it_was_measured(x, y, first):
    seating = Seating({1: first, 3: (first + 180) % 360})
    shown = seating.shown(x, y)
    assert seating.measured(*shown) == pytest.approx((x, y), abs=1e-9)
    assert rules.zone(*shown) == rules.zone(x, y)
    toward = seating.shown(math.cos(math.radians(first)), math.sin(math.radians(first)))
    assert toward == pytest.approx((0, -1), abs=1e-9)


def test_every_way_to_sit_is_clockwise_and_no_two_share_a_side():
    for seats, ways in (({1: "A", 3: "B"}, 4), ({1: "A", 2: "B", 3: "A", 4: "B"}, 4), ({1: "A", 2: "B", 3: "C"}, 12)):
        found = ways_to_sit(seats)
        assert len({tuple(sorted(way.items())) for way in found}) == len(found) == ways
        for way in found:
            assert len(set(way.values())) == len(seats)
            steps = [(way[1] - way[seat]) % 360 for seat in sorted(seats)]
            assert steps == sorted(steps)  # clockwise is falling angles


def test_other_numbers_of_players_sit_round_the_same_first_seat():
    before: Directions = {1: 90, 3: 270}
    assert assumed_seating({1: "A", 2: "B", 3: "A", 4: "B"}, before).directions == {1: 90, 2: 0, 3: 270, 4: 180}
