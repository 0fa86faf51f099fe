"""Whose disc is it? The colour sensor's counts, classified by what it saw of discs that were shown to it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.devices import Tint

KEPT = 50  # measurements of each label: the newest, since lamps age and lenses get dusty
LEAST = 2  # measurements before a label is known
FLOOR = 0.05  # the least spread of each feature, 5 %: so much it changes with the disc's place in the hole
SURE = 3.0  # standard errors: a sure label is no farther away ..
APART = 3.0  # .. and every other label is so much farther


@dataclass(frozen=True, slots=True)
class Guess:
    """The most likely label, how many standard errors away it is, and how many more the next one is."""

    label: str
    away: float
    apart: float

    @property
    def sure(self) -> bool:
        """Whether the disc looks like this label's, and like no other's."""
        return self.away <= SURE and self.apart >= APART


class DiscTints:
    """Learns what each label's discs look like. A label is any text: a side, or a colour's name."""

    def __init__(self, shown: Mapping[str, list[list[int]]] | None = None) -> None:
        """`shown`: what `shown` gave, to go on from there."""
        self._shown: dict[str, list[Tint]] = {
            label: [Tint(*counts) for counts in tints] for label, tints in (shown or {}).items()
        }

    def learn(self, label: str, tint: Tint) -> None:
        """This was measured of a disc with that label."""
        self._shown[label] = [*self._shown.get(label, []), tint][-KEPT:]

    def shown(self) -> dict[str, list[list[int]]]:
        """All that was learnt, to be stored as JSON."""
        return {
            label: [[tint.clear, tint.red, tint.green, tint.blue] for tint in tints]
            for label, tints in self._shown.items()
        }

    def whose(self, tint: Tint) -> Guess | None:
        """The label that it looks like most; None before two labels are known."""
        known = {label: _features(tints) for label, tints in self._shown.items() if len(tints) >= LEAST}
        if len(known) < 2:
            return None
        spread = _spread(list(known.values()))
        measured = _features([tint])[0]
        away = {
            label: float(np.linalg.norm((measured - seen.mean(axis=0)) / (spread * math.sqrt(1 + 1 / len(seen)))))
            for label, seen in known.items()
        }
        nearest, second, *_ = sorted(away, key=lambda label: away[label])
        return Guess(nearest, away[nearest], away[second] - away[nearest])


def _features(tints: list[Tint]) -> NDArray[np.float64]:
    """(n, 3): the logarithms of brightness, of red to green and of blue to green. One count more, for black discs."""
    counts = np.array([[tint.clear, tint.red, tint.green, tint.blue] for tint in tints], float) + 1.0
    clear, red, green, blue = counts.T
    return np.stack([np.log(clear), np.log(red / green), np.log(blue / green)], axis=1)


def _spread(seen: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """(3,): one standard deviation of each feature, pooled over the labels, `FLOOR` at least."""
    deviations = np.concatenate([features - features.mean(axis=0) for features in seen])
    freedom = len(deviations) - len(seen)
    pooled = np.sqrt((deviations**2).sum(axis=0) / freedom)
    return np.asarray(np.maximum(pooled, FLOOR), float)
