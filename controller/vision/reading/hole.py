"""Reads the 20 hole: is a disc in it, or leaning on its rim? The one place where the board itself looks like a disc.

An empty hole is a circle too, slightly wider than a disc: dark, painted or of wood. `hole_look` computes figures from
the picture, `hole_model` the probabilities of empty, flat and leaning from them. Anything unclear is reported as
uncertain, also when a disc may be there that looks like the empty hole.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours, hole_look, hole_model, outline
from controller.vision.reading.hole_look import Others, Patch
from controller.vision.reading.hole_settings import HOLE
from controller.vision.reading.outline import Outlines
from controller.vision.reading.rays import Solids
from controller.vision.reading.settings import READER
from controller.vision.readings import EMPTY_HOLE, HoleOdds
from hardware.devices import Image

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HoleDisc:
    """A disc in the hole: flat, or leaning on its rim."""

    fit: Outlines  # of one disc
    z: float
    lab: Floats  # (3,)
    leaning: bool
    sure: bool


@dataclass(frozen=True, slots=True)
class HoleSeen:
    """The reading of the hole."""

    odds: HoleOdds
    disc: HoleDisc | None = None
    unclear: bool = False  # there may be a disc although none is read

    @property
    def is_clearly_empty(self) -> bool:
        """Whether the hole is empty beyond doubt."""
        return self.disc is None and self.odds.empty == 1.0


CLEARLY_EMPTY = HoleSeen(EMPTY_HOLE)


def seen_at_hole(image: Image, calibration: Calibration, others: Others, empty: Patch | None = None) -> HoleSeen:
    """Read the hole. `others`: the discs elsewhere; `empty`: the empty hole's look, if known."""
    here = hole_look.patch(image, calibration)
    if empty is None:
        shape = shape_of(image, calibration, others, here)
        odds = hole_model.posterior(shape.figures, None)
        if not shape.is_disc(others, odds.flat):
            return HoleSeen(odds, None, odds.empty < HOLE.surely_empty_unknown)
        return HoleSeen(odds.filled(), _disc(calibration, shape, others, odds, HOLE.sure_unknown))
    change = hole_look.change(calibration, here, empty, others)
    if unchanged(change):
        return HoleSeen(empty.odds, None, empty.odds.empty < HOLE.surely_empty)
    shape = shape_of(image, calibration, others, here)
    odds = _since_empty(shape, change, empty)
    if odds.empty > HOLE.empty_known:
        return HoleSeen(odds, None, odds.empty < HOLE.surely_empty)
    return HoleSeen(odds, _disc(calibration, shape, others, odds, HOLE.sure_known))


def _since_empty(shape: "Shape", change: Floats, empty: Patch) -> HoleOdds:
    """The probabilities for a hole that has changed since it was seen empty."""
    odds = hole_model.posterior(shape.figures, change)
    if change[0] > np.log(HOLE.plainly_changed):
        odds = odds.filled()  # no empty hole looks like this; the pose stays as uncertain as it was
    return odds.beside(empty.odds, hole_model.posterior(shape.figures, None).empty)


def _disc(calibration: Calibration, shape: "Shape", others: Others, odds: HoleOdds, enough: float) -> HoleDisc:
    """The disc in the hole; its pose is sure from the probability `enough`."""
    leaning = odds.leaning > odds.flat
    fit, z = shape.leaning if leaning else shape.flat
    sure = max(odds.flat, odds.leaning) > enough and not shape.unlike(others) and _slant(calibration) < HOLE.most_slant
    return HoleDisc(fit, z, shape.lab, leaning, sure)


def _slant(calibration: Calibration) -> float:
    """The angle between the camera's view into the hole and the vertical, degrees."""
    x, y, height = calibration.camera.centre
    return float(np.degrees(np.arctan2(np.hypot(x, y), height)))


def may_be_flat(calibration: Calibration, centres: Floats) -> NDArray[np.bool_]:
    """Which of the discs (K,) apparently on the surface, with these centres (K, 2), may be flat in the hole. An oblique
    camera sees sunk discs nearer to itself, possibly where a disc would overhang the hole.
    """
    return _from_sunk(calibration, centres) < HOLE.play


def may_lean(calibration: Calibration, centres: Floats) -> NDArray[np.bool_]:
    """Which of them may lean on the hole's rim: none unless the camera is very oblique."""
    if _slant(calibration) < HOLE.most_slant:
        return np.zeros(len(centres), np.bool_)
    return _from_sunk(calibration, centres) < HOLE.lean_out + HOLE.lean_span


def _from_sunk(calibration: Calibration, centres: Floats) -> Floats:
    """The distance (K,) of each from the apparent place on the surface of a disc in the centre of the hole, mm."""
    depths = calibration.board.hole_depth * np.array(HOLE.depths)
    seeming = calibration.camera.along_sight(np.zeros((len(depths), 2)), -depths, 0.0)
    return np.asarray(np.linalg.norm(centres[:, None] - seeming, axis=-1).min(1), np.float64)


def unchanged(change: Floats) -> bool:
    """Whether the figures `CHANGE` clearly show the empty hole unchanged."""
    *parts, likeness = change
    return bool(max(parts) < np.log(HOLE.unchanged) and likeness > HOLE.same_look)


@dataclass(frozen=True, slots=True)
class Shape:
    """The best outlines of a disc in the hole, each with its z, and their figures."""

    flat: tuple[Outlines, float]
    leaning: tuple[Outlines, float]
    lab: Floats  # (3,) the top's colour
    figures: Floats  # as `hole_look.SHAPE`

    def unlike(self, others: Others) -> bool:
        """Whether no disc elsewhere has this colour although both sides' are seen: a finger, or a reflection. An
        overexposed one without a rim is a reflection even if only one side's discs are seen.
        """
        away = colours.distance(self.lab, others.labs)
        glare = self.lab[0] > READER.blown_out and self.flat[0].visible[0] < READER.blown_out_visible
        return bool(away.min(initial=np.inf) > HOLE.known_colour) and (bool(glare) or others.both_sides)

    def is_disc(self, others: Others, probability: float) -> bool:
        """Whether it is a disc: it has another disc's colour, or is flat by the model's `probability`. For a hole of
        unknown empty look, where the model mistakes some empty holes for leaning discs.
        """
        away = colours.distance(self.lab, others.labs).min(initial=np.inf)
        same_colour = away < HOLE.same_colour and self.flat[0].support[0] > HOLE.likely_support
        return bool(same_colour or (probability > HOLE.flat_unknown and not self.unlike(others)))


def shape_of(image: Image, calibration: Calibration, others: Others, here: Patch) -> Shape:
    """The outlines in the hole; `here`: its look. Both poses are fitted in one pass."""
    flat, tilted = _flat(calibration), _leaning(calibration)
    both, first = flat.plus(tilted), np.arange(len(flat.z) + len(tilted.z)) < len(flat.z)
    fits = outline.refine(image, calibration, both.moved(outline.search(image, calibration, both)[0]))
    level, height = _best(fits.only(first), flat.z)
    lab = colours.tops(image, calibration, level.centres, np.array([height]))[0]
    leaning = fits.only(~first)
    merit = _merit_leaning(leaning, tilted)
    best = int(merit.argmax())
    figures = hole_look.seen(image, calibration, level, leaning.only([best]), lab, others, here)
    # A truly leaning disc also fits nearly as well in neighbouring directions; a chance fit does not.
    towards = int((np.roll(merit, 1) + merit + np.roll(merit, -1)).argmax())
    return Shape((level, height), (leaning.only([towards]), float(tilted.z[towards])), lab, figures)


def _flat(calibration: Calibration) -> Solids:
    """Discs flat in the centre of the hole, at usual depths."""
    z = -calibration.board.hole_depth * np.array(HOLE.depths)
    return Solids.flat(np.zeros((len(z), 2)), z, calibration)


def _leaning(calibration: Calibration) -> Solids:
    """Discs with one edge on the hole's floor and the opposite side on the rim, in every direction."""
    size, tilt = calibration.disc, np.radians(HOLE.tilt)
    angles = np.arange(HOLE.leans_towards) * (2 * np.pi / HOLE.leans_towards)
    towards = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    z = np.full(len(angles), size.radius * np.sin(tilt) - calibration.board.hole_depth)
    return Solids(-HOLE.lean_out * towards, z, tilt * towards, size.radius, size.thickness)


def _best(fits: Outlines, z: Floats) -> tuple[Outlines, float]:
    best = int(_merit(fits).argmax())
    return fits.only([best]), float(z[best])


def _merit_leaning(fits: Outlines, solids: Solids) -> Floats:
    """The quality (K,) of the outlines of leaning discs: lower at places where none can lean, or of the wrong size."""
    towards = solids.lean / np.linalg.norm(solids.lean, axis=1, keepdims=True)
    out = (fits.centres * towards).sum(-1)
    beside = np.abs(fits.centres[:, 0] * towards[:, 1] - fits.centres[:, 1] * towards[:, 0])
    amiss = np.maximum(np.abs(out + HOLE.lean_out) - HOLE.lean_span, 0) + np.maximum(beside - HOLE.lean_beside, 0)
    large = np.maximum(np.abs(fits.excess) - HOLE.fair_excess, 0)
    return np.asarray(_merit(fits) - HOLE.amiss_weight * amiss - HOLE.excess_weight * large, np.float64)


def _merit(fits: Outlines) -> Floats:
    """The quality (K,) of fitted outlines."""
    return fits.visible - fits.scatter
