"""Robust least squares with priors: the Levenberg-Marquardt method for a handful of parameters and many residuals."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from controller.vision.calibration.camera import Floats

STEPS = 20  # steps at most. Source not recorded
GAIN = 1e-8  # share of the cost: a smaller improvement ends the fit
TINY = 1e-6
"""Added to the normal matrix's diagonal, so that an undetermined direction does not make it singular."""
HUGE = 1e8  # damping: beyond it no step helps


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Solution:
    """The parameters (n,), their covariance (n, n), and the residuals with their robust weights (m,)."""

    parameters: Floats
    covariance: Floats
    residuals: Floats
    weights: Floats


def finish(pieces: Generator[None, None, T]) -> T:
    """Run a generator to its end without pauses, and return its result."""
    while True:
        try:
            next(pieces)
        except StopIteration as done:
            result: T = done.value
            return result


def solving(
    residuals_of: Callable[[Floats], Floats], start: Floats, expected: Floats, spread: Floats, noise: float
) -> Generator[None, None, Solution]:
    """Minimise the robust cost of `residuals_of(parameters)` (m,) and the priors.

    Each parameter has a prior: normal around `expected` with standard deviation `spread` (inf for none). `noise` is the
    residuals' expected scale, in their unit: Cauchy's loss discounts residuals many times larger. A generator that
    pauses after each step.
    """
    step_sizes = np.where(np.isfinite(spread), np.minimum(spread, 1.0), 1.0) * 1e-4
    precision = np.where(np.isfinite(spread), 1.0 / spread**2, 0.0)

    def cost_of(residuals: Floats, parameters: Floats) -> float:
        prior = np.sum(precision * (parameters - expected) ** 2)
        return float(np.sum(np.log1p((residuals / noise) ** 2)) + prior)

    parameters = start.copy()
    residuals = residuals_of(parameters)
    cost, damping = cost_of(residuals, parameters), 1e-3
    for _ in range(STEPS):
        weights = 1.0 / (1.0 + (residuals / noise) ** 2)
        slope = _slope(residuals_of, parameters, residuals, step_sizes)
        pull = slope.T @ (weights * residuals) / noise**2 + precision * (parameters - expected)
        normal = (slope.T * weights) @ slope / noise**2 + np.diag(precision)
        before = cost
        while damping < HUGE:
            move = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + TINY), -pull)
            tried = residuals_of(parameters + move)
            tried_cost = cost_of(tried, parameters + move)
            if tried_cost < cost:
                parameters, residuals, cost = parameters + move, tried, tried_cost
                damping = max(damping / 10, 1e-9)
                break
            damping *= 10
        if before - cost < GAIN * before:
            break
        yield
    weights = 1.0 / (1.0 + (residuals / noise) ** 2)
    slope = _slope(residuals_of, parameters, residuals, step_sizes)
    seen = float(np.sum(weights * residuals**2) / max(np.sum(weights) - len(start), 1.0))
    normal = (slope.T * weights) @ slope / max(seen, 1e-12) + np.diag(precision)
    scale = 1 / np.sqrt(np.maximum(np.diag(normal), 1e-30))  # units differ: radians and millimetres
    covariance = np.linalg.pinv(normal * np.outer(scale, scale), hermitian=True) * np.outer(scale, scale)
    return Solution(parameters, covariance, residuals, weights)


def _slope(
    residuals_of: Callable[[Floats], Floats], parameters: Floats, residuals: Floats, step_sizes: Floats
) -> Floats:
    """(m, n) derivatives of the residuals by forward differences."""
    slope = np.empty((residuals.size, parameters.size))
    for i, size in enumerate(step_sizes):
        moved = parameters.copy()
        moved[i] += size
        slope[:, i] = (residuals_of(moved) - residuals) / size
    return slope
