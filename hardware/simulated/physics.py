"""Simulates one shot from the flick to the last disc at rest, with pymunk. Units: mm, seconds, kilograms.

A shot is computed in full when it is flicked, and played back afterwards. So a table at rest takes no CPU time, and the
result does not depend on the frame rate."""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import pymunk

from hardware.board import Board
from hardware.simulated.fall import (
    CATCH_DROP,
    GRAVITY,
    LEAST_LEAN,
    MOST_LEAN,
    DiscPose,
    DitchFall,
    flat_in_hole,
    leaning_on_rim,
    settled,
    tipping_radius,
)

SLIDING_FRICTION = 0.11  # disc on a waxed board
DISC_BOUNCE = 0.92  # its square is the restitution of two discs
PEG_BOUNCE = 0.75  # times DISC_BOUNCE: pegs have rubber sleeves
RIM_FRICTION = 0.1  # disc's edge on disc's edge or peg
SKIM_LOSS = 0.15  # share of the speed lost by a disc that crosses the hole and is almost caught
LIVELY = 1.75  # times the usual upward throw: one shot in twenty then returns a disc
LEANING_SHARE = 0.02  # of the discs that the hole catches
MANY_LEAN = 0.3  # the same with the fault "leaners"
SETTLING = 0.08  # s from being caught to rest
STRIDE = 2.0  # mm, longest distance of a disc in one step: an eighth of its radius
SLOWEST_STEP = 0.004  # s
STILL = 1.0  # mm/s: friction stops such a disc within a step
MOVED = 0.01  # mm: less is rounding
GAP = 0.02  # mm between discs that came to rest side by side
LONGEST_SHOT = 20.0  # s; friction ends every shot far sooner
_DISC = 1  # collision type
Obstacle = tuple[tuple[float, float], float]  # the centre and radius of a circle where no disc can rest


@dataclass(frozen=True, slots=True)
class MotionSample:
    """A moving disc at one moment after the flick."""

    t: float
    lying: DiscPose
    vx: float = 0.0
    vy: float = 0.0


@dataclass(frozen=True, slots=True)
class Touch:
    """Two discs touch at `t` after the flick; `closing` is their closing speed in mm/s."""

    t: float
    pair: tuple[str, str]  # first the one that moved already
    closing: float


@dataclass(frozen=True, slots=True)
class Motion:
    """The result of a shot. Times count from the flick."""

    duration: float
    contacts: tuple[tuple[str, str], ...]  # each pair once, in order of time; first the one that moved already
    touches: tuple[Touch, ...]  # every touch of two discs
    rest: Mapping[str, DiscPose]  # every disc that moved
    returned: frozenset[str]  # left the surface and came back
    hole: tuple[tuple[float, Literal["seated", "leaning", "skimmed"]], ...]
    track: Mapping[str, tuple[MotionSample, ...]]

    def at(self, t: float) -> dict[str, MotionSample]:
        """All discs that have moved by `t`, at that time."""
        return {disc: _between(samples, t) for disc, samples in self.track.items() if samples[0].t <= t}


def _between(samples: tuple[MotionSample, ...], t: float) -> MotionSample:
    k = bisect_right(samples, t, key=lambda sample: sample.t)
    before, after = samples[k - 1], samples[min(k, len(samples) - 1)]
    if after.t <= before.t:
        return before
    s = (t - before.t) / (after.t - before.t)
    a, b = before.lying, after.lying
    lying = replace(a, x=a.x + (b.x - a.x) * s, y=a.y + (b.y - a.y) * s, z=a.z + (b.z - a.z) * s)
    return MotionSample(t, lying, before.vx, before.vy)


def shoot(
    board: Board,
    discs: Mapping[str, DiscPose],
    shooter: str,
    velocity: tuple[float, float],
    random: np.random.Generator,
    *,
    lively: bool = False,
    leaners: bool = False,
) -> Motion:
    """Flick `shooter`, one of `discs`, with `velocity` in mm/s, and simulate all discs until they rest. `lively`: the
    rail throws many discs back. `leaners`: many discs that the hole catches end up leaning."""
    shot = _Shot(board, discs, random, LIVELY if lively else 1.0, MANY_LEAN if leaners else LEANING_SHARE)
    return shot.run(shooter, velocity)


@dataclass(slots=True)
class _Shot:
    board: Board
    discs: Mapping[str, DiscPose]
    random: np.random.Generator
    throw: float  # how much higher than usual the rail throws discs, as a factor
    leaning: float  # share of the caught discs that end up leaning
    t: float = 0.0
    space: pymunk.Space = field(default_factory=pymunk.Space)
    bodies: dict[str, pymunk.Body] = field(default_factory=dict)  # discs that slide
    names: dict[pymunk.Shape, str] = field(default_factory=dict)
    sunk: dict[str, tuple[float, float]] = field(default_factory=dict)  # height and upward speed over the hole
    touched: dict[str, None] = field(default_factory=dict)  # ordered: a set would differ between runs
    falls: dict[str, DitchFall] = field(default_factory=dict)
    settling: dict[str, tuple[float, DiscPose, DiscPose]] = field(default_factory=dict)
    in_hole: dict[str, DiscPose] = field(default_factory=dict)  # flat or leaning; obstacles to the others
    touches: list[Touch] = field(default_factory=list)
    returned: set[str] = field(default_factory=set)
    hole: list[tuple[float, Literal["seated", "leaning", "skimmed"]]] = field(default_factory=list)
    track: dict[str, list[MotionSample]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.space.collision_slop = 0.001
        self.space.collision_bias = 0.5**200  # half of an overlap is resolved in 5 ms
        for peg in self.board.pegs:
            self._obstacle(peg, self.board.peg_radius, PEG_BOUNCE)
        for disc, lying in self.discs.items():
            if lying.at == "hole" or lying.leaning:
                self._seat(disc, lying)
            elif lying.at == "surface":
                self._slide(disc, lying.x, lying.y)
        _on_touch(self.space, self._touch)

    def _obstacle(self, at: tuple[float, float], radius: float, bounce: float) -> pymunk.Circle:
        shape = pymunk.Circle(self.space.static_body, radius, at)
        shape.elasticity, shape.friction = bounce, RIM_FRICTION
        self.space.add(shape)
        return shape

    def _seat(self, disc: str, lying: DiscPose) -> None:
        shape = self._obstacle((lying.x, lying.y), self.board.disc.radius, DISC_BOUNCE)
        shape.collision_type = _DISC
        self.names[shape] = disc
        self.in_hole[disc] = lying

    def _slide(self, disc: str, x: float, y: float) -> pymunk.Body:
        """Put a sliding disc on the surface. Coulomb friction: joints to the board that yield at a set force."""
        size = self.board.disc
        body = pymunk.Body(size.mass, pymunk.moment_for_circle(size.mass, 0, size.radius))
        body.position = x, y
        shape = pymunk.Circle(body, size.radius)
        shape.elasticity, shape.friction, shape.collision_type = DISC_BOUNCE, RIM_FRICTION, _DISC
        drag = pymunk.PivotJoint(self.space.static_body, body, (0, 0), (0, 0))
        drag.max_bias, drag.max_force = 0.0, SLIDING_FRICTION * size.mass * GRAVITY
        twist = pymunk.GearJoint(self.space.static_body, body, 0.0, 1.0)
        twist.max_bias, twist.max_force = 0.0, drag.max_force * size.radius * 2 / 3
        self.space.add(body, shape, drag, twist)
        self.bodies[disc], self.names[shape] = body, disc
        return body

    def _lift(self, disc: str) -> None:
        body = self.bodies.pop(disc)
        for shape in body.shapes:
            del self.names[shape]
        self.space.remove(body, *body.shapes, *body.constraints)
        self.sunk.pop(disc, None)

    def _touch(self, arbiter: pymunk.Arbiter, space: pymunk.Space, data: Any) -> bool:
        a, b = (self.names[shape] for shape in arbiter.shapes)
        pair = (a, b) if a in self.touched else (b, a)
        self.touches.append(Touch(self.t, pair, _closing(*arbiter.shapes)))
        self.touched.update({a: None, b: None})
        return True

    def run(self, shooter: str, velocity: tuple[float, float]) -> Motion:
        self.bodies[shooter].velocity = velocity
        self.touched[shooter] = None
        for disc, lying in self.discs.items():
            self.track[disc] = [MotionSample(0.0, lying)]
        while self.t < LONGEST_SHOT:
            speeds = [self.bodies[disc].velocity.length for disc in self.touched if disc in self.bodies]
            fastest = max(speeds, default=0.0)
            if self.t > 0.0 and fastest < STILL and not (self.falls or self.settling or self.sunk):
                break
            dt = min(SLOWEST_STEP, STRIDE / max(fastest, STILL))
            self.space.step(dt)
            self.t += dt
            self._update_sliding(dt)
            self._update_falls(dt)
            self._update_settling()
        return self._result()

    def _update_sliding(self, dt: float) -> None:
        tipping = tipping_radius(self.board)
        for disc in list(self.touched):
            body = self.bodies.get(disc)
            if body is None:
                self._disturb(disc)
                continue
            (x, y), (vx, vy) = body.position, body.velocity
            r = math.hypot(x, y)
            if r > self.board.surface_radius:
                self._lift(disc)
                self.falls[disc] = DitchFall(self.board, x, y, vx, vy, self.throw * self.random.random())
            elif r < tipping and not self.in_hole:
                self._sink(disc, x, y, vx, vy, dt)
            elif disc in self.sunk:
                z, _ = self.sunk.pop(disc)
                body.velocity = body.velocity * (1 - SKIM_LOSS * -z / CATCH_DROP)
                self.hole.append((self.t, "skimmed"))
            if vx or vy:
                z = self.sunk.get(disc, (0.0, 0.0))[0]
                self.track[disc].append(MotionSample(self.t, DiscPose("surface", x, y, z), vx, vy))

    def _sink(self, disc: str, x: float, y: float, vx: float, vy: float, dt: float) -> None:
        """A disc whose centre has no support falls; deep enough, the hole catches it."""
        z, vz = self.sunk.get(disc, (0.0, 0.0))
        vz -= GRAVITY * dt
        z += vz * dt
        self.sunk[disc] = z, vz
        if z > -CATCH_DROP:
            return
        towards = math.atan2(vy, vx) + self.random.normal(0.0, 0.5)
        if self.random.random() < self.leaning:
            end = leaning_on_rim(self.board, towards + math.pi, self.random.uniform(LEAST_LEAN, MOST_LEAN))
        else:
            end = flat_in_hole(self.board, towards, self.random.uniform(0.3, 1.0))
        self._lift(disc)
        self._seat(disc, end)
        self.settling[disc] = self.t, DiscPose("surface", x, y, z), end

    def _disturb(self, disc: str) -> None:
        """A leaning disc falls flat when it is struck."""
        start = self.in_hole.get(disc)
        if start is None or not start.leaning or disc in self.settling:
            return
        shape = next(shape for shape, name in self.names.items() if name == disc)
        self.space.remove(shape)
        del self.names[shape]
        end = flat_in_hole(self.board, self.random.uniform(0, 2 * math.pi), self.random.uniform(0.3, 1.0))
        self._seat(disc, end)
        self.settling[disc] = self.t, start, end

    def _update_falls(self, dt: float) -> None:
        for disc, fall in list(self.falls.items()):
            ditch = [(d.x, d.y) for name, d in self._poses().items() if d.at == "ditch" and name != disc]
            fall.step(dt, ditch)
            self.track[disc].append(MotionSample(self.t, fall.lying, fall.vx, fall.vy))
            if fall.back_on_surface:
                del self.falls[disc]
                self.returned.add(disc)
                self._slide(disc, fall.x, fall.y).velocity = fall.vx, fall.vy
            elif fall.still:
                del self.falls[disc]

    def _update_settling(self) -> None:
        for disc, (begin, start, end) in list(self.settling.items()):
            share = (self.t - begin) / SETTLING
            self.track[disc].append(MotionSample(self.t, settled(start, end, min(share, 1.0))))
            if share >= 1.0:
                del self.settling[disc]
                self.hole.append((self.t, "leaning" if end.leaning else "seated"))

    def _poses(self) -> dict[str, DiscPose]:
        """The present pose of each disc, without those that are falling."""
        now = {disc: self.track[disc][-1].lying for disc in self.discs if disc not in self.falls}
        return now | {disc: DiscPose("surface", *body.position) for disc, body in self.bodies.items()} | self.in_hole

    def _result(self) -> Motion:
        now = self._poses()
        rest = {disc: now[disc] for disc in self.touched if _distance(self.discs[disc], now[disc]) > MOVED}
        rest = _without_overlaps(
            self.board, rest, {disc: lying for disc, lying in self.discs.items() if disc not in rest}
        )
        for disc, lying in rest.items():
            self.track[disc].append(MotionSample(self.t, lying))
        track = {disc: tuple(self.track[disc]) for disc in rest}
        hole = tuple(self.hole)
        contacts: dict[frozenset[str], tuple[str, str]] = {}
        for touch in self.touches:
            contacts.setdefault(frozenset(touch.pair), touch.pair)
        met = tuple(contacts.values()), tuple(self.touches)
        return Motion(self.t, *met, rest, frozenset(self.returned), hole, track)


def _on_touch(space: Any, touch: Callable[[pymunk.Arbiter, pymunk.Space, Any], bool]) -> None:
    if hasattr(space, "on_collision"):
        space.on_collision(_DISC, _DISC, begin=touch)
    else:  # pymunk 6
        space.add_collision_handler(_DISC, _DISC).begin = touch


def _closing(a: pymunk.Shape, b: pymunk.Shape) -> float:
    assert a.body is not None  # both belong to the space
    assert b.body is not None
    apart = b.body.local_to_world(b.offset) - a.body.local_to_world(a.offset)
    return -float(apart.normalized().dot(b.body.velocity - a.body.velocity))


def _distance(a: DiscPose, b: DiscPose) -> float:
    return math.dist((a.x, a.y, a.z), (b.x, b.y, b.z))


def _without_overlaps(
    board: Board, moved: Mapping[str, DiscPose], others: Mapping[str, DiscPose]
) -> dict[str, DiscPose]:
    """Resolve remaining overlaps between discs on the surface, moving only those that the shot moved."""
    rest = dict(moved)
    fixed = [*((peg, board.peg_radius) for peg in board.pegs), *_obstacles_of(board, others.values())]
    for _ in range(100):
        quiet = True
        for disc, lying in rest.items():
            if lying.at != "surface" or lying.leaning:
                continue
            around = _obstacles_of(board, (other for name, other in rest.items() if name != disc))
            rest[disc] = _pushed(lying, fixed + around, board.disc.radius)
            quiet = quiet and rest[disc] is lying
        if quiet:
            break
    return rest


def _obstacles_of(board: Board, discs: Iterable[DiscPose]) -> list[Obstacle]:
    return [((d.x, d.y), board.disc.radius) for d in discs if d.at != "ditch"]


def _pushed(lying: DiscPose, obstacles: list[Obstacle], own_radius: float) -> DiscPose:
    """Push the disc away in turn from each obstacle nearer than `GAP`. Returns the same object if nothing had to be
    pushed."""
    for (x, y), radius in obstacles:
        dx, dy = lying.x - x, lying.y - y
        distance = math.hypot(dx, dy)
        short = own_radius + radius + GAP - distance
        if short > 1e-9:
            push = (short + 1e-6) / (distance or 1.0)
            lying = replace(lying, x=lying.x + dx * push, y=lying.y + dy * push)
    return lying
