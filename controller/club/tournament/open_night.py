"""An open club night: free players are paired, those who have waited longest first, with Elo ratings for balance.

A player rated d points higher is expected to score 1 / (1 + 10^(-d/400)) of the points: Elo's formula, close to the
table in the FIDE Handbook, B.02, Rating Regulations. A rating then changes by K times the score minus that expectation
(the same regulations, 8.3.2). A side's score is its share of the points: 5 - 3 is 0.625.

>>> round(expected(1600, 1500), 2)
0.64
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from controller.club.errors import TournamentError
from controller.club.tournament.boards import free_boards
from controller.club.tournament.rounds import RoundPaired
from controller.club.tournament.stages import Cost, Draw, Faults, StageKind, min_cost_pairs, with_starters
from controller.club.tournament.state import TournamentState
from controller.messages import marked, say

MEETING = 100
"""Rating points. A pair that has met n times costs as much as a rating difference n times this. Chosen: at a difference
of 100 the better one is expected to score 64 % (`expected`), which is acceptable for a new opponent."""
INITIAL = 1500.0  # everybody's first rating; only differences matter
K = 40
"""Rating points. FIDE Handbook B.02, Rating Regulations from 1 March 2024, 8.3.3, for players with fewer than 30 rated
games: nobody plays more on one evening."""
SCALE = 400.0  # rating points: at this difference the better side is expected to score ten times as much


@dataclass(frozen=True, slots=True)
class OpenNight(StageKind):
    """Free players of similar strength meet, one match at a time, until the organiser ends it."""

    title: ClassVar[str] = marked("Open night")
    continuous: ClassVar[bool] = True
    shoot_outs: ClassVar[bool] = False
    type: Literal["open_night"] = "open_night"

    def draw(self, state: TournamentState) -> Draw:
        """As many pairs as there are free boards, of those who have waited longest; the nearest ratings meet. Two who
        have just played each other are not paired while other matches go on: they wait for other opponents. Raises
        `TournamentError` if no pair is possible."""
        busy = {side for match in state.open_matches for side in match.sides}
        waiting = [each for each in waiting_order(state) if each not in busy]
        most = min(len(waiting) // 2, len(free_boards(state)) if state.boards else len(state.entrants))
        if not most:
            raise TournamentError(
                say("No board is free; enter a result, or add a board.")
                if len(waiting) > 1
                else say("Fewer than two are free; wait for a match to end.")
            )
        cost = _cost(state, waiting, wait=bool(busy))
        for number in range(most, 0, -1):
            if pairs := _pairs(waiting, cost, number):
                return RoundPaired(with_starters(state, pairs)), ()
        raise TournamentError(say("The two who are free have just played each other; wait for a match to end."))

    def all_drawn(self, state: TournamentState) -> bool:
        """Never: people end it."""
        return False

    def own_ranking(self, state: TournamentState, stage: int) -> Mapping[str, Mapping[str, float]]:
        return {"rating": ratings(state)}


def _cost(state: TournamentState, waiting: list[str], wait: bool) -> Cost:
    """The faults of each pair: that they have just played each other, or None if they are then to `wait` for others;
    nobody is left out; how far their ratings are apart, and how often they have met."""
    rated, met, last = ratings(state), state.meetings(state.stage.number), _last_opponents(state)

    def cost(u: int, v: int) -> Faults | None:
        a, b = waiting[u], waiting[v]
        again = last.get(a) == b and last.get(b) == a
        if again and wait:
            return None
        return again, 0, round(abs(rated[a] - rated[b])) ** 2 + (MEETING * met[frozenset((a, b))]) ** 2

    return cost


def _pairs(waiting: list[str], cost: Cost, number: int) -> list[tuple[str, str]]:
    """This many pairs, preferably of the first in the queue; none if the costs allow no such draw. Everybody else is
    paired with an empty seat, which is a greater fault the longer they have waited."""
    count = len(waiting)

    def with_seats(u: int, v: int) -> Faults | None:
        if v < count:
            return cost(u, v)
        return (0, count - u, 0) if u < count else None

    found = min_cost_pairs(2 * (count - number), with_seats) or []
    return [(waiting[u], waiting[v]) for u, v in found if v < count]


def waiting_order(state: TournamentState) -> list[str]:
    """Everybody present: first those who have not played, then those who have waited longest since their last match."""
    last = dict.fromkeys(state.stage.entrants, -1)
    played = dict.fromkeys(state.stage.entrants, 0)
    for number, match in enumerate(state.matches_of(state.stage.number)):
        for side in match.sides:
            last[side] = number
            played[side] = played.get(side, 0) + 1
    return sorted(state.here(state.stage.entrants), key=lambda entrant: (last[entrant], played[entrant]))


def _last_opponents(state: TournamentState) -> dict[str, str]:
    last: dict[str, str] = {}
    for match in state.matches_of(state.stage.number):
        a, b = match.sides
        last[a], last[b] = b, a
    return last


def expected(own: float, other: float) -> float:
    """The expected share of the points of a rating against another."""
    return 1.0 / (1.0 + math.pow(10.0, (other - own) / SCALE))


def ratings(state: TournamentState) -> dict[str, float]:
    """Everybody's rating after all matches with a result, in the order in which they were paired."""
    rated = dict.fromkeys(state.entrants, INITIAL)
    for match in state.matches_of():
        if match.result is None or not sum(match.result.points):
            continue
        a, b = match.sides
        change = K * (match.result.points[0] / sum(match.result.points) - expected(rated[a], rated[b]))
        rated[a] += change
        rated[b] -= change
    return rated
