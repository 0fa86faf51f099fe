"""Turns the spots of each picture into the discs' tracks.

Each picture's spots are matched to the discs by one optimal assignment. A sliding disc is predicted with and without
collisions; a resting disc is expected at its place as long as that looks unchanged. "Measured" is on the simulated
table's shots of the seeds below 100.
"""

import math
from dataclasses import dataclass

import numpy as np

from controller.vision.calibration.camera import Floats
from controller.vision.film.assignment import assign_with_none
from controller.vision.film.body import (
    AGAIN_MM,
    FASTEST,
    FLICKED_MM,
    GATE,
    LINE_MM,
    OFF_EDGE_MM,
    PLACE_MM,
    SHADED_MM,
    SHORTEST,
    TOUCHING_MM,
    USUAL_SPEED,
    Body,
)
from controller.vision.film.film import SHOT
from controller.vision.film.sliding import Bump, Guess, Sliding, far
from controller.vision.film.spots import Glimpse, Spot
from controller.vision.film.stage import FilmStage
from controller.vision.film.track_costs import TrackCosts

UNKNOWN_SPEED = 900.0
"""mm/s, standard deviation of the speed of a disc that was seen once."""
STIRRED_MM = 2.5
"""From its place, beyond which a disc has moved: two standard errors of a touching disc's place."""
FOOTPRINT = 0.7
"""Share of a disc's radius at which its place is probed: within its top, on which no other disc's shadow falls."""
UNCOVERED = 2
"""Of a disc's nine probes: if this many differ from the settled board, it may have left; one is a glint."""
HOME_MM = 15.0
"""From its place, within which a disc may not have left after all."""
PLAIN_BOUNCE = 1.0
"""As `SURE_BOUNCE`, to count as a bounce: a later one will still be seen in the next picture."""
SURE_BOUNCE = 9.0
"""Squared standard errors by which a bounce explains a disc's place better than none does, to be certain."""
SETTLES_SECONDS = 0.08
"""After which a disc that seemed struck and is still at its place has not moved."""
RECENT_SECONDS = 0.15
"""In which an expected collision may still show: a few pictures separate a struck disc from a resting one."""
PAST_MM = 12.0
"""Beyond two radii, within which a disc may have struck another unexpectedly."""
LOST_SECONDS = 0.35
"""Without being seen, before a disc counts as lost: it passes an arm in less."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A probable collision of two discs; one that was at rest before comes second."""

    t: float
    first: str
    second: str
    closing: float  # mm/s
    sure: float  # how much better a bounce explains the first disc's path, squared standard errors
    guessed: bool  # the first is only the nearest disc, not one expected to meet the second


class Tracker:
    """Follows the discs of one settled board."""

    def __init__(self, stage: FilmStage) -> None:
        self._stage = stage
        self._board = stage.view.board
        self._sliding = Sliding(self._board)
        self._t: float | None = None
        homes = np.array([(disc.x, disc.y) for disc in stage.discs]).reshape(-1, 2)
        self.bodies = [
            Body(disc.id, disc.colour, place, "resting", place) for disc, place in zip(stage.discs, homes, strict=True)
        ]
        turn = np.linspace(0, 2 * np.pi, 8, endpoint=False)
        around = FOOTPRINT * stage.view.radius * np.column_stack((np.cos(turn), np.sin(turn)))
        probes = stage.view.pixels(homes)[:, None] + np.vstack(((0.0, 0.0), around))
        self._probes = stage.view.at(probes)  # (discs, 9) rows and columns of each disc's place
        self.meetings: list[Meeting] = []
        self._recent: list[tuple[float, Bump, Body, Body]] = []
        self._new = 0

    @property
    def _moving(self) -> bool:
        """Whether any disc slides."""
        return any(body.state == "sliding" for body in self.bodies)

    def see(self, t: float, glimpse: Glimpse | None) -> None:
        """Process the next picture, taken at `t`; None if it shows the settled board."""
        dt = t - self._t if self._t is not None else 0.0
        self._t = t
        if glimpse is not None:
            self._probe(glimpse)
        elif not self._moving:
            return
        spots = list(glimpse.spots) if glimpse else []
        places = self._stage.places(spots) if spots else np.zeros((0, 2))
        bodies = [body for body in self.bodies if body.state != "lost"]
        guess = Guess(self._sliding, bodies, dt)
        self._expect(guess, t)
        given = self._assign(guess, spots, places, glimpse)
        self._take(guess, t, spots, places, given)
        self.bodies = [body for body in self.bodies if body.state != "new" or body.seen == t]
        for k in sorted(set(range(len(spots))) - set(given.values())):
            self._appear(spots[k], places[k], t)

    def _expect(self, guess: Guess, t: float) -> None:
        """Add the bounces expected since the last picture, and forget old ones."""
        bodies, begin = guess.bodies, t - guess.dt
        self._recent = [recent for recent in self._recent if t - recent[0] < RECENT_SECONDS]
        self._recent += [(begin + b.t, b, bodies[b.disc], bodies[b.other]) for b in guess.bumps if b.other is not None]

    def _probe(self, glimpse: Glimpse) -> None:
        """Determine which places of the settled board have changed. Its discs come first in `bodies`."""
        changed = np.count_nonzero(glimpse.changed[self._probes], axis=1) >= UNCOVERED
        for body, uncovered in zip(self.bodies, changed.tolist(), strict=False):
            body.uncovered = uncovered

    def _assign(
        self, guess: Guess, spots: list[Spot], places: Floats, glimpse: Glimpse | None
    ) -> dict[int, int | None]:
        """The number of each disc's spot, or None, by row, for the discs that may have moved or are near a spot."""
        near = np.zeros(len(guess.bodies), np.bool_)
        if spots:
            apart = np.abs(guess.free[:, None] - places[None]).max(axis=2)
            near = (apart < SHADED_MM).any(axis=1)
        rows = [
            row
            for row, (body, beside) in enumerate(zip(guess.bodies, near.tolist(), strict=True))
            if body.state != "resting" or body.uncovered or beside or row in guess.bumped
        ]
        costs, at = TrackCosts(guess, self._stage.view, glimpse), [(x, y) for x, y in places.tolist()]
        of_spots, unseen = [costs.of_spots(row, spots, at) for row in rows], [costs.unseen(row) for row in rows]
        return dict(zip(rows, assign_with_none(of_spots, unseen), strict=True))

    def _take(self, guess: Guess, t: float, spots: list[Spot], places: Floats, given: dict[int, int | None]) -> None:
        """Move each disc to its spot, sliding ones before those that may have been struck."""
        before = {body.id: body.place for body in guess.bodies}
        stirred: list[Body] = []
        for row, k in sorted(given.items(), key=lambda item: guess.bodies[item[0]].state == "resting"):
            body = guess.bodies[row]
            was = body.state
            if k is None:
                self._missed(body, guess, row, t)
            elif body.state == "resting":
                self._at_home(body, guess, row, t, spots[k], places[k])
            elif body.state == "new":
                self._flicked(body, t, guess.dt, places[k])
            else:
                self._found(body, guess, row, t, spots[k], places[k])
            if was == "resting" and body.state == "sliding":
                stirred.append(body)
        for body in stirred:
            self._began(body, guess, t, before)
        self._collided(guess, t, stirred)

    def _collided(self, guess: Guess, t: float, stirred: list[Body]) -> None:
        """Note collisions of two sliding discs that both turned as if they had met."""
        for bump in guess.bumps:
            if bump.other is None:
                continue
            first, second = guess.bodies[bump.disc], guess.bodies[bump.other]
            sure = guess.off.get(bump.disc, 0.0) + guess.off.get(bump.other, 0.0)
            both = bump.disc in guess.off and bump.other in guess.off
            if not both or sure < SURE_BOUNCE or first in stirred or second in stirred:
                continue
            at, pair = t - guess.dt + bump.t, {first.id, second.id}
            if not any({m.first, m.second} == pair and at - m.t < RECENT_SECONDS for m in self.meetings):
                self.meetings.append(Meeting(at, first.id, second.id, bump.closing, sure, False))

    def _missed(self, body: Body, guess: Guess, row: int, t: float) -> None:
        """Handle a disc that is not seen."""
        before = body.place
        if body.state == "resting" and body.uncovered and not body.hidden:
            body.state, body.since, body.seen = "sliding", t, t - guess.dt
            guess.follow(row, shaken=UNKNOWN_SPEED)
        elif body.state == "sliding":
            if self._went_home(body):
                return
            guess.follow(row)
            if math.hypot(*body.place) > self._board.surface_radius:
                body.state = "ditch"
            elif t - body.seen > LOST_SECONDS:
                body.state = "lost"
        if body.state == "sliding":
            body.sunk |= _gap(np.zeros(2), before, body.place) < self._board.hole_radius

    def _at_home(self, body: Body, guess: Guess, row: int, t: float, spot: Spot, at: Floats) -> None:
        """Handle a seen resting disc: it slides from now on if its place has changed, or it was just struck."""
        stirred = body.uncovered and far(at, body.place) >= STIRRED_MM
        if not stirred and not guess.just_struck(row):
            return
        sigma = _sigma(spot)
        body.state, body.since = "sliding", t
        if row in guess.bumped and (far(at, guess.bounced[row]) / guess.sigma(row)) ** 2 < GATE:
            guess.follow(row)
            body.correct(t, at, sigma)
        else:
            speed = (at - body.place) / max(guess.dt, SHORTEST)
            body.restart(t, at, sigma, 1.5 * speed, USUAL_SPEED + float(np.hypot(*speed)))

    def _found(self, body: Body, guess: Guess, row: int, t: float, spot: Spot, at: Floats) -> None:
        """Handle a seen disc that was sliding or had left the surface."""
        sigma = _sigma(spot)
        if body.state == "ditch":
            if math.hypot(*at) < self._board.surface_radius - OFF_EDGE_MM:
                body.state, body.came_back = "sliding", True
            body.restart(t, at, sigma, np.zeros(2), UNKNOWN_SPEED)
            return
        if t - body.since > SETTLES_SECONDS and self._went_home(body):
            return
        by_free = (far(at, guess.free[row]) / guess.sigma(row, free=True)) ** 2
        by_bounce = (far(at, guess.bounced[row]) / guess.sigma(row)) ** 2
        if min(by_free, by_bounce) > GATE:
            speed = (at - body.place) / max(t - body.seen, SHORTEST)
            body.restart(t, at, sigma, speed, 0.5 * float(np.hypot(*speed)) + 100.0)
        else:
            bounced = by_free >= by_bounce + PLAIN_BOUNCE
            guess.follow(row, free=not bounced)
            body.correct(t, at, sigma)
            if bounced:
                guess.off[row] = by_free - by_bounce
        if math.hypot(*at) > self._board.surface_radius:
            body.state = "ditch"

    def _went_home(self, body: Body) -> bool:
        """Whether a disc that seemed to move is still at its place; then note so. Certain bounces off it remain."""
        if body.home is None or body.hidden or body.uncovered or far(body.place, body.home) > HOME_MM:
            return False
        body.go_home(body.home)
        self.meetings = [m for m in self.meetings if m.second != body.id or m.sure >= SURE_BOUNCE]
        return True

    def _began(self, body: Body, guess: Guess, t: float, before: dict[str, Floats]) -> None:
        """Find what struck a resting disc that moved: the disc expected to meet it first, else the one that came
        nearest."""
        for at, bump, first, second in sorted(self._recent, key=lambda recent: recent[0]):
            other = second if first is body else first
            if body not in (first, second) or at < t - 2.2 * guess.dt or other.state == "resting":
                continue
            sure = next((sure for row, sure in guess.off.items() if guess.bodies[row] is other), 0.0)
            self.meetings.append(Meeting(at, other.id, body.id, bump.closing, sure, False))
            body.began = "struck"
            return
        gap, nearest = self._passed(body, before)
        if gap < 2 * self._board.disc.radius + PAST_MM:
            speed = float(np.hypot(*body.speed))
            self.meetings.append(Meeting(t - guess.dt / 2, nearest.id, body.id, speed, 0.0, True))
            body.began = "struck"

    def _passed(self, body: Body, before: dict[str, Floats]) -> tuple[float, Body]:
        """The sliding disc that passed nearest to this one's place, and its distance, mm."""
        sliding = (other for other in self.bodies if other is not body and other.state == "sliding")
        gaps = [(_gap(before[body.id], before[o.id], o.place), o) for o in sliding if o.id in before]
        return min(gaps, key=lambda pair: pair[0], default=(math.inf, body))

    def _appear(self, spot: Spot, at: Floats, t: float) -> None:
        """Handle an unmatched spot: a lost disc, the shot disc, or fingers."""
        from_hole = math.hypot(*at)
        if from_hole > self._board.surface_radius - OFF_EDGE_MM:
            return
        lost = [body for body in self.bodies if _may_be(body, spot, at, t)]
        if lost:
            body = min(lost, key=lambda body: far(at, body.place))
            body.state = "sliding"
            body.restart(t, at, PLACE_MM, np.zeros(2), UNKNOWN_SPEED)
            return
        flicked = any(body.began == "flicked" for body in self.bodies)
        if flicked and from_hole < self._board.outer_line - LINE_MM:
            return
        self._new += 1
        body = Body(f"{SHOT} {self._new}", spot.colour, at, "new")
        body.restart(t, at, PLACE_MM, np.zeros(2), UNKNOWN_SPEED)
        self.bodies.append(body)

    def _flicked(self, body: Body, t: float, dt: float, at: Floats) -> None:
        """Handle a new object seen again: it becomes the shot disc once it moves away."""
        if far(at, body.place) > FLICKED_MM:
            speed = (at - body.place) / max(dt, SHORTEST)
            body.samples.clear()
            body.restart(t, at, PLACE_MM, speed, 0.3 * float(np.hypot(*speed)) + 100.0)
            body.state, body.began = "sliding", "flicked"
            return
        body.seen = t


def _sigma(spot: Spot) -> float:
    return TOUCHING_MM if spot.touches else PLACE_MM


def _may_be(body: Body, spot: Spot, at: Floats, t: float) -> bool:
    """Whether a spot may be this disc, which has no other spot."""
    unseen = body.state == "lost" or (body.state == "sliding" and body.seen < t)
    reach = AGAIN_MM + 0.5 * FASTEST * (t - body.seen)
    return unseen and body.colour == spot.colour and far(at, body.place) < reach


def _gap(point: Floats, start: Floats, end: Floats) -> float:
    """The distance of a point from the path between start and end."""
    way = end - start
    share = float(np.clip((point - start) @ way / max(float(way @ way), 1e-9), 0.0, 1.0))
    return far(point, start + share * way)
