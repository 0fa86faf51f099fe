"""A round that people count by hand instead of the camera."""

from collections.abc import Mapping
from dataclasses import replace

from controller.rules.figures import check_known
from controller.rules.rounds import Round


def count(round: Round, side: str, points: int) -> Round:
    """Add one disc on the board for a side. The counts replace the discs that were read."""
    check_known(side, round.terms.ids, "side")
    counted = round.counted_by_hand or {}
    return replace(round, counted_by_hand={**counted, side: counted.get(side, 0) + points})


def recount(round: Round, by_hand: bool) -> Round:
    """Start counting by hand from zero, or return to the discs that were read."""
    return replace(round, counted_by_hand={} if by_hand else None)


def enter(round: Round, totals: Mapping[str, int], twenties: Mapping[str, int]) -> Round:
    """End the round with people's figures; the totals include the twenties."""
    counted = round.correct_twenties(twenties)
    counted = counted if counted.complete else counted.close()
    return replace(counted.correct_totals(totals), entered=not round.shots)


def totals_known(round: Round) -> bool:
    """Whether the totals are known. If not, people entered only the winner, and at most the twenties are known."""
    entered = round.totals_by_hand is not None or bool(round.counted_by_hand)
    return entered or bool(round.shots) or round.awarded_by_hand is None
