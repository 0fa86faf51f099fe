"""Elo ratings from the results of the tournament. An open night pairs by them, so that its matches are even.

Who is rated d points higher is expected to get 1 / (1 + 10^(-d/400)) of the points: Elo's formula, which comes close to
the table in the FIDE Handbook, B.02, Rating Regulations. A rating then changes by K times what the side got less what
was expected (the same regulations, 8.3.2). What a side got is its share of the points: 5 - 3 is 0.625.

>>> round(expected(1600, 1500), 2)
0.64
"""

import math

from controller.club.tournament.state import State

BEGINNING = 1500  # of an entrant without a rating; only differences matter
K = 40
"""Rating points. FIDE Handbook B.02, Rating Regulations from 1 March 2024, 8.3.3, for players with fewer than 30 rated
games: nobody plays more on one evening."""
SCALE = 400.0  # rating points: at this difference the better side is expected to get ten times as much


def expected(own: float, other: float) -> float:
    """The share of the points that a rating promises against another."""
    return 1.0 / (1.0 + math.pow(10.0, (other - own) / SCALE))


def ratings(state: State) -> dict[str, float]:
    """Everybody's rating after all matches that have a result, in the order in which they were paired."""
    rated = {id: float(BEGINNING if each.rating is None else each.rating) for id, each in state.entrants.items()}
    for match in state.matches_of():
        if match.result is None or not sum(match.result.points):
            continue
        a, b = match.sides
        change = K * (match.result.points[0] / sum(match.result.points) - expected(rated[a], rated[b]))
        rated[a] += change
        rated[b] -= change
    return rated
