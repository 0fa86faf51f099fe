"""A lens that drifts, on painted boards that are blurred as a lens does, by a disc and not by what measures it."""

import math
import random

import cv2
import numpy as np
import pytest

from controller.table.camera_thread import MEASURED, FocusWatch
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc

RADIUS = 2  # pixels of the disc that a lens out of focus makes of a point


def blurred(picture, noise=2.0):
    """As a lens out of focus shows it, with the noise of the sensor, which stays sharp."""
    size = 2 * RADIUS + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
    soft = cv2.filter2D(picture, -1, kernel / kernel.sum())
    dice = np.random.default_rng(7)
    return np.clip(soft + dice.normal(0, noise, soft.shape), 0, 255).astype(np.uint8)


def boards():
    """The same board with few and with many discs, as another program than the watch paints it."""
    dice = random.Random(5)
    painter = Painter(seed=5)
    scenes = []
    for count in (0, 3, 6, 9, 12, 4, 8):
        places = [(dice.uniform(20, 280), dice.uniform(0, 2 * math.pi)) for _ in range(count)]
        discs = [
            SceneDisc(f"d{k}", "black" if k % 2 else "natural", r * math.cos(a), r * math.sin(a))
            for k, (r, a) in enumerate(places)
        ]
        scenes.append(Scene(0.0, tuple(discs)))
    return [painter.full(scene) for scene in scenes]


def told(watch, pictures):
    return [watch.check(picture) for picture in pictures][-1]


@pytest.fixture(scope="module")
def pictures():
    return boards()


def test_a_drifting_lens_is_reported_until_it_comes_back(pictures):
    watch = FocusWatch()
    assert told(watch, pictures[:MEASURED]) is None
    assert "less sharply" in str(told(watch, [blurred(picture) for picture in pictures]))
    assert told(watch, pictures) is None


def test_light_that_is_halved_and_other_discs_are_no_blur(pictures):
    watch = FocusWatch()
    told(watch, pictures[:MEASURED])
    for share in (0.5, 0.75, 1.2):
        assert told(watch, [np.clip(picture * share, 0, 255).astype(np.uint8) for picture in pictures]) is None
    assert told(watch, [pictures[0]] * MEASURED) is None
    assert told(watch, [pictures[4]] * MEASURED) is None


def test_one_blurred_picture_says_nothing(pictures):
    watch = FocusWatch()
    told(watch, pictures[:MEASURED])
    assert told(watch, [*pictures[:4], blurred(pictures[4])]) is None
