"""Fits how likely a candidate is a disc: `disc_weights.json`."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from controller.errors import BadInput
from controller.training.fitting import Floats, left_out, regression, shares
from controller.training.pictures import TrainingPicture
from controller.vision.reading import candidates, disc_model, discs
from controller.vision.reading.background import Background
from controller.vision.reading.disc_model import WEIGHTS
from controller.vision.reading.reader import LEAST_ODDS, SURE_ODDS
from controller.vision.reading.regression import Regression

__all__ = ["WEIGHTS", "examples", "fitted", "report"]
SAME_DISC = 5.0  # mm: a candidate within this distance of a disc is that disc
ELSEWHERE = 20.0  # mm: one beyond this distance is no disc; in between it may be a disc's shadow, and is left out
STRENGTH = 2.0  # of the regularisation of the weights towards 0


@dataclass(frozen=True, slots=True)
class DiscExample:
    """A candidate on the surface, and whether it is a disc."""

    generator: str
    figures: Floats  # (F,)
    disc: bool


def examples(picture: TrainingPicture) -> Iterator[DiscExample]:
    """The candidates of a picture, once without and, if known, once with the empty board's picture."""
    empty = picture.background()
    for known in (None,) if empty is None else (None, empty):
        yield from _examples(picture, known)


def _examples(picture: TrainingPicture, empty: Background | None) -> Iterator[DiscExample]:
    image, calibration = picture.image, picture.calibration
    view = discs.playing_view(image, calibration)
    changed = None if empty is None else empty.changed(view).mask
    try:
        seen = candidates.find_candidates(image, view, calibration, empty, changed)
    except BadInput:
        return
    figures = disc_model.figures(calibration, seen)
    for k in np.flatnonzero((seen.circles.z == 0) & candidates.beside_hole(calibration, seen)):
        x, y = seen.fits.centres[k]
        away, _ = picture.away(float(x), float(y))
        if not SAME_DISC < away < ELSEWHERE:
            yield DiscExample(picture.generator, figures[k], away <= SAME_DISC)


def fitted(some: Sequence[DiscExample]) -> Regression:
    """The likeliest weights."""
    figures, disc = np.array([one.figures for one in some]), np.array([one.disc for one in some], np.float64)
    return regression(figures, disc, shares(some), STRENGTH)


def report(some: Sequence[DiscExample]) -> Iterator[str]:
    """The scores on each generator of odds fitted to the others."""
    for name, own, model in left_out(some, fitted):
        odds = model.log_odds(np.array([one.figures for one in own]))
        truth = np.array([one.disc for one in own])
        yield (
            f"disc, {name} left out: {truth.sum()} discs, {np.sum(truth & (odds < LEAST_ODDS))} missed, "
            f"{np.sum(truth & (odds < SURE_ODDS))} not sure; {np.sum(~truth)} others, "
            f"{np.sum(~truth & (odds > LEAST_ODDS))} taken for one, "
            f"{np.sum(~truth & (odds > SURE_ODDS))} surely"
        )
        said = 1 / (1 + np.exp(-odds))
        for least, most in itertools.pairwise((0.5, 0.9, 0.99, 1.0)):
            part = (said > least) & (said <= most)
            if part.any():
                mean, true = said[part].mean(), truth[part].mean()
                yield f"  said {least} to {most}: {part.sum()}, mean {mean:.3f}, true {true:.3f}"
