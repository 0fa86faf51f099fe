"""Shared by the fits: weights each generator equally, and leaves each out once to score a fit on unseen kinds."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from controller.vision.reading.regression import Regression

Floats = NDArray[np.float64]
EACH = 500.0
"""The total weight of each generator, in examples, whatever their number; regularisation is relative to it."""


class Made(Protocol):
    """An example from a generator."""

    @property
    def generator(self) -> str: ...


E = TypeVar("E", bound=Made)
M = TypeVar("M")


def shares(examples: Sequence[Made]) -> Floats:
    """The weight (N,) of each example."""
    names = [one.generator for one in examples]
    return np.array([EACH / names.count(name) for name in names], np.float64)


def left_out(examples: Sequence[E], fitted: Callable[[Sequence[E]], M]) -> Iterator[tuple[str, list[E], M]]:
    """Each generator's name and examples, with the model fitted to all others; nothing for a single generator."""
    names = sorted({one.generator for one in examples})
    for name in names if len(names) > 1 else ():
        own = [one for one in examples if one.generator == name]
        yield name, own, fitted([one for one in examples if one.generator != name])


ROUNDS = 60  # at most, of Newton's method, which ends when no weight changes


def regression(figures: Floats, truth: Floats, count: Floats, strength: float) -> Regression:
    """The likeliest regression (Newton's method) of classes (N, C), 0 or 1 each, on figures (N, F). `count` (N,): the
    weight of each example; `strength`: of the regularisation towards 0."""
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
