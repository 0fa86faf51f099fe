"""Ratings, so that an open night stays in balance: Elo's, from the results of the tournament.

FIDE Handbook B.02, 8.1 and 8.3: who is rated d points higher is expected to get 1 / (1 + 10^(-d/400)) of the points;
what a side gets beyond that moves its rating, by K for a whole match. Here the share of the points counts: 5 - 3 is
0.625.

>>> round(expected(1600, 1500), 2)
0.64
"""

import math

from controller.club.tournament.state import State

BEGINNING = 1500  # of an entrant without a rating; only differences matter
K = 40  # FIDE B.02, 8.3.3: for those with few rated games, as everybody has on one evening
SCALE = 400.0  # FIDE B.02, 8.1


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
