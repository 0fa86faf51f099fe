"""What fits share: each generator counts the same, and is left out once to see what a fit is worth on another kind."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from controller.vision.reading.regression import Regression

Floats = NDArray[np.float64]

EACH = 500.0
"""Examples that each generator counts as, however many it has: what the pulls of weights towards 0 are measured by."""


class Made(Protocol):
    """Something that a generator made."""

    @property
    def generator(self) -> str:
        """Its name."""
        ...


E = TypeVar("E", bound=Made)
M = TypeVar("M")


def shares(examples: Sequence[Made]) -> Floats:
    """How much each of the examples (N,) counts."""
    names = [one.generator for one in examples]
    return np.array([EACH / names.count(name) for name in names], np.float64)


def left_out(examples: Sequence[E], fitted: Callable[[Sequence[E]], M]) -> Iterator[tuple[str, list[E], M]]:
    """Each generator's name and examples, with the model fitted to all others; nothing for a single generator."""
    names = sorted({one.generator for one in examples})
    for name in names if len(names) > 1 else ():
        own = [one for one in examples if one.generator == name]
        yield name, own, fitted([one for one in examples if one.generator != name])


ROUNDS = 60  # of Newton's method; it ends when no weight changes any more


def regression(figures: Floats, truth: Floats, count: Floats, strength: float) -> Regression:
    """The likeliest regression (Newton's method) of classes (N, C), 0 or 1 each, on figures (N, F).

    Each example counts as much as `count` (N,) says; `strength` is that of the pull of the weights towards 0.
    """
    usual, scale = np.nanmean(figures, 0), np.nanstd(figures, 0) + 1e-6
    unit = np.column_stack((np.nan_to_num((figures - usual) / scale), np.ones(len(figures))))
    classes, columns = truth.shape[1], unit.shape[1]
    weights, pull = np.zeros((classes, columns)), np.append(np.full(columns - 1, strength), 1e-3)
    for _ in range(ROUNDS):
        said = Regression(np.zeros(columns), weights, np.zeros(classes)).probabilities(unit)
        slope = ((said - truth) * count[:, None]).T @ unit + weights * pull
        bend = np.kron(np.eye(classes), np.diag(pull))
        for a in range(classes):
            for b in range(classes):
                weight = count * said[:, a] * ((a == b) - said[:, b])
                part = np.s_[a * columns : (a + 1) * columns, b * columns : (b + 1) * columns]
                bend[part] += unit.T @ (weight[:, None] * unit)
        step = np.linalg.solve(bend, slope.ravel()).reshape(classes, columns)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return Regression(usual, weights[:, :-1] / scale, weights[:, -1])
