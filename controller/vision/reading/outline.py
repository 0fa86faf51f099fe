"""Fits the outline of a disc in the picture to a fraction of a millimetre.

On the far side the top rim is the silhouette; on the near side the top rim, the side wall and the bottom rim are
visible. A coarse `search` finds the shift at which most of the outline is on edges; `refine` measures these edges and
fits the disc to all of them.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Field, Floats, Indices
from controller.vision.reading import rays
from controller.vision.reading.rays import INSIDE, STEP, Rays, Rows, Solids, directions, taken
from hardware.devices import Image

SEARCH_RAYS = 24  # rays of the coarse search. Source not recorded
OUTLINE_RAYS = 36  # rays of the fit; twice as many are no better: neighbouring rays err together
SEARCH = 4.5  # mm: the largest error of the first guess; a visible wall shifts it by half the parallax
SEARCH_STEP = 1.0  # mm between the places searched on each ray. Source not recorded
CAPTURE = (2.0, 1.2)  # mm around the predicted rim in which its edge is searched, narrowing
ROUNDS = 3  # rounds of reweighted least squares in each. Source not recorded
WALL_EDGE_WEIGHT = 0.9  # a foot may blend into its shadow, a near rim into the wall: they count less
NEAR = 0.6  # mm: a wall at least this wide has two visible edges
RADIUS_WEIGHT = 1.5  # the nominal radius's weight, in rays: a light disc on a dark board looks larger
AGREES = 0.25  # least weight of a visible ray. Source not recorded


@dataclass(frozen=True, slots=True)
class Outlines(Rows):
    """Fits of K discs. Positions are of the bottoms' centres in the board frame, mm."""

    centres: Floats  # (K, 2)
    covariance: Floats  # (K, 2, 2) mm^2, before `place_model` scales it
    support: Floats  # (K,) 0..1: mean strength of the edge along the outline
    weakest: Floats  # (K,) 0..1: mean strength of each ray's strongest edge, in the weakest sixth
    visible: Floats  # (K,) 0..1: share of the visible rays whose edge agrees with the fit
    in_sight: Floats  # (K,) 0..1: share of the rays that the board itself does not hide
    scatter: Floats  # (K,) mm: robust spread of the rays' edges about the fit
    excess: Floats  # (K,) mm: the outline's radius minus the nominal one

    @classmethod
    def none(cls) -> "Outlines":
        """An empty instance."""
        return cls(np.zeros((0, 2)), np.zeros((0, 2, 2)), *(np.zeros(0) for _ in range(6)))


HELD = np.diag([1e-3, 1e-3, RADIUS_WEIGHT])
"""The weights of the nominal place and radius against the rays; the place's is nearly 0."""


@cache
def _shifts() -> tuple[Floats, Indices, Field]:
    """Trial shifts (M, 2), samples (P,) on each ray, and the interpolation weights between them (N * P, M)."""
    most, step = SEARCH, SEARCH_STEP
    steps = np.arange(-most, most + step / 2, step / 1.5)
    places = np.arange(-most - step, most + 1.5 * step, step)
    shift = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    shift = shift[np.hypot(shift[:, 0], shift[:, 1]) <= most]
    radial = shift @ np.stack(directions(SEARCH_RAYS))
    hat = np.maximum(1 - np.abs(radial[..., None] - places) / SEARCH_STEP, 0)  # linear between places
    samples = np.rint(places / STEP).astype(np.intp)
    return shift, samples, np.ascontiguousarray(hat.reshape(len(shift), -1).T, np.float32)


def search(
    image: Image, calibration: Calibration, solids: Solids, most: Floats | float = SEARCH
) -> tuple[Floats, Floats]:
    """The shift (K, 2), mm, at which most of each outline is on edges, and the share (K,), 0..1. `most`, (K,) or
    one: the longest shift that is tried, mm.
    """
    shift, samples, common = _shifts()
    if not len(solids.z):
        return np.zeros((0, 2)), np.zeros(0)
    seen = rays.look(image, calibration, solids, SEARCH_RAYS)
    place = np.rint((seen.edges + INSIDE) / STEP).astype(np.intp)[..., None] + samples
    edges = taken(seen.strengths, np.clip(place, 0, seen.slope.shape[-1] - 1))
    agreement = _either(edges, seen.wall).reshape(len(solids.z), -1) @ common / np.float32(SEARCH_RAYS)
    agreement *= np.hypot(*shift.T) <= np.reshape(most, (-1, 1))
    return shift[agreement.argmax(1)], agreement.max(1).astype(np.float64)


def _either(edges: Field, wall: Field) -> Field:
    """The fit of an outline to each ray, (2, K, N, M) to (K, N, M): by its rim or, where the wall is visible, by its
    foot or both.
    """
    rim, foot = edges
    near = np.clip(wall, 0.0, 1.0)[..., None]  # blends from hidden to wide enough to be seen
    best = np.maximum(foot, np.float32(WALL_EDGE_WEIGHT) * (rim + foot))
    return np.asarray(rim + near * (best - rim), np.float32)


def refine(image: Image, calibration: Calibration, solids: Solids) -> Outlines:
    """Fit discs with places known to about a millimetre."""
    if not len(solids.z):
        return Outlines.none()
    seen = rays.look(image, calibration, solids, OUTLINE_RAYS)
    near = (seen.wall > NEAR) * np.float32(WALL_EDGE_WEIGHT)
    shown = rays.in_sight(calibration, solids, OUTLINE_RAYS)
    most = np.stack([np.where(near > 0, near, np.float32(1)), near]) * shown
    shift, square = np.zeros((len(solids.z), 3)), seen.noise * seen.noise
    for reach in CAPTURE:
        fitted = _radial(shift)
        place, height = _peaks(seen, fitted, reach)
        height *= height
        good = most * height / (height + square)
        for _ in range(ROUNDS):
            share = good * _tail(place - fitted, reach)
            weight = share[0] + share[1]
            share *= place
            pull = share[0] + share[1]
            shift, inverse = _solve(pull, weight)
            fitted = _radial(shift)
    offset = pull / np.maximum(weight, np.float32(1e-9))
    variance = (weight * (offset - fitted) ** 2).sum(1) / np.maximum(weight.sum(1), 1e-9)
    count = np.maximum(shown.sum(1), 1)
    visible = (weight > AGREES).sum(1) / count
    strengths = seen.strengths
    sixths = np.maximum(strengths.max((0, 3)), 1 - shown).reshape(len(solids.z), 6, -1).mean(2)
    return Outlines(
        centres=solids.centres + shift[:, :2],
        covariance=inverse[:, :2, :2] * variance[:, None, None].astype(np.float64),
        support=(_support(seen, strengths, fitted) * shown).sum(1, dtype=np.float64) / count,
        weakest=sixths.min(1).astype(np.float64),
        visible=visible.astype(np.float64),
        in_sight=shown.mean(1, dtype=np.float64),
        scatter=np.sqrt(variance).astype(np.float64),
        excess=shift[:, 2],
    )


def _peaks(seen: Rays, at: Field, reach: float) -> tuple[Field, Field]:
    """The best edges as rim and as foot within `reach` mm of an outline displaced by `at` (K, N) mm. Returns each
    edge's displacement, to a fraction of a sample, and its gated height, (2, K, N) each. The gate selects the edge. Its
    place is the peak of the slope without the gate, which would pull it inwards.
    """
    count, around = round(reach / STEP), np.arange(-1, 2)
    *rays_of, last = (*seen.wall.shape, seen.slope.shape[-1] - 1)
    middle = np.rint((at + seen.edges + INSIDE) / STEP).astype(np.intp)
    first = np.clip(middle - count, 2, last - 2 * count - 2)
    slope = seen.slope.reshape(-1)
    start = np.arange(seen.wall.size).reshape(rays_of) * (last + 1)  # of each ray among all samples
    index = (start + first)[..., None] + np.arange(2 * count + 1)
    local = slope.take(index)
    local[0] *= seen.gates[0].reshape(-1).take(index[0])
    local[1] *= seen.gates[1].reshape(-1).take(index[1])
    best = start + first + local.argmax(-1)
    best += slope.take(best[..., None] + around).argmax(-1) - 1
    low, y, high = slope.take(best - 1), slope.take(best), slope.take(best + 1)
    bend = low - 2 * y + high
    peaked = (low <= y) & (high <= y) & (bend < -1e-6)
    part = np.where(peaked, 0.5 * (low - high) / np.where(peaked, bend, np.float32(-1)), np.float32(0))
    place = (best - start + part).astype(np.float32) * STEP - INSIDE
    return place - seen.edges, np.where(peaked, local.max(-1), np.float32(0))


def _solve(pull: Field, weight: Field) -> tuple[Floats, Floats]:
    """Least squares of shift and radius: (K, 3) and the inverse normal matrices (K, 3, 3).

    `pull` (K, N): each ray's residual (mm) times its weight (K, N).
    """
    design, squares = _design()
    normal = (weight @ squares).reshape(-1, 3, 3)
    inverse = np.linalg.inv(normal + HELD)
    right = pull @ design
    return np.asarray((inverse @ right[..., None])[..., 0], np.float64), np.asarray(inverse, np.float64)


@cache
def _design() -> tuple[Floats, Floats]:
    """The effect of shift and radius on each ray (N, 3), and the products of both (N, 9)."""
    design = np.stack([*directions(OUTLINE_RAYS), np.ones(OUTLINE_RAYS)], axis=-1)
    return design, (design[:, :, None] * design[:, None]).reshape(OUTLINE_RAYS, 9)


def _radial(shift: Floats) -> Field:
    """The displacement of the outline along each ray (K, N) by a shift and a growth (K, 3)."""
    return np.asarray(shift @ _design()[0].T, np.float32)


def _support(seen: Rays, strengths: Field, fitted: Field) -> Field:
    """The strength of the fitted outline's edge on each ray (K, N)."""
    place = np.clip((fitted + seen.edges + INSIDE) / STEP, 0, seen.slope.shape[-1] - 1.001)[..., None]
    low = place.astype(np.intp)
    around = taken(strengths, low + np.arange(2))
    between = around[..., :1] + (around[..., 1:] - around[..., :1]) * (place - low).astype(np.float32)
    return _either(between, seen.wall)[..., 0]


def _tail(away: Field, reach: float) -> Field:
    """The weight of an edge `away` mm from its expected place: it falls to 0 with the distance."""
    near = away * np.float32(2 / reach)
    near = 1 + near * near
    return np.asarray(1 / (near * near), np.float32)
