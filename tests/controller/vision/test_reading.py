import itertools
import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import BadInput
from controller.training.pictures import calibration_of
from controller.vision.reading import disc_model, place_model
from controller.vision.reading.annotate import CROP_SIZE, annotate, crop
from controller.vision.reading.background import Background
from controller.vision.reading.learning import learn
from controller.vision.reading.reader import read_board
from tests.bench.tally import apart
from tests.bench.truth import ray_traced
from tests.controller.vision.reading_pictures import camera_above, paint
from tests.shared import VISION, needs_vision

BLACK, RED, CREAM = (28, 28, 30), (40, 40, 190), (190, 225, 240)
SPOTS = [(0.0, 83.0), (60.0, 10.0), (-120.0, 40.0), (-88.2, 40.0), (30.0, -190.0), (210.0, 150.0), (-20.0, 287.0)]


def nearest(reading, x, y):
    return min(reading.discs, key=lambda disc: math.hypot(disc.x - x, disc.y - y))


def traced(number):
    """A shared picture, what is read of it, and what is read of each disc that lies flat in full view."""
    picture = ray_traced(VISION / "raytraced" / f"dev_{number:03}.json")
    reading, pairs = read_board(picture.image, calibration_of(picture.camera)), []
    for disc in picture.discs:
        if disc.status == "flat" and disc.occluded < 0.02:
            near = [seen for seen in reading.discs if apart(disc, seen) < 6]
            pairs.append((disc, near[0] if near else None))
    return picture, reading, pairs


@pytest.mark.parametrize("tilt", [0.0, 15.0, 28.0])
def test_painted_discs_are_found_where_they_are(tilt):
    calibration = camera_above(turn=20, tilt=tilt)
    colours = itertools.cycle([BLACK, RED])
    discs = [(x, y, next(colours)) for x, y in SPOTS]
    reading = read_board(paint(calibration, discs, seed=1), calibration)
    assert len([disc for disc in reading.discs if disc.pose == "flat"]) == len(SPOTS)
    for x, y in SPOTS:
        seen = nearest(reading, x, y)
        assert math.hypot(seen.x - x, seen.y - y) < 0.5


def test_a_disc_on_the_line_is_a_close_call_and_one_clear_of_it_is_sure():
    calibration = camera_above(tilt=5.0)
    touching = calibration.ten - calibration.disc.radius
    discs = [(0.0, touching, BLACK), (touching - 3.0, 0.0, BLACK), (-touching - 3.0, 0.0, BLACK)]
    reading = read_board(paint(calibration, discs, seed=4), calibration)
    on, inside, beyond = (nearest(reading, x, y) for x, y, _ in discs)
    assert on.call == "close"
    assert abs(on.clearance) < 0.5
    assert (inside.call, inside.zone) == ("sure", 10)
    assert inside.clearance == pytest.approx(3.0, abs=0.4)
    assert (beyond.call, beyond.zone) == ("sure", 5)
    assert beyond.clearance == pytest.approx(-3.0, abs=0.4)


def test_the_sides_are_learnt_from_one_disc_of_each_and_kept_when_the_white_balance_changes():
    calibration = camera_above()
    tan, brown = (98, 148, 196), (40, 62, 98)
    palette = None
    for side, colour in (("A", tan), ("B", brown)):
        palette = learn(paint(calibration, [(60.0, 130.0, colour)], seed=20), calibration, side, palette)
    discs = [(x, y, brown if k % 2 else tan) for k, (x, y) in enumerate(SPOTS)]
    plain = paint(calibration, discs, seed=21)
    for balance in ((1.0, 1.0, 1.0), (0.75, 1.0, 1.2), (1.25, 1.0, 0.8), (0.6, 0.6, 0.6)):
        image = np.clip(plain * np.array(balance), 0, 255).astype(np.uint8)
        reading = read_board(image, calibration, palette=palette)
        assert [nearest(reading, x, y).side for x, y in SPOTS] == ["B" if k % 2 else "A" for k in range(len(SPOTS))]


def test_what_cannot_be_learnt_says_why():
    calibration = camera_above()
    with pytest.raises(BadInput, match="no disc is seen"):
        learn(paint(calibration, [], seed=22), calibration, "A")
    both = [(60.0, 130.0, BLACK), (-60.0, 130.0, RED)]
    with pytest.raises(BadInput, match="two colours"):
        learn(paint(calibration, both, seed=23), calibration, "A")
    known = learn(paint(calibration, both[:1], seed=24), calibration, "A")
    with pytest.raises(BadInput, match="other side"):
        learn(paint(calibration, both[:1], seed=25), calibration, "B", known)
    assert set(learn(paint(calibration, both[1:], seed=26), calibration, "A", known).sides) == {"A"}


def test_the_empty_board_helps_under_another_light():
    calibration = camera_above()
    empty = Background.from_empty(paint(calibration, [], seed=6), calibration)
    discs = [(x, y, CREAM) for x, y in SPOTS]
    light = np.linspace(0.65, 0.95, calibration.width)[None, :, None] * np.array([0.9, 1.0, 1.05])
    image = np.clip(paint(calibration, discs, seed=7) * light, 0, 255).astype(np.uint8)
    reading = read_board(image, calibration, empty=empty)
    assert len(reading.discs) == len(SPOTS)
    bare = np.clip(paint(calibration, [], seed=8) * light, 0, 255).astype(np.uint8)
    assert read_board(bare, calibration, empty=empty).discs == ()


def test_a_picture_of_another_size_is_refused():
    calibration = camera_above()
    with pytest.raises(BadInput, match="calibrate again"):
        read_board(np.zeros((480, 640, 3), np.uint8), calibration)
    with pytest.raises(BadInput, match="colour"):
        read_board(np.zeros((960, 1280), np.uint8), calibration)


def test_annotated_pictures_show_something_and_leave_the_original_alone():
    calibration = camera_above()
    image = paint(calibration, [(0.0, 180.0, BLACK)], seed=9)
    before = image.copy()
    reading = read_board(image, calibration)
    assert (annotate(image, calibration, reading) != image).any()
    assert crop(image, calibration, reading.discs[:1]).shape == (CROP_SIZE, CROP_SIZE, 3)
    assert crop(image, calibration, reading.discs).shape == (CROP_SIZE, CROP_SIZE, 3)
    assert crop(image, calibration, ()).shape == (CROP_SIZE, CROP_SIZE, 3)
    assert (image == before).all()


@needs_vision
def test_still_boards_of_all_kinds_without_the_empty_board():
    """Dark, painted and wooden boards, glare and hands. The floors lie below what all forty reach."""
    wanted = ghosts = clear = sure = 0
    errors, scores = [], []
    for number in (2, 5, 7, 12, 17, 21, 25, 28, 30, 38):
        picture, reading, pairs = traced(number)
        wanted += len(pairs)
        ghosts += max(0, len(reading.discs) - len(picture.discs))
        for disc, seen in pairs:
            if seen is None:
                continue
            assert seen.call == "close" or seen.zone == disc.zone, (number, disc, seen)
            errors.append(apart(disc, seen))
            scores.append((math.hypot(seen.x, seen.y) - disc.from_hole) / seen.sigma)
            if abs(disc.clearance) > 1.5:
                clear += 1
                sure += seen.call == "sure"
    assert len(errors) / wanted > 0.99
    assert ghosts == 0
    assert np.sqrt(np.mean(np.square(errors))) < 0.4
    assert np.std(scores) < 1.2
    assert sure / clear > 0.95


@needs_vision
@pytest.mark.parametrize("number", [14, 21])
def test_discs_like_the_wood_are_as_far_off_as_sigma_says(number):
    """Grain is as good an edge as theirs: one was read 4 mm off and sure of itself."""
    for disc, seen in traced(number)[2]:
        assert seen is not None, disc
        assert apart(disc, seen) < 3 * max(seen.sigma, 0.4), (disc, seen)


@needs_vision
@pytest.mark.parametrize(("number", "hand"), [(1, True), (26, True), (29, True), (8, False), (25, False), (19, False)])
def test_a_hand_is_an_obstruction_and_mirrored_light_is_not(number, hand):
    assert traced(number)[1].obstructed is hand


def test_a_dark_a_washed_out_and_a_blurred_picture_are_refused_and_half_or_twice_the_light_is_not():
    calibration = camera_above()
    image = paint(calibration, [(60.0, 130.0, BLACK), (-60.0, 130.0, RED)], seed=11)
    spoilt = {
        "too dark": np.asarray(image * 0.12, np.uint8),
        "shows nothing": np.full_like(image, 128),
        "blown out": np.asarray(np.clip(image * 20.0, 0, 255), np.uint8),
        "blurred": cv2.GaussianBlur(image, (0, 0), 5.0),
    }
    for trouble, picture in spoilt.items():
        with pytest.raises(BadInput, match=trouble):
            read_board(picture, calibration)
    for light in (0.5, 2.5):  # in the second the wood is as bright as can be, and lines and discs are sharp
        reading = read_board(np.asarray(np.clip(image * light, 0, 255), np.uint8), calibration)
        assert [disc.pose for disc in reading.discs].count("flat") == 2
        assert reading.partial is (light > 1)


def test_knowing_the_empty_board_hides_no_disc_of_the_boards_own_colour():
    calibration = camera_above(width=640, height=480)
    like_wood = (117, 167, 202)  # three grey levels from the board
    image = paint(calibration, [(120, 60, like_wood), (-180, -100, like_wood), (-90, 20, BLACK), (40, 40, RED)], 3)
    empty = Background.from_empty(paint(calibration, [], 1), calibration)
    assert len(read_board(image, calibration, empty=empty).discs) == 4
    assert not read_board(paint(calibration, [], 2), calibration, empty=empty).discs


@pytest.mark.parametrize(("seed", "x", "y"), [(1, -180.0, -100.0), (3, 30.0, -230.0)])
def test_a_disc_of_the_boards_own_colour_is_found_in_a_compressed_picture(seed, x, y):
    """At JPEG quality 60 so little is left of its outline that it was not even looked at in these pictures."""
    calibration, like_wood = camera_above(), (117, 167, 202)  # three grey levels from the board
    empty = Background.from_empty(compressed(paint(calibration, [], 100)), calibration)
    lying = [(120, 60), (-180, -100), (-200, 140), (30, -230), (-100, 150), (230, -60)]
    image = compressed(paint(calibration, [(*place, like_wood) for place in lying], seed))
    reading = read_board(image, calibration, empty=empty)
    assert any(math.hypot(disc.x - x, disc.y - y) < 4 for disc in reading.discs)
    assert all(min(math.hypot(disc.x - u, disc.y - v) for u, v in lying) < 4 for disc in reading.discs)


def compressed(image):
    """What a webcam's compression leaves of a picture."""
    whole, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 60])
    assert whole
    return cv2.imdecode(packed, cv2.IMREAD_COLOR)


CAMERA, NO_RIVALS = camera_above(tilt=20.0), np.zeros((1, 2, 2))


@given(st.floats(-300, 300), st.floats(-300, 300), st.floats(0.01, 0.5), st.floats(0.01, 0.5), st.floats(0, math.pi))
def test_a_covariance_is_one_and_its_long_axis_may_be_any(x, y, one, other, turn):
    axis = np.array((math.cos(turn), math.sin(turn)))
    fitted = one**2 * np.outer(axis, axis) + other**2 * np.eye(2)
    spread = place_model.covariances(CAMERA, np.array([[x, y]]), fitted[None], NO_RIVALS)[0]
    assert np.allclose(spread, spread.T)
    assert (np.linalg.eigvalsh(spread) > 0).all()


def test_a_place_is_less_sure_along_the_line_of_sight_and_where_the_outline_scatters():
    place, fitted = np.array([[200.0, 100.0]]), 0.03**2 * np.eye(2)[None]
    axes = place_model.sight(CAMERA, place)[:, 0]
    along, across = _along(axes, place_model.covariances(CAMERA, place, fitted, NO_RIVALS)[0])
    assert along > 1.3 * across
    wide = _along(axes, place_model.covariances(CAMERA, place, 25 * fitted, NO_RIVALS)[0])
    assert wide[0] > along
    assert wide[1] > across


def test_a_printed_ring_may_mislead_a_fit_which_then_has_a_larger_error():
    """The print's edge is stronger than that of a disc much like the board, and 3 mm within it."""
    calibration, like_wood, print_radius = camera_above(), (150, 190, 220), 12.8
    lying = [(210 * math.cos(turn), 210 * math.sin(turn)) for turn in np.arange(8) * 0.8]
    image = paint(calibration, [(*place, like_wood) for place in lying], 1)
    around = np.stack([np.cos(np.arange(60) * 0.105), np.sin(np.arange(60) * 0.105), np.zeros(60)], axis=-1)
    for x, y in lying:
        edge = calibration.project(print_radius * around + (x, y, calibration.disc.thickness))
        cv2.fillPoly(image, [np.rint(16 * edge).astype(np.int32)], (30, 30, 30), cv2.LINE_AA, 4)
    seen = read_board(image, calibration).discs
    off = [min(math.hypot(disc.x - x, disc.y - y) for x, y in lying) for disc in seen]
    assert max(off) > 2
    assert all(away < 4 * disc.sigma for away, disc in zip(off, seen, strict=True))


def _along(axes, covariance):
    """The standard errors along two axes (2, 2)."""
    one, other = np.sqrt(np.einsum("di,ij,dj->d", axes, covariance, axes))
    return float(one), float(other)


@pytest.mark.parametrize(
    ("figure", "better"), [("round", 1), ("support", 1), ("visible", 1), ("weakest", 1), ("colour", -1), ("alone", 1)]
)
def test_each_figure_speaks_for_a_disc_as_it_should(figure, better):
    odds = disc_model.fitted()
    usual = odds.usual.copy()
    usual[disc_model.FIGURES.index(figure)] += 0.1 * better
    assert odds.log_odds(usual) > odds.log_odds(odds.usual)


def test_a_colour_that_nothing_can_be_compared_with_says_nothing():
    odds = disc_model.fitted()
    alone = odds.usual.copy()
    alone[disc_model.FIGURES.index("colour")] = np.nan
    assert odds.log_odds(alone) == pytest.approx(odds.log_odds(odds.usual))
