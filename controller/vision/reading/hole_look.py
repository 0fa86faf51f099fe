"""What the picture shows of the 20 hole, in figures that speak for an empty hole, a disc flat in it, or one leaning.

Three outlines are held against the picture: the hole's own edge, which a disc hides in part; a disc's that lies flat in
it; and a disc's that leans on its edge. Where the look of the empty hole is known, it is compared, with a ring of wood
around it: only a disc that leans reaches there.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours, outline
from controller.vision.reading.discs import sample
from controller.vision.reading.grouping import grouped
from controller.vision.reading.hole_settings import HOLE, HOLE_LOOK
from controller.vision.reading.outline import Outlines
from controller.vision.reading.rays import Solids
from controller.vision.reading.settings import BACKGROUND
from controller.vision.readings import EMPTY_HOLE, HoleOdds
from hardware.devices import Image

Floats = NDArray[np.float64]
Field = NDArray[np.float32]

Figures = dict[str, float]
"""By name. "like a disc" is NaN where the discs elsewhere tell nothing of it."""


@dataclass(frozen=True, slots=True)
class Patch:
    """The hole and a ring of wood around it, at R radii and D directions."""

    colours: Field  # (R, D, 3) blue, green, red
    noise: Field  # (R, D) grey levels of change that mean nothing
    odds: HoleOdds = EMPTY_HOLE  # of what it shows


@dataclass(frozen=True, slots=True)
class Others:
    """The K discs elsewhere."""

    places: Floats  # (K, 2) mm
    labs: Floats  # (K, 3) colours of their tops

    @property
    def both_sides(self) -> bool:
        """Whether they are of more than one colour: then a disc of yet another is none of theirs."""
        return grouped(self.labs, self.places).count > 1


@dataclass(frozen=True, slots=True)
class _Places:
    x: Field  # (R, D) pixels
    y: Field
    points: Floats  # (R, D, 2) mm
    beyond: NDArray[np.bool_]  # (R, D) wood that no disc flat in the hole hides

    def free(self, others: Others, apart: float) -> NDArray[np.bool_]:
        """The places beyond the edge (R, D) that are farther than `apart` mm from other discs and their shadows."""
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
    hiding = calibration.camera.along_sight(points, 0.0, HOLE_LOOK.proud)  # where it passes a disc's top
    hidden = np.linalg.norm(hiding, axis=-1) < calibration.hole_radius + HOLE_LOOK.edge
    out = RADII[:, None] - calibration.hole_radius
    return _Places(
        pixels[..., 0], pixels[..., 1], points, (out > HOLE_LOOK.edge) & (out < HOLE_LOOK.overhang) & ~hidden
    )


def patch(image: Image, calibration: Calibration, odds: HoleOdds = EMPTY_HOLE) -> Patch:
    """The hole's surroundings as the picture (H, W, 3) shows them; `odds` are those of what lies there."""
    places = _places(calibration)
    seen = sample(image, places.x, places.y)
    shown = seen.astype(np.float32)
    along = np.abs(np.diff(shown, axis=0, prepend=shown[:1])).max(-1)
    around = np.abs(shown - np.roll(shown, 1, axis=1)).max(-1)
    noise = BACKGROUND.noise + HOLE_LOOK.jitter / HOLE_LOOK.step * np.maximum(along, around)
    noise += HOLE_LOOK.mirrored * (seen.max(-1) >= BACKGROUND.blown_out)
    return Patch(shown, noise, odds)


def seen(
    image: Image, calibration: Calibration, flat: Outlines, tilted: Outlines, lab: Floats, others: Others
) -> Figures:
    """The figures of a picture. `flat` and `tilted` are the best outlines of a disc, `lab` (3,) its colour."""
    edge = outline.refine(image, calibration, _edge(calibration))
    return {
        "edge scatter": edge.scatter[0],
        "edge too small": max(-edge.excess[0], 0.0),
        "flat excess": flat.excess[0],
        "flat misfit": abs(flat.excess[0]),
        "flat support": flat.support[0],
        "tilted visible": tilted.visible[0],
        "tilted scatter": tilted.scatter[0],
        "tilted misfit": abs(tilted.excess[0]),
        "tilted out": float(np.hypot(*tilted.centres[0])),
        "tilted less flat": tilted.visible[0] - tilted.scatter[0] - flat.visible[0] + flat.scatter[0],
        "like a disc": _strangeness(lab, others),
    }


def _strangeness(lab: Floats, others: Others) -> float:
    """How unlike the discs elsewhere a colour is, as a logarithm; NaN where that means nothing.

    A clearly different colour rules out a disc only if discs of both sides are seen: otherwise it may be the unseen
    side's. In between, the light in the hole, which differs from that on the surface, may explain the difference.
    """
    away = float(colours.distance(lab, others.labs).min(initial=np.inf))
    if away < HOLE_LOOK.like:
        return float(np.log1p(away))
    plain = away > HOLE_LOOK.unlike and others.both_sides
    return float(np.log1p(HOLE_LOOK.unlike)) if plain else np.nan


def change(calibration: Calibration, here: Patch, empty: Patch, others: Others) -> tuple[Figures, bool]:
    """How the picture differs from that of the empty hole, whatever the light does; and whether it plainly does not."""
    radius, offset = calibration.hole_radius, BACKGROUND.offset
    free = _places(calibration).free(others, HOLE_LOOK.beside * calibration.disc.radius)
    ratio = (here.colours + offset) / (empty.colours + offset)
    gain = np.median(ratio[radius + HOLE_LOOK.edge < RADII], axis=(0, 1))
    differs = np.abs(here.colours + offset - (empty.colours + offset) * gain).max(-1) / empty.noise
    middle = differs[radius - HOLE_LOOK.rim > RADII].mean()
    rim = differs[(radius - HOLE_LOOK.rim < RADII) & (radius + HOLE_LOOK.edge > RADII)].mean()
    beyond = _greatest(differs, free)
    middle_log, beyond_log = np.log(np.maximum((middle, beyond), HOLE_LOOK.least_change)).tolist()
    figures = {"changed in the middle": middle_log, "changed beyond the edge": beyond_log}
    return figures, bool(max(middle, rim, beyond) < HOLE.unchanged)


def _edge(calibration: Calibration) -> Solids:
    """The hole's own edge, as a disc without height."""
    flat = HOLE_LOOK.sheet
    return Solids(np.zeros((1, 2)), np.array([-flat]), np.zeros((1, 2)), calibration.hole_radius, flat)


def _greatest(values: Field, where: NDArray[np.bool_]) -> float:
    """The greatest mean of the values (R, D), where they count, over any sixth of the directions."""
    wide = HOLE_LOOK.directions // 6
    total, count = np.where(where, values, 0).sum(0), where.sum(0)
    sums, counts = (np.cumsum(np.concatenate((part[-wide:], part))) for part in (total, count))
    sums, counts = sums[wide:] - sums[:-wide], counts[wide:] - counts[:-wide]
    enough = counts > HOLE_LOOK.least_seen
    return float((sums[enough] / counts[enough]).max(initial=HOLE_LOOK.least_change))
