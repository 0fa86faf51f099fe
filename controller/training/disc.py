"""Fits how likely a candidate is a disc: `disc_weights.json`."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from controller.errors import BadInput
from controller.training.generators import Floats, left_out, shares
from controller.training.pictures import Picture
from controller.vision.reading import candidates, disc_model, discs
from controller.vision.reading.background import Background
from controller.vision.reading.disc_model import FIGURES, WEIGHTS, Odds
from controller.vision.reading.settings import READER

__all__ = ["WEIGHTS", "examples", "fitted", "report"]

SAME_DISC = 5.0  # mm: a candidate that is as near to a disc is that disc
ELSEWHERE = 20.0  # mm: one that is farther off is none; in between it may be a disc's shadow, and is left out
STRENGTH = 2.0  # of the pull of the weights towards 0
ROUNDS = 60  # of Newton's method; it ends when no weight changes any more


@dataclass(frozen=True, slots=True)
class Example:
    """A candidate on the surface, and whether it is a disc."""

    generator: str
    figures: Floats  # (F,)
    disc: bool


def examples(picture: Picture) -> Iterator[Example]:
    """The candidates of a picture, with the look of the empty board where it is known, and without."""
    empty = picture.background()
    for known in (None,) if empty is None else (None, empty):
        yield from _examples(picture, known)


def _examples(picture: Picture, empty: Background | None) -> Iterator[Example]:
    image, calibration = picture.image, picture.calibration
    view = discs.playing_view(image, calibration)
    changed = None if empty is None else empty.changed(view)
    try:
        seen = candidates.looked_for(image, view, calibration, empty, changed)
    except BadInput:
        return
    figures = disc_model.figures(calibration, seen)
    for k in np.flatnonzero((seen.circles.z == 0) & candidates.beside_hole(calibration, seen)):
        x, y = seen.fits.centres[k]
        away, _ = picture.away(float(x), float(y))
        if not SAME_DISC < away < ELSEWHERE:
            yield Example(picture.generator, figures[k], away <= SAME_DISC)


def fitted(some: Sequence[Example]) -> Odds:
    """The likeliest weights (Newton's method), pulled towards 0."""
    figures, truth = np.array([one.figures for one in some]), np.array([one.disc for one in some], np.float64)
    count, usual, scale = shares(some), np.nanmean(figures, 0), np.nanstd(figures, 0) + 1e-9
    unit = np.column_stack((np.nan_to_num((figures - usual) / scale), np.ones(len(figures))))
    weights, pull = np.zeros(len(FIGURES) + 1), np.diag(np.append(np.full(len(FIGURES), STRENGTH), 1e-4))
    for _ in range(ROUNDS):
        said = 1 / (1 + np.exp(-unit @ weights))
        slope = unit.T @ (count * (said - truth)) + pull @ weights
        step = np.linalg.solve(unit.T @ (unit * (count * said * (1 - said))[:, None]) + pull, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return Odds(usual, weights[:-1] / scale, float(weights[-1]))


def report(some: Sequence[Example]) -> Iterator[str]:
    """What the odds are worth on each generator that were fitted to the others."""
    for name, own, model in left_out(some, fitted):
        odds, truth = model.of(np.array([one.figures for one in own])), np.array([one.disc for one in own])
        yield (
            f"disc, {name} left out: {truth.sum()} discs, {np.sum(truth & (odds < READER.least_odds))} missed, "
            f"{np.sum(truth & (odds < READER.sure_odds))} not sure; {np.sum(~truth)} others, "
            f"{np.sum(~truth & (odds > READER.least_odds))} taken for one, "
            f"{np.sum(~truth & (odds > READER.sure_odds))} surely"
        )
        said = 1 / (1 + np.exp(-odds))
        for least, most in itertools.pairwise((0.5, 0.9, 0.99, 1.0)):
            part = (said > least) & (said <= most)
            if part.any():
                mean, true = said[part].mean(), truth[part].mean()
                yield f"  said {least} to {most}: {part.sum()}, mean {mean:.3f}, true {true:.3f}"
