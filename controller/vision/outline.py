"""The outline of a disc in the picture, fitted to a fraction of a millimetre.

A disc is a solid: its silhouette is the hull of its bottom and its top circle. Where the camera looks over the disc
(the far side) the top rim is the silhouette; on the near side first the top rim, then the side wall and last the bottom
rim meet the eye. Rays run outwards in the plane of the top from a first guess of the centre. On each ray both rims
have a known place, so that one shift of the disc in millimetres explains all rays of a disc together. All discs of a
picture are measured in one pass.
"""

from dataclasses import dataclass, fields
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration import Calibration
from controller.vision.discs import sample
from hardware.devices import Image

Floats = NDArray[np.float64]

RAYS = 72
STEP = 0.5  # mm between samples of a ray: half a pixel at the usual camera height
INSIDE = 4.5  # mm that a ray begins inside the rim
OUTSIDE = 4.0  # mm that it goes on beyond the outermost rim
# Slope of colours that are smoothed with 1/4, 1/2, 1/4: as wide as the picture's own blur.
SLOPE = np.array([[-0.25, -0.5, 0.0, 0.5, 0.25]], np.float32) / (2 * STEP)
EVERY = 3  # rays: the colours of a disc and of the board beside it are told from every third

SEARCH = 4.5  # mm: how far off the first guess may be; a wall in sight pulls it by half the parallax
SEARCH_STEP = 0.75
CAPTURE = (2.0, 1.5, 1.2)  # mm around the predicted rim where its edge is looked for, narrowing
ROUNDS = 3  # of reweighted least squares in each

# Weights and noises: the flat middle of a scan over 457 ray-traced discs; half or double changes the error by a tenth.
EDGE_NOISE = 3.0  # grey levels per mm that texture and noise alone make, at least
EDGE_SHARE = 0.15  # of the usual steepest slope around a disc: an edge of that slope counts half
OWN_NOISE = 6.0  # grey levels by which a disc's or the board's colour may differ from itself, besides its texture
LIKENESS_REACH = 4.0  # squared standard errors at which a colour is hardly alike
OWN_SHARE = 0.8  # how much more the end of the disc's own colour counts than the beginning of the board's
GATE = 0.25  # what an edge counts where neither is seen
WALL_EDGE_WEIGHT = 0.9  # a bottom rim may blend into its contact shadow, a top rim on the near side into the wall
NEAR = 0.6  # mm: a wall at least this wide has two edges to see
RADIUS_WEIGHT = 1.5  # rays: a light disc on a dark board looks larger, so the nominal radius is held loosely
ROUNDING = 0.8  # mm: radius of a disc's rounded edge, measured on ray-traced discs; it sets the silhouette back
AGREES = 0.25  # least weight of a ray that is counted as visible


@dataclass(frozen=True, slots=True)
class Outlines:
    """Fits of K discs. Positions are those of the bottoms' centres in the board frame, mm."""

    centres: Floats  # (K, 2)
    covariance: Floats  # (K, 2, 2) mm^2, before any scale for what the model leaves out
    support: Floats  # (K,) 0..1: mean strength of the edge along the outline
    visible: Floats  # (K,) 0..1: share of rays whose edge agrees with the fit
    scatter: Floats  # (K,) mm: robust spread of the rays' edges about the fit
    excess: Floats  # (K,) mm: how much larger than the nominal radius the outline is
    doubt: Floats  # (K, 2) mm: the wall's width and direction, so far as top rim and bottom rim may have been mistaken

    @classmethod
    def none(cls) -> "Outlines":
        """Of no disc."""
        return cls(np.zeros((0, 2)), np.zeros((0, 2, 2)), *(np.zeros(shape) for shape in (0, 0, 0, 0, (0, 2))))

    def only(self, keep: list[int]) -> "Outlines":
        """Some of the fits, in the order of `keep`."""
        return Outlines(*(getattr(self, field.name)[keep] for field in fields(self)))

    def plus(self, more: "Outlines") -> "Outlines":
        """These fits and then the others."""
        names = [field.name for field in fields(self)]
        return Outlines(*(np.concatenate([getattr(self, name), getattr(more, name)]) for name in names))


@dataclass(frozen=True, slots=True)
class _Rays:
    """What is sampled: K discs, N rays, S samples."""

    cos: Floats  # (N,)
    sin: Floats
    start: float  # mm of the first sample from the top rim
    colours: Image  # (K, N, S, 3)
    wall: Floats  # (K, N) mm from the top rim to the bottom rim along the ray; negative where it is hidden
    rim: Floats  # (K, N) where the top edge of a rounded disc is expected, mm from the sharp rim
    foot: Floats  # (K, N) where its bottom edge is expected, mm from the sharp top rim


def _sample(
    image: Image, calibration: Calibration, centres: Floats, z: Floats, radius: float, thickness: float, lean: Floats
) -> _Rays:
    cos, sin = _directions()
    dip = np.linalg.norm(lean, axis=1)[:, None]
    towards = lean / np.maximum(dip, 1e-9)
    level = towards[:, :1] * cos + towards[:, 1:] * sin  # how far each ray runs towards the low side
    shortened = (level * (1 - np.cos(dip)))[..., None] * towards[:, None]
    ring = np.concatenate([np.stack([cos, sin], axis=-1) - shortened, -(level * np.sin(dip))[..., None]], axis=-1)
    axis = thickness * np.concatenate([towards * np.sin(dip), np.cos(dip)], axis=1)[:, None]
    base = np.concatenate([centres, z[:, None]], axis=1)[:, None, :]
    top = base + radius * ring + axis
    rim, beyond, bottom = calibration.project(np.stack([top, top + ring, base + radius * ring]))
    step = beyond - rim  # pixels per mm outwards, in the top's plane
    along = np.roll(rim, -1, axis=1) - np.roll(rim, 1, axis=1)
    normal = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    wall = ((bottom - rim) * normal).sum(-1) / (step * normal).sum(-1)
    slant = np.abs(wall) / thickness
    set_back = ROUNDING * (1 + slant - np.sqrt(1 + slant * slant))
    reach = np.arange(-INSIDE, float(wall.max(initial=0.0)) + OUTSIDE, STEP)
    where = (rim[:, :, None, :] + step[:, :, None, :] * reach[:, None]).astype(np.float32)
    k, n, s = where.shape[:3]
    colours = sample(image, where.reshape(k * n, s, 2)).reshape(k, n, s, 3)
    return _Rays(cos, sin, -INSIDE, colours, wall, np.where(wall < 0, -set_back, 0.0), wall - set_back)


def _slope(colours: Image) -> NDArray[np.float32]:
    """How steeply the colour changes along each ray, grey levels per mm: (K, N, S)."""
    k, n, s = colours.shape[:3]
    steps = cv2.filter2D(colours.reshape(k * n, s, 3), cv2.CV_32F, SLOPE)
    size = np.sqrt(cv2.transform(cv2.multiply(steps, steps), np.ones((1, 3), np.float32))).reshape(k, n, s)
    size[:, :, :2] = size[:, :, -2:] = 0
    return np.asarray(size, np.float32)


def _likeness(colours: NDArray[np.float32], examples: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much colours (K, P, 3) look like the main part of the examples (K, M, 3), 0..1: (K, P)."""
    middle = _median(examples)
    spread = examples - middle
    limit = _median(np.abs(spread)) * 3 + 2
    kept = (np.abs(spread) < limit).all(-1, keepdims=True)
    spread *= kept
    moment = (spread.transpose(0, 2, 1) @ spread) / np.maximum(kept.sum(1, keepdims=True), 1)
    root = np.linalg.cholesky(np.linalg.inv(moment + np.eye(3) * OWN_NOISE**2)).astype(np.float32)
    away = np.square((colours - middle) @ root)
    distance = away[..., 0] + away[..., 1] + away[..., 2]
    return np.asarray(np.exp(distance * np.float32(-0.5 / LIKENESS_REACH)), np.float32)


def _median(examples: NDArray[np.float32]) -> NDArray[np.float32]:
    """(K, 1, 3) of (K, M, 3)."""
    half = examples.shape[1] // 2
    return np.asarray(np.partition(examples, half, axis=1)[:, half, None], np.float32)


def _within_and_beyond(like: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The mean likeness (K, N, S) 1 to 2 mm within and beyond each sample."""
    mean = cv2.blur(like.reshape(-1, like.shape[2]), (3, 1)).reshape(like.shape)
    within, beyond = like.copy(), like.copy()
    within[:, :, 4:] = mean[:, :, 1:-3]
    beyond[:, :, :-4] = mean[:, :, 3:-1]
    return within, beyond


def _gates(rays: _Rays) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """How well each sample would do as the rim and as the foot: the disc's own colour ends, the board's begins.

    The third is how much the board beside each disc looks like the disc, (K,), 0..1.
    """
    k, n, s = rays.colours.shape[:3]
    some = rays.colours[:, ::EVERY]
    core = some[:, :, : int((INSIDE - 1.5) / STEP)].reshape(k, -1, 3)
    begin = np.rint((np.maximum(rays.wall[:, ::EVERY], 0) + 2.0 - rays.start) / STEP).astype(np.intp)
    around = np.minimum(begin[..., None] + np.arange(4), s - 1)
    outer = np.take_along_axis(some, around[..., None], axis=2).reshape(k, -1, 3)
    flat = rays.colours.reshape(k, n * s, 3).astype(np.float32)
    own, board = (_likeness(flat, part.astype(np.float32)).reshape(k, n, s) for part in (core, outer))
    own_within, own_beyond = _within_and_beyond(own)
    board_within, board_beyond = _within_and_beyond(board)
    own_ends = np.maximum(own_within - own_beyond, 0)
    begins = GATE + (1 - GATE) * (1 - OWN_SHARE) * np.maximum(board_beyond - board_within, 0)
    share = (1 - GATE) * OWN_SHARE
    alike = np.take_along_axis(own[:, ::EVERY], around, axis=2).mean((1, 2))
    return begins + share * own_ends, begins + share * (1 - own_beyond), alike


def _taken(table: NDArray[np.float32], index: NDArray[np.intp]) -> NDArray[np.float32]:
    """`table` (K, N, S) at samples `index` (K, N, M) of each ray."""
    k, n, s = table.shape
    return np.asarray(np.take(table, index + (np.arange(k * n) * s).reshape(k, n, 1)), np.float32)


def _lookup(table: NDArray[np.float32], at: NDArray[np.float32], start: float) -> NDArray[np.float32]:
    """`table` (K, N, S), whose samples begin at `start` mm, at `at` (K, N, M) mm, linear in between."""
    place = np.clip((at - start) * (1 / STEP), 0, table.shape[2] - 1.001)
    low = place.astype(np.intp)
    below = _taken(table, low)
    return np.asarray(below + (_taken(table, low + 1) - below) * (place - low).astype(np.float32), np.float32)


def _along(rim: NDArray[np.float32], foot: NDArray[np.float32], rays: _Rays, at: Floats) -> NDArray[np.float32]:
    """How well an outline fits each ray where it is displaced by `at` (K, N, M) mm from the first guess: (K, N, M)."""
    there = at.astype(np.float32)
    rim_there = _lookup(rim, there + rays.rim[..., None].astype(np.float32), rays.start)
    foot_there = _lookup(foot, there + rays.foot[..., None].astype(np.float32), rays.start)
    near = np.clip(rays.wall, 0.0, 1.0)[..., None].astype(np.float32)  # blends from hidden to wide enough to be seen
    best = np.maximum(foot_there, np.float32(WALL_EDGE_WEIGHT) * (rim_there + foot_there))
    return np.asarray(rim_there + near * (best - rim_there), np.float32)


@cache
def _directions() -> tuple[Floats, Floats]:
    """Cosine and sine (N,) of the rays."""
    angles = np.arange(RAYS) * (2 * np.pi / RAYS)
    return np.cos(angles), np.sin(angles)


@cache
def _shifts() -> tuple[Floats, Floats, NDArray[np.float32]]:
    """Shifts (M, 2) to try, places (P,) on each ray, mm, and what each of both has in common: (N * P, M)."""
    places = np.arange(-SEARCH - SEARCH_STEP, SEARCH + 1.5 * SEARCH_STEP, SEARCH_STEP)
    steps = np.arange(-SEARCH, SEARCH + SEARCH_STEP / 2, SEARCH_STEP)
    shift = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    shift = shift[np.hypot(shift[:, 0], shift[:, 1]) <= SEARCH]
    radial = shift @ np.stack(_directions())
    hat = np.maximum(1 - np.abs(radial[..., None] - places) / SEARCH_STEP, 0)  # linear between places
    return shift, places, np.ascontiguousarray(hat.reshape(len(shift), -1).T, np.float32)


def _search(rim: NDArray[np.float32], foot: NDArray[np.float32], rays: _Rays) -> Floats:
    """The shift (K, 2) at which most of the outline lies on edges."""
    k, n = rays.wall.shape
    shift, places, common = _shifts()
    fitting = _along(rim, foot, rays, np.broadcast_to(places, (k, n, len(places))))
    return np.asarray(shift[(fitting.reshape(k, -1) @ common).argmax(1)], np.float64)


def _peaks(
    size: NDArray[np.float32], gate: NDArray[np.float32], at: Floats, start: float, reach: float
) -> tuple[Floats, Floats]:
    """Sub-sample place and gated height of the best edge within `reach` mm of `at` (K, N).

    The gate chooses the edge; its place is that of the ungated slope's peak, which the gate would pull inwards.
    """
    count = round(reach / STEP)
    middle = np.rint((at - start) / STEP).astype(np.intp)
    index = np.clip(middle[..., None] + np.arange(-count, count + 1), 2, size.shape[2] - 3)
    local = _taken(size, index) * _taken(gate, index)
    best = local.argmax(-1)[..., None]
    height = np.take_along_axis(local, best, axis=2)[..., 0]
    centre = np.take_along_axis(index, best, axis=2)
    centre = centre + (_taken(size, centre + np.arange(-1, 2)).argmax(-1)[..., None] - 1)
    low, y, high = np.moveaxis(_taken(size, centre + np.arange(-1, 2)), -1, 0)
    bend = low - 2 * y + high
    peaked = (low <= y) & (high <= y) & (bend < -1e-6)
    part = np.where(peaked, 0.5 * (low - high) / np.where(peaked, bend, -1.0), 0.0)
    return start + (centre[..., 0] + part) * STEP, np.where(peaked, height, np.float32(0)).astype(np.float64)


def _solve(offset: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Least squares of shift and radius: (K, 3) and the inverse normal matrices (K, 3, 3)."""
    design = np.stack([*_directions(), np.ones(RAYS)], axis=-1)
    normal = (weight @ (design[:, :, None] * design[:, None]).reshape(RAYS, 9)).reshape(-1, 3, 3)
    inverse = np.linalg.inv(normal + np.diag([1e-3, 1e-3, RADIUS_WEIGHT]))
    right = (weight * offset) @ design
    return (inverse @ right[..., None])[..., 0], inverse


def fit(
    image: Image,
    calibration: Calibration,
    centres: Floats,
    z: Floats,
    radius: float,
    thickness: float,
    lean: Floats | None = None,
) -> Outlines:
    """Fit discs whose bottoms' centres lie at height `z` (K,) near `centres` (K, 2), both mm in the board frame.

    `lean` (K, 2), radians, is how far each is tilted, and towards where it is lowest.
    """
    if not len(centres):
        return Outlines.none()
    lean = np.zeros_like(centres) if lean is None else lean
    rays = _sample(image, calibration, centres, z, radius, thickness, lean)
    slope = _slope(rays.colours)
    noise = np.maximum(EDGE_NOISE, EDGE_SHARE * np.median(slope.max(2), axis=1))[:, None]
    rim_gate, foot_gate, alike = _gates(rays)
    square = slope * slope
    strength = square / (square + (noise**2)[:, :, None].astype(np.float32))
    rim_strength, foot_strength = strength * rim_gate, strength * foot_gate
    shift = np.concatenate([_search(rim_strength, foot_strength, rays), np.zeros((len(centres), 1))], axis=1)
    near = rays.wall > NEAR
    for reach in CAPTURE:
        expected = _radial(rays, shift)
        rim, rim_height = _peaks(slope, rim_gate, expected + rays.rim, rays.start, reach)
        foot, foot_height = _peaks(slope, foot_gate, expected + rays.foot, rays.start, reach)
        rim, foot = rim - rays.rim, foot - rays.foot
        rim_weight = rim_height**2 / (rim_height**2 + noise**2) * np.where(near, WALL_EDGE_WEIGHT, 1.0)
        foot_weight = foot_height**2 / (foot_height**2 + noise**2) * np.where(near, WALL_EDGE_WEIGHT, 0.0)
        for _ in range(ROUNDS):
            expected = _radial(rays, shift)
            rim_share = rim_weight * _tail(rim - expected, reach)
            foot_share = foot_weight * _tail(foot - expected, reach)
            weight = rim_share + foot_share
            offset = (rim_share * rim + foot_share * foot) / np.maximum(weight, 1e-9)
            shift, inverse = _solve(offset, weight)
    fitted = _radial(rays, shift)
    variance = (weight * (offset - fitted) ** 2).sum(1) / np.maximum(weight.sum(1), 1e-9)
    visible = (weight > AGREES).mean(1)
    # Wood on wood: the edge of the top before a wall in the shade is as good an outline, and only the far side tells.
    parallax = rays.wall @ np.stack(_directions(), axis=-1) * (2 / RAYS)
    return Outlines(
        centres=centres + shift[:, :2],
        covariance=inverse[:, :2, :2] * variance[:, None, None],
        support=_along(rim_strength, foot_strength, rays, fitted[..., None])[..., 0].mean(1),
        visible=visible,
        scatter=np.sqrt(variance),
        excess=shift[:, 2],
        doubt=(np.sqrt(alike) * (1 - visible))[:, None] * parallax,
    )


def _radial(rays: _Rays, shift: Floats) -> Floats:
    """How far a shift and a growth (K, 3) carry the outline along each ray (K, N)."""
    return np.asarray(shift[:, :1] * rays.cos + shift[:, 1:2] * rays.sin + shift[:, 2:])


def _tail(away: Floats, reach: float) -> Floats:
    """The weight of an edge that lies `away` mm from where it should: far ones have no say."""
    return np.asarray(1 / np.square(1 + np.square(away / (reach / 2))))
