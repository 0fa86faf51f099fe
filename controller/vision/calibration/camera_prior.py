"""Prior knowledge of a camera, and the parameters by which a fit moves it."""

from dataclasses import dataclass, replace

import numpy as np

from controller.errors import BadInput
from controller.vision.calibration.lens import Camera, Floats, rotation_matrix, rotation_vector
from controller.vision.calibration.settings import CAMERA_PRIOR, OPTICS
from hardware.devices import Lens

TURN = slice(0, 3)  # the parameters of a fit: turn of the board (radians), place (x / z, y / z, log z, so that
PLACE = slice(3, 6)  # height against focal length is a straight valley) and, of the lens, log focal, k1, cx, cy
LENS = slice(6, 10)
LOG_DISTANCE, LOG_FOCAL = 5, 6
COUNT = 10


@dataclass(frozen=True, slots=True)
class LensPrior:
    """The expected lens: log focal, k1, cx, cy, and their standard deviations. `above`: the lens's measured height
    above the board's surface in mm, if known.
    """

    expected: tuple[float, float, float, float]
    spread: tuple[float, float, float, float]
    above: float | None = None

    @classmethod
    def of(cls, width: int, height: int, lens: Lens | None, above: float | None = None) -> "LensPrior":
        """From the lens data scaled to this picture, else the usual lens. Raises `BadInput` for another camera's lens
        data and for an impossible height.
        """
        least, most = CAMERA_PRIOR.heights
        if above is not None and not least <= above <= most:
            raise BadInput(
                f"a camera {above:g} mm above the board can't be: measure from the playing surface to the lens, "
                f"in millimetres ({least:.0f} to {most:.0f})"
            )
        side = max(width, height)
        focal, spread = CAMERA_PRIOR.usual_focal * side, CAMERA_PRIOR.usual_focal_spread
        if lens is not None:
            if abs(lens.width * height / (lens.height * width) - 1) > OPTICS.aspect_tolerance:
                raise BadInput(
                    f"the lens data belong to pictures of {lens.width}x{lens.height}, this one has {width}x{height}: "
                    "give this camera's own, or none"
                )
            focal, spread = lens.focal * width / lens.width, CAMERA_PRIOR.known_focal_spread
        axis = CAMERA_PRIOR.axis_spread * side
        expected = (float(np.log(focal)), 0.0, (width - 1) / 2, (height - 1) / 2)
        return cls(expected, (spread, CAMERA_PRIOR.distortion_spread, axis, axis), above)

    @classmethod
    def fixed(cls, camera: Camera) -> "LensPrior":
        """A fixed lens, of a camera that is already known."""
        return cls((float(np.log(camera.focal)), camera.k1, camera.cx, camera.cy), (CAMERA_PRIOR.fixed,) * 4)

    @property
    def focal(self) -> float:
        """The expected focal length, pixels."""
        return float(np.exp(self.expected[0]))

    def mild(self) -> "LensPrior":
        """The prior with less distortion allowed."""
        log_focal, k1, cx, cy = self.spread
        return replace(self, spread=(log_focal, min(k1, CAMERA_PRIOR.mild_distortion), cx, cy))

    def require(self, camera: Camera) -> None:
        """Raise `BadInput` if the measured height contradicts the picture's lens."""
        if self.above is None:
            return
        height = float(camera.centre[2])
        off_tape = abs(height - self.above) / CAMERA_PRIOR.tape_spread
        off_lens = abs(np.log(camera.focal) - self.expected[0]) / self.spread[0]
        if max(off_tape, off_lens) > CAMERA_PRIOR.contradicts:
            raise BadInput(
                f"a camera {self.above:g} mm above the board does not go with this picture and lens: measure the "
                "height again, from the playing surface to the lens in millimetres, or leave it out"
            )

    def camera(self, width: int, height: int) -> Camera:
        """A camera with the expected lens that looks straight down; its place is a placeholder."""
        _, k1, cx, cy = self.expected
        return Camera(width, height, self.focal, cx, cy, k1, (np.pi, 0.0, 0.0), (0.0, 0.0, 1.0))


def parameters_of(camera: Camera) -> Floats:
    """(10,) the parameters of `camera` itself."""
    x, y, z = camera.t
    place = (x / z, y / z, np.log(z))
    return np.array([0, 0, 0, *place, np.log(camera.focal), camera.k1, camera.cx, camera.cy], np.float64)


def expectations(camera: Camera, prior: LensPrior) -> tuple[Floats, Floats]:
    """(10,) expected values and (10,) standard deviations: the lens by its prior, the pose of `camera` free. A measured
    height constrains the distance along the optical axis, for the tilt of `camera`.
    """
    expected, spread = parameters_of(camera), np.array([np.inf] * 6 + [*prior.spread])
    expected[LENS] = prior.expected
    if prior.above is not None:
        expected[LOG_DISTANCE] += np.log(prior.above / max(float(camera.centre[2]), 1.0))
        spread[LOG_DISTANCE] = CAMERA_PRIOR.tape_spread / prior.above
    return expected, spread


def moved(camera: Camera, parameters: Floats) -> Camera:
    """The camera with these parameters; their turn is relative to `camera`'s board frame."""
    rvec = camera.rvec
    if np.any(parameters[TURN]):
        rvec = rotation_vector(camera.rotation @ rotation_matrix(parameters[TURN]))
    x, y, log_z = (float(v) for v in parameters[PLACE])
    z = float(np.exp(log_z))
    log_focal, k1, cx, cy = (float(v) for v in parameters[LENS])
    return replace(camera, rvec=rvec, t=(x * z, y * z, z), focal=float(np.exp(log_focal)), k1=k1, cx=cx, cy=cy)
