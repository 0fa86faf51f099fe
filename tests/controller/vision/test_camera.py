"""The camera's geometry, and its landmarks by taps."""

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controller.errors import BadInput, CalibrationFailed
from controller.vision.calibration.camera import Camera, LensPrior, rotation_matrix, rotation_vector
from controller.vision.calibration.landmarks import Landmarks, camera_from
from hardware.board import TOURNAMENT
from tests.slow import slow

DOWN = np.diag((1.0, -1.0, -1.0))


@st.composite
def cameras(draw):
    """Cameras as they hang above boards: up to 35 degrees of tilt, any turn, lenses from wide to long."""
    tilt, towards, turn = draw(st.floats(0, 0.6)), draw(st.floats(0, 6.3)), draw(st.floats(0, 6.3))
    lean = rotation_matrix(np.array((tilt * np.cos(towards), tilt * np.sin(towards), 0.0)))
    rotation = lean @ DOWN @ rotation_matrix(np.array((0.0, 0.0, turn)))
    place = (draw(st.floats(-60, 60)), draw(st.floats(-60, 60)), draw(st.floats(650, 1600)))
    focal, k1 = draw(st.floats(850, 1900)), draw(st.floats(-0.12, 0.12))
    centre = (draw(st.floats(625, 655)), draw(st.floats(465, 495)))
    return Camera(1280, 960, focal, *centre, k1, rotation_vector(rotation), place)


POINTS = st.lists(st.tuples(st.floats(-330, 330), st.floats(-330, 330)), min_size=1, max_size=8)


@given(cameras(), POINTS, st.floats(-12, 40))
def test_to_board_undoes_project_at_any_height(camera, points, z):
    flat = np.array(points)
    solid = np.column_stack((flat, np.full(len(flat), z)))
    assert np.allclose(camera.to_board(camera.project(solid), z), flat, atol=1e-6)


@given(cameras(), POINTS, st.floats(-30, 40), st.floats(-30, 40))
def test_what_lies_along_one_line_of_sight_is_seen_at_one_place(camera, points, z, level):
    flat = np.array(points)
    there = camera.along_sight(flat, z, level)
    of, to = (np.column_stack((at, np.full(len(at), height))) for at, height in ((flat, z), (there, level)))
    assert np.allclose(camera.project(of), camera.project(to), atol=1e-6)


@given(cameras(), POINTS)
def test_project_is_the_usual_pinhole_with_k1(camera, points):
    solid = np.column_stack((np.array(points), np.full(len(points), 9.5)))
    matrix = np.array([[camera.focal, 0, camera.cx], [0, camera.focal, camera.cy], [0, 0, 1]])
    bend = np.array((camera.k1, 0.0, 0.0, 0.0))
    expected, _ = cv2.projectPoints(solid, np.array(camera.rvec), np.array(camera.t), matrix, bend)
    assert np.allclose(camera.project(solid), expected[:, 0], atol=1e-6)


ANGLES = st.floats(0, 2 * np.pi)


@given(ANGLES, st.floats(-np.pi / 2, np.pi / 2), st.one_of(st.floats(0, np.pi), st.just(np.pi), st.just(0.0)))
def test_an_axis_and_angle_are_the_rotation_s_own_up_to_half_a_turn(turn, rise, angle):
    axis = np.array((np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise)))
    rotation = rotation_matrix(axis * angle)
    assert np.allclose(rotation_matrix(np.array(rotation_vector(rotation))), rotation, atol=1e-12)


@given(cameras(), st.floats(-180, 180))
@example(
    Camera(1280, 960, 850.0, 625.0, 465.0, 0.0, (2.756999227780306, -1.506155542678045, 1.57e-5), (0, 0, 650)), 123.0
)
def test_turning_the_frame_changes_no_radius(camera, degrees):
    point = np.array(((200.0, 30.0),))
    seen = camera.turned(degrees).to_board(camera.project(point))
    assert np.hypot(*seen[0]) == pytest.approx(np.hypot(*point[0]), abs=1e-6)
    turned = np.degrees(np.arctan2(seen[0, 1], seen[0, 0]) - np.arctan2(30.0, 200.0)) + degrees
    assert (turned + 180) % 360 - 180 == pytest.approx(0, abs=1e-6)


def _taps(camera):
    bearings = np.radians(np.arange(0, 360, 45))
    outer = 304.8 * np.stack((np.cos(bearings), np.sin(bearings)), axis=-1)
    return {
        "hole": camera.project(np.zeros((1, 2)))[0].tolist(),
        "pegs": camera.project(np.array(TOURNAMENT.pegs)).tolist(),
        "outer_line": camera.project(outer).tolist(),
    }


@slow
@given(cameras())
def test_exact_taps_give_the_camera_back(camera):
    tapped = camera_from(Landmarks.from_json(_taps(camera), TOURNAMENT), 1280, 960, LensPrior.of(1280, 960, None))
    around = np.array([(300.0, 0.0), (0.0, 300.0), (-200.0, 0.0), (0.0, -100.0)])
    assert np.allclose(tapped.camera.to_board(camera.project(around)), around, atol=2.0)  # the lens's prior pulls


SHUFFLED = (0, 4, 2, 6, 1, 5, 3, 7)
ABOVE = Camera(1280, 960, 1200.0, 639.5, 479.5, 0.0, rotation_vector(DOWN), (0.0, 0.0, 1000.0))


@pytest.mark.parametrize(
    ("spoil", "trouble"),
    [
        (lambda taps: (taps["pegs"].reverse(), taps["outer_line"].reverse()), "wrong way round"),
        (lambda taps: taps.pop("pegs") and taps.pop("outer_line"), "do not fix"),
        (lambda taps: taps.update(pegs=None, outer_line=[*taps["outer_line"][:3], *[None] * 5], hole=None), "do not"),
        (
            lambda taps: taps.update(pegs=None, outer_line=[taps["outer_line"][k] for k in SHUFFLED]),
            "contradict|wrong way",
        ),
    ],
)
def test_taps_that_cannot_be_are_refused(spoil, trouble):
    taps = _taps(ABOVE)
    spoil(taps)
    with pytest.raises(CalibrationFailed, match=trouble):
        camera_from(Landmarks.from_json(taps, TOURNAMENT), 1280, 960, LensPrior.of(1280, 960, None))


@pytest.mark.parametrize(
    "document",
    [[], {"holes": [1, 2]}, {"hole": [1]}, {"hole": [1, "2"]}, {"pegs": [[1, 2]] * 7}, {"hole": [1, float("nan")]}],
)
def test_impossible_landmarks_are_refused(document):
    with pytest.raises(BadInput):
        Landmarks.from_json(document, TOURNAMENT)
