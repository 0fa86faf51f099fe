"""The shared pictures with truth, as the calibration's tests need them."""

import json
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest

from controller.vision.calibration.camera import Camera
from hardware.devices import Image
from tests.shared import VISION, true_camera

BEARINGS = np.radians(np.arange(0.0, 360.0, 3.0))


@dataclass(frozen=True)
class Truth:
    """A picture and the camera that took it."""

    image: Image
    camera: Camera
    landmarks: dict[str, Any]


def picture(name):
    """A shared picture; skips the test where the pictures are not at hand."""
    path = VISION / name
    if not path.exists():
        pytest.skip(f"no shared pictures beside the checkout: {path.name} is missing")
    return cv2.imread(str(path))


def truth(name):
    """A shared picture with its true camera and landmarks."""
    image = picture(f"{name}.jpg")
    document = json.loads((VISION / f"{name}.json").read_text(encoding="utf-8"))
    at = {mark["name"]: mark["px"] for mark in document["landmarks"]}
    landmarks = {
        "hole": at["hole_centre"],
        "pegs": [at[f"peg_{k}"] for k in range(8)],
        "outer_line": [at[f"outer_{45 * k}"] for k in range(8)],
    }
    return Truth(image, true_camera(document), landmarks)


def circle(radius):
    """(n, 2) points of a circle about the hole, mm."""
    return radius * np.stack((np.cos(BEARINGS), np.sin(BEARINGS)), axis=-1)


def worst_line_error(found, true):
    """The largest radial error, mm, at which `found` places the standard's three lines."""
    errors = [np.hypot(*found.to_board(true.project(circle(r))).T) - r for r in (101.6, 203.2, 304.8)]
    return float(np.max(np.abs(errors)))


def turn_error(found, true):
    """Degrees by which the board's +x differs."""
    x, y = found.to_board(true.project(np.array(((200.0, 0.0),))))[0]
    return float(np.degrees(np.arctan2(y, x)))
