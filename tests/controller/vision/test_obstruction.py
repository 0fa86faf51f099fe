"""What hides a part of the board: changes with an outline, drawn without any picture's painter or tracer."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.training.pictures import calibration_of
from controller.vision.calibration.camera import Camera
from controller.vision.reading.discs import VIEW_STEP
from controller.vision.reading.obstruction import BoardDifference, hidden_parts, hides_surface, in_other_light, outlined
from controller.vision.reading.reader import read_board
from hardware.simulated.scene import Hand, Scene, SceneDisc
from tests.controller.vision.painted import known_table

CAMERA = Camera(1280, 960, 1000.0, 639.5, 479.5, 0.0, (np.pi, 0.0, 0.0), (0.0, 0.0, 1000.0))
SIZE = 351  # pixels of the view
FAR = 60.0  # grey levels by which a thing differs


@pytest.fixture(scope="module")
def calibration():
    return calibration_of(CAMERA)


def changed(*shapes):
    """Ellipses (x, y, half width, half height, blur) on an even board, mm: they differ by `FAR`."""
    unlike = np.zeros((SIZE, SIZE), np.float32)
    for x, y, wide, high, blur in shapes:
        drawn = np.zeros_like(unlike)
        middle = (round(SIZE // 2 + x / VIEW_STEP), round(SIZE // 2 + y / VIEW_STEP))
        cv2.ellipse(drawn, middle, (round(wide / VIEW_STEP), round(high / VIEW_STEP)), 0, 0, 360, (FAR,), cv2.FILLED)
        unlike = np.maximum(unlike, cv2.GaussianBlur(drawn, (0, 0), blur / VIEW_STEP) if blur else drawn)
    even = np.full((SIZE, SIZE, 3), 120, np.uint8)
    return BoardDifference(even, even, unlike > 8, unlike)


ARM = (330.0, 0.0, 90.0, 30.0, 0.0)
SLIVER = (100.0, 50.0, 4.0, 14.0, 0.0)  # what is left beside a disc
PHONE = (-60.0, -120.0, 60.0, 35.0, 0.0)
LIGHT = (200.0, 100.0, 200.0, 200.0, 40.0)  # it reaches the rail, and is nowhere sharp


@pytest.mark.parametrize(("shapes", "things"), [((ARM,), 1), ((PHONE,), 1), ((SLIVER,), 0), ((LIGHT,), 0), ((), 0)])
def test_an_arm_and_a_phone_hide_and_what_is_left_beside_a_disc_or_has_no_outline_does_not(calibration, shapes, things):
    found = [thing for thing in outlined(changed(*shapes), calibration) if thing.hides]
    assert len(found) == things


def wood(seed):
    """Grain (n, n, 3) along x of 4 grey levels."""
    grain = np.random.default_rng(seed).normal(120, 40, (SIZE, SIZE)).astype(np.float32)
    soft = cv2.GaussianBlur(grain, (0, 0), sigmaX=6, sigmaY=0.8)
    levels = 120 + (soft - soft.mean()) * (4 / soft.std())
    return cv2.cvtColor(levels.clip(0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


def lit(board, light):
    """The board (n, n, 3) in this light, 40 grey levels brighter at most."""
    return np.asarray((board + 40 * (light.unlike / FAR)[..., None]).clip(0, 255), np.uint8)


LAMP = (200.0, 0.0, 150.0, 120.0, 6.0)  # as sharp as a hand that is a little out of focus


def test_what_the_grain_goes_on_through_is_light_and_what_covers_it_is_a_thing(calibration):
    light, board = changed(LAMP), wood(1)
    assert outlined(replace(light, empty=board, now=wood(2)), calibration)
    assert not outlined(replace(light, empty=board, now=lit(board, light)), calibration)


def test_an_arm_in_a_highlight_is_an_arm(calibration):
    arm, light, board = changed(ARM), changed(LAMP), wood(3)
    now = np.where(arm.mask[..., None], wood(4), lit(board, light))
    both = BoardDifference(now, board, arm.mask | light.mask, np.maximum(arm.unlike, light.unlike))
    (thing,) = outlined(both, calibration)
    assert thing.reaches_in
    assert np.hypot(*(thing.outline - SIZE // 2).T).min() * VIEW_STEP > 330 - 90 - 30, "only the arm hides"


def test_a_hands_end_at_the_rail_hides_although_it_has_as_little_outline_as_what_is_left_beside_a_disc(calibration):
    (hand,) = outlined(changed((372.0, 0.0, 10.0, 14.0, 0.0)), calibration)
    assert hand.reaches_in
    assert hand.hides


def test_an_arm_in_light_that_changes_is_an_arm_and_the_light_is_seen_to_change(calibration):
    both = changed(ARM, (-100.0, -150.0, 150.0, 150.0, 30.0))
    assert [thing.hides for thing in outlined(both, calibration)] == [True]
    assert in_other_light(both, calibration)
    assert not in_other_light(changed(ARM), calibration)


def test_a_hand_along_the_ditch_reaches_over_no_line_although_its_hull_does(calibration):
    turn = np.radians(np.arange(-30, 31, 3))
    along = [(345.0 * np.cos(t), 345.0 * np.sin(t), 20.0, 20.0, 0.0) for t in turn]
    (hand,) = outlined(changed(*along), calibration)
    assert np.hypot(*((hand.hull[:, 0].mean(0) - SIZE // 2) * VIEW_STEP)) < 345.0
    assert not hides_surface(calibration, [hand], SIZE)
    (arm,) = outlined(changed((300.0, 0.0, 120.0, 30.0, 0.0)), calibration)
    assert hides_surface(calibration, [arm], SIZE)


def test_fingertips_on_the_outer_line_hide_their_own_place_and_no_disc_that_counts(calibration):
    (hand,) = outlined(changed((350.0, 0.0, 54.0, 10.0, 0.0)), calibration)
    (part,) = hidden_parts(calibration, [hand], SIZE)
    assert np.hypot(*np.transpose(part)).min() == pytest.approx(296.0, abs=2 * VIEW_STEP)
    assert not hides_surface(calibration, [hand], SIZE)


def test_a_small_object_hides_its_own_place_where_discs_count_and_no_other(calibration):
    """It may be an unseen disc."""
    small = outlined(changed((100.0, 0.0, 16.0, 16.0, 0.0)), calibration)
    assert hides_surface(calibration, small, SIZE)
    (part,) = hidden_parts(calibration, small, SIZE)
    assert np.hypot(*(np.array(part) - (100.0, 0.0)).T).max() < 30.0
    beside = outlined(changed((335.0, 0.0, 12.0, 12.0, 0.0)), calibration)
    assert not hidden_parts(calibration, beside, SIZE)


def painted(board, place, colour):
    """A plain board (n, n, 3) of this grey with a place of another colour."""
    return np.where(place[..., None], np.array(colour, np.uint8), np.full((SIZE, SIZE, 3), board, np.uint8))


def test_a_lamp_that_a_black_board_mirrors_is_light_when_it_goes_on_and_off_and_a_paler_thing_is_none(calibration):
    there = changed(PHONE)
    black, lit, skin = (painted(40, there.mask, colour) for colour in ((40, 40, 40), (225, 228, 230), (120, 150, 210)))
    assert not outlined(replace(there, empty=black, now=lit), calibration)
    assert not outlined(replace(there, empty=lit, now=black), calibration)
    assert outlined(replace(there, empty=black, now=skin), calibration)
    grey, dark = (painted(120, there.mask, colour) for colour in ((120, 120, 120), (40, 40, 40)))
    assert outlined(replace(there, empty=grey, now=dark), calibration)


def test_what_a_hand_hides_is_known_without_the_empty_board_and_the_rest_is_read():
    painter, known, _ = known_table()
    discs = (SceneDisc("a1", "black", 40.0, 150.0), SceneDisc("b1", "natural", -100.0, 60.0))
    reading = read_board(painter.full(Scene(0.0, discs, (Hand(1, 20.0, -260.0),))), known)
    assert reading.obstructed, "the hand reaches over the outer line"
    assert reading.hides(20.0, -290.0, 0.0)
    assert not any(reading.hides(x, y, 20.0) for x, y in ((0.0, 0.0), (40.0, 150.0), (-100.0, 60.0)))
    assert len(reading.discs) == len(discs)
