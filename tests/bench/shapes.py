"""What rays meet besides the board: discs, pegs, arms and things that lie about. Millimetres in the board frame.

A shape has its `finish`; the circle about (`x`, `y`) of a `radius` over which it lies, from and to `heights`; and how
far beyond that circle its `shadow` is drawn finely. It `stands` where it stands on that circle, and so takes light from
what is right beside it. `shades(x, y)` is where (N,) its shadow may fall. `meet(start, rays)` is where rays (N, 3) from
`start`, (3,) or (N, 3), meet it first: how far (N,) they go, how it lies there (N, 3), and whether its grain is seen.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]

Colour = tuple[float, float, float]  # reflectance of blue, green, red, 0..1
Point = tuple[float, float, float]

FAR = np.float32(1e9)
NEAREST = np.float32(1e-3)  # mm: nearer than this a ray has met what it starts from
SHADOW_REACH = 30.0  # mm beyond a disc's middle, besides its radius, that its shadow is looked for
LONG_SHADOW = 1.3  # heights: the same for things, under lamps up to 50 degrees off the vertical


@dataclass(frozen=True)
class Finish:
    """How a material looks: its colour, its grain or weave (share of the colour), and how it shines."""

    colour: Colour
    grain: float = 0.0
    fibre: float = 1.0  # how much longer than wide the grain is
    shine: float = 0.02
    gloss: float = 40.0  # Blinn and Phong's exponent


@dataclass(frozen=True)
class Body:
    """A disc, peg or mug: a cylinder with a rounded upper edge, tilted by `lean` radians, low `towards` a bearing."""

    x: float
    y: float
    z: float
    radius: float
    thickness: float
    finish: Finish
    lean: float = 0.0
    towards: float = 0.0
    rounding: float = 0.8
    stands: bool = True
    edge: tuple[float, float] = (0.0, 1.0)  # how far its side's shade reaches over the top, mm, and that share of light

    @property
    def axis(self):
        """Unit vector from its bottom to its top."""
        s = math.sin(self.lean)
        return np.array((s * math.cos(self.towards), s * math.sin(self.towards), math.cos(self.lean)), np.float32)

    @property
    def heights(self):
        return min(self.z, 0.0) - 2, max(self.z, 0.0) + self.thickness + 2

    @property
    def shadow(self):
        return SHADOW_REACH * self.thickness / 16 if self.thickness < SHADOW_REACH else LONG_SHADOW * self.heights[1]

    def shades(self, x, y):
        reach = self.radius + max(self.shadow, SHADOW_REACH)
        return np.hypot(x - self.x, y - self.y) < reach

    def meet(self, start, rays):
        axis, bottom = self.axis, np.array((self.x, self.y, self.z), np.float32)
        rel = np.broadcast_to(start - bottom, rays.shape)
        run, height = rays @ axis, rel @ axis
        across, offset = rays - run[:, None] * axis, rel - height[:, None] * axis
        a, b = np.maximum((across * across).sum(1), 1e-12), (across * offset).sum(1)
        under = b * b - a * ((offset * offset).sum(1) - self.radius**2)
        root = np.sqrt(np.maximum(under, 0))
        side = (-b - root) / a
        far = np.where((under > 0) & (side > NEAREST) & _between(height + side * run, self.thickness), side, FAR)
        safe = np.where(np.abs(run) < 1e-9, np.float32(1e-9), run)
        top = np.zeros(len(rays), np.bool_)
        for level in (self.thickness, 0.0):
            plane = (level - height) / safe
            on = offset + plane[:, None] * across
            good = (plane > NEAREST) & (plane < far) & ((on * on).sum(1) < self.radius**2)
            far = np.where(good, plane, far)
            top = np.where(good, level > 0, top)
        far = far.astype(np.float32)
        on = offset + np.minimum(far, 1e5)[:, None] * across
        out = np.linalg.norm(on, axis=1)
        radial = on / np.maximum(out, 1e-6)[:, None]
        # The rounded edge bends the normal outwards.
        bent = np.clip((out - (self.radius - self.rounding)) / self.rounding, 0, 1) * (math.pi / 3)
        normal = np.where(top[:, None], np.cos(bent)[:, None] * axis + np.sin(bent)[:, None] * radial, radial)
        return far, normal.astype(np.float32), top

    def burnt(self, place):
        """The share (N,) of its colour that it keeps at these places (N, 3) on it."""
        wide, share = self.edge
        rel = place - np.array((self.x, self.y, self.z), np.float32)
        out = np.linalg.norm(rel - (rel @ self.axis)[:, None] * self.axis, axis=1)
        return np.where(out > self.radius - wide, np.float32(share), np.float32(1))


@dataclass(frozen=True)
class Limb:
    """A part of an arm or a finger: everything within `thick` of the line from `begin` to `end`."""

    begin: Point
    end: Point
    thick: float
    finish: Finish
    stands: bool = False

    @property
    def x(self):
        return (self.begin[0] + self.end[0]) / 2

    @property
    def y(self):
        return (self.begin[1] + self.end[1]) / 2

    @property
    def radius(self):
        return math.dist(self.begin[:2], self.end[:2]) / 2 + self.thick

    @property
    def heights(self):
        return min(self.begin[2], self.end[2]) - self.thick, max(self.begin[2], self.end[2]) + self.thick

    @property
    def shadow(self):
        return 0.0  # soft, for it is cast from high up

    def shades(self, x, y):
        begin, line = np.array(self.begin[:2]), np.subtract(self.end[:2], self.begin[:2])
        share = np.clip(((x - begin[0]) * line[0] + (y - begin[1]) * line[1]) / max(float(line @ line), 1e-9), 0, 1)
        away = np.hypot(x - begin[0] - share * line[0], y - begin[1] - share * line[1])
        height = self.begin[2] + share * (self.end[2] - self.begin[2]) + self.thick
        return away < self.thick + LONG_SHADOW * height

    def meet(self, start, rays):
        begin, end = np.array(self.begin, np.float32), np.array(self.end, np.float32)
        line, rel = end - begin, np.broadcast_to(start - begin, rays.shape)
        length, run, before = line @ line, rays @ line, rel @ line
        a = np.maximum(length - run * run, 1e-9)
        b = length * (rays * rel).sum(1) - before * run
        under = b * b - a * (length * (rel * rel).sum(1) - before * before - self.thick**2 * length)
        side = (-b - np.sqrt(np.maximum(under, 0))) / a
        far = np.where((under > 0) & (side > NEAREST) & _between(before + side * run, length), side, FAR)
        for tip in (begin, end):
            away = np.broadcast_to(start - tip, rays.shape)
            along = (rays * away).sum(1)
            under = along * along - (away * away).sum(1) + self.thick**2
            ball = -along - np.sqrt(np.maximum(under, 0))
            far = np.where((under > 0) & (ball > NEAREST) & (ball < far), ball, far)
        far = far.astype(np.float32)
        on = rel + np.minimum(far, 1e5)[:, None] * rays
        share = np.clip(on @ line / max(float(length), 1e-9), 0, 1)
        return far, ((on - share[:, None] * line) / self.thick).astype(np.float32), np.ones(len(rays), np.bool_)


@dataclass(frozen=True)
class Slab:
    """A box that lies flat: a telephone, a sheet, a folded cloth. `turn` is that of its length, radians from +x."""

    x: float
    y: float
    z: float
    length: float
    width: float
    height: float
    finish: Finish
    turn: float = 0.0
    stands: bool = False

    @property
    def radius(self):
        return math.hypot(self.length, self.width) / 2

    @property
    def heights(self):
        return self.z, self.z + self.height

    @property
    def shadow(self):
        return LONG_SHADOW * max(self.heights[1], 1.0)

    def shades(self, x, y):
        return np.hypot(x - self.x, y - self.y) < self.radius + self.shadow

    def meet(self, start, rays):
        cos, sin = math.cos(self.turn), math.sin(self.turn)
        own = np.array(((cos, -sin, 0.0), (sin, cos, 0.0), (0.0, 0.0, 1.0)), np.float32)  # its own axes, as columns
        half = np.array((self.length, self.width, self.height), np.float32) / 2
        middle = np.array((self.x, self.y, self.z), np.float32) + np.array((0, 0, half[2]), np.float32)
        from_middle, along = np.broadcast_to(start - middle, rays.shape) @ own, rays @ own
        safe = np.where(np.abs(along) < 1e-9, np.float32(1e-9), along)
        enters, leaves = -from_middle / safe - half / np.abs(safe), -from_middle / safe + half / np.abs(safe)
        first, axis = enters.max(1), enters.argmax(1)
        far = np.where((first < leaves.min(1)) & (first > NEAREST), first, FAR).astype(np.float32)
        normal = -np.sign(np.take_along_axis(along, axis[:, None], 1)) * own.T[axis]
        return far, normal.astype(np.float32), axis == 2


def close_to(start, rays, shape):
    """The rays (N, 3) from `start`, (3,) or (N, 3), that pass by a shape's middle nearer than its size."""
    low, high = shape.heights
    middle = np.array((shape.x, shape.y, (low + high) / 2), np.float32) - start
    along = (rays * middle).sum(1)
    return np.flatnonzero((middle * middle).sum(-1) - along * along < (shape.radius + (high - low) / 2) ** 2)


def _between(height, thickness):
    return (height > 0) & (height < thickness)
