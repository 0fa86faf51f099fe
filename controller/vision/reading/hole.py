"""Is a disc in the 20 hole, or leaning on its rim? The one place where the board itself looks like a disc.

An empty hole is a circle too, a little wider than a disc, dark or painted or of wood. A disc lying in it shows a rim of
its own radius all around, and nearly always a colour that other discs on the board have. A disc that leans lies across
the hole's rim on one side: a tilted outline fits it better than a flat one. What is not plain, is not sure.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours, outline
from controller.vision.reading.outline import Outlines
from controller.vision.reading.rays import Solids
from controller.vision.reading.settings import HOLE
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
class Flat:
    """Fits of a disc that lies flat in the hole, one for each of `guesses`."""

    fits: Outlines
    z: Floats  # (D,)
    labs: Floats  # (D, 3) colours of the tops


def guesses(calibration: Calibration) -> Solids:
    """Discs flat in the middle of the hole, at the depths that holes have."""
    z = -calibration.board.hole_depth * np.array(HOLE.depths)
    return Solids.flat(np.zeros((len(z), 2)), z, calibration)


def disc_in_hole(
    image: Image, calibration: Calibration, guessed: Flat, others: Floats, changed: float | None = None
) -> HoleDisc | None:
    """The disc in the hole, if there is one.

    `others` are the colours (K, 3) of the discs elsewhere, `changed` the share of the hole that differs from the empty
    board where that is known.
    """
    if changed is not None and changed < HOLE.changed:
        return None
    best = int(_merit(guessed.fits).argmax())
    fit, height, lab = guessed.fits.only([best]), float(guessed.z[best]), guessed.labs[best]
    away = float(colours.distance(lab, others).min()) if len(others) else None
    flat = _Flat(fit, away, changed is not None)
    if not flat.is_disc:
        return None
    tilted, tilted_height, merit = _leaning(image, calibration, fit)
    by = float(_merit(fit)[0]) - merit
    if flat.leans(by):
        return HoleDisc(tilted, tilted_height, lab, True, flat.usual_colour and flat.surely_leans(by))
    return HoleDisc(fit, height, lab, False, flat.usual_colour and flat.surely_flat(by))


@dataclass(frozen=True, slots=True)
class _Flat:
    """What the best fit of a flat disc says of the hole. `by`: its merit, less that of the best tilted outline."""

    fit: Outlines  # of one disc
    away: float | None  # from its colour to the nearest disc's elsewhere; None where there is no other
    changed: bool  # the empty hole is known, and the picture shows something else

    @property
    def out(self) -> float:
        """Millimetres from the hole's axis."""
        return float(np.hypot(*self.fit.centres[0]))

    @property
    def usual_colour(self) -> bool:
        """Whether no disc elsewhere speaks against the colour."""
        return self.away is None or self.away < HOLE.known_colour

    @property
    def clean(self) -> bool:
        """Whether a disc's own rim is seen all around."""
        return bool(
            self.fit.visible[0] > HOLE.clean_visible
            and self.fit.scatter[0] < HOLE.clean_scatter
            and abs(self.fit.excess[0]) < HOLE.clean_excess
            and self.out < HOLE.play
        )

    @property
    def is_disc(self) -> bool:
        """Whether something lies in the hole: its rim, its colour, or the change of a known hole says so."""
        alike = self.away is not None and self.away < HOLE.same_colour and self.fit.support[0] > HOLE.likely_support
        plain = self.usual_colour or self.fit.visible[0] > HOLE.clean_visible
        return bool(self.clean or alike or (self.changed and plain))

    def leans(self, by: float) -> bool:
        """Whether the disc lies across the hole's rim."""
        return self.out > HOLE.play or (self.out > HOLE.may_lean_out and by < -HOLE.leans_by)

    def surely_leans(self, by: float) -> bool:
        """Whether a disc that leans cannot be a flat one."""
        far = self.out > HOLE.plainly_out and self.fit.visible[0] > HOLE.edge_visible
        return bool(self.out > HOLE.leans_out and (by < -HOLE.leans_by or far))

    def surely_flat(self, by: float) -> bool:
        """Whether a disc that does not lean cannot be a leaning one."""
        scatter, visible = self.fit.scatter[0], self.fit.visible[0]
        unbroken = self.changed and scatter < HOLE.edge_scatter and visible > HOLE.edge_visible
        plain = self.clean and by > (HOLE.flat_by if scatter < HOLE.flat_scatter else HOLE.plainly_flat_by)
        return self.out < HOLE.may_lean_out and bool(plain or unbroken)


def _merit(fits: Outlines) -> Floats:
    """How well outlines (K,) fit the same thing."""
    return fits.visible - fits.scatter


def _leaning(image: Image, calibration: Calibration, flat: Outlines) -> tuple[Outlines, float, float]:
    """The best outline of a disc with one edge on the hole's floor and the opposite side on the rim; its z.

    `flat` is its outline as a flat disc's, which lies off the hole's middle, away from where the disc is lowest.
    """
    size, depth = calibration.disc, calibration.board.hole_depth
    lowest = np.arctan2(*-flat.centres[0, ::-1])
    angles = lowest + np.radians(np.tile(HOLE.lean_towards, len(HOLE.tilts)))
    tilts = np.repeat(np.radians(HOLE.tilts), len(HOLE.lean_towards))
    towards = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    z = size.radius * np.sin(tilts) - depth
    solids = Solids(-HOLE.lean_out * towards, z, tilts[:, None] * towards, size.radius, size.thickness)
    shift, _ = outline.search(image, calibration, solids)
    fits = outline.refine(image, calibration, solids.moved(shift))
    out = (fits.centres * towards).sum(-1)
    beside = np.abs(fits.centres[:, 0] * towards[:, 1] - fits.centres[:, 1] * towards[:, 0])
    amiss = np.maximum(np.abs(out + HOLE.lean_out) - HOLE.lean_span, 0) + np.maximum(beside - HOLE.lean_beside, 0)
    merit = _merit(fits) - HOLE.amiss_weight * amiss
    best = int(merit.argmax())
    return fits.only([best]), float(z[best]), float(merit[best])
