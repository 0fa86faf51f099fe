"""From the spots of each picture to the ways of the discs.

Each picture's spots are given to the discs by one optimal assignment. A disc is expected where it slides to, with and
without the collisions on its way; a resting disc at its place.
"""

import math
from dataclasses import dataclass

import numpy as np

from controller.vision.calibration.lens import Floats
from controller.vision.film.assignment import assign_with_none
from controller.vision.film.body import Body
from controller.vision.film.film import SHOT
from controller.vision.film.settings import TRACKING
from controller.vision.film.sliding import Bump, Sliding
from controller.vision.film.spots import Glimpse, Spot
from controller.vision.film.stage import Stage


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two discs are thought to have met."""

    t: float
    first: str
    second: str
    closing: float
    normal: tuple[float, float]
    sure: float  # by how much a bounce explains the first disc's way better, squared standard errors
    guessed: bool  # not by where they slid to, but because the second disc stirred


class Tracker:
    """Follows the discs of one settled board."""

    def __init__(self, stage: Stage, exposure: float | None) -> None:
        self._stage = stage
        self._exposure = exposure
        self._sliding = Sliding(stage.view.board)
        self._t: float | None = None
        places = np.array([(disc.x, disc.y) for disc in stage.discs]).reshape(-1, 2)
        self.bodies = [
            Body(disc.id, disc.colour, place, "resting") for disc, place in zip(stage.discs, places, strict=True)
        ]
        self._homes = {disc.id: place for disc, place in zip(stage.discs, places, strict=True)}
        self._pixels = {
            disc.id: pixel for disc, pixel in zip(stage.discs, stage.view.pixels(places).tolist(), strict=True)
        }
        turn = np.linspace(0, 2 * np.pi, 8, endpoint=False)
        reach = TRACKING.footprint * stage.view.radius
        probes = np.vstack(((0.0, 0.0), reach * np.column_stack((np.cos(turn), np.sin(turn)))))
        at = np.rint(stage.view.pixels(places)[:, None] + probes).astype(np.intp)  # (discs, 9, 2)
        self._rows, self._columns = at[..., 1], at[..., 0]
        self.meetings: list[Meeting] = []
        self._recent: list[tuple[float, Bump, Body, Body]] = []
        self._new = 0
        board = stage.view.board
        self._line = board.outer_line - TRACKING.line_mm
        self._surface = board.surface_radius - 8.0

    @property
    def moving(self) -> bool:
        """Whether any disc slides."""
        return any(body.state == "sliding" for body in self.bodies)

    def home(self, body: Body) -> tuple[float, float]:
        """Where a disc of the settled board lay on it."""
        x, y = self._homes[body.id]
        return float(x), float(y)

    def see(self, t: float, glimpse: Glimpse | None) -> None:
        """The next picture, `t` the middle of its exposure."""
        dt = t - self._t if self._t is not None else 0.0
        self._t = t
        if glimpse is None and not self.moving:
            return
        spots = glimpse.spots if glimpse else ()
        at = self._stage.places(spots)
        bodies = [body for body in self.bodies if body.state != "lost"]
        waiting = {body.id for body in bodies if body.state == "new"}
        self._probe(glimpse)
        guess = _Guess(self._sliding, bodies, dt)
        self._recent = [recent for recent in self._recent if t - recent[0] < 0.15]
        self._recent += [(t - dt + b.t, b, bodies[b.disc], bodies[b.other]) for b in guess.bumps if b.other is not None]
        costs, without = self._costs(guess, spots, at, glimpse, dt)
        columns = assign_with_none(costs, without)
        before = {body.id: body.place.copy() for body in bodies}
        stirred: list[Body] = []
        self._bounced: dict[int, float] = {}
        for row, column in sorted(enumerate(columns), key=lambda pair: bodies[pair[0]].state == "resting"):
            body = bodies[row]
            if column is None:
                stirred += self._missed(body, guess, row, dt, t, glimpse)
            else:
                stirred += self._found(body, guess, row, dt, t, spots[column], at[column])
        for body in stirred:
            self._began(body, t, dt, before, bodies)
        self.bodies = [body for body in self.bodies if body.id not in waiting or body.seen == t or body.state != "new"]
        taken = set(columns)
        for k, spot in enumerate(spots):
            if k not in taken:
                self._appear(spot, at[k], t)

    def _probe(self, glimpse: Glimpse | None) -> None:
        """Which places of the settled board look otherwise now."""
        if glimpse is None:
            return
        changed = glimpse.changed_at(self._rows, self._columns).sum(axis=1)
        for body, probes in zip(self.bodies, changed, strict=False):  # those of the settled board come first
            body.uncovered = bool(probes >= TRACKING.uncovered)

    def _costs(
        self, guess: "_Guess", spots: tuple[Spot, ...], at: Floats, glimpse: Glimpse | None, dt: float
    ) -> tuple[Floats, Floats]:
        """What it costs to give each spot (columns) to each disc (rows), and to leave a disc without."""
        bodies = guess.bodies
        costs = np.full((len(bodies), len(spots)), np.inf)
        without = np.zeros(len(bodies))
        fastest = max((float(np.hypot(*body.speed)) for body in bodies if body.state == "sliding"), default=0.0)
        reach = 1.2 * max(fastest, 400.0) * dt + 10.0
        for row, body in enumerate(bodies):
            without[row] = self._price_unseen(body, guess, row, glimpse)
            if not len(spots):
                continue
            off = at - guess.free[row]
            far = np.hypot(off[:, 0], off[:, 1])
            if body.state == "resting":
                near = np.minimum((far / TRACKING.resting_mm) ** 2, TRACKING.elsewhere - 1)
                cost = np.where(far < TRACKING.shaded_mm, near, np.inf)
                if row in guess.bumped and body.uncovered:
                    bounced = np.hypot(*(at - guess.bounced[row]).T)
                    cost = np.minimum(cost, (bounced / guess.sigma(row, dt)) ** 2)
                if body.uncovered:
                    started = np.where(far < reach, TRACKING.elsewhere + far / TRACKING.elsewhere_mm, np.inf)
                    cost = np.minimum(cost, started)
            elif body.state == "new":
                cost = np.where(far < max(TRACKING.flicked_mm, TRACKING.fastest * dt), 6 * far / TRACKING.flicked_mm, np.inf)
            elif body.state == "ditch":
                cost = np.where(far < TRACKING.again_mm + reach, 4 * far / TRACKING.again_mm, np.inf)
            else:
                bounced = np.hypot(*(at - guess.bounced[row]).T)
                free = (far / guess.sigma(row, dt, free=True)) ** 2
                cost = np.minimum(free, (bounced / guess.sigma(row, dt)) ** 2)
                limit = max(reach, TRACKING.fastest * dt if len(body.samples) < 2 else 0.0)
                wild = np.where(far < limit, TRACKING.elsewhere + np.minimum(far, bounced) / TRACKING.elsewhere_mm, np.inf)
                cost = np.minimum(np.where(cost < TRACKING.gate, cost, np.inf), wild)
            other = np.array([spot.colour != body.colour for spot in spots])
            costs[row] = cost + TRACKING.other_colour * other - self._newness(at)
        return costs, without

    def _newness(self, at: Floats) -> Floats:
        """What it costs that a spot (n, 2) is no known disc's."""
        far = np.hypot(at[:, 0], at[:, 1])
        return np.where(far < self._line, TRACKING.appears, np.where(far > self._surface, 0.0, TRACKING.appears_at_line))

    def _price_unseen(self, body: Body, guess: "_Guess", row: int, glimpse: Glimpse | None) -> float:
        if body.state in ("ditch", "new"):
            return 0.5
        if body.state == "resting":
            x, y = self._pixels[body.id]
            body.hidden = glimpse is not None and glimpse.hidden_at(x, y)
            return TRACKING.missed if body.uncovered and not body.hidden else 0.0
        board = self._stage.view.board
        if math.hypot(*guess.bounced[row]) > board.surface_radius - board.disc.radius:
            return TRACKING.hidden
        if math.hypot(*guess.bounced[row]) < board.hole_radius:
            return TRACKING.hidden
        (x, y), = self._stage.view.pixels(guess.bounced[row : row + 1]).tolist()
        body.hidden = glimpse is not None and glimpse.hidden_at(x, y)
        return TRACKING.hidden if body.hidden else TRACKING.missed

    def _missed(self, body: Body, guess: "_Guess", row: int, dt: float, t: float, glimpse: Glimpse | None) -> list[Body]:
        """A disc that is not seen; itself where it has just left its place."""
        if body.state in ("ditch", "new"):
            return []
        if body.state == "resting":
            if body.hidden or not body.uncovered:
                return []
            body.state, body.since, body.seen = "sliding", t, t - dt
            body.later(guess.bounced[row], guess.speeds[row], dt, TRACKING.unknown_speed)
            return [body]
        if self._is_home(body):
            self._go_home(body)
            return []
        body.later(guess.bounced[row], guess.speeds[row], dt, guess.shaken(row))
        if math.hypot(*body.place) > self._stage.view.board.surface_radius:
            body.state = "ditch"
        elif t - body.seen > TRACKING.lost_seconds:
            body.state = "lost"
        return []

    def _go_home(self, body: Body) -> None:
        """It had not moved; what is sure to have bounced off it did so all the same."""
        body.state, body.place, body.speed = "resting", self._homes[body.id], np.zeros(2)
        body.place_var, body.both_var, body.speed_var = 0.25, 0.0, 0.0
        body.samples.clear()
        body.began = "unknown"
        self.meetings = [m for m in self.meetings if m.second != body.id or m.sure >= TRACKING.sure_bounce]

    def _just_struck(self, guess: "_Guess", row: int) -> bool:
        """Whether what struck a resting disc has bounced off it, so late that the disc has hardly moved yet."""
        way = guess.bounced[row] - guess.free[row]
        if float(np.hypot(*way)) > TRACKING.unseen_way_mm:
            return False
        return any(bump.disc in self._bounced for bump in guess.bumps if bump.other == row)

    def _is_home(self, body: Body) -> bool:
        """Whether a disc that was thought to have stirred lies where it always lay."""
        home = self._homes.get(body.id)
        if home is None or float(np.hypot(*(body.place - home))) > TRACKING.home_mm:
            return False
        return not (body.hidden or body.uncovered)

    def _found(self, body: Body, guess: "_Guess", row: int, dt: float, t: float, spot: Spot, at: Floats) -> list[Body]:
        """A disc that is seen there; itself where it has just left its place."""
        sigma = TRACKING.touching_mm if spot.streak is None else TRACKING.place_mm
        surface = self._stage.view.board.surface_radius
        if body.state == "resting":
            stirred = body.uncovered and float(np.hypot(*(at - body.place))) >= TRACKING.stirred_mm
            if not (stirred or self._just_struck(guess, row)):
                return []
            body.state, body.since = "sliding", t
            if row in guess.bumped and _within(at - guess.bounced[row], guess.sigma(row, dt)):
                body.later(guess.bounced[row], guess.speeds[row], dt, guess.shaken(row))
                body.correct(t, at, sigma)
            else:
                way = at - body.place
                body.restart(t, at, sigma, 1.5 * way / max(dt, 1e-3), 300 + float(np.hypot(*way)) / max(dt, 1e-3))
            return [body]
        if body.state == "new":
            self._flicked(body, spot, t, dt, at)
            return []
        if body.state == "ditch":
            if math.hypot(*at) < surface - 10.0:
                body.state, body.came_back = "sliding", True
            body.restart(t, at, sigma, np.zeros(2), TRACKING.unknown_speed)
            return []
        if self._is_home(body) and t - body.since > TRACKING.settles_seconds:
            self._go_home(body)
            return []
        free, bounced = at - guess.free[row], at - guess.bounced[row]
        by_free = _squared(free, guess.sigma(row, dt, free=True))
        by_bounce = _squared(bounced, guess.sigma(row, dt))
        if min(by_free, by_bounce) > TRACKING.gate:
            way = at - body.place
            dt = max(t - body.seen, 1e-3)
            body.restart(t, at, sigma, way / dt, 0.5 * float(np.hypot(*way)) / dt + 100)
        elif by_free < by_bounce + TRACKING.plain_bounce:
            body.later(guess.free[row], guess.free_speeds[row], dt, 0.0)
            body.correct(t, at, sigma)
        else:
            body.later(guess.bounced[row], guess.speeds[row], dt, guess.shaken(row))
            body.correct(t, at, sigma)
            self._bounced[row] = by_free - by_bounce
        if math.hypot(*at) > surface:
            body.state = "ditch"
        return []

    def _began(self, body: Body, t: float, dt: float, before: dict[str, Floats], bodies: list[Body]) -> None:
        """A resting disc has stirred: who struck it?"""
        for at, bump, first, second in sorted(self._recent, key=lambda recent: recent[0]):
            if body in (first, second) and at > t - 2.2 * dt:
                other = second if first is body else first
                if other.state == "resting":
                    continue
                sense = 1 if second is body else -1
                normal = (sense * bump.normal[0], sense * bump.normal[1])
                sure = self._sure(other, bodies)
                self.meetings.append(Meeting(at, other.id, body.id, bump.closing, normal, sure, False))
                body.began = "struck"
                return
        home = self._homes.get(body.id, body.place)
        nearest: tuple[float, Body] | None = None
        for other in self.bodies:
            if other is body or other.state != "sliding" or other.id not in before:
                continue
            gap = _gap(home, before[other.id], other.place)
            if nearest is None or gap < nearest[0]:
                nearest = gap, other
        if nearest and nearest[0] < 2 * self._stage.view.disc.radius + 12.0:
            other = nearest[1]
            apart = home - before[other.id]
            normal = apart / max(float(np.hypot(*apart)), 1e-9)
            self.meetings.append(Meeting(t - dt / 2, other.id, body.id, float(np.hypot(*body.speed)), (float(normal[0]), float(normal[1])), 0.0, True))
            body.began = "struck"

    def _sure(self, body: Body, bodies: list[Body]) -> float:
        return next((sure for row, sure in self._bounced.items() if bodies[row] is body), 0.0)

    def _appear(self, spot: Spot, at: Floats, t: float) -> None:
        """A spot that is no known disc's: the shot disc, or something else."""
        if math.hypot(*at) > self._surface:
            return
        lost = [body for body in self.bodies if self._may_be(body, spot, at, t)]
        if lost:
            body = min(lost, key=lambda body: float(np.hypot(*(at - body.place))))
            way, dt = at - body.place, max(t - body.seen, 1e-3)
            body.state = "sliding"
            body.restart(t, at, TRACKING.place_mm, np.zeros(2), TRACKING.unknown_speed)
            return
        if math.hypot(*at) < self._line and any(body.began == "flicked" for body in self.bodies):
            return
        self._new += 1
        body = Body(f"{SHOT} {self._new}", spot.colour, at, "new")
        body.restart(t, at, TRACKING.place_mm, np.zeros(2), TRACKING.unknown_speed)
        self.bodies.append(body)
        self._take_streak(body, spot)

    def _may_be(self, body: Body, spot: Spot, at: Floats, t: float) -> bool:
        """Whether a spot may be this disc, which is not seen elsewhere."""
        unseen = body.state == "lost" or (body.state == "sliding" and body.seen < t)
        reach = TRACKING.again_mm + 0.5 * TRACKING.fastest * (t - body.seen)
        return unseen and body.colour == spot.colour and float(np.hypot(*(at - body.place))) < reach

    def _take_streak(self, body: Body, spot: Spot) -> None:
        """The speed of a disc that was seen once, from its streak: inwards. It is the shot disc then."""
        if spot.streak is None or not self._exposure:
            return
        ends = np.array(((spot.x, spot.y), (spot.x + spot.streak[0], spot.y + spot.streak[1])))
        start, end = self._stage.view.places(ends)
        speed = (end - start) / self._exposure
        if float(np.hypot(*speed)) > TRACKING.clear_streak:
            body.speed = speed * (-1.0 if float(speed @ body.place) > 0 else 1.0)
            body.speed_var = (TRACKING.streak_share * float(np.hypot(*speed)) + 100.0) ** 2
            body.state, body.began = "sliding", "flicked"

    def _flicked(self, body: Body, spot: Spot, t: float, dt: float, at: Floats) -> None:
        """Something new is seen again; it is the shot disc as soon as it is on its way."""
        way = at - body.place
        far = float(np.hypot(*way))
        if far > TRACKING.flicked_mm:
            body.samples.clear()
            body.restart(t, at, TRACKING.place_mm, way / max(dt, 1e-3), 0.3 * far / max(dt, 1e-3) + 100.0)
            body.state, body.began = "sliding", "flicked"
        else:
            body.seen = t
            self._take_streak(body, spot)
            if body.state == "sliding":
                body.restart(t, at, TRACKING.place_mm, body.speed, math.sqrt(body.speed_var))


class _Guess:
    """Where each disc should be now, with and without collisions."""

    def __init__(self, sliding: Sliding, bodies: list[Body], dt: float) -> None:
        self.bodies = bodies
        places = np.array([body.place for body in bodies]).reshape(-1, 2)
        speeds = np.array([body.speed for body in bodies]).reshape(-1, 2)
        on_board = [k for k, body in enumerate(bodies) if body.state not in ("ditch", "new")]
        self.free, self.bounced = places.copy(), places.copy()
        self.speeds, self.free_speeds = speeds.copy(), speeds.copy()
        self.bumps: list[Bump] = []
        self.bumped: dict[int, float] = {}  # how fast what met the disc came
        if not any(bodies[k].state == "sliding" for k in on_board):
            return
        self.free[on_board], self.free_speeds[on_board], _ = sliding.slide(
            places[on_board], speeds[on_board], dt, bounce=False
        )
        self.bounced[on_board], self.speeds[on_board], bumps = sliding.slide(places[on_board], speeds[on_board], dt)
        for bump in bumps:
            first, second = on_board[bump.disc], None if bump.other is None else on_board[bump.other]
            self.bumps.append(Bump(bump.t, first, second, bump.closing, bump.normal))
            for k in (first, second):
                if k is not None:
                    self.bumped[k] = max(self.bumped.get(k, 0.0), bump.closing)
        self._left = {k: dt for k in self.bumped}

    def shaken(self, row: int) -> float:
        """What a collision adds to the speed's standard deviation, mm/s."""
        return TRACKING.bounced * self.bumped.get(row, 0.0)

    def sigma(self, row: int, dt: float, *, free: bool = False) -> float:
        """Standard deviation of where the disc is seen, mm."""
        body = self.bodies[row]
        shaken = 0.0 if free else self.shaken(row)
        var = body.place_var + 2 * dt * body.both_var + dt * dt * (body.speed_var + shaken**2)
        return math.sqrt(max(var, 0.0) + TRACKING.touching_mm**2)


def _squared(off: Floats, sigma: float) -> float:
    return float(off @ off) / sigma**2


def _within(off: Floats, sigma: float) -> bool:
    return _squared(off, sigma) <= TRACKING.gate


def _gap(point: Floats, start: Floats, end: Floats) -> float:
    """How near the way from start to end comes to a point."""
    way = end - start
    share = float(np.clip((point - start) @ way / max(float(way @ way), 1e-9), 0.0, 1.0))
    return float(np.hypot(*(point - start - share * way)))
