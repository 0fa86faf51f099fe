"""A disc like the wood beside its own shadow: in frames of a filmed round, whose generator knows where it lies."""

import json
import math
from functools import cache

import cv2
import numpy as np
import pytest

from controller.vision.calibration.calibration import calibrate
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from hardware.board import TOURNAMENT
from hardware.devices import Image
from tests.shared import VISION

ROUND = VISION / "video" / "round_1"
EMPTY = 0  # frames of the film
DISCS = [(947, (237.0, -168.0)), (478, (71.2, -65.6)), (499, (71.2, -65.6))]
"""Frames with a natural disc, and where it lies then in the truth's frame."""
WITHIN = 2.5  # mm: its shadow's outline is 12 mm off


@cache
def frame(number: int) -> Image:
    """A frame of the film; getting there takes a second."""
    film = cv2.VideoCapture(str(ROUND / "round.mp4"))
    film.set(cv2.CAP_PROP_POS_FRAMES, number)
    there, picture = film.read()
    film.release()
    if not there:
        pytest.skip("this OpenCV cannot decode the film")
    return np.asarray(picture, np.uint8)


@pytest.mark.skipif(not ROUND.exists(), reason="no shared pictures beside the checkout: video/round_1 is missing")
@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_the_discs_are_found_and_not_their_shadows(quarters):
    truth = json.loads((ROUND / "truth.json").read_text(encoding="utf-8"))
    marks, turn = truth["landmarks"], 2 * quarters
    taps = {name: marks[name][turn:] + marks[name][:turn] for name in ("pegs", "outer_line")}
    calibration = calibrate(frame(EMPTY), Landmarks.from_json({"hole": marks["hole"], **taps}, TOURNAMENT))
    background = Background.from_empty(frame(EMPTY), calibration)
    for number, (x, y) in DISCS:
        for _ in range(quarters):
            x, y = y, -x
        reading = read_board(frame(number), calibration, empty=background)
        near = [disc for disc in reading.discs if math.hypot(disc.x - x, disc.y - y) < TOURNAMENT.disc.radius]
        (found,) = near
        off = math.hypot(found.x - x, found.y - y)
        assert off < WITHIN
        assert off < 3 * found.sigma
