"""The simulated camera's pose and projection, in OpenCV's conventions.

Pixel centres are at whole numbers; the camera frame has x to the right, y down and z forward; the lens distorts by k1
alone. The board frame is that of `hardware.board`."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.floating[Any]]
NEWTON_STEPS = 4  # of the undistortion; the fourth changes less than 1e-9 px for |k1| < 0.2 and a view of 70 degrees
UNDISTORTION_NODES = 4096  # for interpolating over a whole picture: the error is below 1e-7
STRAIGHT_DOWN = np.diag((1.0, -1.0, -1.0))  # board frame to the frame of a camera that points straight down


@dataclass(frozen=True)
class CameraPose:
    """A camera's place (mm, board frame), direction (degrees of roll) and lens (pixels of the full picture)."""

    position: tuple[float, float, float] = (35.0, -110.0, 950.0)
    look_at: tuple[float, float, float] = (0.0, 5.0, 0.0)
    roll: float = 0.0
    focal: float = 1085.0
    k1: float = -0.04
    width: int = 1280
    height: int = 960
    small: tuple[int, int] = (320, 240)  # width, height of the small stream
    principal: tuple[float, float] | None = None  # None: the middle of the picture

    @property
    def axis(self) -> tuple[float, float]:
        return self.principal or ((self.width - 1) / 2, (self.height - 1) / 2)

    @property
    def matrix(self) -> Floats:
        cx, cy = self.axis
        return np.array([[self.focal, 0.0, cx], [0.0, self.focal, cy], [0.0, 0.0, 1.0]])

    @property
    def distortion(self) -> Floats:
        """(5,) OpenCV's distortion coefficients."""
        return np.array([self.k1, 0.0, 0.0, 0.0, 0.0])

    @cached_property
    def rotation(self) -> Floats:
        """(3, 3) board frame to camera frame: the shortest rotation from straight down, then the roll."""
        towards = np.subtract(self.look_at, self.position)
        x, y, z = towards / np.linalg.norm(towards)
        # Rodrigues' formula for the rotation from (0, 0, -1) to (x, y, z).
        turn = np.array(
            [[1 - x * x / (1 - z), -x * y / (1 - z), -x], [-x * y / (1 - z), 1 - y * y / (1 - z), -y], [x, y, -z]]
        )
        return np.asarray(_about_z(self.roll) @ STRAIGHT_DOWN @ turn.T)

    @cached_property
    def t(self) -> Floats:
        """(3,) the board's origin in the camera frame, mm."""
        return np.asarray(-self.rotation @ np.array(self.position))

    def project(self, points: ArrayLike) -> Floats:
        """Pixels (.., 2) of points (.., 3) in the board frame."""
        places = np.asarray(points, np.float64)
        seen = places.reshape(-1, 3) @ self.rotation.T + self.t  # one product is faster than many small ones
        flat = seen[:, :2] / seen[:, 2:]
        bend = 1 + self.k1 * np.einsum("ij,ij->i", flat, flat)
        flat *= (self.focal * bend)[:, None]
        return (flat + self.axis).reshape(*places.shape[:-1], 2)

    def rays(self, pixels: ArrayLike) -> Floats:
        """Viewing directions (.., 3) of pixels (.., 2) in the board frame, not normalised."""
        bent = (np.asarray(pixels, np.float64) - np.array(self.axis)) / self.focal
        shrink = self._shrink(np.sum(bent * bent, axis=-1, keepdims=True))
        forward = np.ones_like(shrink)
        return np.asarray(np.concatenate((bent * shrink, forward), axis=-1) @ self.rotation)

    def _shrink(self, bent_square: Floats) -> Floats:
        """The factor that undoes the distortion, given the distorted radius squared."""
        shrink = np.ones_like(bent_square)
        for _ in range(NEWTON_STEPS):  # shrink (1 + k1 r^2 shrink^2) = 1
            square = self.k1 * bent_square * shrink * shrink
            shrink -= (shrink * (1 + square) - 1) / (1 + 3 * square)
        return shrink

    def to_board(self, pixels: ArrayLike, z: float = 0.0) -> Floats:
        """Points (.., 2) at height `z` that appear at pixels (.., 2)."""
        rays = self.rays(pixels)
        reach = (z - self.position[2]) / rays[..., 2:]
        return np.asarray(np.array(self.position[:2]) + rays[..., :2] * reach)

    def ray_map(self) -> NDArray[np.float32]:
        """(height, width, 3) `rays` of every pixel."""
        (cx, cy), size = self.axis, (self.height, self.width)
        u = np.broadcast_to(((np.arange(self.width) - cx) / self.focal).astype(np.float32), size)
        v = np.broadcast_to(((np.arange(self.height) - cy) / self.focal).astype(np.float32)[:, None], size)
        square = u * u + v * v
        nodes = np.linspace(0.0, float(square.max()), UNDISTORTION_NODES)
        shrink = np.interp(square, nodes, self._shrink(nodes)).astype(np.float32)
        turn = self.rotation.astype(np.float32)
        return np.stack([(u * turn[0, k] + v * turn[1, k]) * shrink + turn[2, k] for k in range(3)], axis=-1)

    def scaled(self, width: int, height: int) -> "CameraPose":
        """The same view in another size, as if blocks of pixels were averaged."""
        scale = width / self.width
        cx, cy = self.axis
        principal = ((cx + 0.5) * scale - 0.5, (cy + 0.5) * height / self.height - 0.5)
        return replace(self, width=width, height=height, focal=self.focal * scale, principal=principal)

    def after_bump(self, shift: tuple[float, float, float]) -> "CameraPose":
        """The pose relative to a board that was moved by (dx, dy) mm and turned by `shift[2]` degrees."""
        dx, dy, turn = shift
        back = _about_z(-turn)
        position, look_at = (back @ (np.array(p) - (dx, dy, 0.0)) for p in (self.position, self.look_at))
        # The shortest rotation commutes with rotations about the board's axis, so only the roll absorbs the board's
        # turn.
        return replace(self, position=_triple(position), look_at=_triple(look_at), roll=self.roll - turn)

    def nudged(self, tilt: float, lean: float, roll: float) -> "CameraPose":
        """The pose after a knock tilted the camera by two small angles and rolled it; degrees."""
        height = self.position[2] - self.look_at[2]
        dx, dy = height * math.tan(math.radians(tilt)), height * math.tan(math.radians(lean))
        x, y, z = self.look_at
        return replace(self, look_at=(x + dx, y + dy, z), roll=self.roll + roll)


Tile = tuple[slice, slice]  # the rows and columns of a rectangle in a picture


class PaintedView:
    """A pose with the ray of every pixel, for painting."""

    def __init__(self, pose: CameraPose) -> None:
        self.pose = pose
        self.rays = pose.ray_map()
        self.eye = np.array(pose.position)

    def tile(self, points: Floats, margin: int = 2) -> Tile | None:
        """The rectangle around points (n, 3) with `margin` pixels; None if it is outside the picture."""
        pixels = self.pose.project(points)
        left, top = np.floor(pixels.min(axis=0)).astype(int) - margin
        right, bottom = np.ceil(pixels.max(axis=0)).astype(int) + margin + 1
        rows = slice(max(int(top), 0), min(int(bottom), self.pose.height))
        columns = slice(max(int(left), 0), min(int(right), self.pose.width))
        if rows.stop - rows.start < 2 or columns.stop - columns.start < 2:
            return None
        return rows, columns

    def plane(self, tile: Tile, z: float) -> tuple[Floats, Floats]:
        """The points where the tile's rays meet the plane at height `z`: x and y, (h, w) each, mm."""
        rays = self.rays[tile]
        reach = (z - float(self.eye[2])) / rays[..., 2]
        return float(self.eye[0]) + rays[..., 0] * reach, float(self.eye[1]) + rays[..., 1] * reach


def _about_z(degrees: float) -> Floats:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _triple(v: Floats) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
