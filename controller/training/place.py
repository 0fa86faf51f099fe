"""Fits the error of discs' places: `place_weights.json`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from controller.errors import BadInput
from controller.training.fitting import Floats, left_out, shares
from controller.training.pictures import TrainingPicture
from controller.vision.reading import place_model
from controller.vision.reading.place_model import TAIL, WEIGHTS, Spread
from controller.vision.reading.reader import found_in

__all__ = ["WEIGHTS", "examples", "fitted", "report"]
SAME_DISC = 20.0  # mm: a fit farther from a disc's true place is another disc's
STRENGTH = 3.0  # of the regularisation of the exponents towards 0
ROUNDS = 200  # at most, of Fisher scoring, which ends when no weight changes


@dataclass(frozen=True, slots=True)
class PlaceExample:
    """A found flat disc and its error; pairs are along and across the line of sight."""

    generator: str
    said: Floats  # (2,) mm, logarithm of the least-squares standard error
    error: Floats  # (2,) mm
    known: Floats  # (2,) mm, the calibration's share of it


def examples(picture: TrainingPicture) -> Iterator[PlaceExample]:
    """The flat discs of a picture, found without the empty board's picture."""
    calibration = picture.calibration
    try:
        found = found_in(picture.image, calibration)
    except BadInput:
        return
    fits, axes = found.fits, place_model.sight(calibration, found.fits.centres)
    said = place_model.figures(axes, fits.covariance)
    parallax = calibration.sigma_parallax(*fits.centres.T)
    for k, (x, y) in enumerate(fits.centres.tolist()):
        away, near = picture.away(x, y, "flat")
        if near is not None and found.z[k] == 0 and away < SAME_DISC:
            error = axes[:, k] @ (x - near.x, y - near.y)
            yield PlaceExample(picture.generator, said[:, k], error, np.array((parallax[k], 0.0)))


def fitted(some: Sequence[PlaceExample]) -> Spread:
    """The likeliest laws under Student's t with `TAIL` degrees of freedom (Fisher scoring)."""
    said, errors, known = (np.array([getattr(one, name) for one in some]) for name in ("said", "error", "known"))
    count = shares(some)
    laws = np.array([_law(said[:, way], errors[:, way], known[:, way], count) for way in (0, 1)])
    return Spread(*laws.round(5).T.tolist())


def _law(said: Floats, errors: Floats, known: Floats, count: Floats) -> tuple[float, float]:
    usual, scale = float(said.mean()), float(said.std()) + 1e-9
    unit = np.column_stack(((said - usual) / scale, np.ones(len(said))))
    weights, pull = np.array((0.0, np.log(errors.std()))), np.diag((STRENGTH, 1e-6))
    for _ in range(ROUNDS):
        own = np.exp(2 * unit @ weights)
        share, square = own / (own + known**2), errors**2 / (own + known**2)
        slope = unit.T @ (count * share * (1 - (TAIL + 1) * square / (TAIL + square))) + pull @ weights
        bend = unit.T @ (unit * (2 * count * share**2 * TAIL / (TAIL + 3))[:, None]) + pull
        step = np.linalg.solve(bend, slope)
        weights -= step * min(1.0, 1 / float(np.abs(step).max()))
        if np.abs(step).max() < 1e-6:
            break
    exponent = float(weights[0]) / scale
    return exponent, float(weights[1]) - exponent * usual


def report(some: Sequence[PlaceExample]) -> Iterator[str]:
    """The errors on each generator, in standard errors fitted to the others."""
    for name, own, model in left_out(some, fitted):
        known = np.array([one.known for one in own]).T
        sigmas = np.hypot(model.sigmas(np.array([one.said for one in own]).T), known)
        scores = np.abs(np.array([one.error for one in own]).T / sigmas)
        ways = (
            f"{way} {np.sqrt(np.mean(score**2)):.2f}, beyond four {100 * np.mean(score > 4):.2f} %, "
            f"largest {score.max():.1f}"
            for way, score in zip(("along", "across"), scores, strict=True)
        )
        yield f"place, {name} left out, {len(own)} discs, errors in sigma: " + "; ".join(ways)
