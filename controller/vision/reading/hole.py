"""Reads the 20 hole: is a disc in it, or leaning on its rim? The one place where the board itself looks like a disc.

An empty hole is a circle too, slightly wider than a disc: dark, painted or of wood. `hole_look` computes figures from
the picture, `hole_model` the probabilities of empty, flat and leaning from them. Anything unclear is reported as
uncertain, also when a disc may be there that looks like the empty hole.
"""

from dataclasses import dataclass, replace

import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools, Floats
from controller.vision.reading import colours, hole_look, hole_model, outline
from controller.vision.reading.hole_look import Others, Patch
from controller.vision.reading.hole_poses import DEPTHS
from controller.vision.reading.outline import Outlines
from controller.vision.reading.rays import Solids
from controller.vision.readings import EMPTY_HOLE, HoleOdds
from hardware.devices import Image

BLOWN_OUT = 99.0  # lightness L*: a reflection is a bright round patch too, but without a rim all around
BLOWN_OUT_VISIBLE = 0.65  # least visible share of the outline of such a disc. Measured: glare up to 0.61

# Probabilities are those of `hole_model`; `python -m controller.training` reports their calibration.
LEAN_OUT = 4.5  # mm from the hole's axis: the centre of leaning discs' range
LEAN_SPAN = 2.4  # mm: half of leaning discs' range, with the fit's error
TIPPING_ERROR = 2.0
"""mm beyond the place where a disc tips: one whose outline lies nearer may lean. Measured: in pictures turned dark or
cold, the raised edge of a leaning disc fits a flat disc 0.4 mm beyond it, with a standard error of 1 mm."""
UNCHANGED = 0.6  # of the insignificant change: with less all over the hole, outlines are not fitted
SAME_LOOK = 0.96  # the least correlation with the empty hole if it is unchanged
MOST_SLANT = 30.0
"""Degrees off the vertical up to which a pose can be sure: the range of the boards that the model was fitted to.
Measured at 30 to 50 degrees: one of 8 leaning discs was surely misread."""
PLAINLY_CHANGED = 2.0
"""Of the insignificant change: with more in the hole's centre it is not empty. Measured: empty holes up to 1.2,
with the camera 0.2 mm off."""
KNOWN_COLOUR = 8.0  # distance of colours to the nearest other disc. Measured: 5 within a side, 10 to hands
PLAY = 2.4  # mm: the most play of a flat disc in the hole, with the fit's error
FLAT = ((1.0, 0.0), (1.0, 1.25), (1.0, 2.5), (1.6, 0.0))
"""Outlines of a flat disc that are tried: times the nominal depth, and mm narrower than the disc. Its side and the edge
of its top may be as dark as the gap around. The disc's own outline then fits the hole's edge on one side and the light
top's on the other, 2 mm off. Measured: narrower ones at the second depth are no better."""
BETWEEN_LEANS = 1.5  # mm: half the distance between leaning discs that are drawn, with the fit's error
MISFIT_WEIGHT = 0.3  # of an outline's visible share, per mm of radius. Measured: 0.15 and 0.5 are as good
SURELY_EMPTY = 0.98  # probability of it below which a reading without a disc is in doubt
EMPTY = 0.5  # probability of an empty hole above which no disc is read
LIKELY = 0.85
"""Probability of the pose above which a disc of any colour is read if the empty hole is unknown. Measured on 26
photographs: nine empty painted holes have 0.51 to 0.83."""
SAME_COLOUR = 2.5  # distance of colours. Measured: discs of one side up to 2, wooden floors from 3
SURE = 0.98
"""Probability of the pose above which it is sure. Measured, each kind of picture left out of the fit: of 73 with 0.97
to 0.99 three are wrong, of 235 with more none. Two leaning discs that nothing was fitted to had 0.972 and 0.973."""


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


CLEARLY_EMPTY = HoleSeen(EMPTY_HOLE)


def seen_at_hole(image: Image, calibration: Calibration, others: Others, empty: Patch | None = None) -> HoleSeen:
    """Read the hole. `others`: the discs elsewhere; `empty`: the empty hole's look, if known."""
    here = hole_look.patch(image, calibration)
    if empty is None:
        shape = shape_of(image, calibration, others, here)
        odds = hole_model.posterior(shape.figures, None)
        return _seen(calibration, shape, others, odds) if shape.is_disc(others, odds) else _without_disc(odds)
    change = hole_look.change(calibration, here, empty, others)
    if unchanged(change):
        return _without_disc(empty.odds)
    shape = shape_of(image, calibration, others, here)
    odds, alone = (hole_model.posterior(shape.figures, figures) for figures in (change, None))
    if change[0] > np.log(PLAINLY_CHANGED):
        odds = odds.filled()
    return _seen(calibration, shape, others, odds.beside(empty.odds, alone.empty))


def _without_disc(odds: HoleOdds) -> HoleSeen:
    return HoleSeen(odds, None, odds.empty < SURELY_EMPTY)


def _seen(calibration: Calibration, shape: "Shape", others: Others, odds: HoleOdds) -> HoleSeen:
    """The likelier disc in the hole, or none if it is more likely empty."""
    if odds.empty > EMPTY:
        return _without_disc(odds)
    leaning = odds.leaning > odds.flat
    sure = max(odds.flat, odds.leaning) > SURE and not shape.unlike(others) and _slant(calibration) < MOST_SLANT
    pose = int(leaning)
    return HoleSeen(odds, HoleDisc(shape.fits.only([pose]), float(shape.z[pose]), shape.lab, leaning, sure))


def _slant(calibration: Calibration) -> float:
    """The angle between the camera's view into the hole and the vertical, degrees."""
    x, y, height = calibration.camera.centre
    return float(np.degrees(np.arctan2(np.hypot(x, y), height)))


def may_be_flat(calibration: Calibration, centres: Floats) -> Bools:
    """Which of the discs (K,) apparently on the surface, with these centres (K, 2), may be flat in the hole. An oblique
    camera sees sunk discs nearer to itself, possibly where a disc would overhang the hole.
    """
    return _from_sunk(calibration, centres) < PLAY


def may_lean(calibration: Calibration, centres: Floats) -> Bools:
    """Which of them may lean on the hole's rim: those so far out that they hardly tip, and more of them under a very
    oblique camera.
    """
    may: Bools = np.hypot(*centres.T) < tipping_radius(calibration) + TIPPING_ERROR
    if _slant(calibration) >= MOST_SLANT:
        may |= _from_sunk(calibration, centres) < LEAN_OUT + LEAN_SPAN
    return may


def tipping_radius(calibration: Calibration) -> float:
    """The distance from the hole's centre at which a disc tips: its outermost supports are in line with its centre."""
    return float(np.sqrt(max(calibration.hole_radius**2 - calibration.disc.radius**2, 0.0)))


def _from_sunk(calibration: Calibration, centres: Floats) -> Floats:
    """The distance (K,) of each from the apparent place on the surface of a disc in the centre of the hole, mm."""
    depths = calibration.board.hole_depth * np.array(DEPTHS)
    seeming = calibration.camera.along_sight(np.zeros((len(depths), 2)), -depths, 0.0)
    return np.asarray(np.linalg.norm(centres[:, None] - seeming, axis=-1).min(1), np.float64)


def unchanged(change: Floats) -> bool:
    """Whether the figures `CHANGE` clearly show the empty hole unchanged."""
    *parts, likeness = change
    return bool(max(parts) < np.log(UNCHANGED) and likeness > SAME_LOOK)


@dataclass(frozen=True, slots=True)
class Shape:
    """The best outlines of a flat disc in the hole, of a leaning one and of the hole's edge, in this order, and their
    figures.
    """

    fits: Outlines  # of three
    z: Floats  # (2,)
    lab: Floats  # (3,) the top's colour
    figures: Floats  # as `hole_look.SHAPE`

    def unlike(self, others: Others) -> bool:
        """Whether no disc elsewhere has this colour although all sides' are seen: a finger, or a reflection. An
        overexposed one without a rim is a reflection even if only one side's discs are seen.
        """
        glare = self.lab[0] > BLOWN_OUT and self.fits.visible[0] < BLOWN_OUT_VISIBLE
        return self._off_colour(others) > KNOWN_COLOUR and (bool(glare) or others.all_sides)

    def is_disc(self, others: Others, odds: HoleOdds) -> bool:
        """Whether what is likely a disc is read as one, in a hole of unknown empty look: painted holes look like discs
        too, so it has another disc's colour, or its pose is likely.
        """
        return self._off_colour(others) < SAME_COLOUR or max(odds.flat, odds.leaning) > LIKELY

    def _off_colour(self, others: Others) -> float:
        """The distance of the colour from the nearest disc's elsewhere; infinite without one."""
        return float(colours.distance(self.lab, others.labs).min(initial=np.inf))


def shape_of(image: Image, calibration: Calibration, others: Others, here: Patch) -> Shape:
    """The outlines in the hole, fitted in one pass; `here`: its look."""
    labs = here.labs
    drawn = hole_look.compare(calibration, labs, others)
    flat = _flat_discs(calibration)
    solids, most = flat.plus(drawn.leaning), np.array([*[PLAY] * len(flat.z), BETWEEN_LEANS])
    solids = solids.moved(outline.search(image, calibration, solids, most)[0])
    fits = outline.refine(image, calibration, solids.plus(hole_look.edge(calibration)))
    fitting = fits.visible - fits.scatter - MISFIT_WEIGHT * np.abs(fits.excess)
    best = int(fitting[: len(flat.z)].argmax())
    support = float(fits.support[: len(flat.z)].max())
    fits, z = fits.only([best, -2, -1]), solids.z[[best, -1]]
    lab = colours.tops(image, calibration, fits.centres[:1], z[:1])[0]
    return Shape(fits, z, lab, hole_look.seen(calibration, fits, support, drawn, others, labs))


def _flat_discs(calibration: Calibration) -> Solids:
    """Discs in the middle of the hole, as `FLAT`."""
    deep, narrower = np.array(FLAT).T
    discs = Solids.flat(np.zeros((len(FLAT), 2)), -calibration.board.hole_depth * deep, calibration)
    return replace(discs, radius=discs.radius - narrower)
