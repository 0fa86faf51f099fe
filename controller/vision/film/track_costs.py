"""The cost of matching a spot to a disc: squared standard errors from the expected place, or a fixed cost."""

import math
from collections.abc import Sequence

from controller.vision.film.body import (
    AGAIN_MM,
    FASTEST,
    FLICKED_MM,
    GATE,
    LINE_MM,
    OFF_EDGE_MM,
    SHADED_MM,
    USUAL_SPEED,
    Body,
)
from controller.vision.film.sliding import Guess
from controller.vision.film.spots import Glimpse, Spot
from controller.vision.film.stage import FilmView
from hardware.board import Board

# Costs are squared standard errors.
RESTING_MM = 2.5
"""Standard error of a resting disc's place in others' shadows. Measured: up to 6 mm."""
USUAL_MM = 10.0
"""mm of error of its place, in addition."""
NEW_COST = 6.0
"""Cost of seeing a new disc `FLICKED_MM` away, or one in the ditch as far away as it may be; less when nearer."""
ELSEWHERE = 14.0
"""Cost of an unexpected place: an unseen collision."""
ELSEWHERE_MM = 40.0
"""From the expected place to such a place, for each 1 that is added to that cost."""
MISSED = 12.0
"""Cost of not seeing a disc that nothing hides."""
HIDDEN = 1.0
"""The same if something hides it."""
APPEARS = 25.0
"""Cost of an unknown disc: only the shot disc appears, out of the hand."""
APPEARS_AT_LINE = 8.0
"""The same near the starting line, where the shot disc is."""
OTHER_COLOUR = 30.0
"""Cost of a spot of another colour: more than of an unknown disc, since no disc changes its colour."""
THROWN_SECONDS = 0.2
"""At the speed at which it left, within which a disc that the rail throws back is seen again: three pictures at 15
a second. Measured: one that came back was over the ditch for 0.12 s."""

Point = tuple[float, float]


class TrackCosts:
    """The costs of one picture's spots."""

    def __init__(self, guess: Guess, view: FilmView, glimpse: Glimpse | None) -> None:
        self._guess = guess
        self._view = view
        self._board: Board = view.board
        self._glimpse = glimpse
        sliding = [math.hypot(*body.speed.tolist()) for body in guess.bodies if body.state == "sliding"]
        self._reach = 1.2 * max(max(sliding, default=0.0), USUAL_SPEED) * guess.dt + USUAL_MM

    def of_spots(self, row: int, spots: Sequence[Spot], at: Sequence[Point]) -> list[float]:
        """The cost of each spot for the disc in this row; infinite if it can't be that disc."""
        body = self._guess.bodies[row]
        cost = {"resting": self._resting, "sliding": self._sliding, "new": self._new, "ditch": self._ditch}[body.state]
        return [
            cost(body, row, place) + (OTHER_COLOUR if spot.colour != body.colour else 0.0) - newness(self._board, place)
            for spot, place in zip(spots, at, strict=True)
        ]

    def unseen(self, row: int) -> float:
        """The cost of the disc in this row not being seen."""
        body = self._guess.bodies[row]
        if body.state in ("ditch", "new"):
            return HIDDEN / 2
        if body.state == "resting" and not body.uncovered:
            return 0.0
        place = self._guess.bounced[row]
        from_hole = math.hypot(*place.tolist())
        body.hidden = False
        if self._glimpse is not None and self._glimpse.hands is not None:
            body.hidden = bool(self._glimpse.hands[self._view.at(self._view.pixels(place[None]))])
        if body.hidden or from_hole > self._board.surface_radius - self._board.disc.radius:
            return HIDDEN
        return HIDDEN if body.sunk or from_hole < self._board.hole_radius else MISSED

    def _resting(self, body: Body, row: int, at: Point) -> float:
        guess = self._guess
        far = math.dist(at, body.place.tolist())
        cost = math.inf
        if far < SHADED_MM:
            cost = min((far / RESTING_MM) ** 2, ELSEWHERE - 1)
        if body.uncovered and row in guess.bumped:
            cost = min(cost, (math.dist(at, guess.bounced[row].tolist()) / guess.sigma(row)) ** 2)
        if body.uncovered and far < self._reach:
            cost = min(cost, ELSEWHERE + far / ELSEWHERE_MM)
        return cost

    def _sliding(self, body: Body, row: int, at: Point) -> float:
        guess = self._guess
        far, bounced = math.dist(at, guess.free[row].tolist()), math.dist(at, guess.bounced[row].tolist())
        cost = min((far / guess.sigma(row, free=True)) ** 2, (bounced / guess.sigma(row)) ** 2)
        if cost < GATE:
            return min(cost, ELSEWHERE + min(far, bounced) / ELSEWHERE_MM)
        once = len(body.samples) < 2 and math.dist(at, body.place.tolist()) < FASTEST * guess.dt
        if once or far < self._reach:
            return ELSEWHERE + min(far, bounced) / ELSEWHERE_MM
        return math.inf

    def _new(self, body: Body, row: int, at: Point) -> float:
        far = math.dist(at, body.place.tolist())
        within = max(FLICKED_MM, FASTEST * self._guess.dt)
        return NEW_COST * far / FLICKED_MM if far < within else math.inf

    def _ditch(self, body: Body, row: int, at: Point) -> float:
        far = math.dist(at, body.place.tolist())
        back = AGAIN_MM + THROWN_SECONDS * math.hypot(*body.speed.tolist())
        return NEW_COST * far / back if far < back + self._reach else math.inf


def newness(board: Board, at: Point) -> float:
    """The cost of a spot that is no known disc: high on the board, lower at the starting line, none outside."""
    from_hole = math.hypot(*at)
    if from_hole > board.surface_radius - OFF_EDGE_MM:
        return 0.0
    return APPEARS if from_hole < board.outer_line - LINE_MM else APPEARS_AT_LINE
