"""Computes figures of the 20 hole from a picture, as evidence for an empty hole, a flat disc or a leaning one.

Three outlines are compared with the picture: the hole's own edge, which a disc partly hides; a flat disc's; and a
leaning disc's. The hole and a ring of wood around it are also sampled: only a leaning disc reaches beyond the edge. If
the look of the empty hole is known, both are compared.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours, outline
from controller.vision.reading.discs import sample
from controller.vision.reading.grouping import grouped
from controller.vision.reading.hole_settings import HOLE_LOOK
from controller.vision.reading.outline import Outlines
from controller.vision.reading.rays import Solids
from controller.vision.reading.settings import BACKGROUND
from controller.vision.readings import EMPTY_HOLE, HoleOdds
from hardware.devices import Image

Floats = NDArray[np.float64]
Field = NDArray[np.float32]

SHAPE = (
    "edge visible", "edge scatter", "edge excess", "edge too small", "edge support", "edge off",
    "flat visible", "flat scatter", "flat excess", "flat misfit", "flat support", "flat out",
    "tilted visible", "tilted scatter", "tilted misfit", "tilted out", "tilted less flat",
    "like a disc", "like the wood", "disc beyond the edge",
)  # fmt: skip
"""The figures of one picture. "like a disc" is NaN if the discs elsewhere give no evidence."""

CHANGE = ("changed in the middle", "changed at the edge", "changed beyond the edge", "like the empty hole")
"""Further figures if the empty hole's look is known."""


@dataclass(frozen=True, slots=True)
class Patch:
    """The hole and a ring of wood around it, at R radii and D directions."""

    colours: Field  # (R, D, 3) blue, green, red
    noise: Field  # (R, D) insignificant grey levels of change
    odds: HoleOdds = EMPTY_HOLE  # the probabilities of its content


@dataclass(frozen=True, slots=True)
class Others:
    """The K discs elsewhere."""

    places: Floats  # (K, 2) mm
    labs: Floats  # (K, 3) colours of their tops

    @property
    def both_sides(self) -> bool:
        """Whether they have more than one colour: then a disc of another colour is no side's."""
        return grouped(self.labs, self.places).count > 1


@dataclass(frozen=True, slots=True)
class _Places:
    x: Field  # (R, D) pixels
    y: Field
    points: Floats  # (R, D, 2) mm
    beyond: NDArray[np.bool_]  # (R, D) wood that a flat disc in the hole can't hide

    def free(self, others: Others, apart: float) -> NDArray[np.bool_]:
        """The places beyond the edge (R, D) farther than `apart` mm from other discs and their shadows."""
        clear = self.beyond
        for place in others.places[np.hypot(*others.places.T) < HOLE_LOOK.reach + apart]:
            clear = clear & (np.linalg.norm(self.points - place, axis=-1) > apart)
        return clear


RADII = np.arange(HOLE_LOOK.step, HOLE_LOOK.reach, HOLE_LOOK.step)


@lru_cache(maxsize=4)
def _places(calibration: Calibration) -> _Places:
    angles = np.arange(HOLE_LOOK.directions) * (2 * np.pi / HOLE_LOOK.directions)
    points = RADII[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    pixels = calibration.project(points).astype(np.float32)
    hiding = calibration.camera.along_sight(points, 0.0, HOLE_LOOK.proud)  # where the line of sight passes a disc's top
    hidden = np.linalg.norm(hiding, axis=-1) < calibration.hole_radius + HOLE_LOOK.edge
    out = RADII[:, None] - calibration.hole_radius
    return _Places(
        pixels[..., 0], pixels[..., 1], points, (out > HOLE_LOOK.edge) & (out < HOLE_LOOK.overhang) & ~hidden
    )


def patch(image: Image, calibration: Calibration, odds: HoleOdds = EMPTY_HOLE) -> Patch:
    """The hole and its surroundings in the picture (H, W, 3); `odds`: the probabilities of its content."""
    places = _places(calibration)
    seen = sample(image, places.x, places.y)
    shown = seen.astype(np.float32)
    along = np.abs(np.diff(shown, axis=0, prepend=shown[:1])).max(-1)
    around = np.abs(shown - np.roll(shown, 1, axis=1)).max(-1)
    noise = BACKGROUND.noise + HOLE_LOOK.jitter / HOLE_LOOK.step * np.maximum(along, around)
    noise += HOLE_LOOK.mirrored * (seen.max(-1) >= BACKGROUND.blown_out)
    return Patch(shown, noise, odds)


def seen(
    image: Image, calibration: Calibration, flat: Outlines, tilted: Outlines, lab: Floats, others: Others, here: Patch
) -> Floats:
    """The figures `SHAPE` of a picture. `flat`, `tilted`: the best outlines of a disc; `lab` (3,): its colour."""
    edge = outline.refine(image, calibration, _edge(calibration))
    excess = edge.excess[0]
    wood = here.colours[calibration.hole_radius + HOLE_LOOK.overhang < RADII].reshape(-1, 3)
    plain = colours.lab_of(np.median(wood, axis=0))
    return np.array((
        edge.visible[0], edge.scatter[0], excess, max(-excess, 0.0), edge.support[0], _off(edge),
        flat.visible[0], flat.scatter[0], flat.excess[0], abs(flat.excess[0]), flat.support[0], _off(flat),
        tilted.visible[0], tilted.scatter[0], abs(tilted.excess[0]), _off(tilted), _merit(tilted) - _merit(flat),
        _strangeness(lab, others),
        np.log1p(float(colours.distance(lab, plain))), _disc_beyond(calibration, here, plain, lab, others),
    ))  # fmt: skip


def _strangeness(lab: Floats, others: Others) -> float:
    """The log distance of a colour from the discs elsewhere; NaN without evidence. A clearly different colour rules out
    a disc only if discs of both sides are seen, otherwise it may be the unseen side's. A moderate difference may be due
    to the light in the hole, which differs from that on the surface.
    """
    away = float(colours.distance(lab, others.labs).min(initial=np.inf))
    if away < HOLE_LOOK.like:
        return float(np.log1p(away))
    plain = away > HOLE_LOOK.unlike and others.both_sides
    return float(np.log1p(HOLE_LOOK.unlike)) if plain else np.nan


def _disc_beyond(calibration: Calibration, here: Patch, wood: Floats, lab: Floats, others: Others) -> float:
    """The largest likeness of the ring beyond the edge to the disc's colour `lab` rather than the wood's: 0 is all
    wood, 1 all disc. Hands, shadows and reflections are like neither.
    """
    free = _places(calibration).free(others, HOLE_LOOK.beside * calibration.disc.radius)
    rows = free.any(1)
    if not rows.any():
        return 0.0
    seen_there = colours.lab_of(here.colours[rows].astype(np.float64))
    from_wood, from_disc = (colours.distance(seen_there, colour) for colour in (wood, lab))
    return _greatest(from_wood / (from_wood + from_disc + HOLE_LOOK.plain), free[rows])


def change(calibration: Calibration, here: Patch, empty: Patch, others: Others) -> Floats:
    """The figures `CHANGE`: the difference from the empty hole, independent of the light."""
    radius, offset = calibration.hole_radius, BACKGROUND.offset
    free = _places(calibration).free(others, HOLE_LOOK.beside * calibration.disc.radius)
    ratio = (here.colours + offset) / (empty.colours + offset)
    gain = np.median(ratio[radius + HOLE_LOOK.edge < RADII], axis=(0, 1))
    differs = np.abs(here.colours + offset - (empty.colours + offset) * gain).max(-1) / empty.noise
    middle = differs[radius - HOLE_LOOK.rim > RADII].mean()
    rim = differs[(radius - HOLE_LOOK.rim < RADII) & (radius + HOLE_LOOK.edge > RADII)].mean()
    inside = radius + HOLE_LOOK.edge > RADII
    now, then = (part.colours[inside].mean(-1).ravel() for part in (here, empty))
    both = float(np.cov(now, then)[0, 1]) / max(float(now.std() * then.std()), HOLE_LOOK.plain)
    parts = np.log(np.maximum((middle, rim, _greatest(differs, free)), HOLE_LOOK.least_change))
    return np.append(parts, both)


def _edge(calibration: Calibration) -> Solids:
    """The hole's edge, as a disc without height."""
    flat = HOLE_LOOK.sheet
    return Solids(np.zeros((1, 2)), np.array([-flat]), np.zeros((1, 2)), calibration.hole_radius, flat)


def _off(fit: Outlines) -> float:
    return float(np.hypot(*fit.centres[0]))


def _merit(fit: Outlines) -> float:
    return float(fit.visible[0] - fit.scatter[0])


def _greatest(values: Floats | Field, where: NDArray[np.bool_]) -> float:
    """The largest mean, over any sixth of the directions, of the values (R, D) at the places `where` they count."""
    wide = HOLE_LOOK.directions // 6
    total, count = np.where(where, values, 0).sum(0), where.sum(0)
    sums, counts = (np.cumsum(np.concatenate((part[-wide:], part))) for part in (total, count))
    sums, counts = sums[wide:] - sums[:-wide], counts[wide:] - counts[:-wide]
    enough = counts > HOLE_LOOK.least_seen
    return float((sums[enough] / counts[enough]).max(initial=HOLE_LOOK.least_change))
