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
from controller.vision.readings import EMPTY_HOLE, HoleOdds
from hardware.devices import Image

BLOWN_OUT = 99.0  # lightness L*: a reflection is a bright round patch too, but without a rim all around
BLOWN_OUT_VISIBLE = 0.65  # least visible share of the outline of such a disc. Measured: glare up to 0.61

# Merit: visible share minus scatter in mm. Probabilities are those of `hole_model`; `python -m controller.training`
# reports their calibration.
DEPTHS = (1.0, 1.25, 1.6)  # times the nominal depth, which matters for an oblique camera
LEAN_OUT = 4.5  # mm from the hole's axis: the centre of leaning discs' range
LEAN_SPAN = 2.4  # mm: half of leaning discs' range, with the fit's error
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
EMPTY = 0.5  # probability of an empty hole above which no disc is read
LIKELY = 0.85
"""Probability of the pose above which a disc of any colour is read if the empty hole is unknown. Measured on 26
photographs: nine empty painted holes have 0.51 to 0.83."""
SAME_COLOUR = 2.5  # distance of colours. Measured: discs of one side up to 2, wooden floors from 3
SURE = 0.97
"""Probability of the pose above which it is sure. Measured, each kind of picture left out of the fit: of 271 with
more, two are wrong."""

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
    change = None if empty is None else hole_look.change(calibration, here, empty, others)
    if empty is not None and change is not None and unchanged(change):
        return HoleSeen(empty.odds, None, empty.odds.empty < HOLE.surely_empty)
    shape = shape_of(image, calibration, others, here)
    odds = hole_model.posterior(shape.figures, None)
    is_disc = shape.is_disc(others, odds)
    if empty is not None and change is not None:
        odds = _since_empty(shape, change).beside(empty.odds, odds.empty)
        is_disc = True
    if odds.empty > EMPTY or not is_disc:
        return HoleSeen(odds, None, odds.empty < HOLE.surely_empty)
    return HoleSeen(odds, _disc(calibration, shape, others, odds))


def _since_empty(shape: "Shape", change: Floats) -> HoleOdds:
    """The probabilities for a hole that has changed since it was seen empty."""
    odds = hole_model.posterior(shape.figures, change)
    return odds.filled() if change[0] > np.log(PLAINLY_CHANGED) else odds


def _disc(calibration: Calibration, shape: "Shape", others: Others, odds: HoleOdds) -> HoleDisc:
    """The disc in the hole. One in doubt counts as flat: of those that stop there hardly one leans, and people leave it
    there, which is asked about, while they lift a twenty.
    """
    leaning = odds.leaning > HOLE.sure
    fit, z = shape.leaning if leaning else shape.flat
    sure = max(odds.flat, odds.leaning) > SURE and not shape.unlike(others)
    return HoleDisc(fit, z, shape.lab, leaning, sure and _slant(calibration) < MOST_SLANT)


def _slant(calibration: Calibration) -> float:
    """The angle between the camera's view into the hole and the vertical, degrees."""
    x, y, height = calibration.camera.centre
    return float(np.degrees(np.arctan2(np.hypot(x, y), height)))


def may_be_flat(calibration: Calibration, centres: Floats) -> NDArray[np.bool_]:
    """Which of the discs (K,) apparently on the surface, with these centres (K, 2), may be flat in the hole. An oblique
    camera sees sunk discs nearer to itself, possibly where a disc would overhang the hole.
    """
    return _from_sunk(calibration, centres) < PLAY


def may_lean(calibration: Calibration, centres: Floats) -> NDArray[np.bool_]:
    """Which of them may lean on the hole's rim: none unless the camera is very oblique."""
    if _slant(calibration) < MOST_SLANT:
        return np.zeros(len(centres), np.bool_)
    return _from_sunk(calibration, centres) < LEAN_OUT + LEAN_SPAN


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
        glare = self.lab[0] > BLOWN_OUT and self.flat[0].visible[0] < BLOWN_OUT_VISIBLE
        return bool(away.min(initial=np.inf) > KNOWN_COLOUR) and (bool(glare) or others.both_sides)

    def is_disc(self, others: Others, odds: HoleOdds) -> bool:
        """Whether what is likely a disc is read as one, in a hole of unknown empty look: painted holes look like discs
        too, so it has another disc's colour, or its pose is likely.
        """
        away = colours.distance(self.lab, others.labs).min(initial=np.inf)
        return bool(away < SAME_COLOUR or max(odds.flat, odds.leaning) > LIKELY)


def shape_of(image: Image, calibration: Calibration, others: Others, here: Patch) -> Shape:
    """The outlines in the hole; `here`: its look. Both poses are fitted in one pass."""
    labs = here.labs
    compared = hole_look.compare(calibration, labs, others)
    flat, tilted = _flat(calibration), compared.leaning
    both, first = flat.plus(tilted), np.arange(len(flat.z) + 1) < len(flat.z)
    fits = outline.refine(image, calibration, both.moved(outline.search(image, calibration, both)[0]))
    level, height = _best(fits.only(first), flat.z)
    lab = colours.tops(image, calibration, level.centres, np.array([height]))[0]
    leaning = fits.only(~first)
    figures = hole_look.seen(image, calibration, (level, leaning), compared, others, labs)
    return Shape((level, height), (leaning, float(tilted.z[0])), lab, figures)


def _flat(calibration: Calibration) -> Solids:
    """Discs flat in the centre of the hole, at usual depths."""
    z = -calibration.board.hole_depth * np.array(DEPTHS)
    return Solids.flat(np.zeros((len(z), 2)), z, calibration)


def _best(fits: Outlines, z: Floats) -> tuple[Outlines, float]:
    best = int(_merit(fits).argmax())
    return fits.only([best]), float(z[best])


def _merit(fits: Outlines) -> Floats:
    """The quality (K,) of fitted outlines."""
    return fits.visible - fits.scatter
