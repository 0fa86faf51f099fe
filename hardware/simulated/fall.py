"""Where a disc leaves the flat surface: into the hole, or over the edge into the ditch. Units: mm, seconds, degrees."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from hardware.board import Board

GRAVITY = 9810.0  # mm/s^2
CATCH_DROP = 1.0  # mm: about the rounding of a disc's edge; the hole's far rim stops a disc that has sunk deeper
LIP = 3.0  # mm: a disc beyond the edge that has sunk less can climb back onto the surface
RAIL_BOUNCE = 0.45  # restitution, wood on wood across the grain
RAIL_THROW = 0.6  # share of the speed, at most, that the rail turns upwards: a disc never meets it squarely
DITCH_FRICTION = 0.3  # a bare floor
LEAST_LEAN = 2.5  # mm from the hole's axis; a disc nearer to it slides down flat
MOST_LEAN = 6.5  # mm; farther out the surface would carry the disc


@dataclass(frozen=True, slots=True)
class DiscPose:
    """A disc's pose. `z` is the height of its bottom's centre, as in `SceneDisc`."""

    at: Literal["surface", "hole", "ditch"]
    x: float
    y: float
    z: float = 0.0
    tilt: float = 0.0
    tilt_towards: float = 0.0

    @property
    def leaning(self) -> bool:
        """Whether it leans into the hole: on the surface, but not flat."""
        return self.at == "surface" and self.tilt > 0.0


def tipping_radius(board: Board) -> float:
    """The distance from the hole's axis within which a disc loses its support and tips into the hole. At this distance
    its centre is on the line between the two points where its edge crosses the hole's rim."""
    return math.sqrt(board.hole_radius**2 - board.disc.radius**2)


def flat_in_hole(board: Board, towards: float, share: float) -> DiscPose:
    """A flat disc in the hole, off its axis by `share` of the play in direction `towards` (radians)."""
    play = (board.hole_radius - board.disc.radius) * share
    return DiscPose("hole", play * math.cos(towards), play * math.sin(towards), -board.hole_depth)


def leaning_on_rim(board: Board, towards: float, distance: float) -> DiscPose:
    """Leaning: one edge on the hole's floor, the bottom carried by the rim, the centre `distance` from the axis. The
    lowest point lies across the hole. With its distance a from the axis, the bottom rises by the hole's depth over the
    length a + hole_radius, and the centre stands disc.radius * cos(tilt) before it."""
    tilt = 0.2
    for _ in range(20):
        reach = board.disc.radius * math.cos(tilt) - distance + board.hole_radius
        tilt = math.atan2(board.hole_depth, reach)
    height = board.disc.radius * math.sin(tilt) - board.hole_depth
    x, y = distance * math.cos(towards), distance * math.sin(towards)
    return DiscPose("surface", x, y, height, math.degrees(tilt), math.degrees(towards) % 360.0 - 180.0)


def ditch_spot(board: Board, angle: float, others: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """The free place in the ditch nearest to a direction (radians)."""
    radius = board.surface_radius + board.ditch_width / 2
    taken = list(others)
    for k in range(720):
        turned = angle + math.radians(k // 2 + k % 2) * (1 if k % 2 else -1)
        x, y = radius * math.cos(turned), radius * math.sin(turned)
        if all(math.hypot(x - u, y - v) > 2 * board.disc.radius for u, v in taken):
            return x, y
    raise ValueError("the ditch is full: more discs were put into it than a round has")


@dataclass(slots=True)
class DitchFall:
    """A disc beyond the surface's edge that falls, and may come back. Speeds in mm/s."""

    board: Board
    x: float
    y: float
    vx: float
    vy: float
    throw: float  # 0..1, share of RAIL_THROW
    z: float = 0.0
    vz: float = 0.0

    @property
    def back_on_surface(self) -> bool:
        """Whether it has returned over the edge high enough to stay."""
        inside = math.hypot(self.x, self.y) < self.board.surface_radius
        return inside and self.z > -LIP and self.x * self.vx + self.y * self.vy < 0

    @property
    def down(self) -> bool:
        """Whether it has reached the ditch's floor."""
        return self.z <= -self.board.surface_height

    @property
    def still(self) -> bool:
        return self.down and self.vx == 0.0 and self.vy == 0.0

    @property
    def lying(self) -> DiscPose:
        sunk = -self.z / self.board.surface_height
        dip = 30.0 * math.sin(math.pi * min(max(sunk, 0.0), 1.0))
        return DiscPose("ditch", self.x, self.y, self.z, dip, math.degrees(math.atan2(self.y, self.x)))

    def step(self, dt: float, ditch: Iterable[tuple[float, float]]) -> None:
        """Let `dt` seconds pass; `ditch` holds the discs in the ditch."""
        board = self.board
        self.vz -= GRAVITY * dt
        self.z += self.vz * dt
        self.x += self.vx * dt
        self.y += self.vy * dt
        if self.down:
            self.z, self.vz = -board.surface_height, 0.0
            self._rub(dt)
            self._make_room(ditch)
        sunk = min(max(-self.z / board.surface_height, 0.0), 1.0)
        if self.z < -LIP:
            self._keep(board.surface_radius + board.disc.radius * sunk, -1)
        self.vz += RAIL_THROW * self.throw * self._keep(board.rail_radius - board.disc.radius, 1)

    def _rub(self, dt: float) -> None:
        speed = math.hypot(self.vx, self.vy)
        left = max(0.0, 1.0 - DITCH_FRICTION * GRAVITY * dt / speed) if speed else 0.0
        self.vx, self.vy = self.vx * left, self.vy * left

    def _make_room(self, ditch: Iterable[tuple[float, float]]) -> None:
        """If it lands on another disc, it slides off beside it."""
        taken = list(ditch)
        if any(math.hypot(self.x - u, self.y - v) < 2 * self.board.disc.radius for u, v in taken):
            self.x, self.y = ditch_spot(self.board, math.atan2(self.y, self.x), taken)
            self.vx = self.vy = 0.0

    def _keep(self, limit: float, way: int) -> float:
        """Keep it within (`way` 1) or without (-1) a circle of this radius in mm; the speed of its impact in mm/s."""
        r = math.hypot(self.x, self.y)
        ux, uy = self.x / r, self.y / r
        impact = way * (self.vx * ux + self.vy * uy)
        if way * (r - limit) <= 0:
            return 0.0
        self.x, self.y = ux * limit, uy * limit
        if impact <= 0:
            return 0.0
        self.vx -= (1 + RAIL_BOUNCE) * way * impact * ux
        self.vy -= (1 + RAIL_BOUNCE) * way * impact * uy
        return impact


def settled(start: DiscPose, end: DiscPose, share: float) -> DiscPose:
    """The pose between two others while a disc settles; `share` runs from 0 to 1."""
    s = share * share * (3 - 2 * share)
    return replace(
        end,
        x=start.x + (end.x - start.x) * s,
        y=start.y + (end.y - start.y) * s,
        z=start.z + (end.z - start.z) * s,
        tilt=end.tilt * s,
    )
