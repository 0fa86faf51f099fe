"""How a simulated table stands in its room, against pictures that are turned without the painter's geometry."""

import math
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product

import cv2
import numpy as np
import pytest

from hardware.board import TOURNAMENT
from hardware.simulated.arrangement import ASKEW, BESIDE, LAMPS_ON, Arrangement
from hardware.simulated.lens import CameraPose
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Hand, Scene, SceneDisc
from hardware.simulated.table import SimulatedTable
from tests.hardware.umpires import PlainUmpire
from tests.slow import first_is_quick

OVERHEAD = CameraPose(
    position=(0.0, 0.0, 950.0), look_at=(0.0, 0.0, 0.0), focal=500.0, width=480, height=480, small=(240, 240)
)
DISCS = (
    SceneDisc("a", "black", 200.0, -40.0),
    SceneDisc("b", "natural", -90.0, 220.0),
    SceneDisc("c", "red", 30.0, 130.0),
    SceneDisc("d", "black", -150.0, -160.0),
)
HAND = Hand(1, 60.0, -220.0, "place")
LOOK = Look(surface="oak")
QUARTERS = range(4)


@cache
def picture(arrangement, scene):
    """(h, w, 3) the picture from straight above with most of its noise averaged away."""
    painter = Painter(look=arrangement.look(LOOK), pose=arrangement.pose(OVERHEAD), seed=3)
    return np.mean([painter.full(replace(scene, t=k / 30)).astype(np.float64) for k in range(4)], axis=0)


def unlike(a, b, radius=230.0):
    """The mean difference in grey levels within so many pixels of the middle."""
    rows, columns = np.mgrid[: a.shape[0], : a.shape[1]]
    inside = np.hypot(rows - (a.shape[0] - 1) / 2, columns - (a.shape[1] - 1) / 2) < radius
    return float(np.abs(a - b)[inside].mean())


def test_a_seed_gives_an_arrangement_and_straight_is_always_the_default():
    many = [Arrangement.of("random", seed) for seed in range(1200)]
    assert many == [Arrangement.of("random", seed) for seed in range(1200)]
    assert {Arrangement.of("straight", seed) for seed in range(50)} == {Arrangement()}
    assert Arrangement().pose() == CameraPose()
    assert Arrangement().look(LOOK) == LOOK
    for quarters in (Counter(one.quarter for one in many), Counter(one.camera for one in many)):
        assert all(250 < quarters[k] < 350 for k in QUARTERS)
    assert all(abs(one.askew) <= ASKEW for one in many)
    late = [one.lamps_on for one in many if one.lamps_on]
    assert 160 < len(late) < 240
    assert all(LAMPS_ON[0] <= t <= LAMPS_ON[1] for t in late)


@pytest.mark.parametrize("askew", [-6.0, 4.0])
def test_a_camera_hung_askew_turns_the_picture_by_the_same_angle(askew):
    scene = Scene(0.0, DISCS, (HAND,))
    straight = picture(Arrangement(), scene)
    rolled = picture(Arrangement(askew=askew), scene)

    def turned(degrees):
        matrix = cv2.getRotationMatrix2D((239.5, 239.5), degrees, 1.0)
        return cv2.warpAffine(straight, matrix, (480, 480), flags=cv2.INTER_CUBIC)

    likeness = {degrees: unlike(rolled, turned(degrees)) for degrees in (-askew, -0.5 * askew, 0.0, askew)}
    assert min(likeness, key=lambda degrees: likeness[degrees]) == -askew
    assert likeness[-askew] < 0.5 * likeness[-0.5 * askew]


@pytest.mark.parametrize("seats", first_is_quick(QUARTERS))
def test_players_who_sit_elsewhere_leave_table_and_light_where_they_are(seats):
    """The discs lie as before in the room: only the frame of the match differs."""

    def in_match(x, y):
        for _ in range(seats):  # seat 1 one quarter further clockwise: all else a quarter counter-clockwise from it
            x, y = -y, x
        return x, y

    straight = picture(Arrangement(), Scene(0.0, DISCS))
    discs = tuple(replace(disc, x=in_match(disc.x, disc.y)[0], y=in_match(disc.x, disc.y)[1]) for disc in DISCS)
    elsewhere = picture(Arrangement(seats=seats), Scene(0.0, discs))
    board = TOURNAMENT.surface_radius * OVERHEAD.focal / 950.0
    assert unlike(elsewhere, straight, board) < 0.1
    if seats:
        assert unlike(picture(Arrangement(seats=seats), Scene(0.0, DISCS)), straight, board) > 1.0


@pytest.mark.parametrize(("camera", "seats"), list(product(QUARTERS, (0, 1, 3))))
def test_points_are_seen_where_opencv_projects_them_from_the_room(camera, seats):
    arrangement = Arrangement(camera, seats)
    straight = CameraPose()
    turn = math.radians(-90.0 * (camera + seats))  # from the match's frame to that of the camera's own side
    there = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1.0]])
    points = np.array([[disc.x, disc.y, z] for disc in DISCS for z in (0.0, 9.5)])
    rvec, tvec = cv2.Rodrigues(straight.rotation)[0], straight.t
    seen = cv2.projectPoints(points @ there.T, rvec, tvec, straight.matrix, straight.distortion)[0][:, 0]
    assert arrangement.pose().project(points) == pytest.approx(seen, abs=1e-6)


def test_until_the_lamps_go_on_it_is_dark_and_nobody_plays():
    table = SimulatedTable(PlainUmpire(), seed=4, lamps_on=9.0)
    while table.t < 40.0:
        table.advance(table.t + 0.1)
        scene = table.scene()
        assert (scene.light < 0.01) == (table.t < 9.0)
        assert not (scene.hands or scene.discs) or table.t >= 9.0
    assert table.truth.shots


def test_a_camera_beside_the_table_has_the_whole_board_in_its_picture():
    turn = np.radians(np.arange(0, 360, 10))
    reach = TOURNAMENT.rail_radius + TOURNAMENT.rail_width
    top = TOURNAMENT.rail_height - TOURNAMENT.surface_height
    rail = np.column_stack((reach * np.cos(turn), reach * np.sin(turn), np.full(36, top)))
    for seed in range(300):
        beside, hung = Arrangement.of("beside", seed), Arrangement.of("random", seed)
        assert replace(beside, tilt=0.0, astride=0.0) == hung
        assert BESIDE[0] <= beside.tilt <= BESIDE[1]
        pose = beside.pose()
        x, y, z = pose.position
        assert math.degrees(math.atan2(math.hypot(x, y), z)) == pytest.approx(beside.tilt)
        pixels = pose.project(rail)
        assert (pixels > 0).all()
        assert (pixels < (pose.width - 1, pose.height - 1)).all()
