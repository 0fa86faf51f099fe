"""A camera above the board: pinhole, one term of radial distortion, and the pose of the board before it; what is known
of one beforehand, and the parameters by which a fit moves it.

Pixels have their centres at whole numbers; the distortion is OpenCV's k1; the pose takes the board frame of
`hardware.board` to the camera frame (x right, y down, z forward), in millimetres.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.errors import BadInput
from hardware.devices import Lens

ASPECT_TOLERANCE = 0.01  # share: a small stream's height is rounded to even pixels, a crop is far off

UNDISTORT_STEPS = 4  # newton steps; the fourth is below 1e-9 px for |k1| < 0.3 over a field of 80 degrees

Floats = NDArray[np.float64]
Field = NDArray[np.float32]
Bools = NDArray[np.bool_]
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Camera:
    """The camera's pose and mapping: board millimetres to pixels and back."""

    width: int
    height: int
    focal: float
    cx: float
    cy: float
    k1: float
    rvec: tuple[float, float, float]
    t: tuple[float, float, float]

    @cached_property
    def rotation(self) -> Floats:
        """(3, 3), board frame to camera frame."""
        return rotation_matrix(np.array(self.rvec))

    @cached_property
    def centre(self) -> Floats:
        """(3,) the camera's place in the board frame, mm; the third is the height above the surface."""
        return np.asarray(-self.rotation.T @ np.array(self.t), np.float64)

    @property
    def tilt(self) -> float:
        """Degrees between the optical axis and the board's normal."""
        return float(np.degrees(np.arccos(np.clip(-self.rotation[2, 2], -1.0, 1.0))))

    def faces(self, radius: float) -> bool:
        """Whether the whole circle of `radius` mm around the hole is in front of the lens."""
        nearest = self.t[2] - radius * float(np.hypot(*self.rotation[2, :2]))
        return nearest > 0

    @property
    def px_per_mm(self) -> float:
        """Scale at the hole."""
        return self.focal / self.t[2]

    def project(self, points: Floats) -> Floats:
        """Pixels (.., 2) of board points (.., 3), or (.., 2) for points on the surface."""
        points = np.asarray(points, np.float64)
        pixels = np.empty((*points.shape[:-1], 2))
        pixels[..., 0], pixels[..., 1] = self.project_planes(np.moveaxis(points, -1, 0))
        return pixels

    def project_planes(self, points: Floats) -> Floats:
        """`project` for points (3, ..) or (2, ..), to pixels (2, ..): many times faster, without interleaved
        coordinates."""
        x, y, z = self.rotation[:, : len(points)] @ points.reshape(len(points), -1) + np.array(self.t)[:, None]
        x /= z
        y /= z
        bent = x * x
        bent += y * y
        bent *= self.focal * self.k1
        bent += self.focal
        x *= bent
        y *= bent
        return np.stack((x + self.cx, y + self.cy)).reshape(2, *points.shape[1:])

    def to_board(self, pixels: Floats, z: float = 0.0) -> Floats:
        """Board points (.., 2) at height `z` seen at pixels (.., 2)."""
        # Row by row of the inverse homography of the plane: centre + s rotation' ray = (x, y, z) for the right s.
        across = self.rays(pixels) @ self.rotation
        reach = (z - self.centre[2]) / across[..., 2:]
        return np.asarray(self.centre[:2] + across[..., :2] * reach, np.float64)

    def along_sight(self, points: Floats, z: Floats | float, level: Floats | float) -> Floats:
        """The points (.., 2) at height `level` on the lines of sight to points (.., 2) at height `z`."""
        eye = self.centre
        share = np.asarray((level - z) / (eye[2] - z), np.float64)
        return points + (eye[:2] - points) * share[..., None]

    def rays(self, pixels: Floats) -> Floats:
        """Directions (.., 3) in the camera frame, third member 1, of pixels (.., 2)."""
        bent = (np.asarray(pixels, np.float64) - np.array((self.cx, self.cy))) / self.focal
        bent_square = np.sum(bent * bent, axis=-1, keepdims=True)
        shrink = np.ones_like(bent_square)  # straight = bent * shrink; Newton on shrink (1 + k1 r^2 shrink^2) = 1
        for _ in range(UNDISTORT_STEPS):
            square = self.k1 * bent_square * shrink * shrink
            shrink -= (shrink * (1 + square) - 1) / (1 + 3 * square)
        return np.concatenate((bent * shrink, np.ones_like(bent_square)), axis=-1)

    def scaled(self, width: int, height: int) -> "Camera":
        """The camera for another picture size. Raises `BadInput` for another field of view."""
        across, down = width / self.width, height / self.height
        if abs(across / down - 1) > ASPECT_TOLERANCE:
            raise BadInput(
                f"a picture of {width}x{height} does not show the same field as one of {self.width}x{self.height}; "
                "calibrate with this camera's own picture"
            )
        return replace(
            self,
            width=width,
            height=height,
            focal=self.focal * (across + down) / 2,
            cx=(self.cx + 0.5) * across - 0.5,
            cy=(self.cy + 0.5) * down - 0.5,
        )

    def turned(self, degrees: float) -> "Camera":
        """The same view with the board frame turned, so that the direction `degrees` becomes +x."""
        angle = np.radians(degrees)
        turn = rotation_matrix(np.array((0.0, 0.0, angle)))
        return replace(self, rvec=rotation_vector(self.rotation @ turn))


def rotation_matrix(rvec: Floats) -> Floats:
    """(3, 3) of an axis-angle vector (3,)."""
    return np.asarray(cv2.Rodrigues(np.asarray(rvec, np.float64))[0], np.float64)


def rotation_vector(rotation: NDArray[Any]) -> tuple[float, float, float]:
    """The axis-angle vector of a (3, 3) rotation, by the nearest quaternion (Bar-Itzhack 2000). OpenCV's function loses
    half of the digits near half a turn, the usual rotation of a camera above a board.
    """
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = np.asarray(rotation, np.float64)
    nearness = np.array(
        (
            (xx - yy - zz, xy + yx, xz + zx, zy - yz),
            (xy + yx, yy - xx - zz, yz + zy, xz - zx),
            (xz + zx, yz + zy, zz - xx - yy, yx - xy),
            (zy - yz, xz - zx, yx - xy, xx + yy + zz),
        )
    )
    quaternion = np.linalg.eigh(nearness)[1][:, -1]
    axis, cosine = quaternion[:3] * (1 if quaternion[3] >= 0 else -1), abs(float(quaternion[3]))
    sine = float(np.linalg.norm(axis))
    x, y, z = (axis * (2 * np.arctan2(sine, cosine) / sine if sine > 0 else 2.0)).tolist()
    return x, y, z


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
