"""A camera on a tripod beside the table: the board found unaided, discs read, and what such a place costs."""

import itertools
import json
import math
from functools import cache

import cv2
import numpy as np
import pytest

from controller.table.setup.steps import board_step
from controller.vision.calibration.calibration import calibrate, ditch_in_view, from_above, place_doubt
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from controller.vision.readings import AT_HOLE
from hardware.board import TOURNAMENT
from hardware.simulated.arrangement import Arrangement
from hardware.simulated.lens import CameraPose
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.bench import hard
from tests.bench.calibrating import line_error, turned_as
from tests.controller.vision.reading_pictures import camera_above
from tests.shared import VISION, needs_vision, true_camera
from tests.slow import first_is_quick, slow

LINES = (TOURNAMENT.fifteen_line, TOURNAMENT.ten_line, TOURNAMENT.outer_line)
WITHIN = 0.5  # mm
DITCH = TOURNAMENT.surface_radius + TOURNAMENT.disc.radius  # mm, of a disc that leans on the surface's edge
FLOOR = -TOURNAMENT.surface_height


@cache
def painted(tilt):
    """A table watched from its near side, its board found in the picture of it empty, and that picture."""
    painter = Painter(look=Look(surface="oak"), pose=Arrangement(tilt=tilt).pose(), seed=1)
    empty = painter.full(Scene(0.0))
    return painter, calibrate(empty), empty


def lying(bearing, out, z=0.0, colour="black"):
    turn = math.radians(bearing)
    return SceneDisc(f"{bearing} {out}", colour, out * math.cos(turn), out * math.sin(turn), z)


@needs_vision
@pytest.mark.parametrize("name", first_is_quick(["dev_003", "dev_020", "dev_036"]))
def test_a_board_is_found_at_fifty_degrees(name):
    """The board's plane as another camera would see it, from a ray-traced picture with things on and beside it."""
    document = json.loads((VISION / f"raytraced/{name}.json").read_text(encoding="utf-8"))
    picture = cv2.imread(str(VISION / f"raytraced/{name}.jpg"))
    beside = camera_above(tilt=50.0).camera
    across, down = np.meshgrid(np.arange(beside.width), np.arange(beside.height))
    plane = beside.to_board(np.stack((across, down), axis=-1).astype(np.float64))
    places = true_camera(document).project(plane).astype(np.float32)
    warped = cv2.remap(picture, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    assert line_error(calibrate(warped), LINES, beside) < WITHIN


@slow
def test_discs_are_read_from_beside_a_traced_board():
    """A board of the half to choose by, seen from 30 to 50 degrees off the vertical."""
    for picture in next(hard.boards("oblique", hard.TUNE, 1)):
        found = turned_as(calibrate(picture.empty), picture.camera)
        reading = read_board(picture.image, found)
        for disc in (disc for disc in picture.discs if disc.status == "flat"):
            seen = min(reading.discs, key=lambda one: math.hypot(one.x - disc.x, one.y - disc.y))
            assert abs(math.hypot(seen.x, seen.y) - disc.from_hole) < 4 * seen.sigma
            assert seen.zone == disc.zone or seen.call == "close"


@pytest.mark.parametrize("floor", first_is_quick([FLOOR, -19.0, -25.0]))
@pytest.mark.parametrize("tilt", first_is_quick([40.0, 50.0]))
def test_a_disc_in_the_far_ditch_is_no_disc_on_the_surface(tilt, floor):
    painter, found, empty = painted(tilt)
    discs = tuple(lying(bearing, DITCH + 1.0, floor, "natural") for bearing in (60.0, 90.0, 115.0))
    on_edge = lying(75.0, TOURNAMENT.outer_line, colour="natural")
    picture = painter.full(Scene(0.0, (*discs, on_edge)))
    for known in (None, Background.from_empty(empty, found)):
        reading = read_board(picture, found, empty=known)
        (flat,) = (disc for disc in reading.discs if disc.pose == "flat")
        assert math.hypot(flat.x - on_edge.x, flat.y - on_edge.y) < 1.5
        in_ditch = [disc for disc in reading.discs if disc.pose == "ditch"]
        assert len(in_ditch) == 3 if floor == FLOOR else len(in_ditch) <= 3  # most of them is hidden in a deeper one


@slow
def test_the_near_rail_hides_as_much_of_the_ditch_as_documented():
    far_off = CameraPose(position=(0.0, -1700.0, 1100.0), look_at=(0.0, 0.0, 0.0), focal=2100.0)  # so it hides most
    painter = Painter(look=Look(surface="oak"), pose=far_off, seed=1)
    empty = painter.full(Scene(0.0))
    found = calibrate(empty)
    middle = TOURNAMENT.surface_radius + TOURNAMENT.ditch_width / 2
    seen = 0
    for bearing in range(0, 360, 10):
        x, y = middle * math.cos(math.radians(bearing)), middle * math.sin(math.radians(bearing))
        top = painter.pose.project((x, y, FLOOR + TOURNAMENT.disc.thickness))
        column, row = (round(float(part)) for part in top)
        picture = painter.full(Scene(0.0, (lying(bearing, middle, FLOOR, "white"),)))
        there = (slice(row - 1, row + 2), slice(column - 1, column + 2))
        seen += float(picture[there].mean()) > float(empty[there].mean()) + 60.0
    assert 0 < seen < 36
    assert abs(ditch_in_view(found) - seen / 36) < 0.06  # a disc more or less on either side


@slow
def test_how_a_disc_lies_in_the_hole_is_sure_from_above_alone():
    """From beside, where its model was fitted to no picture, a disc is seen there and in doubt."""
    calls = []
    for tilt in (0.0, 45.0):
        painter, found, empty = painted(tilt)
        in_hole = lying(0.0, 0.5, -TOURNAMENT.hole_depth, "natural")
        discs = (in_hole, lying(20.0, 150.0), lying(160.0, 240.0), lying(250.0, 180.0, colour="natural"))
        reading = read_board(painter.full(Scene(0.0, discs)), found, empty=Background.from_empty(empty, found))
        calls += [disc.call for disc in reading.discs if disc.pose in AT_HOLE]
    assert calls == ["sure", "close"]


@pytest.mark.parametrize("tilt", first_is_quick([43.0, 50.0]))
def test_a_disc_in_the_hole_is_never_surely_one_that_overhangs_it(tilt):
    """Seen from beside it covers just what a disc would that lies over the hole's edge."""
    painter, found, empty = painted(tilt)
    known = Background.from_empty(empty, found)
    for depth, out in itertools.product((5.0, 6.0, 7.0), (0.0, 1.5)):
        for towards in (90.0, 180.0, 270.0) if out else (0.0,):
            in_hole = lying(towards, out, -depth, "natural")
            beside = lying(20.0, 150.0), lying(160.0, 240.0), lying(250.0, 180.0, colour="natural")
            reading = read_board(painter.full(Scene(0.0, (in_hole, *beside))), found, empty=known)
            there = [disc for disc in reading.discs if math.hypot(disc.x, disc.y) < 2 * TOURNAMENT.hole_radius]
            assert [(disc.pose in AT_HOLE, disc.call) for disc in there] == [(True, "close")]


def test_set_up_says_what_a_camera_above_would_gain():
    beside, above = camera_above(tilt=45.0), camera_above(tilt=5.0)
    assert place_doubt(from_above(beside)) < 0.5 * place_doubt(beside)
    assert ditch_in_view(from_above(beside)) == 1.0
    more, usual = ([str(figure["name"]) for figure in board_step(one, None)["figures"]] for one in (beside, above))
    assert more == [*usual, "Uncertainty at the outer line due to the camera's position", "Ditch that the camera sees"]
    assert board_step(beside, None)["state"] == "good"
