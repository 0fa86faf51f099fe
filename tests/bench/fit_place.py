"""Fits how far discs are read off their places: `python -m tests.bench.fit_place` writes `place_weights.json`.

Fitted by maximum likelihood to discs of two generators: the traced boards of `hard`, of the half that is there to
choose by, and the simulated table's painter. Reported on the traced half that is kept aside and on the shared
ray-traced pictures, which come from a third generator: errors over their standard errors should deviate by 1.
"""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from controller.errors import BadInput
from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import place_model
from controller.vision.reading.background import Background
from controller.vision.reading.candidates import plainness
from controller.vision.reading.place_model import FIGURES, WEIGHTS, Floats, Spread
from controller.vision.reading.reader import found_in
from hardware.devices import Image
from tests.bench import hard, painted, truth
from tests.bench.fitting import command, of_kinds
from tests.bench.truth import TrueDisc
from tests.controller.vision.reading_pictures import calibration_of

BOARDS = 8  # of each traced kind
PAINTED = 15
SEED = 5  # of the painted boards
SAME_DISC = 20.0  # mm from where it lies: farther off it is another
STRENGTH = 3.0  # of the pull of the weights towards 0; with 1 and 10 the calibration is the same
ROUNDS = 60  # of Newton's method
LEAST_BEND = 0.3  # of what a residual bends the likelihood: keeps Newton's step short where most residuals are small


@dataclass(frozen=True)
class Example:
    """A disc that was found, with its error."""

    board: str
    figures: Floats  # (2, F)
    error: Floats  # (2,) mm, along the line of sight and across
    known: Floats  # (2,) mm, what the calibration says of its own part in that


def traced(boards: Iterable[list[hard.Hard]]) -> Iterator[Example]:
    """From the pictures of traced boards, with the look of the empty board."""
    for pictures in boards:
        calibration = calibration_of(pictures[0].camera)
        empty = Background.from_empty(pictures[0].empty, calibration)
        for picture in pictures:
            yield from _examples(picture.name[: -len("t000")], picture.image, picture.discs, calibration, empty)


def drawn(pictures: Iterable[truth.TruePicture]) -> Iterator[Example]:
    """From pictures of the standard board."""
    for picture in pictures:
        calibration = calibration_of(picture.camera)
        empty = None if picture.empty is None else Background.from_empty(picture.empty, calibration)
        yield from _examples(picture.name, picture.image, picture.discs, calibration, empty)


def _examples(
    board: str, image: Image, discs: Iterable[TrueDisc], calibration: Calibration, empty: Background | None
) -> Iterator[Example]:
    try:
        found = found_in(image, calibration, empty)
    except BadInput:
        return
    fits, flat = found.fits, [disc for disc in discs if disc.status == "flat"]
    axes = place_model.sight(calibration, fits.centres)
    figures = place_model.figures(calibration, fits.centres, fits.covariance, plainness(fits))
    parallax = calibration.sigma_parallax(*fits.centres.T)
    known = np.stack([parallax, np.zeros_like(parallax)], axis=-1)
    for k, (x, y) in enumerate(fits.centres.tolist()):
        near = min(flat, key=lambda disc: math.hypot(disc.x - x, disc.y - y), default=None)
        if near is not None and found.z[k] == 0 and math.hypot(near.x - x, near.y - y) < SAME_DISC:
            yield Example(board, figures[:, k], axes[:, k] @ (x - near.x, y - near.y), known[k])


def fitted(examples: list[Example]) -> Spread:
    """The likeliest weights (Newton's method), pulled towards 0."""
    figures, errors = np.array([one.figures for one in examples]), np.array([one.error for one in examples])
    known = np.array([one.known for one in examples])
    fits = [_fitted(figures[:, way], errors[:, way], known[:, way]) for way in (0, 1)]
    return Spread(np.array([weights for weights, _ in fits]), np.array([constant for _, constant in fits]))


def _fitted(figures: Floats, errors: Floats, known: Floats) -> tuple[Floats, float]:
    usual, scale = figures.mean(0), figures.std(0) + 1e-9
    unit = np.column_stack(((figures - usual) / scale, np.ones(len(figures))))
    weights = np.append(np.zeros(len(FIGURES)), math.log(errors.std()))
    pull = np.diag(np.append(np.full(len(FIGURES), STRENGTH), 1e-6))
    for _ in range(ROUNDS):
        own = np.exp(2 * unit @ weights)
        share, square = own / (own + known**2), errors**2 / (own + known**2)
        slope = unit.T @ (share * (1 - square)) + pull @ weights
        bend = unit.T @ (unit * (2 * share**2 * np.maximum(square, LEAST_BEND))[:, None]) + pull
        step = np.linalg.solve(bend, slope)
        weights -= step * min(1.0, 1 / float(np.abs(step).max()))
    slopes = weights[:-1] / scale
    return slopes, float(weights[-1] - slopes @ usual)


def told(words: str, examples: list[Example], model: Spread) -> str:
    """A line of how the errors deviate from what the model says of them."""
    figures = np.array([one.figures for one in examples]).swapaxes(0, 1)
    known = np.array([one.known for one in examples]).T
    scores = np.abs(np.array([one.error for one in examples]).T / np.hypot(model.sigmas(figures), known))
    ways = (
        f"{way} {np.sqrt(np.mean(score**2)):.2f}, 95 % within {np.quantile(score, 0.95):.1f}, "
        f"99.7 % within {np.quantile(score, 0.997):.1f}, largest {score.max():.1f}"
        for way, score in zip(("along", "across"), scores, strict=True)
    )
    return f"{words}, {len(examples)} discs: " + "; ".join(ways)


def write(count: int) -> None:
    """Fit, say what the fit is worth on pictures that it has not seen, and write it."""
    examples = [one for _, some in of_kinds(traced, hard.TUNE, count) for one in some]
    model = fitted([*examples, *drawn(painted.boards(PAINTED, SEED))])
    for kind, some in of_kinds(traced, hard.HELD, count):
        print(told(f"traced, {kind}", some, model))
    for words, pictures in (("shared stills", truth.stills()), ("shared rounds", truth.rounds())):
        print(told(words, list(drawn(pictures)), model))
    WEIGHTS.write_text(json.dumps(model.to_json(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    command(__doc__, BOARDS, write)
