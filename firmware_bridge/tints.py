"""Classifies the colour sensor's counts of a disc by its measurements of known discs."""

import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.devices import Tint

MEASUREMENTS_KEPT = 50  # newest measurements of each label: lamps age and lenses get dusty
MIN_MEASUREMENTS = 2  # measurements needed for a label
MIN_SPREAD = 0.05  # minimum spread of each feature: it changes by 5 % with the disc's place in the hole
MAX_DISTANCE = 3.0  # standard errors: a certain label is no farther away ..
MIN_SEPARATION = 3.0  # .. and every other label is farther by this


@dataclass(frozen=True, slots=True)
class TintGuess:
    """The most likely label, its distance in standard errors, and how much farther the next one is."""

    label: str
    away: float
    apart: float

    @property
    def certain(self) -> bool:
        """Whether the measurement fits this label and no other."""
        return self.away <= MAX_DISTANCE and self.apart >= MIN_SEPARATION


class DiscTints:
    """Learns the tints of each label's discs. A label is any text, such as a side or a colour."""

    def __init__(self, shown: Mapping[str, list[list[int]]] | None = None) -> None:
        """`shown`: earlier measurements, as `shown` returns them."""
        self._shown: dict[str, list[Tint]] = {
            label: [Tint(*counts) for counts in tints] for label, tints in (shown or {}).items()
        }

    def learn(self, label: str, tint: Tint) -> None:
        self._shown[label] = [*self._shown.get(label, []), tint][-MEASUREMENTS_KEPT:]

    def shown(self) -> dict[str, list[list[int]]]:
        """All kept measurements as JSON: counts by label."""
        return {label: [list(astuple(tint)) for tint in tints] for label, tints in self._shown.items()}

    def classify(self, tint: Tint) -> TintGuess | None:
        """The nearest label; None until two labels are known."""
        known = {label: _features(tints) for label, tints in self._shown.items() if len(tints) >= MIN_MEASUREMENTS}
        if len(known) < 2:
            return None
        spread = _spread(list(known.values()))
        measured = _features([tint])[0]
        away = {
            label: float(np.linalg.norm((measured - seen.mean(axis=0)) / (spread * math.sqrt(1 + 1 / len(seen)))))
            for label, seen in known.items()
        }
        nearest, second, *_ = sorted(away, key=lambda label: away[label])
        return TintGuess(nearest, away[nearest], away[second] - away[nearest])


def _features(tints: list[Tint]) -> NDArray[np.float64]:
    """(n, 3): the logarithms of brightness, of red to green and of blue to green; of counts + 1, for black discs."""
    counts = np.array([astuple(tint) for tint in tints], float) + 1.0
    clear, red, green, blue = counts.T
    return np.stack([np.log(clear), np.log(red / green), np.log(blue / green)], axis=1)


def _spread(seen: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """(3,): one standard deviation of each feature, pooled over the labels, `MIN_SPREAD` at least."""
    deviations = np.concatenate([features - features.mean(axis=0) for features in seen])
    freedom = len(deviations) - len(seen)
    pooled = np.sqrt((deviations**2).sum(axis=0) / freedom)
    return np.asarray(np.maximum(pooled, MIN_SPREAD), float)
