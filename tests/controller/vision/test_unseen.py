"""What a picture does not show of the board is said: what lies beyond its ends, and what light has blown out."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.errors import BadInput
from controller.vision.calibration.calibration import calibrate
from controller.vision.reading.reader import read_board
from tests.controller.vision.reading_pictures import camera_above, paint

BLACK, RED = (35, 32, 30), (40, 40, 170)


def beside(across):
    """The camera, with so many pixels of the board's picture beyond the left end."""
    calibration = camera_above(tilt=0.0)
    camera = calibration.camera
    return replace(calibration, camera=replace(camera, cx=camera.cx - across))


def lit(image, calibration, at, radius):
    """The picture with light as bright as it can be on a circle of the board, mm."""
    turn = np.linspace(0, 2 * np.pi, 60)
    edge = calibration.project(np.column_stack((at[0] + radius * np.cos(turn), at[1] + radius * np.sin(turn))))
    return cv2.fillPoly(image.copy(), [np.rint(edge).astype(np.int32)], (255, 255, 255))


def test_a_disc_beyond_the_pictures_end_is_not_taken_for_none():
    calibration = beside(600.0)  # of 1280; the middle of the board is 40 pixels within
    discs = [(-200.0, 0.0, BLACK), (200.0, 40.0, BLACK), (90.0, -150.0, RED)]
    reading = read_board(paint(calibration, discs, seed=2), calibration)
    assert sorted((round(disc.x, -1), round(disc.y, -1)) for disc in reading.discs) == [(90, -150), (200, 40)]
    assert not reading.shows(-200.0, 0.0)
    assert reading.shows(200.0, 40.0)
    assert reading.partial
    assert reading.to_json()["obstructed"]
    assert reading.surface_unseen == pytest.approx(0.44, abs=0.02)  # a segment whose chord runs 34 mm off the middle


def test_a_cut_off_rail_hides_nothing_and_a_cut_off_ditch_no_surface():
    discs = [(0.0, 200.0, BLACK), (-295.0, 0.0, RED)]
    rail, ditch = beside(200.0), beside(265.0)
    assert read_board(paint(rail, discs, seed=3), rail).unseen == ()
    reading = read_board(paint(ditch, discs, seed=3), ditch)
    assert len(reading.unseen) == 1
    assert not reading.partial
    assert len(reading.discs) == 2


def test_light_that_blows_out_more_than_a_disc_hides_what_is_under_it():
    calibration = camera_above()
    plain = paint(calibration, [(100.0, 100.0, BLACK), (-150.0, 60.0, RED)], seed=4)
    spot = read_board(lit(plain, calibration, (-150.0, 60.0), 40.0), calibration)
    assert [disc.colour for disc in spot.discs] == ["black"]
    assert not spot.shows(-150.0, 60.0)
    assert spot.partial
    glint = read_board(lit(plain, calibration, (-150.0, 120.0), 12.0), calibration)
    assert glint.unseen == (), "beside so small a patch a disc's rim would be seen"


def test_the_hole_under_such_light_may_hold_a_disc():
    calibration = camera_above()
    plain = paint(calibration, [(100.0, 100.0, BLACK)], seed=5)
    assert read_board(lit(plain, calibration, (0.0, 0.0), 45.0), calibration).hole_unclear


def test_a_board_that_is_blown_out_for_the_greater_part_is_found_and_read_where_it_is_seen():
    """Its lines are sharp: no share of bright pixels makes it unreadable."""
    calibration = camera_above()
    discs = [(150.0, 150.0, BLACK), (-150.0, -100.0, RED), (60.0, 170.0, BLACK), (-220.0, 40.0, RED)]
    image = paint(calibration, discs, seed=6)
    bright = np.asarray(np.clip(image * 2.4, 0, 255), np.uint8)
    assert np.mean(bright.min(-1) >= 250) > 0.33
    found = calibrate(bright)
    reading = read_board(bright, found)
    assert sorted(disc.colour for disc in reading.discs) == ["black", "black", "red", "red"]
    assert reading.partial, "discs as bright as the wood could lie there unseen"


def test_a_picture_that_shows_nothing_of_the_board_is_refused():
    calibration = camera_above()
    image = paint(calibration, [], seed=7)
    with pytest.raises(BadInput, match="blown out"):
        read_board(lit(image, calibration, (0.0, 0.0), 320.0), calibration)
