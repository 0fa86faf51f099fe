"""The cost of matching a spot to a disc: squared standard errors from the expected place, or a fixed price."""

import math
from collections.abc import Sequence

from controller.vision.film.body import Body
from controller.vision.film.guess import Guess
from controller.vision.film.settings import TRACKING
from controller.vision.film.spots import Glimpse, Spot
from controller.vision.film.stage import View
from hardware.board import Board

Point = tuple[float, float]


class Prices:
    """The prices for one picture's spots."""

    def __init__(self, guess: Guess, view: View, glimpse: Glimpse | None) -> None:
        self._guess = guess
        self._view = view
        self._board: Board = view.board
        self._glimpse = glimpse
        sliding = [math.hypot(*body.speed.tolist()) for body in guess.bodies if body.state == "sliding"]
        self._reach = 1.2 * max(max(sliding, default=0.0), TRACKING.usual_speed) * guess.dt + TRACKING.usual_mm

    def of_spots(self, row: int, spots: Sequence[Spot], at: Sequence[Point]) -> list[float]:
        """The price of each spot for the disc in this row; infinite if it can't be that disc."""
        body = self._guess.bodies[row]
        price = {"resting": self._resting, "sliding": self._sliding, "new": self._new, "ditch": self._ditch}[body.state]
        return [
            price(body, row, place)
            + (TRACKING.other_colour if spot.colour != body.colour else 0.0)
            - newness(self._board, place)
            for spot, place in zip(spots, at, strict=True)
        ]

    def unseen(self, row: int) -> float:
        """The price of the disc in this row not being seen."""
        body = self._guess.bodies[row]
        if body.state in ("ditch", "new"):
            return TRACKING.hidden / 2
        if body.state == "resting" and not body.uncovered:
            return 0.0
        place = self._guess.bounced[row]
        from_hole = math.hypot(*place.tolist())
        body.hidden = False
        if self._glimpse is not None and self._glimpse.hands is not None:
            body.hidden = bool(self._glimpse.hands[self._view.at(self._view.pixels(place[None]))])
        if body.hidden or from_hole > self._board.surface_radius - self._board.disc.radius:
            return TRACKING.hidden
        return TRACKING.hidden if from_hole < self._board.hole_radius else TRACKING.missed

    def _resting(self, body: Body, row: int, at: Point) -> float:
        guess = self._guess
        far = math.dist(at, body.place.tolist())
        price = math.inf
        if far < TRACKING.shaded_mm:
            price = min((far / TRACKING.resting_mm) ** 2, TRACKING.elsewhere - 1)
        if body.uncovered and row in guess.bumped:
            price = min(price, (math.dist(at, guess.bounced[row].tolist()) / guess.sigma(row)) ** 2)
        if body.uncovered and far < self._reach:
            price = min(price, TRACKING.elsewhere + far / TRACKING.elsewhere_mm)
        return price

    def _sliding(self, body: Body, row: int, at: Point) -> float:
        guess = self._guess
        far, bounced = math.dist(at, guess.free[row].tolist()), math.dist(at, guess.bounced[row].tolist())
        price = min((far / guess.sigma(row, free=True)) ** 2, (bounced / guess.sigma(row)) ** 2)
        if price < TRACKING.gate:
            return min(price, TRACKING.elsewhere + min(far, bounced) / TRACKING.elsewhere_mm)
        once = len(body.samples) < 2 and math.dist(at, body.place.tolist()) < TRACKING.fastest * guess.dt
        if once or far < self._reach:
            return TRACKING.elsewhere + min(far, bounced) / TRACKING.elsewhere_mm
        return math.inf

    def _new(self, body: Body, row: int, at: Point) -> float:
        far = math.dist(at, body.place.tolist())
        within = max(TRACKING.flicked_mm, TRACKING.fastest * self._guess.dt)
        return TRACKING.new_price * far / TRACKING.flicked_mm if far < within else math.inf

    def _ditch(self, body: Body, row: int, at: Point) -> float:
        far = math.dist(at, body.place.tolist())
        back = TRACKING.again_mm + TRACKING.thrown_seconds * math.hypot(*body.speed.tolist())
        return TRACKING.new_price * far / back if far < back + self._reach else math.inf


def newness(board: Board, at: Point) -> float:
    """The price of a spot that is no known disc: high on the board, lower at the starting line, none outside."""
    from_hole = math.hypot(*at)
    if from_hole > board.surface_radius - TRACKING.off_edge_mm:
        return 0.0
    return TRACKING.appears if from_hole < board.outer_line - TRACKING.line_mm else TRACKING.appears_at_line
