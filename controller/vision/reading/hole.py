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

# A disc between floor and rim is tilted by 11 to 13 degrees; deeper holes: more.
LEANS = tuple(np.radians((12.0, 25.0)))
LEAN_OUT = 4.5  # mm from the hole's axis: in the middle of what leaning discs have
LEAN_SPAN = 2.0  # mm: half of what leaning discs are apart from that
LEAN_BESIDE = 1.0  # mm: they lie opposite to where they are lowest
AMISS_WEIGHT = 0.08  # of merit per mm
LEAN_TOWARDS = (-75.0, -45.0, -15.0, 15.0, 45.0, 75.0)  # degrees from where the flat outline says
# Measured on 300 painted discs, half of them leaning. What leans either scatters 0.09 mm and more about a flat outline
# or fits a tilted one nearly as well, breaks the hole's own edge, and where it scatters is never better flat by 0.2.
FLAT_SCATTER, FLAT_BY = 0.09, 0.03  # mm; visible share less scatter, flat before tilted
PLAINLY_FLAT_BY = 0.2
EDGE_SCATTER, EDGE_VISIBLE = 0.085, 0.98  # of the hole's own edge, when nothing lies across it
LEANS_OUT = 2.9  # mm: flat discs were seen up to 2.4 from the axis
LEANS_BY = 0.01  # merit, tilted before flat
PLAINLY_OUT = 4.0  # mm: no flat disc was seen beyond 3.1
MAY_LEAN_OUT = 1.7  # mm: the play of a disc with the fit's error


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
    z = -calibration.board.hole_depth * np.array(DEPTHS)
    return Solids.flat(np.zeros((len(z), 2)), z, calibration)


def disc_in_hole(
    image: Image, calibration: Calibration, guessed: Flat, others: Floats, changed: float | None = None
) -> HoleDisc | None:
    """The disc in the hole, if there is one.

    `others` are the colours (K, 3) of the discs elsewhere, `changed` the share of the hole that differs from the empty
    board where that is known.
    """
    if changed is not None and changed < CHANGED:
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
        return self.away is None or self.away < KNOWN_COLOUR

    @property
    def clean(self) -> bool:
        """Whether a disc's own rim is seen all around."""
        return bool(
            self.fit.visible[0] > CLEAN_VISIBLE
            and self.fit.scatter[0] < CLEAN_SCATTER
            and abs(self.fit.excess[0]) < CLEAN_EXCESS
            and self.out < PLAY
        )

    @property
    def is_disc(self) -> bool:
        """Whether something lies in the hole: its rim, its colour, or the change of a known hole says so."""
        alike = self.away is not None and self.away < SAME_COLOUR and self.fit.support[0] > LIKELY_SUPPORT
        plain = self.usual_colour or self.fit.visible[0] > CLEAN_VISIBLE
        return bool(self.clean or alike or (self.changed and plain))

    def leans(self, by: float) -> bool:
        """Whether the disc lies across the hole's rim."""
        return self.out > PLAY or (self.out > MAY_LEAN_OUT and by < -LEANS_BY)

    def surely_leans(self, by: float) -> bool:
        """Whether a disc that leans cannot be a flat one."""
        far = self.out > PLAINLY_OUT and self.fit.visible[0] > EDGE_VISIBLE
        return bool(self.out > LEANS_OUT and (by < -LEANS_BY or far))

    def surely_flat(self, by: float) -> bool:
        """Whether a disc that does not lean cannot be a leaning one."""
        scatter, visible = self.fit.scatter[0], self.fit.visible[0]
        unbroken = self.changed and scatter < EDGE_SCATTER and visible > EDGE_VISIBLE
        plain = self.clean and by > (FLAT_BY if scatter < FLAT_SCATTER else PLAINLY_FLAT_BY)
        return self.out < MAY_LEAN_OUT and bool(plain or unbroken)


def _merit(fits: Outlines) -> Floats:
    """How well outlines (K,) fit the same thing."""
    return fits.visible - fits.scatter


def _leaning(image: Image, calibration: Calibration, flat: Outlines) -> tuple[Outlines, float, float]:
    """The best outline of a disc with one edge on the hole's floor and the opposite side on the rim; its z.

    `flat` is its outline as a flat disc's, which lies off the hole's middle, away from where the disc is lowest.
    """
    size, depth = calibration.disc, calibration.board.hole_depth
    lowest = np.arctan2(*-flat.centres[0, ::-1])
    angles = lowest + np.radians(np.tile(LEAN_TOWARDS, len(LEANS)))
    tilts = np.repeat(LEANS, len(LEAN_TOWARDS))
    towards = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    z = size.radius * np.sin(tilts) - depth
    solids = Solids(-LEAN_OUT * towards, z, tilts[:, None] * towards, size.radius, size.thickness)
    shift, _ = outline.search(image, calibration, solids)
    fits = outline.refine(image, calibration, solids.moved(shift))
    out = (fits.centres * towards).sum(-1)
    beside = np.abs(fits.centres[:, 0] * towards[:, 1] - fits.centres[:, 1] * towards[:, 0])
    amiss = np.maximum(np.abs(out + LEAN_OUT) - LEAN_SPAN, 0) + np.maximum(beside - LEAN_BESIDE, 0)
    merit = _merit(fits) - AMISS_WEIGHT * amiss
    best = int(merit.argmax())
    return fits.only([best]), float(z[best]), float(merit[best])
