"""What kind of shot it was: each definition by an example that is it and one that just is not."""

import math

import pytest

from controller import rules
from controller.match.filmed import FilmContact, FilmOfShot
from controller.match.shot_kinds import KindCount, PlayedShot, kinds, notable, rebounds
from controller.rules import DITCH, HOLE, Placed, Shot
from hardware.board import TOURNAMENT
from tests.controller.films import straight

OFF = DITCH


def played(*shots, film=None):
    """The last of these shots of a round, with its film."""
    match = rules.Match.start("nca")
    for shot in shots:
        match = match.play(shot)
    return PlayedShot.of(match.round, len(shots), film)


def shot(disc, *contacts, **rest):
    return Shot(disc[0].upper(), disc, contacts, rest)


def hits(one):
    return {counted.kind for counted in kinds(one) if counted.hit}


def bases(one):
    return {counted.kind for counted in kinds(one)}


A1 = shot("a1", a1=Placed(0.0, 60.0))
B1 = shot("b1", ("b1", "a1"), b1=Placed(30.0, 150.0), a1=Placed(0.0, 60.0))


def test_a_twenty_on_an_open_board_and_one_that_missed():
    assert hits(played(shot("a1", a1=HOLE))) == {"open_twenty"}
    assert bases(played(A1)) == {"open_twenty"}
    assert hits(played(A1)) == set()


def test_a_contact_a_takeout_and_a_miss():
    touched = played(A1, B1)
    assert bases(touched) == {"contact", "takeout", "follow_through"}
    assert hits(touched) == {"contact"}
    assert hits(played(A1, shot("b1", ("b1", "a1"), b1=Placed(30.0, 150.0), a1=OFF))) == {"contact", "takeout"}
    assert hits(played(A1, shot("b1", b1=Placed(30.0, 150.0)))) == set()


def test_an_opponents_disc_in_the_hole_is_no_takeout():
    assert hits(played(A1, shot("b1", ("b1", "a1"), b1=Placed(30.0, 60.0), a1=HOLE))) == {"contact"}


def test_a_follow_through_touches_first():
    assert "follow_through" in hits(played(A1, shot("b1", ("b1", "a1"), b1=HOLE, a1=OFF)))
    assert "follow_through" not in hits(played(A1, shot("b1", b1=HOLE))), "a foul: nothing is banked"


TWO = (
    A1,
    shot("b1", ("b1", "a1"), b1=Placed(0.0, 200.0), a1=Placed(0.0, 60.0)),
    shot("a2", ("a2", "b1"), a2=Placed(-40.0, 80.0), b1=Placed(0.0, 200.0)),
)


def test_a_double_needs_two_takeouts_of_at_least_two_discs():
    both = played(*TWO, shot("b2", ("b2", "a1"), ("a1", "a2"), b2=Placed(50.0, 50.0), a1=OFF, a2=OFF))
    assert {"double", "takeout"} <= hits(both)
    one = played(*TWO, shot("b2", ("b2", "a1"), b2=Placed(50.0, 50.0), a1=OFF))
    assert "double" in bases(one)
    assert "double" not in hits(one)
    assert "double" not in bases(played(A1, B1))


def test_an_own_disc_is_promoted_when_it_comes_to_count_more():
    up = played(*TWO, shot("b2", ("b2", "a1"), ("b2", "b1"), b2=Placed(50.0, 50.0), a1=OFF, b1=Placed(0.0, 50.0)))
    assert "promotion" in hits(up)
    sunk = played(*TWO, shot("b2", ("b2", "a1"), ("b2", "b1"), b2=Placed(50.0, 50.0), a1=OFF, b1=HOLE))
    assert "promotion" in hits(sunk)
    same = played(*TWO, shot("b2", ("b2", "a1"), ("b2", "b1"), b2=Placed(50.0, 50.0), a1=OFF, b1=Placed(0.0, 190.0)))
    assert "promotion" in bases(same)
    assert "promotion" not in hits(same)
    assert "promotion" not in bases(played(A1, B1)), "the shot disc itself is no other own disc"


PEG = TOURNAMENT.pegs[0]
BEFORE_PEG = (PEG[0] + 14, PEG[1] + 14)


def bounced(disc="b1", contact=None, by=90.0):
    """A disc that comes straight at a peg and leaves it at another angle."""
    way = math.radians(45 + by)
    turned = (BEFORE_PEG[0] + 60 * math.cos(way), BEFORE_PEG[1] + 60 * math.sin(way))
    track = straight(disc, (0.0, 200.0, 150.0), (0.2, *BEFORE_PEG), (0.4, *turned))
    met = () if contact is None else (FilmContact(t=contact, discs=(disc, "a1"), closing=500.0, probability=1.0),)
    return FilmOfShot(tracks=(track,), contacts=met)


def test_a_rebound_is_a_turn_at_a_peg_that_no_disc_explains():
    def is_one(film):
        return rebounds(film.tracks[0], film)

    assert is_one(bounced())
    assert not is_one(bounced(contact=0.21)), "a disc lay at the peg"
    assert is_one(bounced(contact=0.05))
    assert not is_one(bounced(by=175.0)), "hardly a turn: it passed"
    afar = FilmOfShot(tracks=(straight("b1", (0.0, 200.0, 150.0), (0.2, 160.0, 100.0), (0.4, 220.0, 60.0)),))
    assert not is_one(afar), "no peg is there"
    assert "rebound" in hits(played(A1, B1, film=bounced())) | bases(played(A1, B1, film=bounced()))
    assert "rebound" not in bases(played(A1, B1)), "nobody watched"


@pytest.mark.parametrize(
    ("start", "expected"),
    [((0.0, 302.0), "near"), ((-302.0, 0.0), "middle"), ((0.0, -302.0), "middle"), ((304.0, -210.0), "far")],
)
def test_the_distance_is_from_the_flick_to_the_disc_that_was_touched(start, expected):
    film = FilmOfShot(tracks=(straight("b1", (0.0, *start), (0.3, 0.0, 95.0)),))
    counted = {one.kind: one for one in kinds(played(A1, B1, film=film))}
    assert counted["contact"] == KindCount("contact", expected, True)
    assert counted["takeout"] == KindCount("takeout", expected, False)


def test_a_misss_target_is_the_disc_nearest_to_its_path():
    board = (*TWO[:2], shot("a2", ("a2", "b1"), a2=Placed(250.0, 0.0), b1=Placed(0.0, 200.0)))
    miss = shot("b2", b2=OFF)
    by_a2 = FilmOfShot(tracks=(straight("b2", (0.0, 280.0, 110.0), (0.4, 280.0, -300.0), ended="left"),))
    by_a1 = FilmOfShot(tracks=(straight("b2", (0.0, 30.0, 302.0), (0.4, 30.0, -300.0), ended="left"),))
    assert {c.distance for c in kinds(played(*board, miss, film=by_a2)) if c.kind == "contact"} == {"near"}
    assert {c.distance for c in kinds(played(*board, miss, film=by_a1)) if c.kind == "contact"} == {"near"}
    assert {c.distance for c in kinds(played(*board, miss)) if c.kind == "contact"} == {"unknown"}


def test_some_shots_are_worth_a_replay():
    assert notable(played(shot("a1", a1=HOLE))) == "twenty"
    assert notable(played(A1, shot("b1", b1=Placed(30.0, 150.0)))) == "foul"
    assert notable(played(A1, B1)) is None
    assert notable(played(A1, shot("b1", ("b1", "a1"), b1=Placed(30.0, 150.0), a1=OFF))) is None
    both = shot("b2", ("b2", "a1"), ("a1", "a2"), b2=Placed(50.0, 50.0), a1=OFF, a2=OFF)
    assert notable(played(*TWO, both)) == "takeout"


def test_an_annulled_shot_is_of_no_kind():
    match = rules.Match.start("nca").play(A1).play(B1, annul=True)
    one = PlayedShot.of(match.round, 2, None)
    assert list(kinds(one)) == []
    assert notable(one) is None
