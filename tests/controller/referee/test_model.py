"""The referee as one model: what it makes of boards, and what later boards make it revise."""

import math
import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.match import events as ev
from controller.referee.amending import amendment
from controller.referee.evidence import TABLE
from controller.referee.observation import BetweenBoards, DitchSeen, observe
from controller.referee.referee import PATIENCE
from controller.referee.situation import Situation
from controller.referee.whose_disc import sided
from controller.vision.film.film import SHOT, Contact, Film, KnownDisc, Sample, Span, Track, Watched
from controller.vision.readings import BoardReading
from tests.controller.fed_table import ReadTable, a, b, kinds


def play(table, shots):
    """So many shots, each of which moves the disc of the one before a little; the discs then on the board."""
    lying = []
    for k in range(shots):
        spot = (60 + 90 * (k // 8)) * math.cos(k * math.pi / 4), (60 + 90 * (k // 8)) * math.sin(k * math.pi / 4)
        lying.append(a(*spot) if k % 2 == 0 else b(*spot))
        struck = max(len(lying) - 2, 0)
        if k:
            other = lying[struck]
            lying[struck] = replace(other, x=other.x * 1.2, y=other.y * 1.2)
        table.see(*lying)
    return lying


def amendments(table):
    """What the page says was revised."""
    return [str(one.text) for one in table.shown.amended]


def test_shots_that_move_discs_and_send_them_off_are_recorded(opened):
    opened.see(a(40, 90), b(10, 55))
    opened.see(a(40, 90), a(-20, 70), b(320, 130, "ditch"))
    assert opened.shots == [("A", True, (), ()), ("B", True, (), ()), ("A", True, ("b1",), ())]
    assert opened.totals == (25, 0)
    assert opened.state.questions == {}


def test_a_disc_in_doubt_at_the_hole_counts_as_a_twenty_and_is_one_when_people_lift_it(table):
    leaning = replace(a(0, 0, "leaning"), zone=15, call="close")
    table.see(leaning)
    assert table.state.questions == {}
    table.see()
    (shot,) = table.round.shots
    assert shot.judgement.twenties == ("a1",)
    assert table.totals == (20, 0)
    assert amendments(table) == []


def test_another_account_of_what_people_see_already_is_no_news(opened):
    best = opened.engine.referee.belief.best
    assert best.transitions
    other = amendment(opened.state, best, best.transitions, best.transitions)
    assert other.why == "nothing"


def test_a_disc_in_doubt_at_the_hole_that_people_leave_there_is_asked_about(table):
    leaning = replace(a(0, 0, "leaning"), zone=15, call="close")
    table.see(leaning)
    table.see(leaning, b(100, 100))
    assert [q.asked.disc for q in table.state.questions.values() if q.asked.what == "close_call"] == ["a1"]


def test_a_disc_that_people_take_off_after_it_was_moved_had_bounced_back(opened):
    opened.see(a(0, 150), b(10, 50))
    events = opened.see(b(10, 50), a(320, 150, "ditch"))
    assert isinstance(events[0], ev.Amended)
    assert amendments(opened) == ["Round 1, shot 2: revised. Black's first disc was taken off."]
    (_, second) = opened.round.shots
    assert [(removal.disc, removal.why) for removal in second.judgement.removed] == [("a1", "returned")]
    assert opened.totals == (0, 15)
    opened.do("undo")
    assert opened.totals == (10, 15)


def filmed(*tracks, settled=(), contacts=()):
    return Film(settled, tracks, contacts, Watched((Span(-10.0, 999.0),), frozenset(), 0.0))


def way(disc, colour, start, end, speed):
    steps = [k / 5 for k in range(6)]
    samples = [Sample(s, start[0] + s * (end[0] - start[0]), start[1] + s * (end[1] - start[1]), 2.0) for s in steps]
    return Track(disc, colour, tuple(samples), "flicked", "rest", end, speed)


@pytest.mark.parametrize(("speed", "shots"), [(1200.0, 1), (60.0, 0)])
def test_a_disc_on_the_starting_line_was_shot_where_it_was_filmed_on_its_way(table, speed, shots):
    """One that a hand brought there slowly lies ready."""
    table.see(a(20, -303), film=filmed(way(SHOT, "black", (-200.0, -200.0), (20.0, -303.0), speed)))
    assert len(table.shots) == shots


@pytest.mark.parametrize(
    ("moved", "ends", "valid", "questions"),
    [(4.0, (100.0, 120.0), True, ["moved"]), (20.0, (100.0, 120.0), True, ["moved"]), (4.0, (34.0, 20.0), True, [])],
)
def test_a_disc_that_lies_elsewhere_after_a_shot_was_struck_or_a_sleeve_moved_it(opened, moved, ends, valid, questions):
    """By how far it moved, and how near the filmed disc passed: films follow few discs that go less than 4 mm."""
    seen = filmed(way(SHOT, "natural", (ends[0], 288.0), ends, 1200.0), settled=(KnownDisc("0", "black", 0.0, 60.0),))
    opened.see(a(0, 60 + moved), b(*ends), film=seen)
    assert opened.shots[-1][:2] == ("B", valid)
    assert opened.asked("case") == questions


def test_what_people_say_is_where_the_model_goes_on(opened):
    opened.do("undo")
    opened.see()
    opened.see(a(0, 150))
    assert opened.shooters == ["A"]


def test_a_hand_over_the_board_is_waited_for(opened):
    opened.see(a(0, 150), b(10, 50))
    assert opened.see(b(10, 50), obstructed=True) == []
    assert opened.see(a(0, 150), b(10, 50)) == []
    opened.gate("still")
    assert len(opened.shots) == 2


ARM = (((-40.0, 20.0), (40.0, 20.0), (40.0, 330.0), (-40.0, 330.0)),)
"""What an arm over the upper half of the board hides."""


def test_boards_on_which_a_hand_hides_a_disc_are_no_evidence_that_it_is_gone(opened):
    belief, there = opened.engine.referee.belief, []
    for k in range(5):
        reading = BoardReading((b(100, 120),), True, 0.0, opened.t + 8 * k, hidden=ARM)
        watching = BetweenBoards(hand=not k, hands_reported=True)
        belief = belief.after(opened.state, reading, DitchSeen(), watching, lambda *_: False)
        there.append(belief.probability(h for h in belief.hypotheses if "a1" in h.state.measured))
    assert there == pytest.approx([there[0]] * 5, abs=0.01)
    assert 0.1 < there[0] < 0.9, "a shot strikes an opponent's disc more often than not"


def test_fingers_on_the_rail_hide_no_more_of_the_ditch_than_their_own_place(opened):
    """A shot whose disc is seen nowhere is as unlikely beside them as without them."""
    fingers = (((330.0, -20.0), (370.0, -20.0), (370.0, 20.0), (330.0, 20.0)),)
    costs = []
    for hidden in ((), fingers):
        reading = BoardReading((a(0, 60),), t=opened.t + 8, hidden=hidden)
        watching = BetweenBoards(hand=True, hands_reported=True)
        belief = opened.engine.referee.belief.after(opened.state, reading, DitchSeen(()), watching, lambda *_: False)
        costs += [h.cost - belief.best.cost for h in belief.hypotheses if len(h.state.game.round.shots) == 2]
    assert costs[1] == pytest.approx(costs[0], abs=0.3)


def test_a_shot_beside_a_hand_that_stays_is_asked_about(opened):
    began, rests = opened.t, filmed(settled=(KnownDisc("0", "natural", 100.0, 120.0),))
    while len(opened.shots) < 2:
        opened.see(b(100, 120), obstructed=True, hidden=ARM)
        assert opened.t - began < 2 * PATIENCE
    assert opened.asked("case") == ["taken_off"]
    for _ in range(4):
        assert opened.see(b(100, 120), obstructed=True, hidden=ARM, film=rests) == []
    opened.see(a(0, 60), b(100, 120), film=rests)
    assert opened.shots[-1] == ("B", False, ("b1",), ())
    assert opened.asked("case") == []


def test_a_disc_that_is_gone_with_the_one_that_it_struck_is_asked_about(opened):
    opened.see(a(320, 150, "ditch"))
    opened.see(a(30, 40), b(320, 100, "ditch"), a(320, 150, "ditch"))
    assert [shot[:2] for shot in opened.shots[-2:]] == [("B", True), ("A", True)]
    assert opened.asked("case") == ["shot_unseen"]
    assert "b1" not in opened.state.measured


def test_each_of_two_unseen_shots_hit_something(opened):
    opened.gate("covered")
    opened.see(b(120, 10), a(90, -40), a(340, 30, "ditch"))
    assert opened.verdicts == [("A", True), ("B", True), ("A", True)]
    assert [removed for _, _, removed, _ in opened.shots] == [(), ("a1",), ()]
    assert "two_shots" in opened.asked("case")


def test_a_film_that_took_the_shot_disc_for_the_one_that_it_struck_is_not_believed(opened):
    """It has the shot disc rest where a disc of the other colour lies, and the other one leave."""
    shot = way(SHOT, "natural", (0.0, 330.0), (150.0, 120.0), 1500.0)
    struck = replace(way("0", "black", (0.0, 60.0), (300.0, 150.0), 1000.0), began="struck", ended="left")
    seen = filmed(shot, struck, settled=(KnownDisc("0", "black", 0.0, 60.0),))
    opened.see(a(150, 120), b(320, 150, "ditch"), film=seen)
    assert opened.verdicts == [("A", True), ("B", True)]
    assert sorted(opened.state.measured) == ["a1"]


@pytest.mark.parametrize("missing", [1, 2])
def test_the_last_shots_that_nobody_saw_are_asked_about_before_the_swept_round_ends(table, missing):
    """Nobody knows what they struck: each counts as valid and off until people say where its disc ended."""
    play(table, 16 - missing)
    totals = table.totals
    table.engine.camera_changed(lost=True)
    table.engine.camera_changed(lost=False)
    happened = kinds(table.see())
    assert happened.count("shot_seen") == happened.count("question_asked") == missing
    assert table.asked("case") == ["shot_unseen"] * missing
    (round_,) = table.state.finished
    assert (round_.totals["A"], round_.totals["B"]) == totals
    assert all(shot.judgement.valid for shot in round_.shots)


@given(st.permutations(range(5)), st.integers(0, 2**32))
@settings(max_examples=10, suppress_health_check=list(HealthCheck))
def test_the_order_in_which_discs_are_seen_does_not_matter(tmp_path_factory, order, seed):
    print("seed", seed)
    noise = random.Random(seed)
    before = [a(0, 60), b(50, 0), a(-50, 10), b(90, 120)]
    after = [a(0, 61 + noise.random()), b(150, 20), a(-50, 10), b(90, 120), a(30, -70)]
    told = []
    for places in (after, [after[k] for k in order]):
        table = ReadTable(tmp_path_factory.mktemp("order"))
        table.see(hand=False)
        for k in range(len(before)):
            table.see(*before[: k + 1])
        table.see(*places)
        told.append((table.shots, table.totals))
        table.journal.close()
    assert told[0] == told[1]


@pytest.mark.parametrize(
    "names",
    [
        ("shots 0", "shots 1", "shots 2", "shots more"),
        ("shot rests", "shot off", "shot in hole", "shot leans"),
        ("filmed turned back, came back", "filmed came back, came back", "filmed no return, came back"),
        ("filmed turned back, did not", "filmed came back, did not", "filmed no return, did not"),
    ],
)
def test_what_excludes_each_other_adds_up(names):
    assert sum(TABLE[name].value for name in names) == pytest.approx(1, abs=0.01)


def test_a_question_stays_open_until_a_board_answers_it(opened):
    opened.see(a(0, 60), b(50, 0))
    for _ in range(5):  # no hand took it, so it is likelier that the camera misses it
        opened.see(b(50, 0), hand=False)
    (asked,) = opened.state.questions
    opened.see(b(50, 0), a(-50, 0))
    assert asked in opened.state.questions


@pytest.mark.parametrize(("said", "valid"), [("touched", True), ("clear", False)])
def test_an_answer_about_one_shot_leaves_the_doubt_about_another(opened, said, valid):
    """A disc in doubt at the hole, which people lift after they were asked about a contact: it was a twenty."""
    track = way(SHOT, "natural", (100.0, 288.0), (100.0, 120.0), 1200.0)
    opened.see(a(0, 64), b(100, 120), film=filmed(track, settled=(KnownDisc("0", "black", 0.0, 60.0),)))
    lying = (a(0, 64), b(130, 150), replace(a(0, 0, "leaning"), zone=15, call="close"))
    opened.see(*lying)
    assert opened.asked("case") == ["moved"]
    opened.answer(said)
    assert opened.shots[1][:2] == ("B", valid)
    opened.see(*lying[: 2 if valid else 1])
    assert opened.shots[1][:2] == ("B", valid)
    assert opened.shots[2][:2] == ("A", True)
    assert opened.shots[2][3] == ("a2",)
    assert opened.asked("case") == []


def struck_by_the_shot(struck):
    """The film of a shot of Natural that strikes Black's disc, which goes this way."""
    shot = way(SHOT, "natural", (100.0, 288.0), (20.0, 40.0), 1200.0)
    known, touched = KnownDisc("0", "black", 0.0, 60.0), Contact(0.1, (SHOT, "0"), 900.0, 0.99)
    return filmed(shot, struck, settled=(known,), contacts=(touched,))


@pytest.mark.parametrize(("said", "total"), [("back", 15), ("stayed", 20)])
def test_a_disc_that_people_leave_although_the_film_saw_it_turn_at_the_edge_is_asked_about(opened, said, total):
    """Whether the film itself says that it came back: no more than a tracker's guess."""
    back = replace(way("0", "black", (0.0, 60.0), (-200.0, -120.0), 900.0), began="struck", came_back=said == "back")
    rim = replace(back.samples[2], x=-330.0, y=-100.0)
    back = replace(back, samples=(*back.samples[:2], rim, *back.samples[3:]))
    seen = struck_by_the_shot(back)
    opened.see(a(-200, -120), b(20, 40), film=seen)
    assert opened.asked("case") == []
    opened.see(a(-200, -120), b(60, 90), a(10, 30))
    assert opened.asked("case") == ["returned"]
    opened.answer(said)
    assert opened.totals[0] == total
    assert opened.asked("case") == []


def test_the_sensor_counts_at_once_where_the_camera_cannot_tell_the_hole(table):
    """A black disc in a dark hole, read 0.1 s after it fell in."""
    table.hole((7.9, True))
    shot = replace(way(SHOT, "black", (0.0, -300.0), (0.0, 0.0), 1200.0), ended="hole")
    table.see(film=filmed(shot), hole_unclear=True)
    assert table.verdicts == [("A", True)]
    assert table.totals == (20, 0)
    table.see(film=filmed(), hole_unclear=True, felt=False)
    assert table.shooters == ["A"]
    assert table.totals == (20, 0)


def test_a_hand_that_carries_a_twenty_away_fast_has_not_flicked_the_next_disc(table):
    """As one was filmed: lost sight of for 0.4 s, and faster after it than before."""
    table.see(a(0, 0, "in_hole"), film=filmed(way(SHOT, "black", (0.0, -300.0), (0.0, 0.0), 1200.0)), felt=True)
    table.hole((1.0, False))
    places = (
        (0.0, -10, 224),
        (0.43, -119, 250),
        (0.47, -103, 210),
        (0.5, -126, 218),
        (0.53, -138, 240),
        (0.57, -152, 272),
    )
    hand = tuple(Sample(t, float(x), float(y), 2.0) for t, x, y in places)
    carried = Track(SHOT, "black", hand, "flicked", "left", (-152.0, 272.0), 917.0)
    table.see(film=filmed(carried))
    assert table.shooters == ["A"]
    assert table.totals == (20, 0)
    assert table.asked("case") == []


def test_a_disc_that_the_film_lost_at_the_edge_and_found_again_is_asked_about_before_it_is_shown_as_sure(opened):
    there = replace(way("0", "black", (0.0, 60.0), (-200.0, -120.0), 900.0), began="struck", came_back=True)
    there = replace(there, samples=(there.samples[0], *there.samples[-3:]))
    seen = struck_by_the_shot(there)
    opened.see(a(-200, -120), b(20, 40), film=seen)
    assert opened.totals[0] == 5
    assert opened.asked("case") == ["returned"]
    opened.see(b(20, 40), a(-340, -60, "ditch"))
    assert opened.totals[0] == 0
    assert opened.asked("case") == []


def test_a_disc_that_is_laid_down_inside_the_lines_and_picked_up_again_is_no_shot(table):
    """The film watched, and no new disc was under way."""
    known = KnownDisc("0", "black", 0.0, 60.0)
    table.see(a(0, 60), film=filmed(way(SHOT, "black", (0.0, -300.0), (0.0, 60.0), 1200.0)))
    for lying in ((a(0, 60), b(100, 220)), (a(0, 60),), (a(0, 60), b(20, 300))):
        table.see(*lying, film=filmed(settled=(known,)))
        assert len(table.shots) == 1
    shot = way(SHOT, "natural", (20.0, 300.0), (20.0, 40.0), 1200.0)
    table.see(b(20, 40), a(0, 340, "ditch"), film=filmed(shot, settled=(known,)))
    assert table.verdicts == [("A", True), ("B", True)]
    assert table.asked("case") == []


def test_a_disc_that_a_hand_drops_inside_the_lines_before_it_is_shot_is_no_shot(table):
    known = KnownDisc("0", "black", 0.0, 60.0)
    table.see(a(0, 60), film=filmed(way(SHOT, "black", (0.0, -300.0), (0.0, 60.0), 1200.0)))
    under_way = replace(way(SHOT, "natural", (101.0, 222.0), (100.0, 220.0), 0.0), ended="lost", speed=None)
    table.see(a(0, 60), b(100, 220), film=filmed(under_way, settled=(known,)))
    shot = way(SHOT, "natural", (20.0, 300.0), (0.0, 10.0), 1200.0)
    table.see(a(0, 60), b(0, 0, "in_hole"), film=filmed(shot, settled=(known,)))
    assert table.verdicts == [("A", True), ("B", False)]
    assert table.round.shots[-1].shot.disc == "b1"
    assert table.asked("case") == []


@pytest.mark.parametrize("spans", [(Span(1.0, 1.0),), (Span(0.0, 1.0), Span(3.0, 4.0))])
def test_a_film_that_did_not_watch_without_a_gap_does_not_say_that_nobody_shot(opened, spans):
    known = KnownDisc("0", "black", 0.0, 60.0)
    opened.see(a(0, 60), b(100, 220), film=Film((known,), (), (), Watched(spans, frozenset(), 0.0)))
    assert opened.shooters == ["A", "B"]
    assert opened.asked("case") == []


def test_a_half_hidden_disc_that_is_read_a_little_elsewhere_each_time_is_still_the_one_that_was_struck(table):
    """It may also have gone off unseen, with something else there: whichever it is, it is misread alike from now on."""
    hand = ((-200.0, -330.0), (-100.0, -330.0), (-80.0, -190.0), (-120.0, -180.0))
    table.see(a(0, 60))
    table.see(a(30, 75), b(-59, -28))
    for y in (-177.5, -177.5, -176.75, -177.75, -176.75, -177.5):
        struck = replace(b(-94, y), sigma=0.34, visible=0.64, log_odds=4.0)
        table.see(a(30, 75), a(-79, -7), struck, hidden=(hand,))
        assert table.totals == (30, 5)
    assert amendments(table) == table.asked("case") == []


def test_two_discs_with_the_same_shift_beside_a_struck_one_are_no_bumped_board(table):
    """One of the two is half hidden and misread by 0.4 mm, the other lies still."""
    lying = [(0, 60), (20, 90), (-90, -120)]
    for k in range(len(lying)):
        table.see(*(a(x, y + k) if j % 2 == 0 else b(x, y + k) for j, (x, y) in enumerate(lying[: k + 1])))
    moved = (a(0, 62), b(20, 92.4), a(-85, -111))
    reading = BoardReading(moved, False, 0.0, table.t + 8)
    seen = observe(table.state, reading, sided(reading, table.state).discs, DitchSeen(), BetweenBoards())
    situation = Situation(table.state, seen, frozenset(), lambda *_: False, None)
    assert situation.shift == (0.0, 0.0)
