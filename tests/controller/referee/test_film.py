"""The film of a shot as evidence: where discs ended, what touched, and what it says of what it did not see: nothing."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from controller.match import events as ev
from controller.referee.film_evidence import filmed_return
from controller.referee.filmed import Filmed
from controller.referee.questions import twenty
from controller.referee.settings import FILMED
from controller.vision.film.film import SHOT, Contact, Film, KnownDisc, Sample, Span, Track, Watched
from controller.vision.watching.filmer import ASIDE_MM
from tests.controller.fed_table import a, b

START = (0.0, -305.0)


def way(*places, begin=1.0):
    """Straight from place to place, a sample for every 20 mm, 30 a second."""
    points = [places[0]]
    for p, q in pairwise(places):
        steps = max(1, round(math.dist(p, q) / 20))
        points += [(p[0] + (q[0] - p[0]) * k / steps, p[1] + (q[1] - p[1]) * k / steps) for k in range(1, steps + 1)]
    return tuple(Sample(begin + k / 30, x, y, 1.2) for k, (x, y) in enumerate(points))


def track(disc, *places, ended="rest", begin=1.0):
    began = "flicked" if disc == SHOT else "struck"
    colour = "natural" if disc == SHOT and places[0] != START else "black"
    return Track(disc, colour, way(*places, begin=begin), began, ended, places[-1], 800.0)


def film(
    settled,
    *tracks,
    contacts=(),
    unseen=frozenset(),
    spans=((0.0, 9.0),),
):
    """`settled` discs go by their numbers; contacts are (first, second, closing speed, probability)."""
    known = tuple(KnownDisc(str(k), d.colour, d.x, d.y) for k, d in enumerate(settled))
    told = tuple(Contact(1.2, (first, second), closing, p) for first, second, closing, p in contacts)
    return Film(known, tracks, told, Watched(tuple(Span(*span) for span in spans), unseen, 0.1))


def shot_of(table):
    return [e for e in table.happened if isinstance(e, ev.ShotSeen)][-1]


LAY = a(0, 60)


def lost_shot(table, seen):
    """Natural's disc strikes the black one, which stays, and lies nowhere afterwards."""
    table.see(LAY)
    table.see(a(20, 110), film=seen)
    return table.asked("case")


def struck(ended, end=(300.0, 136.0)):
    shot = track(SHOT, (0.0, 305.0), (5.0, 92.0), end, ended=ended)
    return film((LAY,), shot, track("0", (0.0, 60.0), (20.0, 110.0), begin=1.3), contacts=((SHOT, "0", 700.0, 0.99),))


def test_a_disc_that_was_filmed_to_leave_the_surface_is_not_asked_about(table):
    assert lost_shot(table, struck("left")) == []
    seen = shot_of(table)
    assert seen.rest == {"b1": "ditch", "a1": "surface"}
    assert seen.doubt is None
    assert table.totals == (10, 0)


@pytest.mark.parametrize("ended", [None, "hand", "lost"])
def test_a_disc_that_was_not_filmed_to_leave_is_asked_about(table, ended):
    seen = None if ended is None else struck(ended, (0.0, 0.0))
    assert lost_shot(table, seen) == ["shot_unseen"]


def test_a_disc_that_was_filmed_into_the_hole_is_a_twenty_although_it_is_not_seen_there(table):
    """The film knows the hole from the edge. People lifted the disc before the board was read."""
    assert lost_shot(table, struck("hole", (0.0, 0.0))) == []
    assert shot_of(table).rest == {"b1": "hole", "a1": "surface"}
    assert table.totals == (10, 20)


def test_no_question_names_a_sensor_that_is_not_there(table):
    lost_shot(table, struck("hole", (0.0, 0.0)))
    (transition,) = table.engine.referee.belief.best.transitions[-1:]
    asked = twenty(table.state, "felt", transition.shots[0].disc)
    assert asked.case == "shot_unseen"
    assert [len(answer.events) for answer in asked.answers] == [1, 0], "it is a twenty already"


def test_a_disc_that_was_filmed_into_a_hole_whose_sensor_felt_nothing_is_asked_about(table):
    table.hole((0.1, True), (0.15, False))
    assert lost_shot(table, struck("hole", (0.0, 0.0))) == ["felt"]
    assert table.totals == (10, 20)
    table.answer("off")
    assert table.totals == (10, 0)


def test_a_film_of_another_board_is_no_evidence(table):
    other = replace(struck("left"), settled=(KnownDisc("0", "black", 80.0, -60.0),))
    assert lost_shot(table, other) == ["shot_unseen"]
    assert shot_of(table).film is None


@pytest.mark.parametrize(("from_hole", "cases"), [(285.0, []), (283.5, ["shot_unseen"])])
def test_a_film_may_leave_out_a_disc_that_nearly_touches_the_outer_line(table, from_hole, cases):
    """It was taken for one that lies ready. A disc that touches the line lies 288.1 mm from the hole."""
    assert FILMED.near_line_mm >= ASIDE_MM + 1.0  # two readings of one place
    near = a(-from_hole, 0)
    table.see(LAY)
    table.see(LAY, b(0, 200))
    table.see(LAY, b(0, 200), near)
    shot = track(SHOT, (0.0, 305.0), (5.0, 92.0), (300.0, 136.0), ended="left")
    seen = film((LAY, b(0, 200)), shot, track("0", (0.0, 60.0), (20.0, 110.0), begin=1.3))
    table.see(a(20, 110), b(0, 200), near, film=seen)
    assert table.asked("case") == cases


def test_a_disc_that_was_out_of_sight_for_long_is_not_the_one_that_is_filmed_then(table):
    """A struck disc came to rest under hands; six seconds later another flies from there."""
    table.see(LAY)
    struck = way((0.0, 60.0), (20.0, 110.0)) + way((60.0, 110.0), (-219.0, -79.0), begin=8.0)
    moved = replace(track("0", (0.0, 60.0), (-219.0, -79.0)), samples=struck)
    seen = Filmed.all_of(table.state, [film((LAY,), track(SHOT, (0.0, 305.0), (5.0, 92.0)), moved)])
    assert seen[0].ends() == {SHOT: "surface"}


def test_of_two_discs_of_one_colour_the_film_knows_which_was_shot(table):
    """The shot disc comes to rest near the place of the one that it sent across the board."""
    mine, theirs = a(-41, 200), b(60, -40)
    table.see(mine)
    table.see(mine, theirs)
    shot = track(SHOT, START, (-45.0, 168.0), (-44.0, 196.0))
    other = track("0", (-41.0, 200.0), (60.0, 120.0), begin=1.4)
    seen = film((mine, theirs), shot, other, contacts=((SHOT, "0", 700.0, 0.99),))
    table.see(a(-44, 196), a(60, 120), theirs, film=seen)
    measured = shot_of(table).measured
    assert (measured["a2"].x, measured["a2"].y) == (-44, 196)
    assert (measured["a1"].x, measured["a1"].y) == (60, 120)


def test_without_a_film_the_nearer_place_is_the_disc_that_lay_there(table):
    mine, theirs = a(-41, 200), b(60, -40)
    table.see(mine)
    table.see(mine, theirs)
    table.see(a(-44, 196), a(60, 120), theirs)
    measured = shot_of(table).measured
    assert (measured["a1"].x, measured["a1"].y) == (-44, 196)


def test_what_is_read_at_rest_is_not_overruled(table):
    """The film saw the disc leave; it is still on the board, and counts."""
    table.see(LAY)
    table.see(LAY, b(31.0, 150.0), film=film((LAY,), track(SHOT, (0.0, 305.0), (250.0, 210.0), ended="left")))
    assert shot_of(table).rest == {"b1": "surface"}


GRAZED = (a(0, 60.4), b(100, 120))  # the black disc moved by 0.4 mm: touched, or shaken


def graze(table, seen):
    table.see(LAY)
    table.see(*GRAZED, film=seen)
    return table.asked("case")


CLEAR = track(SHOT, (100.0, 288.0), (100.0, 120.0))
NEAR = track(SHOT, (0.0, 305.0), (31.0, 80.0), (100.0, 120.0))


def test_a_shot_that_was_filmed_to_touch_nothing_is_a_foul_and_nobody_is_asked(table):
    assert graze(table, film((LAY,), CLEAR)) == []
    assert table.state.to_remove == {"b1": "foul"}


def test_a_touch_that_was_filmed_makes_the_shot_valid_and_nobody_is_asked(table):
    assert graze(table, film((LAY,), NEAR, contacts=((SHOT, "0", 40.0, 0.99),))) == []
    assert shot_of(table).contacts == (("b1", "a1"),)
    assert table.state.to_remove == {}


SHORT = replace(CLEAR, samples=CLEAR.samples[-2:])
UNWATCHED = {
    "it came near": film((LAY,), NEAR),
    "a contact that is only guessed": film((LAY,), NEAR, contacts=((SHOT, "0", 40.0, 0.8),)),
    "a contact that would have sent the disc away": film((LAY,), NEAR, contacts=((SHOT, "0", 700.0, 0.99),)),
    "a gap in the film": film((LAY,), CLEAR, spans=((0.0, 1.1), (1.3, 9.0))),
    "it began late": film((LAY,), CLEAR, spans=((1.1, 9.0),)),
    "a hand hid its end": film((LAY,), replace(CLEAR, ended="hand")),
    "lost sight of": film((LAY,), replace(CLEAR, ended="lost")),
    "seen for two pictures": film((LAY,), SHORT),
    "a colour like the wood": film((LAY,), CLEAR, unseen=frozenset({"black"})),
    "nothing was shot": film((LAY,)),
    "no film": None,
}


@pytest.mark.parametrize("why", UNWATCHED)
def test_a_film_that_did_not_see_it_answers_nothing(table, why):
    assert graze(table, UNWATCHED[why]) == ["moved"]


@pytest.mark.parametrize(("moved", "cases"), [(0.4, []), (0.0, ["moved"])])
def test_a_contact_that_is_likely_by_the_film_is_sure_where_the_disc_moved_too(table, moved, cases):
    """The film and the boards speak of the same contact: each alone leaves a doubt, together they leave none."""
    table.see(LAY)
    likely = film((LAY,), NEAR, contacts=((SHOT, "0", 40.0, 0.94),))
    table.see(a(0, 60 + moved), b(100, 120), film=likely)
    assert table.asked("case") == cases
    assert table.shots[-1][:2] == ("B", True)


def test_a_contact_between_two_samples_is_not_ruled_out(table):
    """From a sample to the next the disc turned: where between them, and how near to the other, nobody saw."""
    turned = track(SHOT, (100.0, 300.0), (60.0, 60.0), (100.0, 120.0))
    points = turned.samples
    sparse = replace(turned, samples=(points[0], points[6], points[-4], points[-1]))
    assert graze(table, film((LAY,), sparse)) == ["moved"]


def test_a_soft_contact_that_left_no_trace_is_asked_about(table):
    table.see(LAY)
    seen = film((LAY,), NEAR, contacts=((SHOT, "0", 40.0, 0.99),))
    table.see(LAY, b(100, 120), film=seen)
    assert table.asked("case") == ["moved"]


def test_a_disc_that_moved_although_nothing_came_near_it_is_asked_about(table):
    table.see(LAY)
    table.see(a(0, 63), b(100, 120), film=film((LAY,), CLEAR))
    assert table.asked("case") == ["moved"]


def test_the_film_stands_with_the_shot_in_the_matchs_names(table):
    lost_shot(table, struck("left"))
    kept = shot_of(table).film
    assert [t.disc for t in kept.tracks] == ["b1", "a1"]
    assert [t.ended for t in kept.tracks] == ["left", "rest"]
    assert kept.contacts[0].discs == ("b1", "a1")
    assert kept.contacts[0].t == pytest.approx(0.2)
    assert kept.tracks[0].points[0][0] == 0.0
    assert kept.tracks[0].points[-1][1:] == (300.0, 136.0)
    assert kept.watched.spans == ((-1.0, 8.0),)
    assert kept.watched.hidden == pytest.approx(0.1)
    assert kept.watched.unseen == ()


def test_sides_whose_discs_look_like_the_wood_stand_with_the_shot(table):
    table.see(LAY)
    table.see(*GRAZED, film=film((LAY,), CLEAR, unseen=frozenset({"black"})))
    kept = shot_of(table).film
    assert kept.watched.unseen == ("A",)


def test_a_film_of_a_hand_that_placed_the_disc_is_not_that_of_the_shot(table):
    table.see(LAY)
    ready = b(0, 305)
    table.see(LAY, ready, film=film((LAY,), track(SHOT, (0.0, 330.0), (0.0, 305.0))))
    table.see(a(20, 110), film=struck("left"))
    assert table.asked("case") == []
    assert shot_of(table).rest["b1"] == "ditch"


@pytest.mark.parametrize(("speed", "shots"), [(900.0, 2), (200.0, 1), (None, 1)])
def test_a_disc_that_came_to_rest_on_the_starting_line_was_shot_where_its_way_was_filmed(table, speed, shots):
    """It lies where its player's opponent would place one; a hand does not bring it fast and from afar."""
    table.see(LAY)
    shot = replace(track(SHOT, (0.0, 305.0), (150.0, 100.0), (20.0, 304.0)), speed=speed)
    table.see(LAY, b(20, 304), film=film((LAY,), shot))
    assert len(table.shots) == shots


def test_a_disc_that_went_into_the_hole_beside_another_may_have_touched_it(table):
    """The last picture before it fell shows it 14 mm from the hole's middle: where it fell, it came near the other."""
    table.see(a(35, 0))
    seen = film((a(35, 0),), track(SHOT, (-300.0, 50.0), (-14.0, 2.0), ended="hole"))
    ended = replace(seen.tracks[0], end=(0.0, 0.0))
    table.see(a(35.4, 0), b(0, 0, "in_hole"), film=replace(seen, tracks=(ended,)), felt=True)
    assert "moved" in table.asked("case") or table.shots[-1][1]
    assert ("b1", "a1") not in shot_of(table).contacts


@pytest.mark.parametrize(("speed", "of_the_shot"), [(200.0, False), (None, False), (800.0, True)])
def test_what_another_sides_colour_brought_is_a_hand_unless_it_was_flicked(table, speed, of_the_shot):
    """A streak shows another colour than the disc's now and then, so a way that no hand goes counts for more."""
    table.see(LAY)
    table.see(a(10, 62), b(60, -40))
    settled = (a(10, 62), b(60, -40))
    shot = replace(track(SHOT, START, (100.0, -100.0)), colour="natural", speed=speed)
    table.see(*settled, a(100, -100), film=film(settled, shot))
    assert (shot_of(table).film is not None) is of_the_shot
    shot = replace(track(SHOT, (0.0, 305.0), (-90.0, 100.0)), colour="natural")
    table.see(*settled, a(100, -100), b(-90, 100), film=film((*settled, a(100, -100)), shot))
    assert shot_of(table).film is not None


def test_who_fell_into_the_hole_is_filmed(table):
    """The sensor felt a disc that was lifted again; two discs are gone, and the film saw which one fell in."""
    table.see(LAY)
    table.hole((1.0, True), (3.0, False))
    shot = track(SHOT, (0.0, 305.0), (10.0, 92.0), (315.0, 100.0), ended="left")
    sunk = track("0", (0.0, 60.0), (0.0, 0.0), ended="hole", begin=1.3)
    table.see(film=film((LAY,), shot, sunk, contacts=((SHOT, "0", 900.0, 0.99),)))
    assert shot_of(table).rest == {"b1": "ditch", "a1": "hole"}
    assert table.asked("case") == []


@pytest.mark.parametrize(
    ("from_hole", "says", "filmed"),
    [
        ((124, 188, 281, 320, 314, 280, 241), False, "turned back"),
        ((235, 294, 319, 227, 227, 227), False, "no return"),  # it fell, and another disc lies there
        ((200, 265, 240, 225, 210), True, "came back"),
        ((193, 250, 287, 289, 288), False, "no return"),  # it rests on the line
        ((60, 84, 79, 61, 61), False, "no return"),  # a peg turned it
        ((276, 287, 294, 298, 301, 301.5, 300, 296, 288, 276, 265), False, "no return"),  # it curls along the edge
    ],
)
def test_what_turns_at_the_edge_and_slides_on_came_back_from_the_rail(from_hole, says, filmed):
    moved = track("0", *((float(r), 0.0) for r in from_hole))
    samples = tuple(Sample(1.0 + k / 30, float(r), 0.0, 1.2) for k, r in enumerate(from_hole))
    assert filmed_return(replace(moved, samples=samples, came_back=says)) == filmed


@pytest.mark.parametrize(("met", "filmed"), [(1.1, "no return"), (1.0, "turned back")])
def test_a_disc_that_strikes_another_beyond_the_line_was_not_turned_by_the_rail(met, filmed):
    radii = (124.0, 188.0, 281.0, 320.0, 314.0, 280.0, 241.0)
    samples = tuple(Sample(1.0 + k / 30, r, 0.0, 1.2) for k, r in enumerate(radii))
    assert filmed_return(replace(track("0", (124.0, 0.0), (241.0, 0.0)), samples=samples), [met]) == filmed


def test_the_film_of_one_of_two_shots_shows_what_it_struck(table):
    """Natural's disc strikes the black one off, and is struck itself by the next one before the board is read."""
    table.see(LAY)
    shot = track(SHOT, (0.0, 305.0), (5.0, 92.0), (-209.0, -9.0))
    left = track("0", (0.0, 60.0), (20.0, -310.0), ended="left", begin=1.3)
    board = b(-209, -9), a(-156, 153), a(30, -355, "ditch")
    table.see(*board, film=film((LAY,), shot, left))
    table.see(*board, b(0, 305))
    assert [(side, off) for side, _, off, _ in table.shots] == [("A", ()), ("B", ("a1",)), ("A", ())]


def test_of_two_films_of_one_shot_the_longer_one_counts(table):
    """No board was read where the shorter one ended."""
    table.see(LAY)
    shot = track(SHOT, (100.0, 300.0), (30.0, 60.0))
    shorter = film((LAY,), shot, spans=((0.0, 2.0),))
    longer = film((LAY,), shot, track("0", (0.0, 60.0), (0.0, 90.0), begin=2.0), spans=((0.0, 9.0),))
    kept = Filmed.of_flick(Filmed.all_of(table.state, [shorter, longer]))
    assert kept.film is longer
