"""Shares with their samples, and what a sample supports."""

from controller.views.history.accuracy import highest

TAIL = 0.05  # one-sided: the bound holds with 95 %
NONE = "-"


def share(events: int, trials: int) -> str:
    """A share with its sample."""
    return f"{100 * events / trials:.1f} % of {trials}" if trials else NONE


def of(events: int, trials: int) -> str:
    """A rare event with its sample and what that supports."""
    return f"{events} of {trials} (below {100 * highest(events, trials, TAIL):.2g} %)" if trials else NONE
