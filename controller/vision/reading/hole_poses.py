"""Draws discs that lie flat in the 20 hole or lean on its rim, and compares each drawing with a picture.

A drawing says what every sample of a `Patch` shows: the disc's top, its side, the uncovered hole, its bevel, or the
board. It fits the better the less the colours vary within each part, and the more the board looks like the wood around
the hole.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools, Field, Floats
from controller.vision.reading.rays import Solids, of_size

REACH = 27.0  # mm from the hole's axis: nearer discs overhang the hole
STEP = 0.75  # mm between radii: about a pixel of the picture
DIRECTIONS = 48  # directions, 2 mm apart at the hole's edge
EDGE = 0.8  # mm beyond the hole's bevelled edge before plain wood begins
BEVEL = 3.0  # mm beyond the hole's edge with perhaps a shade of their own: a bevel, or a shadow. 1.5 is worse
BLUR = 1.0  # mm: a pixel of the picture

DEPTHS = (1.0, 1.6)  # times the nominal depth, which matters for an oblique camera
FLAT_PLACES = ((0.5, 6), (1.0, 12))  # share of the play, and how many there
LEANS_TOWARDS = 12  # directions that are drawn. Measured: 24 are no better
LEANS_OUT = (2.0, 4.0, 6.0)  # mm from the hole's axis. Measured: eight are no better

SLICES = 4  # of a disc, whose circles make its outline
VARIES = 16.0  # variance of colours: less is camera noise. Measured: 1 to 64 are as good
LEAST_AREA = 1.0  # mm^2 of a part that has a colour


RADII = np.arange(STEP, REACH, STEP)
POINTS = RADII[:, None, None] * np.stack(
    [part(np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)) for part in (np.cos, np.sin)], axis=-1
)
"""The samples of a `Patch` on the playing surface (R, D, 2), mm."""

PLACES = POINTS.reshape(-1, 2)
AREAS = np.repeat(RADII, DIRECTIONS) * (STEP * 2 * np.pi / DIRECTIONS)  # mm^2 each


@dataclass(frozen=True, slots=True)
class Drawn:
    """F flat and L leaning discs in the hole, and the share of each of S samples that shows each part, 0..1."""

    flat: Solids  # F
    leaning: Solids  # L
    parts: Field  # (4, F + L, S) top, side, uncovered hole, its bevel
    board: Field  # (F + L, S) the rest


@dataclass(frozen=True, slots=True)
class Compared:
    """How the best drawings fit."""

    leans: float  # the log-likelihood of the best leaning disc less that of the best flat one, times mm^2
    leaning: Solids  # the best leaning disc


@lru_cache(maxsize=4)
def drawn(calibration: Calibration) -> Drawn:
    """The drawings as this camera sees them."""
    flat, leaning = _flat(calibration), _leaning(calibration)
    inside, bevelled = _within(calibration.hole_radius + np.array([[0.0], [BEVEL]]), np.linalg.norm(PLACES, axis=-1))
    top, body = _shown(calibration, flat.plus(leaning), inside)
    shown = 1 - body
    parts = np.stack([top, body - top, shown * inside, shown * (bevelled - inside)])
    return Drawn(flat, leaning, parts, shown * (1 - bevelled))


def compared(calibration: Calibration, labs: Floats, wood: Floats, free: Bools) -> Compared:
    """Compare the drawings with the colours (S, 3) of a patch, of which only those of `free` (S,) samples count; `wood`
    (3,): the board's colour.
    """
    shown = drawn(calibration)
    area, colours = (AREAS * free).astype(np.float32), (labs - wood).astype(np.float32)
    square = (colours * colours).sum(1)
    sums = shown.parts @ (area[:, None] * np.column_stack((np.ones_like(square), colours, square)))
    total = np.maximum(sums[..., 0], LEAST_AREA)
    mean, variance = sums[..., 1:4] / total[..., None], sums[..., 4] / total
    spread = np.log(VARIES + np.maximum(variance - (mean * mean).sum(-1), 0))
    misfit = (sums[..., 0] * spread).sum(0) + shown.board @ (area * np.log(VARIES + square))
    flat, leaning = np.split(misfit / 2, [len(shown.flat.z)])
    return Compared(float(flat.min() - leaning.min()), shown.leaning.only(leaning.argmin(axis=0, keepdims=True)))


def _within(radius: float | Floats, away: Floats | Field) -> Field:
    """The share of a sample, 0..1, that is within a circle of this radius, mm; `away`: from its middle."""
    return np.asarray(np.clip(0.5 + (radius - away) / BLUR, 0, 1), np.float32)


def _shown(calibration: Calibration, solids: Solids, inside: Field) -> tuple[Field, Field]:
    """The share of each sample (K, S) that shows the top, and any part, of each disc. Below the surface a disc is seen
    through the hole only, whose share of each sample is `inside`.
    """
    axis, eye = solids.axes[..., 2].T, calibration.camera.centre
    sights = np.append(eye[:2] - PLACES, np.full((len(AREAS), 1), eye[2]), axis=1).astype(np.float32)
    start = np.append(PLACES, np.zeros((len(AREAS), 1)), axis=1).astype(np.float32)
    slope = axis.astype(np.float32) @ sights.T
    slices = []
    for up in np.linspace(0, solids.thickness, SLICES):
        middle = (np.column_stack((solids.centres, solids.z)) + up[:, None] * axis).astype(np.float32)
        share = ((axis * middle).sum(1)[:, None] - axis.astype(np.float32) @ start.T) / slope
        met = start + share[..., None] * sights - middle[:, None]
        disc = _within(solids.radius[:, None], np.sqrt((met * met).sum(-1)))
        slices.append(np.where(share < 0, disc * inside, disc))
    return slices[-1], np.max(slices, axis=0)


def _flat(calibration: Calibration) -> Solids:
    """Discs flat in a hole of usual depths: in the middle, half way to its wall, and at it."""
    centres = np.array([[0.0, 0.0]])
    for share, count in FLAT_PLACES:
        turn = np.arange(count) * (2 * np.pi / count)
        out = share * (calibration.hole_radius - calibration.disc.radius)
        centres = np.append(centres, out * np.stack([np.cos(turn), np.sin(turn)], axis=-1), axis=0)
    depths = calibration.board.hole_depth * np.array(DEPTHS)
    return Solids.flat(np.tile(centres, (len(depths), 1)), -np.repeat(depths, len(centres)), calibration)


def _leaning(calibration: Calibration) -> Solids:
    """Discs with one edge on the hole's floor and the opposite side on the rim, in every direction."""
    turn = np.arange(LEANS_TOWARDS) * (2 * np.pi / LEANS_TOWARDS)
    out, turn = (part.ravel() for part in np.meshgrid(LEANS_OUT, turn))
    towards, size = np.stack([np.cos(turn), np.sin(turn)], axis=-1), calibration.disc
    tilt = _tilts(calibration, out)
    z = size.radius * np.sin(tilt) - calibration.board.hole_depth
    return Solids(-out[:, None] * towards, z, tilt[:, None] * towards, *of_size(size, len(z)))


def _tilts(calibration: Calibration, out: Floats) -> Floats:
    """The tilts (K,), radians, of discs that lean with their middle `out` (K,) mm from the hole's axis: one point on
    the floor, and two on the rim, where their edge crosses the surface. Found by halving.
    """
    radius, rim = calibration.disc.radius, calibration.hole_radius - EDGE
    low, high = np.full(len(out), 0.09), np.full(len(out), 0.8)
    for _ in range(20):
        tilt = (low + high) / 2
        level = calibration.board.hole_depth / np.sin(tilt) - radius  # from the middle to the surface, along the disc
        too_wide = radius**2 - level**2 + (out + level * np.cos(tilt)) ** 2 > rim**2
        low, high = np.where(too_wide, tilt, low), np.where(too_wide, high, tilt)
    return np.asarray((low + high) / 2, np.float64)
