"""The painter's pictures against geometry that OpenCV's own projection knows."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.board import TOURNAMENT
from hardware.errors import HardwareError
from hardware.simulated.lens import CameraPose, PaintedView
from hardware.simulated.look import Look
from hardware.simulated.painter import READ_NOISE, SHOT_NOISE, Painter
from hardware.simulated.scene import Hand, Scene, SceneDisc
from hardware.simulated.solids import Cylinder, trace
from tests.random_tables import random_pose

PLAIN = Look(surface="white", lines=(30, 30, 30), ditch="black", shadow=0, contact=0, falloff=0)
SETTLED = (SceneDisc("a", "black", 55.0, -140.0), SceneDisc("b", "natural", -140.0, 60.0))


@pytest.fixture(scope="module")
def painter():
    return Painter(look=Look(surface="maple"), seed=3)


@pytest.fixture(scope="module")
def plain():
    return Painter(look=PLAIN)


def poses():
    return st.integers(0, 10_000).map(lambda seed: random_pose(np.random.default_rng(seed)))


def projected(pose, points):
    """Pixels as OpenCV projects them."""
    turn = cv2.Rodrigues(pose.rotation)[0]
    return cv2.projectPoints(points, turn, pose.t, pose.matrix, pose.distortion)[0][:, 0].astype(np.float64)


def circle(x, y, z, radius, count=720):
    turn = np.linspace(0, 2 * math.pi, count, endpoint=False)
    return np.stack((x + radius * np.cos(turn), y + radius * np.sin(turn), np.full(count, z)), axis=-1)


def solid_outline(pose, disc):
    """(n, 2) pixels around a flat disc: the hull of its two rims."""
    size = TOURNAMENT.disc
    rims = [circle(disc.x, disc.y, disc.z + h, size.radius) for h in (0.0, size.thickness)]
    return cv2.convexHull(projected(pose, np.concatenate(rims)).astype(np.float32))[:, 0].astype(np.float64)


def average(painter, scene, count=4):
    """(h, w) the full picture with most of its noise averaged away, grey."""
    return np.asarray(np.mean([painter.full(replace(scene, t=k / 30)) for k in range(count)], axis=(0, 3)))


def profiles(picture, points, normals, offsets):
    """(n, len(offsets)) grey levels along normals at points."""
    places = (points[:, None] + normals[:, None] * offsets[None, :, None]).astype(np.float32)
    return cv2.remap(picture.astype(np.float32), places[..., 0], places[..., 1], cv2.INTER_LINEAR).astype(np.float64)


@settings(max_examples=20)
@given(poses(), st.floats(-330, 330), st.floats(-330, 330), st.floats(-12, 40))
def test_projection_is_opencvs_and_rays_invert_it(pose, x, y, z):
    pixel = projected(pose, np.array([[x, y, z]]))[0]
    assert pose.project((x, y, z)) == pytest.approx(pixel, abs=1e-6)
    assert pose.to_board(pixel, z) == pytest.approx((x, y), abs=1e-4)


@settings(max_examples=20)
@given(poses(), st.floats(-20, 20), st.floats(-20, 20), st.floats(-10, 10))
def test_a_bumped_board_is_seen_where_it_was_moved_to(pose, dx, dy, turn):
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    there = (c * 100 - s * 50 + dx, s * 100 + c * 50 + dy, 7.0)
    assert pose.after_bump((dx, dy, turn)).project((100, 50, 7)) == pytest.approx(pose.project(there), abs=1e-6)


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_a_disc_covers_exactly_its_projected_outline(seed):
    random = np.random.default_rng(seed)
    x, y = random.uniform(-220, 220, 2)
    pose = random_pose(random)
    view = PaintedView(pose)
    size = TOURNAMENT.disc
    solid = Cylinder(x, y, 0.0, size.radius, size.thickness)
    tile = view.tile(solid.corners())
    assert tile is not None  # rays[None] would add an axis
    cover = trace(view.eye, view.rays[tile], solid, 0.0).cover.astype(np.float64)
    outline = solid_outline(pose, SceneDisc("d", "black", x, y))
    moments = cv2.moments(outline.astype(np.float32))
    length = cv2.arcLength(outline.astype(np.float32), True)
    rows, columns = np.mgrid[tile]
    assert (cover.sum() - moments["m00"]) / length == pytest.approx(0, abs=0.01)  # px, outline's mean place
    assert (cover * columns).sum() / cover.sum() == pytest.approx(moments["m10"] / moments["m00"], abs=0.01)
    assert (cover * rows).sum() / cover.sum() == pytest.approx(moments["m01"] / moments["m00"], abs=0.01)


def test_lines_have_their_radius_and_width(plain):
    pose = plain.pose
    picture = average(plain, Scene(0.0))
    offsets = np.arange(-4, 4.01, 0.1)
    for radius in (TOURNAMENT.fifteen_line, TOURNAMENT.ten_line, TOURNAMENT.outer_line):
        inside, points, outside = (projected(pose, circle(0, 0, 0, radius + d, 360)) for d in (-0.5, 0, 0.5))
        across = outside - inside
        scale = np.linalg.norm(across, axis=1)
        grey = profiles(picture, points, across / scale[:, None], offsets)
        level = grey[:, np.abs(offsets) > 3].mean(axis=1, keepdims=True)
        ink = level - grey
        place = (ink * offsets).sum(axis=1) / ink.sum(axis=1) / scale
        width = ink.sum(axis=1) * 0.1 / (level[:, 0] - 30) / scale
        assert np.median(place) == pytest.approx(0, abs=0.02)  # mm
        assert np.median(width) == pytest.approx(TOURNAMENT.line_width, abs=0.03)


def test_equal_scenes_differ_by_the_sensors_noise_alone(painter):
    first, second = (painter.full(Scene(t, SETTLED)).astype(np.float64) for t in (1.0, 2.0))
    difference = first - second
    assert abs(difference.mean()) < 0.05
    bright = first.mean() / 255
    expected = math.sqrt(READ_NOISE**2 + SHOT_NOISE**2 * bright)
    assert difference.std() / math.sqrt(2) == pytest.approx(expected, rel=0.1)


def test_the_same_seed_and_time_give_the_same_picture(painter):
    scene = Scene(1.5, SETTLED, (Hand(1, 0.0, -200.0, "flick"),))
    again = Painter(look=painter.look, seed=3)
    again.small(Scene(0.0, SETTLED[:1]))  # what was painted before does not matter
    assert np.array_equal(painter.full(scene), again.full(scene))
    assert np.array_equal(painter.small(scene), again.small(scene))


def test_small_shows_what_full_shows(painter):
    scene = Scene(1.0, (*SETTLED, SceneDisc("m", "black", 100.0, 90.0, vx=800.0)), (Hand(2, -250.0, 0.0),))
    full = cv2.cvtColor(painter.full(scene), cv2.COLOR_BGR2GRAY)
    shrunk = cv2.resize(full, painter.pose.small, interpolation=cv2.INTER_AREA).astype(np.float64)
    difference = painter.small(scene) - shrunk
    assert np.abs(difference).mean() < 2
    assert np.percentile(np.abs(difference), 99.5) < 15


def changed(painter, scene):
    """(h, w) where the full picture differs from that of the empty table by more than noise."""
    difference = cv2.absdiff(painter.full(scene), painter.full(Scene(scene.t))).max(axis=2)
    return np.asarray(difference > 25, np.uint8)


def at(picture, pose, x, y, z=0.0):
    column, row = np.rint(pose.project((x, y, z))).astype(int)
    return int(picture[row, column])


@pytest.mark.parametrize("gesture", ["place", "flick", "lift", "sweep"])
@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_hand_reaches_from_its_seat_to_its_fingertips(plain, seat, gesture):
    outward = math.radians({1: 270, 2: 180, 3: 90, 4: 0}[seat])
    hand = Hand(seat, 40.0, 30.0, gesture)
    mask = changed(plain, Scene(1.0, (), (hand,)))
    tip = (hand.x + 28 * math.cos(outward), hand.y + 28 * math.sin(outward))
    near = [
        at(mask, plain.pose, tip[0] + dx, tip[1] + dy, 15.0) for dx in range(-40, 41, 4) for dy in range(-40, 41, 4)
    ]
    assert any(near)
    palm = (hand.x + 115 * math.cos(outward), hand.y + 115 * math.sin(outward))
    assert at(mask, plain.pose, *palm, 45.0) == 1
    behind = (hand.x - 90 * math.cos(outward), hand.y - 90 * math.sin(outward))
    assert at(mask, plain.pose, *behind) == 0


def test_lamps_round_the_hole_are_seen_where_no_disc_covers_them(plain):
    ring = tuple((0, 0, 64) if k in (0, 12) else (0, 0, 0) for k in range(24))
    covering = SceneDisc("a", "black", 30.0, 0.0)
    for discs, seen in (((), 1), ((covering,), 0)):
        dark, lit = Scene(1.0, discs), Scene(1.0, discs, ring=ring)
        change = np.asarray(cv2.absdiff(plain.full(lit), plain.full(dark)).max(axis=2) > 25, np.uint8)
        assert at(change, plain.pose, 26.0, 0.0) == seen
        assert at(change, plain.pose, -26.0, 0.0) == 1
        assert at(change, plain.pose, 0.0, 60.0) == 0
        assert cv2.absdiff(plain.small(lit), plain.small(dark)).max() > 10


def test_a_moving_disc_is_smeared_along_its_path(plain):
    still = SceneDisc("m", "black", -40.0, 150.0)
    moving = replace(still, vx=2000.0)  # 16 mm in 8 ms
    ink, middle = [], []
    for disc in (still, moving):
        dark = plain.full(Scene(1.0))[:400].mean(axis=2) - plain.full(Scene(1.0, (disc,)))[:400].mean(axis=2)
        ink.append(dark.sum())
        middle.append((dark.sum(axis=0) * np.arange(dark.shape[1])).sum() / dark.sum())
    assert ink[1] == pytest.approx(ink[0], rel=0.03)
    way = plain.pose.project([(-40.0, 150.0, 5.0), (-32.0, 150.0, 5.0)])
    assert middle[1] - middle[0] == pytest.approx(way[1, 0] - way[0, 0], abs=0.3)


def test_the_hole_and_the_ditch_hide_what_lies_below_their_edge():
    pose = replace(CameraPose(), position=(0.0, -500.0, 850.0))
    painter = Painter(look=PLAIN, pose=pose)
    seated = changed(painter, Scene(0.0, (SceneDisc("h", "red", 0.0, 0.0, -TOURNAMENT.hole_depth),)))
    assert at(seated, pose, 0.0, 0.0, 3.0) == 1
    assert at(seated, pose, 0.0, -15.5, -5.5) == 0  # behind the hole's near edge
    floor = -TOURNAMENT.surface_height
    mask = changed(painter, Scene(0.0, tuple(SceneDisc(str(y), "red", 0.0, y, floor) for y in (-347.0, 347.0))))
    assert at(mask, pose, 0.0, -347.0, floor + 9) == 1
    assert at(mask, pose, 0.0, 347.0, floor + 9) == 1
    assert at(mask, pose, 0.0, 332.0, floor + 1) == 0  # the surface stands before the far part of the ditch


def test_a_bump_moves_the_board_and_not_the_table(painter):
    before, after = (painter.small(Scene(1.0, board_shift=s)).astype(np.int16) for s in ((0, 0, 0), (6.0, 0.0, 1.0)))
    moved = np.abs(after - before) > 12
    assert moved.sum() > 500
    assert not moved[:20, :30].any()


def test_light_and_warmth_change_the_picture(painter):
    usual, dim, warm = (
        painter.full(Scene(1.0, SETTLED, light=light, warmth=warmth)).mean(axis=(0, 1))
        for light, warmth in ((1.0, 0.0), (0.5, 0.0), (1.0, 0.8))
    )
    assert dim == pytest.approx(usual * 0.5 ** (1 / 2.2), rel=0.02)
    assert warm[2] > usual[2] + 2
    assert warm[0] < usual[0] - 2


def test_a_disc_of_an_unknown_colour_is_refused(painter):
    with pytest.raises(HardwareError, match="choose from black, natural"):
        painter.full(Scene(0.0, (SceneDisc("a", "mauve", 0.0, 0.0),)))


def test_a_pose_that_does_not_see_the_board_is_refused():
    with pytest.raises(HardwareError, match="does not see the board"):
        Painter(pose=CameraPose(look_at=(5000.0, 0.0, 0.0)).scaled(320, 240)).small(Scene(0.0))


def test_makers_marks_are_painted_in_their_places(plain):
    marks = {"circles": ((150.0, 3.0),), "knots": ((60.0, 200.0, 14.0),), "quadrants_from": 17.5}
    marks |= {"spares": ((-430.0, 60.0, "red"),), "hole": "red_paint", "numerals": True}
    other = Painter(look=replace(PLAIN, **marks))
    difference = np.abs(other.full(Scene(0.0)).astype(np.int16) - plain.full(Scene(0.0))).max(axis=2)
    for place in ((150.0, 0.0), (60.0, 200.0), (50.0, 50.0), (-430.0, 60.0), (0.0, 0.0), (0.0, -60.0), (254.0, 0.0)):
        column, row = np.rint(plain.pose.project((*place, 0.0))).astype(int)
        assert difference[row - 12 : row + 13, column - 12 : column + 13].max() > 40, place
