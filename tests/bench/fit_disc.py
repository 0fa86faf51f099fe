"""Fits how likely a candidate is a disc: `python -m tests.bench.fit_disc` writes `disc_weights.json`.

Fitted to candidates on boards of two generators, each with the look of the empty board and without: the traced boards
of `hard`, of the half that is there to choose by, with hands and things among them, and the simulated table's painter.
Reported on the traced half that is kept aside: of what is called a disc with so much probability, how much is one.
Run it after `fit_place`, on whose errors two of its figures rest.
"""

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from controller.errors import BadInput
from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import candidates, disc_model, discs
from controller.vision.reading.background import Background
from controller.vision.reading.disc_model import FIGURES, WEIGHTS, Floats, Odds
from hardware.devices import Image
from tests.bench import hard, painted
from tests.bench.fitting import command, of_kinds
from tests.bench.truth import TrueDisc
from tests.controller.vision.reading_pictures import calibration_of

BOARDS = 8  # of each traced kind
PAINTED = 15
SEED = 5  # of the painted boards
SAME_DISC = 5.0  # mm: a candidate that is as near to a disc is that disc
ELSEWHERE = 20.0  # mm: one that is farther off is none; in between it may be a disc's shadow, and is left out
STRENGTH = 2.0  # of the pull of the weights towards 0
ROUNDS = 50  # of Newton's method; it ends when no weight changes any more
SAID = (0.5, 0.9, 0.99, 0.999, 1.0)  # probabilities between which is counted how much was true


@dataclass(frozen=True)
class Example:
    """A candidate on the surface, and whether it is a disc."""

    figures: Floats  # (F,)
    disc: bool


def traced(boards: Iterable[list[hard.Hard]]) -> Iterator[Example]:
    """From the pictures of traced boards."""
    for pictures in boards:
        calibration = calibration_of(pictures[0].camera)
        empty = Background.from_empty(pictures[0].empty, calibration)
        for picture in pictures:
            for known in (empty, None):
                yield from _examples(picture.image, picture.discs, calibration, known)


def drawn(count: int, seed: int) -> Iterator[Example]:
    """From painted boards."""
    for picture in painted.boards(count, seed):
        assert picture.empty is not None
        calibration = calibration_of(picture.camera)
        for known in (Background.from_empty(picture.empty, calibration), None):
            yield from _examples(picture.image, picture.discs, calibration, known)


def _examples(
    image: Image, lying: Sequence[TrueDisc], calibration: Calibration, empty: Background | None
) -> Iterator[Example]:
    view = discs.playing_view(image, calibration)
    changed = None if empty is None else empty.changed(view)
    try:
        seen = candidates.looked_for(image, view, calibration, empty, changed)
    except BadInput:
        return
    figures = disc_model.figures(calibration, seen)
    meant = (seen.circles.z == 0) & candidates.beside_hole(calibration, seen)
    for k in np.flatnonzero(meant):
        x, y = seen.fits.centres[k]
        away = min((math.hypot(disc.x - x, disc.y - y) for disc in lying), default=math.inf)
        if not SAME_DISC < away < ELSEWHERE:
            yield Example(figures[k], away <= SAME_DISC)


def fitted(examples: list[Example]) -> Odds:
    """The likeliest weights (Newton's method), pulled towards 0."""
    figures, truth = np.array([one.figures for one in examples]), np.array([one.disc for one in examples], np.float64)
    usual, scale = np.nanmean(figures, 0), np.nanstd(figures, 0) + 1e-9
    unit = np.column_stack((np.nan_to_num((figures - usual) / scale), np.ones(len(figures))))
    weights, pull = np.zeros(len(FIGURES) + 1), np.diag(np.append(np.full(len(FIGURES), STRENGTH), 1e-4))
    for _ in range(ROUNDS):
        said = 1 / (1 + np.exp(-unit @ weights))
        slope = unit.T @ (said - truth) + pull @ weights
        step = np.linalg.solve(unit.T @ (unit * (said * (1 - said))[:, None]) + pull, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return Odds(usual, weights[:-1] / scale, float(weights[-1]))


def told(words: str, examples: list[Example], model: Odds) -> Iterator[str]:
    """Lines of what the model makes of examples."""
    said = 1 / (1 + np.exp(-model.of(np.array([one.figures for one in examples]))))
    truth = np.array([one.disc for one in examples])
    missed, ghosts = np.count_nonzero(truth & (said < SAID[0])), np.count_nonzero(~truth & (said > SAID[0]))
    yield f"{words}: {truth.sum()} discs, {missed} missed; {np.count_nonzero(~truth)} others, {ghosts} taken for one"
    for least, most in itertools.pairwise(SAID):
        part = (said > least) & (said <= most)
        if part.any():
            mean, true = said[part].mean(), truth[part].mean()
            yield f"  said {least} to {most}: {part.sum()} with {mean:.4f} in the mean, of which true {true:.4f}"


def write(count: int) -> None:
    """Fit, say what the fit is worth on pictures that it has not seen, and write it."""
    examples = [one for _, some in of_kinds(traced, hard.TUNE, count) for one in some]
    model = fitted([*examples, *drawn(PAINTED, SEED)])
    every: list[Example] = []
    for kind, some in of_kinds(traced, hard.HELD, count):
        print("\n".join(told(kind, some, model)))
        every += some
    print("\n".join(told("all kinds", every, model)))
    WEIGHTS.write_text(json.dumps(model.to_json(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    command(__doc__, BOARDS, write)
