import math
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller import rules
from controller.errors import Refused
from controller.match.events import Doubt
from controller.messages import encoded
from controller.referee.close_calls import ask_about
from hardware.board import TOURNAMENT
from tests.controller.evening import Evening, shots_of
from tests.controller.fed_table import ReadTable, a, b, disc, kinds, unsure
from tests.slow import first_is_quick, slow


def test_an_unchanged_board_says_nothing(opened):
    assert opened.see(a(0.1, 60.05)) == []


def test_no_contact_is_a_foul_and_the_disc_waits_to_be_taken_off(opened):
    opened.see(a(0, 60), b(100, 120))
    assert opened.shots[-1] == ("B", False, ("b1",), ())
    assert opened.state.to_remove == {"b1": "foul"}
    assert opened.totals == (15, 0)
    assert kinds(opened.see(a(0, 60), b(-200, 280, "ditch"))) == ["board_seen"]
    assert opened.state.to_remove == {}
    opened.see(a(0, 60), a(30, 30), b(-200, 280, "ditch"))
    assert opened.shots[-1] == ("A", False, ("a2",), ()) or opened.shots[-1][1]


def test_a_fouled_disc_that_is_forgotten_does_not_block_play(opened):
    opened.see(a(0, 60), b(100, 120))
    opened.see(a(0, 60), b(100, 120), a(50, 0))
    assert opened.shooters == ["A", "B", "A"]
    assert opened.totals == (30, 0)
    opened.see(a(0, 60), a(50, 0))
    assert len(opened.shots) == 3
    assert opened.state.to_remove == {}


def test_a_twenty_seen_by_the_camera_is_banked_when_lifted(table):
    table.hole((2.0, True))
    table.see(a(0.5, 0.3, "in_hole"))
    assert table.shots[-1] == ("A", True, ("a1",), ("a1",))
    assert table.totals == (20, 0)
    table.hole((2.0, False))
    table.see()
    table.see(b(0, 50))
    assert table.shots[-1][0] == "B"
    assert table.totals == (20, 15)


def test_a_twenty_that_is_lifted_before_the_board_is_read_counts_by_the_sensor(table):
    table.hole((1.0, True), (3.0, False))
    table.see()
    assert table.shots == [("A", True, ("a1",), ("a1",))]
    assert table.totals == (20, 0)


def test_a_disc_that_skims_the_hole_is_no_twenty(table):
    table.hole((1.0, True), (1.05, False))
    table.see()
    assert table.shots == []


def test_a_twenty_in_a_foul_is_void(opened):
    opened.hole((2.0, True))
    opened.see(a(0, 60), b(0, 0, "in_hole"))
    assert opened.shots[-1] == ("B", False, ("b1",), ())
    assert opened.totals == (15, 0)


def test_the_opponents_disc_sunk_is_its_owners_twenty(opened):
    opened.see(a(0, 0, "in_hole"), b(20, 40))
    assert opened.shots[-1] == ("B", True, ("a1",), ("a1",))
    assert opened.totals == (20, 15)


def test_both_discs_gone_is_a_shot(opened):
    opened.see(a(300, 180, "ditch"), b(-300, 180, "ditch"))
    assert opened.shots[-1][:2] == ("B", True)
    assert opened.totals == (0, 0)


def test_a_shot_straight_into_the_ditch_is_seen_there(opened):
    opened.see(a(0, 60), b(340, 30, "ditch"))
    assert opened.shots[-1] == ("B", False, ("b1",), ())


def test_two_shots_between_two_still_boards_are_recognised_and_reported(opened):
    opened.see(a(0, 60.1), b(30, 40), a(-30, 40))
    assert opened.shooters == ["A", "B", "A"]
    assert Doubt(case="several_shots", count=2) in [e.doubt for e in opened.happened if e.kind == "shot_seen"]
    assert "2 shots" in str(opened.shown.last_call.text)


def test_discs_that_no_shot_can_add_stay_out_of_the_score_and_are_asked_about_once(table):
    table.see(a(0, 60), a(40, 0), a(-40, 0))
    assert "question_asked" in kinds(table.happened)
    table.see(a(0, 60), a(40, 0), a(-40, 0), a(0, -50))
    assert table.asked().count("unexplained") == 1


def close(x, y):
    """Whether noise may move a disc over a line that decides its zone, or whether it reaches the 15."""
    reaches = TOURNAMENT.fifteen_line + TOURNAMENT.line_width / 2 + TOURNAMENT.disc.radius
    return abs(rules.nearest_line(x, y)[1]) < 1.0 or abs(math.hypot(x, y) - reaches) < 1.0


places = st.tuples(st.floats(0, 2 * math.pi), st.floats(25, 280))


@slow
@given(st.lists(st.tuples(places, st.integers(0, 3), places), min_size=3, max_size=16), st.integers(0, 2**32))
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
def test_random_rounds_are_followed(tmp_path_factory, plays, seed):
    """Any sequence of shots, each read once with noise: the table says what the rules say of what happened.

    No disc comes to rest within 5 mm of where one lay that came off: it would be the same disc, overlooked for a while.
    """
    print("seed", seed)
    noise = random.Random(seed)
    table = ReadTable(tmp_path_factory.mktemp("round"))
    table.see(hand=False)
    truth = rules.Match.start("nca")
    lying = {}
    came_off = []
    for (angle, radius), victim, (to_angle, to_radius) in plays:
        side = truth.round.to_shoot
        name = f"{side.lower()}{sum(s.shot.side == side for s in truth.round.shots) + 1}"
        rest = {name: (side, radius * math.cos(angle), radius * math.sin(angle))}
        opponents = [n for n, d in lying.items() if d[0] != side]
        contacts = ()
        if opponents and victim:
            hit = opponents[victim % len(opponents)]
            rest[hit] = (lying[hit][0], to_radius * math.cos(to_angle), to_radius * math.sin(to_angle))
            contacts = ((name, hit),)
        after = {**lying, **rest}
        spots = [(d[1], d[2]) for d in after.values()]
        apart = all(math.dist(p, q) > 33 for i, p in enumerate(spots) for q in spots[i + 1 :])
        moved = all(n not in lying or math.dist(lying[n][1:], d[1:]) > 5 for n, d in rest.items())
        again = any(math.dist(d[1:], p) < 5 for d in rest.values() for p in came_off)
        if not apart or not moved or again or any(close(*p) for p in spots):
            continue
        placing = rules.zone(*spots[list(after).index(name)]) == 0
        if placing:
            continue
        truth = truth.play(rules.Shot(side, name, contacts, {n: rules.Placed(d[1], d[2]) for n, d in rest.items()}))
        seen = [disc(s, x + noise.gauss(0, 0.08), y + noise.gauss(0, 0.08)) for s, x, y in after.values()]
        table.see(*seen)
        lying = {n: d for n, d in after.items() if n in truth.round.board}
        came_off += [d[1:] for n, d in after.items() if n not in lying]
        if len(lying) < len(after):
            table.see(*(disc(*d) for d in lying.values()))
    assert table.shots == [
        (p.shot.side, p.judgement.valid, tuple(r.disc for r in p.judgement.removed), p.judgement.twenties)
        for p in truth.round.shots
    ]
    assert table.round.totals == truth.round.totals
    table.journal.close()


def test_a_stuck_sensor_is_reported_and_makes_no_twenties(table):
    table.hole((0.5, True))
    table.see(a(0, 60))
    table.see(a(0, 61), b(40, 0))
    assert table.totals == (15, 15)
    assert "The hole sensor" in encoded(table.engine.snapshot)


def test_a_twenty_that_slides_in_the_hole_is_the_same_disc(table):
    table.hole((2.0, True))
    table.see(a(0, 0, "in_hole"))
    assert table.see(a(1.5, -0.8, "in_hole")) == []
    table.hole((1.0, False), (5.0, True))
    table.see(b(0.4, 0, "in_hole"))
    assert table.totals == (20, 20)


def test_the_sensor_shows_a_second_twenty_of_one_side(table):
    table.hole((2.0, True))
    table.see(a(0, 0, "in_hole"))
    table.see(felt=False)
    table.see(b(340, 30, "ditch"))
    table.see(a(0.2, 0, "in_hole"), b(340, 30, "ditch"), felt=True)
    assert table.totals == (40, 0)


def test_a_placed_disc_and_one_that_is_not_seen_for_once_are_no_shot(opened):
    assert "shot_seen" not in kinds(opened.see(b(30, 302)))
    opened.see(a(0, 150), b(10, 50))
    assert opened.shots[-1] == ("B", True, (), ())


def test_a_disc_that_is_not_seen_is_not_shown_as_sure(opened):
    opened.see(a(0, 150), b(10, 50))
    opened.see(b(10, 50), hand=False)
    assert opened.totals == (10, 15)
    assert {n: m.call for n, m in opened.state.measured.items()} == {"a1": "close", "b1": "sure"}
    opened.see(a(0, 150), b(10, 50))
    assert {m.call for m in opened.state.measured.values()} == {"sure"}


def leaning_in_doubt(table):
    """A disc about which camera and sensor disagree, left in its place, and the question about it."""
    table.hole((0.1, True))
    table.see(a(9, 4, "leaning"))
    table.see(a(9, 4, "leaning"), b(200, 0))
    return table.question


def test_a_question_goes_when_its_disc_is_knocked_away(table):
    question = leaning_in_doubt(table)
    table.see(a(230, 0), a(9, 14))
    assert question.id not in table.state.questions
    with pytest.raises(Refused, match="not open"):
        table.do("answer", question=question.id, answer="20")


def test_a_question_goes_with_the_shot_that_is_undone(table):
    leaning_in_doubt(table)
    table.do("undo")
    table.do("undo")
    assert not table.state.questions


@pytest.mark.parametrize(("x", "answers"), [(60.0, ["15", "0"]), (25.0, ["20", "15"])])
def test_a_disc_that_is_not_seen_well_is_not_asked_about_as_if_a_line_were_near(table, x, answers):
    table.see(unsure(a(x, 0)))
    (question,) = ask_about(table.state, table.state.on_board)
    assert question.case == "badly_seen"
    assert [answer.id for answer in question.answers] == answers
    assert question.clearance is None


def test_discs_put_back_after_an_undo_are_the_old_ones(opened):
    opened.see(b(0, 61), a(300, 180, "ditch"))
    opened.do("undo")
    opened.see()
    assert "shot_seen" not in kinds(opened.see(a(3, 62)))
    assert opened.totals == (15, 0)
    opened.see(a(3, 150), b(0, 50))
    assert opened.totals == (10, 15)


def test_a_disc_in_the_ditch_that_is_missed_for_once_is_no_shot(opened):
    opened.see(b(0, 61), a(300, 180, "ditch"))
    opened.see(b(0, 61), a(0, 30))
    opened.see(b(0, 62), a(0, 30), hand=True)
    shots = len(opened.shots)
    opened.see(b(0, 62), a(0, 30), a(302, 178, "ditch"))
    assert len(opened.shots) == shots


def test_a_doubtful_twenty_without_a_sensor_counts_and_is_asked_about(table):
    doubtful = unsure(a(0, 0, "in_hole"))
    table.see(doubtful)
    assert table.totals == (20, 0)
    table.see(doubtful, b(40, 0))  # nobody has lifted it
    table.answer("15")
    assert table.totals[0] == 15
    table.do("undo")
    assert table.totals[0] == 20


def test_a_foreign_object_on_a_still_board_is_reported(table):
    table.see(a(0, 60), obstructed=True)
    assert "Something lies on the board, or a lamp mirrors in it: take it off, or move the lamp." in table.notices
    table.see(a(0, 60))
    assert table.notices == []


def test_a_disc_beyond_the_starting_line_that_does_not_touch_it_was_shot_there(opened):
    opened.see(b(0, 329), a(345, -40, "ditch"))
    assert opened.shooters == ["A", "B"]


def test_a_disc_that_hardly_touches_the_outer_line_is_asked_about_before_people_take_it_off(table):
    on_line = 304.8 - 15.9 - 0.4  # less the line's half width: its edge is there to a tenth of a millimetre
    table.see(a(0, 60))
    table.see(b(on_line, 0), a(0, 80))
    lies = table.state.measured["b1"]
    assert (lies.zone, lies.call) == (0, "close")
    table.answer("5")
    assert table.totals == (15, 5)
    assert not table.state.to_remove


TWO_ROUNDS = {"format": {"kind": "rounds", "rounds": 2}, "discs": 6}


@pytest.mark.parametrize(
    ("seed", "faults", "missed"),
    first_is_quick(
        [
            (1, (), 0.0),
            (2, ("haste", "taken-back", "forgotten-twenty"), 0.0),
            (3, ("two-shots",), 0.0),
            (4, ("late-removal", "wrong-removal", "nudged"), 0.0),
            (5, ("missed-edge", "bounce", "stuck"), 0.0),
            (6, (), 0.01),
        ]
    ),
)
def test_what_is_shown_as_sure_is_right_or_was_asked(tmp_path, seed, faults, missed):
    evening = Evening(tmp_path, seed, faults, missed, **TWO_ROUNDS)
    evening.play()
    assert evening.silently_wrong() == []
    told, happened = shots_of(evening.followed.state.game), shots_of(evening.umpire.match)
    assert abs(told - happened) <= (0 if not faults and not missed else 2)
    evening.followed.journal.close()
