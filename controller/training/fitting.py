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
    """The likeliest regression (Newton's method) of a truth (N,), 0 or 1, on figures (N, F). `count` (N,): the weight
    of each example; `strength`: of the regularisation towards 0."""
    usual, scale = np.nanmean(figures, 0), np.nanstd(figures, 0) + 1e-6
    unit = np.column_stack((np.nan_to_num((figures - usual) / scale), np.ones(len(figures))))
    weights, pull = np.zeros(unit.shape[1]), np.append(np.full(figures.shape[1], strength), 5e-4)
    for _ in range(ROUNDS):
        said = 1 / (1 + np.exp(-unit @ weights))
        slope = ((said - truth) * count) @ unit + weights * pull
        step = np.linalg.solve(unit.T @ ((count * said * (1 - said))[:, None] * unit) + np.diag(pull), slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return Regression(usual, weights[:-1] / scale, float(weights[-1]))
