"""Is a disc in the 20 hole? The one place where the board itself looks like a disc.

An empty hole is a circle too, a little wider than a disc, dark or painted or of wood. A disc lying in it shows a rim of
its own radius all around, and nearly always a colour that other discs on the board have.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.vision import colours, outline
from controller.vision.calibration import Calibration
from controller.vision.outline import Outlines
from hardware.devices import Image

Floats = NDArray[np.float64]

DEPTHS = (1.0, 1.25, 1.6)  # of the nominal depth: holes differ, and the height matters where the camera looks askew
PLAY = 2.4  # mm: a disc flat in the hole has at most this much play, with the fit's own error
# Measured on 40 ray-traced boards: unhidden discs in the hole scatter up to 0.12 mm, holes of that size from 0.15.
CLEAN_SCATTER = 0.13
CLEAN_VISIBLE = 0.55
CLEAN_EXCESS = 0.6  # mm: beyond it the circle is the hole's own edge
LIKELY_SUPPORT = 0.38
SAME_COLOUR = 2.5  # in `colours.distance`; measured: discs up to 2, wooden floors from 3
KNOWN_COLOUR = 8.0  # the same where the empty hole is known and has changed
CHANGED = 0.5  # share of the hole


@dataclass(frozen=True, slots=True)
class HoleDisc:
    """A disc flat in the hole."""

    fit: Outlines  # of one disc
    z: float
    lab: Floats  # (3,)
    sure: bool


def disc_in_hole(
    image: Image, calibration: Calibration, others: Floats, changed: float | None = None
) -> HoleDisc | None:
    """The disc in the hole, if there is one.

    `others` are the colours (K, 3) of the discs elsewhere, `changed` the share of the hole that differs from the empty
    board where that is known.
    """
    size = calibration.disc
    z = -calibration.board.hole_depth * np.array(DEPTHS)
    fits = outline.fit(image, calibration, np.zeros((len(z), 2)), z, size.radius, size.thickness)
    best = int((fits.visible - fits.scatter).argmax())
    fit, height = fits.only([best]), float(z[best])
    if changed is not None and changed < CHANGED:
        return None
    lab = colours.tops(image, calibration, fit.centres, z[[best]])[0]
    clean = bool(
        fit.visible[0] > CLEAN_VISIBLE
        and fit.scatter[0] < CLEAN_SCATTER
        and abs(fit.excess[0]) < CLEAN_EXCESS
        and np.hypot(*fit.centres[0]) < PLAY
    )
    away = float(colours.distance(lab, others).min()) if len(others) else None
    if changed is not None:
        known = away is None or away < KNOWN_COLOUR
        return HoleDisc(fit, height, lab, True) if clean or known else None
    alike = away is not None and away < SAME_COLOUR and fit.support[0] > LIKELY_SUPPORT
    if not (clean or alike):
        return None
    return HoleDisc(fit, height, lab, clean and (away is None or away < KNOWN_COLOUR))
