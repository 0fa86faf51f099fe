"""Checks the figures that people enter for sides: an award, totals, twenties, a shoot-out."""

from collections.abc import Mapping, Sequence

from controller.messages import Message, say
from controller.rules.errors import BadCorrection


def check_known(side: str, sides: Sequence[str], place: str) -> None:
    """Raise `BadCorrection` unless the match has this side."""
    if side not in sides:
        raise BadCorrection(f"there is no side {side!r}; there are {', '.join(sides)}", place)


def check_all_sides(figures: Mapping[str, int], sides: Sequence[str], place: str) -> Mapping[str, int]:
    """Return the figures. Raises `BadCorrection` unless there is exactly one for each side."""
    for side in figures:
        check_known(side, sides, place)
    missing = [side for side in sides if side not in figures]
    if missing:
        raise BadCorrection(say("Every side needs a figure: {sides} is missing.", sides=tuple(missing)), place)
    return figures


def check_figure(value: object, low: int, high: int | None, step: int, place: str) -> None:
    """Raise `BadCorrection` unless this is a whole number from `low` to `high` (None: any), a multiple of `step`."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < low or (high is not None and value > high) or value % step:  # type: ignore[operator]
        raise BadCorrection(_expected(repr(value), low, high, step), place)


def _expected(value: str, low: int, high: int | None, step: int) -> Message:
    if high is None:
        return say("{value} can't be: a whole number from {low} on is needed.", value=value, low=low)
    if step > 1:
        steps = {"low": low, "high": high, "step": step}
        return say("{value} can't be: a multiple of {step} from {low} to {high} is needed.", value=value, **steps)
    return say("{value} can't be: a whole number from {low} to {high} is needed.", value=value, low=low, high=high)
