"""Discs at the 20 hole, painted: flat in it, leaning on its rim, and the hole empty."""

import math

import cv2
import numpy as np
import pytest

from controller.training.pictures import calibration_of
from controller.vision.reading import hole_model
from controller.vision.reading.background import Background
from controller.vision.reading.hole_poses import PLACES, compared
from controller.vision.reading.reader import read_board
from controller.vision.reading.regression import Regression
from controller.vision.readings import AT_HOLE, HoleOdds
from controller.vision.watching.background_model import BackgroundModel
from hardware.board import TOURNAMENT
from hardware.simulated.fall import LEAST_LEAN, MOST_LEAN, flat_in_hole, leaning_on_rim
from hardware.simulated.lens import CameraPose
from hardware.simulated.look import Look
from hardware.simulated.scene import Hand, Scene, SceneDisc
from tests.bench import hard
from tests.bench.tally import Tally
from tests.controller.vision.painted import known_table
from tests.slow import slow

TABLES = [
    ("maple", "natural", CameraPose()),
    ("cherry", "black", CameraPose()),
    ("oak", "black", CameraPose(position=(-180.0, -260.0, 900.0), roll=25.0)),
    ("dark_stain", "natural", CameraPose(position=(5.0, 5.0, 1000.0))),
]
TURNS = [math.radians(turn) for turn in range(10, 360, 60)]


def at_the_hole(surface, colour, pose, lying):
    """What is read at the hole for each way in which a disc lies there."""
    painter, calibration, empty = known_table(Look(surface=surface), pose)
    seen = []
    for k, at in enumerate(lying):
        disc = SceneDisc("d", colour, at.x, at.y, at.z, at.tilt, at.tilt_towards)
        reading = read_board(painter.full(Scene(1.0 + k, (disc,))), calibration, empty=empty)
        assert len(reading.discs) <= 1
        seen.append(reading.discs[0] if reading.discs else None)
    return seen


@pytest.mark.parametrize(("out", "call"), [(15.0, "sure"), (8.0, "close")])
def test_a_disc_over_the_edge_of_the_hole_lies_flat_though_it_may_tip_where_its_centre_hardly_clears_it(out, call):
    painter, calibration, _ = known_table(Look(surface="maple"), CameraPose())
    lying = SceneDisc("d", "natural", 0.6 * out, 0.8 * out)
    (disc,) = read_board(painter.full(Scene(1.0, (lying,))), calibration).discs
    assert (disc.pose, disc.colour, disc.call) == ("flat", "natural", call)


@pytest.mark.parametrize("colour", ["green", "black", "natural"])
def test_the_hole_is_not_surely_empty_while_the_disc_in_it_may_be_that_of_a_side_without_others_on_the_board(colour):
    """Four sides play, and the empty hole's look is unknown: the light has changed."""
    painter, calibration, _ = known_table(Look(surface="oak"), CameraPose())
    at = flat_in_hole(TOURNAMENT, 0.0, 0.3)
    beside = [c for c in ("red", "green", "black") if c != colour]
    lying = [SceneDisc(c, c, -47.0 + 33.0 * k, 39.0 - 78.0 * k) for k, c in enumerate(beside[:2])]
    lying.append(SceneDisc("d", colour, at.x, at.y, at.z))
    reading = read_board(painter.full(Scene(1.0, tuple(lying))), calibration, sides=4)
    assert reading.hole_unclear or any(disc.zone == 20 for disc in reading.discs)


@slow
@pytest.mark.parametrize(("surface", "colour", "pose"), TABLES)
def test_what_leans_is_never_surely_in_the_hole_nor_the_other_way_round(surface, colour, pose):
    out = np.linspace(LEAST_LEAN, MOST_LEAN, len(TURNS))
    leaning = [leaning_on_rim(TOURNAMENT, turn, float(far)) for turn, far in zip(TURNS, out, strict=True)]
    flat = [flat_in_hole(TOURNAMENT, turn, k / len(TURNS)) for k, turn in enumerate(TURNS)]
    seen = at_the_hole(surface, colour, pose, leaning + flat)
    assert all(disc is not None for disc in seen)
    for disc in seen[: len(leaning)]:
        assert disc.call == "close" or (disc.pose, disc.zone) == ("leaning", 15)
    for disc in seen[len(leaning) :]:
        assert disc.call == "close" or (disc.pose, disc.zone) == ("in_hole", 20)


def test_plain_ones_are_sure():
    """A light disc on dark wood, the camera nearly above: no reason for doubt."""
    far = [leaning_on_rim(TOURNAMENT, turn, 6.0) for turn in TURNS]
    flat = [flat_in_hole(TOURNAMENT, turn, 0.3) for turn in TURNS]
    seen = at_the_hole("cherry", "natural", CameraPose(), far + flat)
    poses = [(disc.pose, disc.call) for disc in seen if disc is not None]
    assert poses[: len(far)].count(("leaning", "sure")) >= len(far) - 1
    assert poses[len(far) :].count(("in_hole", "sure")) >= len(flat) - 1


def test_a_disc_comes_into_a_hole_first_seen_beside_a_resting_hand_though_it_looks_like_the_hole():
    painter, calibration, _ = known_table(Look(surface="maple"))
    model, at, hand = (
        BackgroundModel(calibration=calibration),
        flat_in_hole(TOURNAMENT, 0.5, 0.3),
        (Hand(1, 20.0, -260.0),),
    )
    there = (SceneDisc("a1", "natural", 40.0, 150.0),)
    before = model.read(painter.full(Scene(0.0, there, hand)))
    assert before.obstructed
    assert before.hole_unclear
    come = (*there, SceneDisc("b1", "black", at.x, at.y, at.z))
    after = model.read(painter.full(Scene(1.0, come, hand)), 1.0, hand=True)
    assert [disc.pose for disc in after.discs if disc.pose in AT_HOLE] == ["in_hole"]


@pytest.fixture(scope="module")
def traced():
    """Pictures by another generator than the simulated table's, of the half that nothing was chosen by."""
    return list(hard.boards("holes", hard.HELD, 2))


@slow
@pytest.mark.parametrize("known", [True, False], ids=["empty board known", "unknown"])
def test_of_a_traced_hole_nothing_is_silently_mistaken(traced, known):
    poses, tally = [], Tally()
    for pictures in traced:
        calibration = calibration_of(pictures[0].camera)
        empty = Background.from_empty(pictures[0].empty, calibration) if known else None
        for picture in pictures:
            reading = read_board(picture.image, calibration, empty=empty)
            poses.append(next((disc.status for disc in picture.discs if disc.status in AT_HOLE), ""))
            seen = next((disc for disc in reading.discs if disc.pose in AT_HOLE), None)
            doubted = reading.hole_unclear if seen is None else seen.call == "close"
            assert doubted or ("" if seen is None else seen.pose) == poses[-1], picture.name
            tally.add(picture.discs, reading.discs, asks=False)
    assert sorted(poses) == ["", "", *["in_hole"] * 2, *["leaning"] * 2]
    assert tally.silent == []
    assert [ghost for ghost in tally.ghosts if ghost.call == "sure"] == []


def test_the_fitted_weights_are_those_of_the_figures():
    for name, model in hole_model.fitted().items():
        document = model.to_json(hole_model.FIGURES[name])
        assert list(document["figures"]) == list(hole_model.FIGURES[name])
        assert np.allclose(Regression.from_json(document).weights, model.weights)


def test_a_hole_that_is_not_empty_keeps_how_a_disc_may_lie():
    filled = HoleOdds(0.5, 0.4, 0.1).filled()
    assert (filled.empty, filled.flat, filled.leaning) == pytest.approx((0.0, 0.8, 0.2))


def test_a_change_of_a_hole_that_was_in_doubt_may_be_a_disc_that_came_or_one_that_went():
    came = HoleOdds(0.0, 0.9, 0.1)
    assert came.beside(HoleOdds(), 0.99) == came, "nobody doubts that it was empty"
    halves = HoleOdds(0.5, 0.4, 0.1)
    assert came.beside(halves, 0.01).empty == pytest.approx(0.01)
    assert came.beside(halves, 0.99).empty == pytest.approx(0.99)
    unchanged = HoleOdds(1.0 - 1e-9, 0.5e-9, 0.5e-9)
    for alone in (0.0, 0.5, 1.0):
        same = unchanged.beside(halves, alone)
        assert (same.empty, same.flat, same.leaning) == pytest.approx((0.5, 0.4, 0.1))
    surer = halves.likelier_empty(100.0)
    assert surer.empty == pytest.approx(50 / 50.5)
    assert surer.filled().flat == pytest.approx(halves.filled().flat)


def test_a_dark_bevel_is_hardly_a_sign_that_a_dark_disc_leans():
    _, calibration, _ = known_table(Look(), CameraPose(position=(5.0, 5.0, 1000.0)))
    out = np.linalg.norm(PLACES, axis=-1)
    wood = np.array([70.0, 5.0, 25.0])
    labs = np.tile(wood, (len(PLACES), 1))
    labs[out < calibration.hole_radius + 2.5] = (20.0, 2.0, 5.0)
    labs[out < calibration.disc.radius] = (25.0, 2.0, 5.0)
    assert compared(calibration, labs, wood, np.ones(len(PLACES), np.bool_)).leans < 60  # 95 as plain board


def test_a_small_object_far_from_the_hole_leaves_no_doubt_what_lies_in_it():
    painter, calibration, empty = known_table(Look(surface="cherry"))
    at = flat_in_hole(TOURNAMENT, 0.0, 0.0)
    picture = painter.full(Scene(1.0, (SceneDisc("d", "red", at.x, at.y, at.z),)))
    corners = [(-15.0, -180.0, 0.0), (20.0, -180.0, 0.0), (20.0, -155.0, 0.0), (-15.0, -155.0, 0.0)]
    for away, call in ((0.0, "sure"), (145.0, "close")):
        over = [(x, y + away, z) for x, y, z in corners]
        scratched = cv2.fillPoly(picture.copy(), [np.rint(calibration.project(over)).astype(np.int32)], (150, 40, 160))
        reading = read_board(scratched, calibration, empty=empty)
        assert reading.obstructed
        assert [disc.call for disc in reading.discs if disc.pose in AT_HOLE] == [call]


@pytest.mark.parametrize("middle", [(0.0, 0.0), (0.8, 0.3)])
def test_a_flat_disc_whose_edge_is_as_dark_as_the_gap_around_does_not_lean(middle):
    painter, calibration, empty = known_table(Look(surface="cherry"))
    picture, turns = painter.full(Scene(1.0)), np.linspace(0.0, 2 * np.pi, 72)
    for (x, y), radius, colour in (((0.0, 0.0), 17.3, (14, 12, 22)), (middle, 13.3, (60, 50, 190))):
        ring = np.stack([x + radius * np.cos(turns), y + radius * np.sin(turns), np.zeros(72)], axis=-1)
        cv2.fillPoly(picture, [np.rint(calibration.project(ring) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    odds = read_board(picture, calibration, empty=empty).hole
    assert odds.flat > 5 * odds.leaning
