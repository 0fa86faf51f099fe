"""What is known of a camera before the picture is looked at, and how a fit may move it."""

from dataclasses import dataclass, replace

import numpy as np

from controller.vision.lens import Camera, Floats, rotation_matrix, rotation_vector
from hardware.devices import Lens

USUAL_FOCAL = 0.95  # of the picture's longer side; 39 to 72 degrees across are 1.4 to 0.69 of it
USUAL_FOCAL_SPREAD = 0.25  # of its logarithm: phones, Pi cameras and webcams lie within
KNOWN_FOCAL_SPREAD = 0.01  # a maker's or an earlier measurement's figure, focus included
DISTORTION_SPREAD = 0.1  # k1: without a fisheye the study's and real lenses lie within two of these
AXIS_SPREAD = 0.004  # of the picture's longer side: how far the optical axis may be from the picture's centre

TURN = slice(0, 3)  # the parameters of a fit: turn of the board (radians), place (mm) and, of the lens,
PLACE = slice(3, 6)  # log focal, k1, cx, cy
LENS = slice(6, 10)
COUNT = 10


@dataclass(frozen=True, slots=True)
class LensPrior:
    """What to expect of the lens: its focal length in pixels and how sure that is."""

    focal: float
    spread: float  # of the logarithm of `focal`

    @classmethod
    def of(cls, width: int, height: int, lens: Lens | None) -> "LensPrior":
        """From the lens data, scaled to this picture, or else what is usual."""
        if lens is None:
            return cls(USUAL_FOCAL * max(width, height), USUAL_FOCAL_SPREAD)
        return cls(lens.focal * width / lens.width, KNOWN_FOCAL_SPREAD)

    def spreads(self, width: int, height: int) -> Floats:
        """(10,) standard deviations of the fit's parameters; infinite for the pose."""
        axis = AXIS_SPREAD * max(width, height)
        return np.array([np.inf] * 6 + [self.spread, DISTORTION_SPREAD, axis, axis])


def parameters_of(camera: Camera) -> Floats:
    """(10,) where `camera` itself stands among the parameters."""
    return np.array([0, 0, 0, *camera.t, np.log(camera.focal), camera.k1, camera.cx, camera.cy], np.float64)


def moved(camera: Camera, parameters: Floats) -> Camera:
    """The camera that the parameters describe; their turn is that of `camera`'s board frame."""
    rvec = camera.rvec
    if np.any(parameters[TURN]):
        rvec = rotation_vector(camera.rotation @ rotation_matrix(parameters[TURN]))
    x, y, z = (float(v) for v in parameters[PLACE])
    log_focal, k1, cx, cy = (float(v) for v in parameters[LENS])
    return replace(camera, rvec=rvec, t=(x, y, z), focal=float(np.exp(log_focal)), k1=k1, cx=cx, cy=cy)
