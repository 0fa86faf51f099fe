"""Pictures with truth that stand beside a developer's checkout; tests that need them skip where they are missing."""

from pathlib import Path

import pytest

from controller.vision.calibration.camera import Camera

VISION = Path(__file__).resolve().parents[2] / "shared" / "vision"

needs_vision = pytest.mark.skipif(not VISION.is_dir(), reason=f"the pictures with truth are not at {VISION}")


def true_camera(document):
    """The camera of a ray-traced picture, from its truth."""
    seen = document["camera"]
    return Camera(
        width=document["width"],
        height=document["height"],
        focal=seen["K"][0][0],
        cx=seen["K"][0][2],
        cy=seen["K"][1][2],
        k1=seen["dist"][0],
        rvec=tuple(seen["rvec"]),
        t=tuple(seen["t"]),
    )
