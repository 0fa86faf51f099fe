"""Shares with their samples, and what a sample supports."""

import math

CONFIDENCE = 0.95
NONE = "-"


def at_most(events: int, trials: int) -> float:
    """The share that `events` in `trials` leave possible at 95 % confidence: Clopper and Pearson's upper bound."""
    if events >= trials:
        return 1.0
    low, high = events / trials, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        logs = [
            math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
            + k * math.log(middle) + (trials - k) * math.log1p(-middle)
            for k in range(events + 1)
        ]  # fmt: skip
        if sum(map(math.exp, logs)) > 1 - CONFIDENCE:
            low = middle
        else:
            high = middle
    return high


def share(events: int, trials: int) -> str:
    """A share with its sample."""
    return f"{100 * events / trials:.1f} % of {trials}" if trials else NONE


def of(events: int, trials: int) -> str:
    """A rare event with its sample and what that supports."""
    return f"{events} of {trials} (below {100 * at_most(events, trials):.2g} %)" if trials else NONE
