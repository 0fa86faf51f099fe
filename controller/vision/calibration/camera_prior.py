"""Prior knowledge of a camera, and the parameters by which a fit moves it."""

from dataclasses import dataclass, replace

import numpy as np

from controller.errors import BadInput
from controller.vision.calibration.lens import ASPECT_TOLERANCE, Camera, Floats, rotation_matrix, rotation_vector
from hardware.devices import Lens

USUAL_FOCAL_SPREAD = 0.25  # the focal length's logarithm, one sigma: phones, Pi cameras, webcams lie within
DISTORTION_SPREAD = 0.1  # standard deviation of k1: lenses that are no fisheyes lie within two of these
FIXED = 1e-6  # standard deviation, in any unit, of a fixed parameter

USUAL_FOCAL = 0.95  # share of the picture's longer side. Views of 39 to 72 degrees have 1.4 to 0.69 of it
KNOWN_FOCAL_SPREAD = 0.01  # the same for a focal length from the maker or measured earlier, with the focus
TAPE_SPREAD = 10.0  # mm: a height by tape measure, held to a lens with its centre inside, one sigma
HEIGHTS = (200.0, 5000.0)
"""mm: possible heights above the surface, from a wide lens just above the board to a hall's ceiling."""
CONTRADICTS = 3.0  # standard deviations at which a measured height contradicts the picture
MILD_DISTORTION = 0.03  # the same if the lines' radii are unknown too: one view does not determine both
AXIS_SPREAD = 0.004  # share of the longer side: the optical axis off the picture's centre, one sigma


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
        least, most = HEIGHTS
        if above is not None and not least <= above <= most:
            raise BadInput(
                f"a camera {above:g} mm above the board can't be: measure from the playing surface to the lens, "
                f"in millimetres ({least:.0f} to {most:.0f})"
            )
        side = max(width, height)
        focal, spread = USUAL_FOCAL * side, USUAL_FOCAL_SPREAD
        if lens is not None:
            if abs(lens.width * height / (lens.height * width) - 1) > ASPECT_TOLERANCE:
                raise BadInput(
                    f"the lens data belong to pictures of {lens.width}x{lens.height}, this one has {width}x{height}: "
                    "give this camera's own, or none"
                )
            focal, spread = lens.focal * width / lens.width, KNOWN_FOCAL_SPREAD
        axis = AXIS_SPREAD * side
        expected = (float(np.log(focal)), 0.0, (width - 1) / 2, (height - 1) / 2)
        return cls(expected, (spread, DISTORTION_SPREAD, axis, axis), above)

    @classmethod
    def fixed(cls, camera: Camera) -> "LensPrior":
        """A fixed lens, of a camera that is already known."""
        return cls((float(np.log(camera.focal)), camera.k1, camera.cx, camera.cy), (FIXED,) * 4)

    @property
    def focal(self) -> float:
        """The expected focal length, pixels."""
        return float(np.exp(self.expected[0]))

    def mild(self) -> "LensPrior":
        """The prior with less distortion allowed."""
        log_focal, k1, cx, cy = self.spread
        return replace(self, spread=(log_focal, min(k1, MILD_DISTORTION), cx, cy))

    def require(self, camera: Camera) -> None:
        """Raise `BadInput` if the measured height contradicts the picture's lens."""
        if self.above is None:
            return
        height = float(camera.centre[2])
        off_tape = abs(height - self.above) / TAPE_SPREAD
        off_lens = abs(np.log(camera.focal) - self.expected[0]) / self.spread[0]
        if max(off_tape, off_lens) > CONTRADICTS:
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
        spread[LOG_DISTANCE] = TAPE_SPREAD / prior.above
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
