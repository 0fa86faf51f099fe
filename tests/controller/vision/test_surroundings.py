"""People and things around a game, painted: the gate's words and what is read then, through the whole frame watcher."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.vision.watching.background_model import LEFT_SECONDS, BackgroundModel
from controller.vision.watching.gate import STUCK_SECONDS
from controller.vision.watching.observations import BoardRead
from hardware.simulated.scene import ForeignObject, Hand, Scene, SceneDisc
from tests.controller.vision.painted import FRAME, PaintedTable
from tests.slow import first_is_quick, slow

LAID = Scene(0.0, (SceneDisc("a1", "black", 10.0, 160.0), SceneDisc("b1", "natural", -120.0, 140.0)))
SEEN = 2.0  # mm: a natural disc on this wood is seen up to so far off, hands or not
PLACES = [(-120.0, 140.0), (10.0, 160.0)]


@pytest.fixture
def table(painter, calibration):
    """Two discs lie on it, and were read."""
    table = PaintedTable(painter, BackgroundModel(calibration=calibration))
    table.show(Scene(0.0), 1.0)
    table.show(replace(LAID, hands=(Hand(1, 20.0, -200.0),)), 1.0)
    table.show(LAID, 1.0)
    assert np.allclose(table.places[-1], PLACES, atol=0.6)
    table.forget()
    return table


@pytest.mark.parametrize("seed", [1, 2])
def test_beside_a_restless_hand_no_disc_is_read_in_motion(table, seed):
    """A hand fidgets over the rail; shots come to rest one after the other, a third of a second apart."""
    print(f"seed {seed}")
    random = np.random.default_rng(seed)
    rests = np.add(random.uniform(-20, 20, (4, 2)), [(0, -90), (100, 0), (-100, 0), (0, 80)]).tolist()
    resting = list(LAID.discs)
    for k, (x, y) in enumerate(rests):

        def shot(t, k=k, x=x, y=y):
            left = max(0.0, 0.7 - t)
            disc = SceneDisc(f"c{k}", "black", x, y - 500.0 * left * left, vy=1000.0 * left)
            hand = Hand(1, 30.0 + random.normal(0, 3), -345.0 + random.normal(0, 3), "flick")
            return Scene(0.0, (*resting, disc), (hand,))

        table.show(LAID, 1.0, moving=shot)
        resting.append(SceneDisc(f"c{k}", "black", x, y))
    assert set(table.words) <= {"moving", "hand"}
    known = [(d.x, d.y) for d in resting]
    assert len(table.places[-1]) == len(known)
    assert {len(places) for places in table.places} >= {3, 4, 5, 6}, "each shot was seen by itself"
    for places in table.places:
        assert all(min(np.hypot(x - u, y - v) for u, v in known) < SEEN for x, y in places)


def test_hands_left_on_the_rail_neither_hide_the_board_for_long_nor_freeze_it_when_they_leave(table):
    onlookers = replace(LAID, hands=(Hand(2, -375.0, 60.0), Hand(4, 378.0, -40.0)))
    table.show(onlookers, STUCK_SECONDS - 1)
    assert table.words == ["moving", "hand"]
    assert all(np.allclose(places, PLACES, atol=SEEN) for places in table.places)
    table.show(onlookers, 3.0)
    assert table.words[-1] == "still", "the whole board was seen beside them"
    assert np.allclose(table.places[-1], PLACES, atol=SEEN)
    table.show(LAID, 1.0)
    assert table.words[-1] == "still"
    table.show(replace(LAID, hands=(Hand(1, 20.0, -150.0),)), 1.0)
    assert table.words[-1] == "hand"


def test_a_phone_is_reported_as_hiding_a_part_and_never_learnt_as_the_board(painter, calibration):
    model, phone = BackgroundModel(calibration=calibration), (ForeignObject("phone", 60.0, -120.0, 30.0),)
    assert not model.read(painter.full(Scene(0.0))).obstructed
    for t, discs in ((10.0, ()), (20.0, LAID.discs), (30.0, ())):
        reading = model.read(painter.full(Scene(t, discs, things=phone)), t)
        assert reading.partial
        assert reading.obstructed == (t == 10.0), "what has stayed is no hand"
        assert np.allclose(sorted((d.x, d.y) for d in reading.discs), PLACES if discs else [], atol=SEEN)
        assert len(reading.behind) == 1
        assert reading.hides(60.0, -120.0, 0.0)
        assert reading.hides(60.0 - 60.0, -120.0 - 60.0, 40.0)
        assert not reading.hides(-120.0, 140.0, 40.0)
    whole = model.read(painter.full(replace(LAID, t=40.0)), 40.0)
    assert not whole.partial
    assert whole.behind == ()


def test_a_jacket_over_the_board_hides_all_of_it_however_long_it_lies_and_is_never_learnt(painter, calibration):
    model, jacket = BackgroundModel(calibration=calibration), painter.full(replace(LAID, covered=True))
    model.read(painter.full(Scene(0.0)))
    for t in (10.0, 20.0, 30.0 + LEFT_SECONDS):
        reading = model.read(jacket, t)
        assert (reading.obstructed, reading.hole_hidden, reading.discs) == (True, True, ()), "folds are no discs"
        assert all(reading.hides(x, y, 0.0) for x, y in (*PLACES, (0.0, 0.0), (0.0, -330.0)))
    whole = model.read(painter.full(replace(LAID, t=200.0)), 200.0)
    assert not whole.partial
    assert np.allclose(sorted((d.x, d.y) for d in whole.discs), PLACES, atol=SEEN)


def woven(kind, height, width):
    """A cloth (h, w, 3) with as many lines as a board, and more."""
    y, x = np.mgrid[:height, :width]
    pattern = {
        "checks": (x // 5 + y // 5) % 2,
        "threads": (x % 8 < 3) | (y % 8 < 3),
        "dots": np.hypot(x % 6 - 3, y % 6 - 3) < 2,
        "rings": np.hypot(x - 700, y - 400) % 48 < 4,
        "wool": np.random.default_rng(4).random((height, width)),
    }[kind]
    plain, other = np.array((150.0, 70.0, 60.0)), np.array((60.0, 120.0, 200.0))
    cloth = plain + (other - plain) * pattern[..., None]
    return cv2.GaussianBlur(cloth, (0, 0), 0.8).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("kind", first_is_quick(["checks", "threads", "dots", "rings", "wool"]))
def test_a_cloth_with_a_pattern_covers_the_board_and_is_never_learnt(painter, bare, calibration, kind):
    model = BackgroundModel(calibration=calibration)
    model.read(bare)
    learnt = model.background
    over = calibration.within(calibration.board.rail_radius + 60.0)[..., None] > 0
    cloth = np.where(over, woven(kind, *bare.shape[:2]), bare)
    for t in (10.0, 30.0 + LEFT_SECONDS):
        reading = model.read(cloth, t, lies_still=True)
        assert (reading.obstructed, reading.hole_hidden, reading.discs) == (True, True, ())
    assert model.background is learnt


def test_what_has_long_been_left_on_an_empty_board_belongs_to_it(painter, calibration):
    model, phone = BackgroundModel(calibration=calibration), (ForeignObject("phone", 60.0, -120.0, 30.0),)
    model.read(painter.full(Scene(0.0)))
    assert model.read(painter.full(Scene(1.0, things=phone)), 1.0).obstructed
    model.read(painter.full(Scene(1.0, things=phone)), 2.0 + LEFT_SECONDS)
    assert not model.read(painter.full(Scene(1.0, LAID.discs, things=phone)), 3.0 + LEFT_SECONDS).obstructed


@slow
@pytest.mark.parametrize(
    "bumped",
    first_is_quick([replace(LAID, board_shift=(4.0, -3.0, 0.8)), replace(LAID, camera_nudge=(0.1, 0.2, 0.3))]),
    ids=["board", "camera"],
)
def test_after_a_bump_the_discs_lie_where_they_lay(table, bumped):
    table.show(bumped, 3.0)
    assert "camera_moved" in table.words
    assert table.words[-1] == "still"
    assert np.allclose(table.places[-1], PLACES, atol=0.7)


def test_a_hand_that_came_while_the_board_was_looked_for_is_not_taken_for_the_board(film):
    film.show(Scene(0.0), FRAME)
    film.number += 90  # finding the board took three seconds; the frames of that time are lost
    film.show(Scene(0.0, hands=(Hand(1, 20.0, -250.0),)), 1.0)
    film.show(Scene(0.0, (SceneDisc("a1", "black", 10.0, 60.0),)), 1.0)
    assert film.words[-1] == "still"
    assert len(film.places[-1]) == 1


@slow
def test_a_camera_that_was_nudged_with_a_hand_over_the_board_sees_hands_come_and_go_afterwards(film):
    disc, hand = SceneDisc("a1", "black", 10.0, 60.0), Hand(1, 20.0, -260.0)
    film.show(Scene(0.0), 1.0)
    film.show(Scene(0.0, hands=(hand,)), 1.0)
    film.show(Scene(0.0, (disc,)), 1.0)
    film.show(Scene(0.0, (disc,), (hand,)), 1.0)
    nudge = (0.3, -0.25, 0.2)
    film.show(Scene(0.0, (disc,), (hand,), camera_nudge=nudge), 4.0)
    film.show(Scene(0.0, (disc,), camera_nudge=nudge), 4.0)
    film.forget()
    for k in range(3):
        discs = (disc, *(SceneDisc(f"b{n}", "natural", -60.0 * n, 90.0) for n in range(1, k + 2)))
        film.show(Scene(0.0, discs[:-1], (hand,), camera_nudge=nudge), 1.0)
        film.show(Scene(0.0, discs, camera_nudge=nudge), 1.0)
        assert len(film.places[-1]) == len(discs)
    assert film.words.count("hand") == film.words.count("still") == 3


@slow
def test_fingers_with_a_disc_over_the_ditch_hide_what_is_there(film):
    film.show(Scene(0.0), 1.0)
    film.show(Scene(0.0, hands=(Hand(1, 20.0, -335.0),)), 1.0)
    read = [o.reading for o in film.seen if isinstance(o, BoardRead)]
    film.show(Scene(0.0, (SceneDisc("a1", "black", 10.0, 60.0),), hands=(Hand(1, 20.0, -335.0),)), 1.0)
    beside = [o.reading for o in film.seen if isinstance(o, BoardRead)][len(read) :]
    assert beside
    assert all(reading.hides(20.0, -350.0, 0.0) for reading in beside)
    assert not any(reading.hides(20.0, 350.0, 60.0) for reading in beside)
