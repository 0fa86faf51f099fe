"""An evening's upkeep: slowly changing light, a nudge, a calibration kept from before, and a disc that nobody saw."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.vision.readings import AT_HOLE
from controller.vision.watching.background_model import LEFT_SECONDS, BackgroundModel
from hardware.simulated.fall import flat_in_hole
from hardware.simulated.scene import Hand, Scene, SceneDisc
from tests.controller.vision.painted import PaintedTable
from tests.slow import slow

DISCS = (SceneDisc("a1", "black", 10.0, 160.0), SceneDisc("b1", "natural", -120.0, 140.0))
EMPTY = Scene(0.0)
LAID = Scene(0.0, DISCS)


def in_the_hole(calibration, colour):
    at = flat_in_hole(calibration.board, 1.0, 0.3)
    return SceneDisc("a2", colour, at.x, at.y, at.z, at.tilt, at.tilt_towards)


@slow
def test_a_nudge_too_small_for_the_gate_is_found_on_the_empty_board(painter, calibration):
    kept = []
    model = BackgroundModel(calibration=calibration, on_calibrated=kept.append)
    table = PaintedTable(painter, model)
    table.show(EMPTY, 5.0)
    assert kept == [], "an empty board that shows nothing new changes nothing"
    nudged = replace(EMPTY, board_shift=(0.5, -0.4, 0.0))
    table.show(replace(nudged, hands=(Hand(1, 20.0, -200.0),)), 1.0)
    table.show(nudged, 8.0)
    assert "camera_moved" not in table.words
    assert len(kept) == 1
    hole = kept[0].to_board(calibration.project(np.array([[0.0, 0.0]])))[0]
    assert hole == pytest.approx((-0.5, 0.4), abs=0.1)
    assert model.calibration is kept[0]
    table.show(replace(nudged, discs=DISCS), 2.0)
    assert table.places[-1][1] == pytest.approx((10.0, 160.0), abs=0.6)


def test_upkeep_holds_up_no_frame(painter, calibration):
    """Renewing takes a tenth of a second and more; a piece of it takes some milliseconds, 18 where it was measured."""

    def slowest():
        table = PaintedTable(painter, BackgroundModel(calibration=calibration))
        table.show(EMPTY, 5.0)
        return table.slowest

    assert any(slowest() < 0.1 for _ in range(3)), "each time, however much the machine has to do beside it"


@slow
def test_a_kept_calibration_is_used_only_where_the_picture_confirms_it(painter, bare, calibration):
    kept = []
    BackgroundModel(calibration=calibration, on_calibrated=kept.append).read(bare)
    assert kept == []
    moved = painter.full(replace(EMPTY, board_shift=(6.0, 3.0, 1.0)))
    BackgroundModel(calibration=calibration, on_calibrated=kept.append).read(moved)
    assert kept[-1].to_board(calibration.project(np.array([[0.0, 0.0]])))[0] == pytest.approx((-6.0, -3.0), abs=0.3)
    smaller = calibration.scaled(640, 480)  # of the camera before this one
    BackgroundModel(calibration=smaller, on_calibrated=kept.append).read(bare)
    assert (kept[-1].width, kept[-1].height) == (1280, 960)


def test_what_may_be_an_unseen_disc_is_not_learnt_as_empty_board(bare, calibration):
    model = BackgroundModel(calibration=calibration)
    model.read(bare)
    learnt = model.background
    middle = calibration.project(np.array([120.0, 200.0]))
    y, x = np.mgrid[: bare.shape[0], : bare.shape[1]]
    bump = np.exp(-(((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / 18.0**2))
    smudge = np.clip(bare + 22 * bump[..., None], 0, 255).astype(np.uint8)  # no rim, so no disc: but something
    assert model.read(smudge).discs == ()
    assert model.background is learnt
    model.read(np.clip(bare * 0.9, 0, 255).astype(np.uint8))
    assert model.background is not learnt, "another light is learnt"


@pytest.mark.parametrize("colour", ["black", "natural"])
def test_a_board_first_seen_in_the_middle_of_a_round_shows_its_empty_hole_beside_discs(painter, calibration, colour):
    """Lamps that come on late: the first board has discs on it, and the first one without has a disc in the hole."""
    model = BackgroundModel(calibration=calibration)
    sunk = in_the_hole(calibration, colour)
    seen = [model.read(painter.full(Scene(0.0, discs))) for discs in (DISCS, (sunk,), DISCS, (sunk, *DISCS))]
    at_hole = [[disc.colour for disc in reading.discs if disc.pose in AT_HOLE] for reading in seen]
    assert at_hole == [[], [colour], [], [colour]]
    assert not any(reading.hole_unclear for reading in seen)


@pytest.mark.parametrize("colour", ["black", "natural"])
def test_a_lone_disc_in_the_hole_of_the_first_board_is_not_learnt_for_good_as_an_empty_hole(
    painter, calibration, colour
):
    model = BackgroundModel(calibration=calibration)
    sunk = in_the_hole(calibration, colour)
    model.read(painter.full(Scene(0.0, (sunk,))), 0.0)
    for t in (1.0, 30.0, 60.0 + LEFT_SECONDS):  # it was lifted off; nobody may be sure that one has come
        reading = model.read(painter.full(Scene(t, DISCS)), t)
        assert not any(disc.pose in AT_HOLE and disc.call == "sure" for disc in reading.discs)
    later = [model.read(painter.full(Scene(200.0, discs)), 200.0) for discs in (DISCS, (sunk, *DISCS))]
    assert [[disc.colour for disc in one.discs if disc.pose in AT_HOLE] for one in later] == [[], [colour]]
    assert not later[0].hole_unclear


def test_the_empty_hole_is_learnt_while_a_small_object_lies_far_from_it(painter, calibration):
    model = BackgroundModel(calibration=calibration)
    sunk = in_the_hole(calibration, "natural")
    scrap = np.array([(-15.0, -180.0, 0.0), (20.0, -180.0, 0.0), (20.0, -155.0, 0.0), (-15.0, -155.0, 0.0)])
    corners = np.rint(calibration.project(scrap)).astype(np.int32)
    model.read(painter.full(Scene(0.0, (sunk,))))
    seen = [
        model.read(cv2.fillPoly(painter.full(Scene(t, discs)), [corners], (150, 40, 160)), t)
        for t, discs in ((1.0, DISCS), (60.0 + LEFT_SECONDS, DISCS), (200.0, DISCS), (201.0, (sunk, *DISCS)))
    ]
    assert all(reading.partial for reading in seen)
    assert not seen[2].hole_unclear
    assert [disc.colour for disc in seen[3].discs if disc.pose in AT_HOLE] == ["natural"]
