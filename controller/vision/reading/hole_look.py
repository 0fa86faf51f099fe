"""Computes figures of the 20 hole from a picture, as evidence for an empty hole, a flat disc or a leaning one.

Three outlines are fitted: the hole's own edge, which a disc partly hides; a flat disc's; and a leaning disc's. The hole
and a ring of wood around it are also sampled, and compared with drawings of a disc (`hole_poses`). If the look of the
empty hole is known, both are compared. docs/hole.md has the whole.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools, Field, Floats
from controller.vision.light_field import OFFSET
from controller.vision.reading import colours, hole_poses
from controller.vision.reading.discs import sample
from controller.vision.reading.grouping import grouped
from controller.vision.reading.hole_poses import BLUR, DIRECTIONS, EDGE, POINTS, RADII, REACH, STEP, Compared
from controller.vision.reading.light import CAMERA_NOISE, MIRRORS
from controller.vision.reading.outline import Outlines
from controller.vision.reading.rays import Solids, of_size
from controller.vision.readings import EMPTY_HOLE, USUAL_SIDES, HoleOdds
from hardware.board import DiscSize
from hardware.devices import Image

OVERHANG = 7.0  # mm: the farthest reach of a leaning disc beyond the hole's edge
RIM = 5.0  # mm within the hole's edge: its wall and the gap beside a disc
BESIDE = 1.5  # radii excluded around each other disc, for its side and shadow
LEAST_CHANGE = 0.05  # of the insignificant change: less is none
PROUD = 4.5  # mm: the highest top of a flat disc in the hole. Standard: 2.5 to 4.5
CORE = 10.0  # mm from the hole's axis: a disc in the hole covers this
GAP = 2.5  # mm within the hole's edge: beside a disc that lies in the middle
SHEET = 0.1  # mm: the thickness of the disc that represents the hole's edge
JITTER = 0.3  # mm by which an edge may have moved since the empty hole was learnt
MIRRORED = 30.0  # additional grey levels where reflections hide a place's brightness
PLAIN = 1.0  # distance of colours, and grey levels: less is camera noise
UNVEILED = 0.2  # share of a disc that keeps its colour beside a reflection
LIKE = 4.0  # distance of colours below which it is evidence for a disc. Measured: within a side up to 5
UNLIKE = 12.0
"""Distance of colours from all sides' discs beyond which it is no disc. Measured: a photographed red disc in the
hole is 9.4 from the nearest red one, empty holes 10 and more."""
LEAST_SEEN = 12  # samples in a sixth of the ring: fewer are a sliver beside a disc's side


SHAPE = (
    "flat out",
    "flat misfit",
    "flat support",
    "tilted out",
    "edge off",
    "leans",
    "lopsided",
    "gap",
    "like a disc",
)
"""The figures of one picture.

| figure | what |
| --- | --- |
| flat out, misfit | the best outline of a flat disc: mm off the hole's axis, mm of radius |
| flat support | the strongest edges along any outline of a flat disc |
| tilted out | the best outline of a leaning disc: mm off the axis |
| edge off | the outline of the hole's own edge, which a disc hides: mm off the axis |
| leans | how much better the best drawing of a leaning disc fits than that of a flat one |
| lopsided | mm from the axis to the middle of what has the disc's colour |
| gap | how much the colour beside the hole's wall differs from the middle's |
| like a disc | how much the disc's colour differs from the discs elsewhere; NaN if they give no evidence |
"""

CHANGE = ("changed in the middle", "changed at the edge", "changed beyond the edge", "like the empty hole")
"""Further figures if the empty hole's look is known."""


@dataclass(frozen=True, slots=True)
class Patch:
    """The hole and a ring of wood around it, at R radii and D directions."""

    colours: Field  # (R, D, 3) blue, green, red
    noise: Field  # (R, D) insignificant grey levels of change
    odds: HoleOdds = EMPTY_HOLE  # the probabilities of its content

    @property
    def labs(self) -> Floats:
        """The colours (R, D, 3) as CIE L*a*b*."""
        return colours.lab_of(self.colours.astype(np.float64))


@dataclass(frozen=True, slots=True)
class Others:
    """The K discs elsewhere."""

    places: Floats  # (K, 2) mm
    labs: Floats  # (K, 3) colours of their tops
    sides: int = USUAL_SIDES  # that play

    @property
    def all_sides(self) -> bool:
        """Whether they have the colours of all sides: then a disc of another colour is no side's."""
        return grouped(self.labs, self.places).count >= self.sides


@dataclass(frozen=True, slots=True)
class _Places:
    x: Field  # (R, D) pixels
    y: Field
    beyond: Bools  # (R, D) wood that a flat disc in the hole can't hide


def _beside(others: Others, apart: float) -> Bools:
    """The samples (R, D) up to `apart` mm from other discs."""
    there = np.zeros(POINTS.shape[:2], np.bool_)
    for place in others.places[np.hypot(*others.places.T) < REACH + apart]:
        there |= np.linalg.norm(POINTS - place, axis=-1) <= apart
    return there


@lru_cache(maxsize=4)
def _places(calibration: Calibration) -> _Places:
    pixels = calibration.project(POINTS).astype(np.float32)
    hiding = calibration.camera.along_sight(POINTS, 0.0, PROUD)  # where the line of sight passes a disc's top
    hidden = np.linalg.norm(hiding, axis=-1) < calibration.hole_radius + EDGE
    out = RADII[:, None] - calibration.hole_radius
    return _Places(pixels[..., 0], pixels[..., 1], (out > EDGE) & (out < OVERHANG) & ~hidden)


def patch(image: Image, calibration: Calibration, odds: HoleOdds = EMPTY_HOLE) -> Patch:
    """The hole and its surroundings in the picture (H, W, 3); `odds`: the probabilities of its content."""
    places = _places(calibration)
    seen = sample(image, places.x, places.y)
    shown = seen.astype(np.float32)
    along = np.abs(np.diff(shown, axis=0, prepend=shown[:1])).max(-1)
    around = np.abs(shown - np.roll(shown, 1, axis=1)).max(-1)
    noise = CAMERA_NOISE + JITTER / STEP * np.maximum(along, around)
    noise += MIRRORED * (seen.max(-1) >= MIRRORS)
    return Patch(shown, noise, odds)


def compare(calibration: Calibration, labs: Floats, others: Others) -> Compared:
    """Compare the drawings of a disc in the hole with a patch's colours, without the places of the other discs."""
    near = _beside(others, BESIDE * calibration.disc.radius)
    near[calibration.hole_radius > RADII] = False
    return hole_poses.compared(calibration, labs.reshape(-1, 3), _wood(calibration, labs), ~near.ravel())


def seen(
    calibration: Calibration, fits: Outlines, support: float, drawn: Compared, others: Others, labs: Floats
) -> Floats:
    """The figures `SHAPE` of a picture. `fits`: the best outlines of a flat disc, a leaning one and the hole's edge;
    `support`: the figure "flat support"; `labs`: a patch's colours.
    """
    flat_out, tilted_out, edge_off = np.hypot(*fits.centres.T)
    return np.array(
        (
            flat_out,
            abs(fits.excess[0]),
            support,
            tilted_out,
            edge_off,
            drawn.leans,
            *_coloured(calibration, labs),
            _strangeness(labs[CORE > RADII], others),
        )
    )


def _coloured(calibration: Calibration, labs: Floats) -> tuple[float, float]:
    """The figures "lopsided" and "gap"."""
    radius = calibration.hole_radius
    core = np.median(labs[CORE > RADII].reshape(-1, 3), axis=0)
    from_core, from_wood = (colours.distance(labs, colour) for colour in (core, _wood(calibration, labs)))
    like = from_wood / (from_wood + from_core + PLAIN) * RADII[:, None]
    like[radius + OVERHANG < RADII] = 0
    middle = (like[..., None] * POINTS).sum((0, 1)) / max(float(like.sum()), PLAIN)
    gap = from_core[(radius - GAP < RADII) & (radius - BLUR / 2 > RADII)]
    return float(np.hypot(*middle)), float(np.log1p(np.median(gap)))


def _wood(calibration: Calibration, labs: Floats) -> Floats:
    """The colour (3,) of the board around the hole."""
    return np.asarray(np.median(labs[calibration.hole_radius + OVERHANG < RADII].reshape(-1, 3), axis=0))


def _strangeness(labs: Floats, others: Others) -> float:
    """The log distance of a disc's colour from the discs elsewhere; NaN without evidence. `labs` (.., 3): how it looks,
    of which the part most like them counts, since a reflection may veil the rest. A clearly different colour rules out
    a disc only if discs of all sides are seen, otherwise it may be the unseen side's. A moderate difference may be due
    to the light in the hole, which differs from that on the surface.
    """
    if not len(others.labs):
        return np.nan
    away = colours.distance(labs.reshape(-1, 1, 3), others.labs)
    nearest = float(np.quantile(away, UNVEILED, axis=0).min())
    if nearest < LIKE:
        return float(np.log1p(nearest))
    plain = nearest > UNLIKE and others.all_sides
    return float(np.log1p(UNLIKE)) if plain else np.nan


def change(calibration: Calibration, here: Patch, empty: Patch, others: Others) -> Floats:
    """The figures `CHANGE`: the difference from the empty hole, independent of the light."""
    radius, offset = calibration.hole_radius, OFFSET
    free = _places(calibration).beyond & ~_beside(others, BESIDE * calibration.disc.radius)
    ratio = (here.colours + offset) / (empty.colours + offset)
    gain = np.median(ratio[radius + EDGE < RADII], axis=(0, 1))
    differs = np.abs(here.colours + offset - (empty.colours + offset) * gain).max(-1) / empty.noise
    middle = differs[radius - RIM > RADII].mean()
    rim = differs[(radius - RIM < RADII) & (radius + EDGE > RADII)].mean()
    inside = radius + EDGE > RADII
    now, then = (part.colours[inside].mean(-1).ravel() for part in (here, empty))
    both = float(np.cov(now, then)[0, 1]) / max(float(now.std() * then.std()), PLAIN)
    parts = np.log(np.maximum((middle, rim, _greatest(differs, free)), LEAST_CHANGE))
    return np.append(parts, both)


def edge(calibration: Calibration) -> Solids:
    """The hole's edge, as a disc without height."""
    sheet = DiscSize(calibration.hole_radius, SHEET)
    return Solids(np.zeros((1, 2)), np.array([-SHEET]), np.zeros((1, 2)), *of_size(sheet, 1))


def _greatest(values: Floats | Field, where: Bools) -> float:
    """The largest mean, over any sixth of the directions, of the values (R, D) at the places `where` they count."""
    wide = DIRECTIONS // 6
    total, count = np.where(where, values, 0).sum(0), where.sum(0)
    sums, counts = (np.cumsum(np.concatenate((part[-wide:], part))) for part in (total, count))
    sums, counts = sums[wide:] - sums[:-wide], counts[wide:] - counts[:-wide]
    enough = counts > LEAST_SEEN
    return float((sums[enough] / counts[enough]).max(initial=LEAST_CHANGE))
