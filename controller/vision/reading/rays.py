"""Samples rays across the outlines of discs, and finds possible edges on them.

A disc is a solid: its silhouette is the hull of its bottom and its top circle. Rays run outwards in the plane of the
top. Both rims have a known place on each ray, so one shift of the disc in millimetres determines all rays. All discs of
a picture are sampled in one pass.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools, Field, Floats, Indices
from controller.vision.reading.discs import sample
from hardware.board import DiscSize
from hardware.devices import Image


class Rows:
    """Base of dataclasses whose fields are arrays with a row for each of K things."""

    __slots__ = ()
    __match_args__: tuple[str, ...]

    def only(self, keep: list[int] | Indices | Bools) -> Self:
        """A subset of the rows."""
        return self._made(part[keep] for part in self._parts)

    def plus(self, more: Self) -> Self:
        """These rows, then the others."""
        return self._made(map(np.concatenate, zip(self._parts, more._parts, strict=True)))

    @property
    def _parts(self) -> list[NDArray[Any]]:
        return [getattr(self, name) for name in self.__match_args__]  # faster than `fields`, called often

    def _made(self, parts: Any) -> Self:
        make: Any = type(self)
        made: Self = make(*parts)
        return made


STEP = 0.5  # mm between samples: half a pixel at the usual camera height; at 1 mm more outlines are wrong
INSIDE = 4.5  # mm: a ray's start inside the rim

# Weights and noises are the flat centre of a scan over 457 ray-traced discs: half or double changes the error by a
# tenth.
OUTSIDE = 4.0  # mm: a ray's end beyond the outermost rim
COLOURED = 12  # rays that measure a disc's colour
CORE = 3.0  # mm: the part of each ray that is certainly the disc
EDGE_NOISE = 3.0  # grey levels per mm from texture and noise alone, at least. From the scan
EDGE_SHARE = 0.15  # share of the usual steepest slope at which an edge counts half. From the scan
OWN_NOISE = 6.0  # grey levels by which a disc's colour may vary besides texture. From the scan
LIKENESS_REACH = 4.0  # squared standard errors at which a colour barely matches. From the scan
GATE = 0.25  # weight of an edge where the disc's colour does not end. From the scan
ROUNDING = 0.8  # mm: radius of a disc's rounded edge, measured on traced discs; it sets the silhouette back


# Slope of colours that are smoothed with 1/4, 1/2, 1/4: as wide as the picture's own blur.
SLOPE = np.array([[-0.25, -0.5, 0.0, 0.5, 0.25]], np.float32) / (2 * STEP)


@dataclass(frozen=True, slots=True)
class Solids(Rows):
    """K discs with the bottoms' centres at height `z` (K,) near `centres` (K, 2), mm in the board frame. `lean` (K, 2),
    radians: the tilt, towards the lowest point.
    """

    centres: Floats
    z: Floats
    lean: Floats
    radius: Floats  # (K,) mm
    thickness: Floats  # (K,)

    @classmethod
    def flat(cls, centres: Floats, z: Floats, calibration: Calibration) -> "Solids":
        """Flat discs of this table."""
        return cls(centres, z, np.zeros_like(centres), *of_size(calibration.disc, len(z)))

    @property
    def axes(self) -> Floats:
        """Each disc's axes in the board frame, (3, K, 3): two in its plane, and its normal."""
        axes = np.zeros((3, len(self.z), 3))
        axes[0, :, 0] = axes[1, :, 1] = axes[2, :, 2] = 1
        if self.lean.any():
            dip = np.hypot(*self.lean.T)
            (x, y), sine, less = self.lean.T / np.maximum(dip, 1e-9), np.sin(dip), 1 - np.cos(dip)
            axes -= np.stack(
                [
                    [less * x * x, less * x * y, -sine * x],
                    [less * x * y, less * y * y, -sine * y],
                    [sine * x, sine * y, less],
                ]
            ).swapaxes(1, 2)
        return axes

    def moved(self, shift: Floats) -> "Solids":
        """The discs moved by `shift` (K, 2) mm."""
        return replace(self, centres=self.centres + shift)


@dataclass(frozen=True, slots=True)
class Rays:
    """K discs along N rays with S samples each."""

    wall: Field  # (K, N) mm from the top rim to the bottom rim along the ray; negative where it is hidden
    edges: Field  # (2, K, N) the expected rims of a rounded disc, top and bottom, mm from the sharp top rim
    slope: Field  # (K, N, S) the slope of colour, grey levels per mm
    noise: Field  # (K, 1) the slope that counts half
    gates: Field  # (2, K, N, S) how well the disc's colour ends at each sample, as rim and as foot

    @property
    def strengths(self) -> Field:
        """The strength of each sample as an edge, as rim and as foot: (2, K, N, S), 0..1."""
        square = self.slope * self.slope
        square /= square + (self.noise * self.noise)[..., None]
        return square * self.gates


def of_size(size: DiscSize, count: int) -> Floats:
    """The radius and the thickness of `count` discs of this size, (2, count)."""
    return np.tile(np.array([[size.radius], [size.thickness]]), count)


@cache
def directions(count: int) -> tuple[Field, Field]:
    """Cosine and sine (count,) of the rays."""
    angles = np.arange(count) * (2 * np.pi / count)
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def look(image: Image, calibration: Calibration, solids: Solids, count: int) -> Rays:
    """Sample `count` rays of each solid in the picture (H, W, 3)."""
    rim, outwards, wall = _outlines(calibration, solids, count)
    slant = np.abs(wall) / solids.thickness.astype(np.float32)[:, None]
    set_back = ROUNDING * (1 + slant - np.sqrt(1 + slant * slant))
    edges = np.stack([np.where(wall < 0, -set_back, np.float32(0)), wall - set_back])
    reach = np.arange(-INSIDE, float(wall.max(initial=0.0)) + OUTSIDE, STEP, dtype=np.float32)
    places = (begin[..., None] + step[..., None] * reach for begin, step in zip(rim, outwards, strict=True))
    x, y = (place.reshape(-1, len(reach)) for place in places)
    seen = sample(image, x, y)
    shape = (*wall.shape, len(reach))
    slope = _slope(seen)
    steepest = np.asarray(cv2.reduce(slope, 1, cv2.REDUCE_MAX), np.float32).reshape(wall.shape)
    noise = np.maximum(np.float32(EDGE_NOISE), EDGE_SHARE * _median(steepest)[:, None])
    return Rays(wall, edges, slope.reshape(shape), noise, _gates(_own(seen.reshape(*shape, 3))))


def _outlines(calibration: Calibration, solids: Solids, count: int) -> tuple[Field, Field, Field]:
    """Pixels of the top rim (2, K, N), pixels per mm outwards (2, K, N), and the wall's width (K, N), mm."""
    axes = solids.axes
    ring = axes[..., :2] @ np.stack(directions(count))
    solid = np.empty((3, 3, *ring.shape[1:]))  # x, y, z of the top rim, of 1 mm beyond it, and of the bottom rim
    np.multiply(ring, solids.radius[:, None], out=solid[:, 2])
    solid[:2, 2] += solids.centres.T[..., None]
    solid[2, 2] += solids.z[:, None]
    np.add(solid[:, 2], solids.thickness[:, None] * axes[..., 2:], out=solid[:, 0])
    np.add(solid[:, 0], ring, out=solid[:, 1])
    rim, beyond, bottom = calibration.camera.project_planes(solid).astype(np.float32).swapaxes(0, 1)
    outwards, across = beyond - rim, bottom - rim
    around = np.arange(-1, count + 1)
    ends = rim.take(around, axis=-1, mode="wrap")
    along = ends[..., 2:] - ends[..., :-2]
    wall = (across[0] * along[1] - across[1] * along[0]) / (outwards[0] * along[1] - outwards[1] * along[0])
    return rim, outwards, wall


def in_sight(calibration: Calibration, solids: Solids, count: int) -> Field:
    """Which points (K, N) of the top rims are visible past the playing surface's edge: 1, else 0. A camera beside the
    table sees a disc in the far ditch behind that edge.
    """
    edge = calibration.board.surface_radius
    shown = np.ones((len(solids.z), count), np.float32)
    low = np.flatnonzero((solids.z < 0) & (np.hypot(*solids.centres.T) > edge))
    if len(low):
        rim = solids.only(low)
        points = rim.centres[:, None] + rim.radius[:, None, None] * np.stack(directions(count), axis=-1)
        below = np.minimum(rim.z + rim.thickness, 0)[:, None]  # a rim above the surface is compared where it is
        level = calibration.camera.along_sight(points, below, 0.0)
        shown[low] = np.linalg.norm(level, axis=-1) > edge
    return shown


def _slope(seen: Image) -> Field:
    """The slope (R, S) of colour along each ray (R, S, 3)."""
    steps = cv2.filter2D(seen, cv2.CV_32F, SLOPE)
    size = np.asarray(cv2.sqrt(cv2.transform(cv2.multiply(steps, steps), np.ones((1, 3), np.float32))), np.float32)
    size[:, :2] = size[:, -2:] = 0
    return size


def _own(seen: Image) -> Field:
    """The likeness (K, N, S), 0..1, of each colour (K, N, S, 3) to the disc's."""
    k, n, s = seen.shape[:3]
    every = max(1, n // COLOURED)
    planes = np.array(cv2.split(seen.reshape(-1, 1, 3)), np.float32).reshape(3, k, n * s)
    core = planes.reshape(3, k, n, s)[:, :, ::every, : round(CORE / STEP)]
    return _likeness(planes, core.reshape(3, k, -1)).reshape(k, n, s)


def _likeness(planes: Field, examples: Field) -> Field:
    """The likeness (K, P), 0..1, of colours (3, K, P) to the main part of the examples (3, K, M)."""
    middle = _median(examples)
    spread = examples - middle[..., None]
    away = np.abs(spread)
    usual = (away < (_median(away) * 3 + 2)[..., None]).all(0)
    spread *= usual
    moment = np.einsum("ikm,jkm->kij", spread, spread) / np.maximum(usual.sum(-1), 1)[:, None, None]
    root = np.linalg.cholesky(np.linalg.inv(moment + np.eye(3) * OWN_NOISE**2))
    root = (root.swapaxes(1, 2) * np.sqrt(0.5 / LIKENESS_REACH)).astype(np.float32)
    parts = root @ planes.swapaxes(0, 1)
    parts -= root @ middle.T[:, :, None]
    np.square(parts, out=parts)
    away = parts.sum(1)
    return np.asarray(np.exp(np.negative(away, out=away), out=away), np.float32)


def _median(examples: Field) -> Field:
    """(..) of (.., M)."""
    half = examples.shape[-1] // 2
    return np.partition(examples, half, axis=-1)[..., half]


def _gates(like: Field) -> Field:
    """The `gates` of `Rays`, from each sample's likeness to the disc (K, N, S): the means 1 to 2 mm on either side."""
    s, wide, far = like.shape[-1], round(1 / STEP) + 1, round(2 / STEP)
    mean = cv2.boxFilter(like.reshape(-1, s), -1, (wide, 1), anchor=(wide - 1, 0)).reshape(like.shape)
    gates = np.empty((2, *like.shape), np.float32)
    rim, foot = gates
    rim[..., :far] = like[..., :far]
    rim[..., far:] = mean[..., wide - 1 : s - far + wide - 1]
    foot[..., :-far] = mean[..., far:]
    foot[..., -far:] = like[..., -far:]
    rim -= foot
    np.maximum(rim, 0, out=rim)
    np.subtract(np.float32(1), foot, out=foot)
    gates *= np.float32(1 - GATE)
    gates += np.float32(GATE)
    return gates


def taken(table: Field, index: Indices) -> Field:
    """`table` (.., S) at samples `index` (.., M) of each ray; missing leading axes are broadcast."""
    base = (np.arange(table.size // table.shape[-1]) * table.shape[-1]).reshape(*table.shape[:-1], 1)
    return np.asarray(table.reshape(-1).take(index + base), np.float32)
