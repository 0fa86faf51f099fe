"""Results that players enter on their own phones: one counts when both sides have said the same from two phones."""

from collections.abc import Sequence

from controller.club.tournament import NotNow, Result, ResultClaimed, Tournament
from controller.club.tournament.errors import BadResult, Unknown
from controller.messages import say

MOST_CLAIMS = 20
"""Of one match. Two who disagree that often need the organiser, and the log stays short whoever taps."""


def claimed(
    tournament: Tournament, id: str, by: str, points: Sequence[int], twenties: Sequence[int] | None, phone: str
) -> Result | ResultClaimed | None:
    """The event that follows from what `by` says of a match: its result where the other side says the same, else a
    claim; None where that is known already. Raises `TournamentError`."""
    match = tournament.state.match(id)
    if by not in match.sides:
        raise Unknown(say("Only the two who play a match can enter its result."))
    if len(points) != len(match.sides) or len(twenties or points) != len(match.sides):
        raise BadResult(say("A result needs one number for each side."))
    figures = (points[0], points[1])
    own = None if twenties is None else (twenties[0], twenties[1])
    claim = match.claim
    if claim is not None and (claim.points, claim.twenties) == (figures, own):
        if claim.by == by:
            return None
        if claim.phone == phone:
            raise NotNow(say("The opponent confirms it on a phone of their own, or the organiser enters it."))
        return Result(id, match.sides, figures, own)
    earlier = sum(isinstance(each.event, ResultClaimed) and each.event.match == id for each in tournament.entries)
    if earlier >= MOST_CLAIMS:
        raise NotNow(say("Too many different results were entered for this match. Ask the organiser."))
    return ResultClaimed(id, match.sides, figures, by, phone, own)
