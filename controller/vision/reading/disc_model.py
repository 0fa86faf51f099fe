"""The log-odds that a candidate on the surface is a disc at all: one logistic regression over the figures below.

| figure | what |
| --- | --- |
| round | roundness of the view at its place |
| support | mean strength of the edges along its outline |
| visible | share of the outline that agrees with the fit |
| weakest | strength of the edges in the weakest sixth of the outline: letters, hands and glare have a gap |
| colour | distance of its top's colour from the nearest certain disc's elsewhere; without one it is ignored |
| alone | share of its place that differs from the empty board, less that of its surroundings; 0 if that is unknown |

Whether it is a disc is independent of how well its place is known, see `place_model`. `python -m controller.training`
fits it.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Floats
from controller.vision.reading import colours
from controller.vision.reading.candidates import OVERLAP, SURE_EVIDENCE, Candidates
from controller.vision.reading.regression import Regression

STRANGE_COLOUR = 10.0  # distance of colours: a larger one counts no more


WEIGHTS = Path(__file__).with_name("disc_weights.json")
FIGURES = ("round", "support", "visible", "weakest", "colour", "alone")


def log_odds(calibration: Calibration, seen: Candidates) -> Floats:
    """The log-odds (K,) that each candidate is a disc. Only meaningful for candidates on the surface."""
    return fitted().log_odds(figures(calibration, seen))


def figures(calibration: Calibration, seen: Candidates) -> Floats:
    """The regression's input (K, F), in the order of `FIGURES`."""
    shape = (seen.circles.roundness, seen.fits.support, seen.fits.visible, seen.fits.weakest)
    return np.column_stack((*shape, _strangeness(calibration, seen), seen.circles.new - seen.circles.about))


def _strangeness(calibration: Calibration, seen: Candidates) -> Floats:
    """The distance of each candidate's (K,) colour from that of the nearest certain disc elsewhere; NaN without one."""
    apart = np.linalg.norm(seen.fits.centres[:, None] - seen.fits.centres, axis=-1)
    elsewhere = (seen.evidence > SURE_EVIDENCE) & (apart > OVERLAP * calibration.disc.radius)
    away = np.where(elsewhere, colours.distance(seen.labs[:, None], seen.labs), np.inf).min(1, initial=np.inf)
    return np.where(np.isinf(away), np.nan, np.minimum(away, STRANGE_COLOUR))


@cache
def fitted() -> Regression:
    """The fitted regression."""
    return Regression.from_json(json.loads(WEIGHTS.read_text(encoding="utf-8")))
