"""A camera above the board: pinhole, one term of radial distortion, and the pose of the board before it.

Pixels have their centres at whole numbers; the distortion is OpenCV's k1; the pose takes the board frame of
`hardware.board` to the camera frame (x right, y down, z forward), in millimetres.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.errors import BadInput

ASPECT_TOLERANCE = 0.01  # share: a small stream's height is rounded to even pixels, a crop is far off

UNDISTORT_STEPS = 4  # newton steps; the fourth is below 1e-9 px for |k1| < 0.3 over a field of 80 degrees

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
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

    @property
    def rotation(self) -> Floats:
        """(3, 3), board frame to camera frame. Read-only."""
        return _rotation(self.rvec)

    @property
    def centre(self) -> Floats:
        """(3,) the camera's place in the board frame, mm; the third is the height above the surface. Read-only."""
        return _centre(self.rvec, self.t)

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
        rays = self.rays(pixels)
        turn = self.rotation
        # Row by row of the inverse homography of the plane: turn' (s ray - t) = (x, y, z) for the right s.
        origin = -(turn.T @ np.array(self.t))
        across = rays @ turn
        reach = (z - origin[2]) / across[..., 2:]
        return np.asarray(origin[:2] + across[..., :2] * reach, np.float64)

    def along_sight(self, points: Floats, z: Floats | float, level: Floats | float) -> Floats:
        """The points (.., 2) at height `level` on the lines of sight to points (.., 2) at height `z`."""
        eye = self.centre
        share = np.asarray((level - z) / (eye[2] - z), np.float64)
        return np.asarray(points + (eye[:2] - points) * share[..., None], np.float64)

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


@lru_cache(maxsize=16)
def _rotation(rvec: tuple[float, float, float]) -> Floats:
    """A cached `rotation_matrix`."""
    rotation = rotation_matrix(np.array(rvec))
    rotation.flags.writeable = False
    return rotation


@lru_cache(maxsize=16)
def _centre(rvec: tuple[float, float, float], t: tuple[float, float, float]) -> Floats:
    centre = np.asarray(-_rotation(rvec).T @ np.array(t), np.float64)
    centre.flags.writeable = False
    return centre


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
