"""A small ray tracer for boards: what a camera sees of a board with its hole, pegs, rail and discs under wide lamps.

It shares nothing with the simulated table's painter: shapes are met by rays, shadows by rays to points of the lamps,
and light is added in linear units before a camera's curve, noise and compression. Millimetres in the board frame.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.camera import Camera
from hardware.board import Board
from tests.bench.shapes import FAR, Body, Colour, Field, Finish, close_to

LAMP_POINTS = (
    (0.0, 0.0),
    (0.8, 0.0),
    (-0.8, 0.0),
    (0.0, 0.8),
    (0.0, -0.8),
)  # of a lamp's radius: where its light comes from
FINE = 2  # rays each way for a pixel where something stands out of the surface
DULL = 0.05  # shine: less does not mirror a lamp's shape


@dataclass(frozen=True)
class Lamp:
    """A round lamp that faces down. `power` is the light that it throws straight down onto the board's middle."""

    x: float
    y: float
    z: float
    radius: float
    power: float
    tint: Colour = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Table:
    """A board with what it is made of and the light on it."""

    board: Board
    camera: Camera
    surface: Finish
    line: Finish
    hole: Finish
    ditch: Finish
    rail: Finish
    around: Finish
    peg: Finish
    lamps: tuple[Lamp, ...]
    ambient: float  # light from everywhere, in units of `Lamp.power`
    chamfer: float  # mm: how far the hole's edge is broken
    seed: int
    bevel: float = 1.0  # share of its colour that the broken edge keeps

    @property
    def pegs(self):
        board = self.board
        return tuple(Body(x, y, 0.0, board.peg_radius, board.peg_height, self.peg) for x, y in board.pegs)


@dataclass
class _Hits:
    """What N rays met: how far off, where, how the surface lies there, and of which material."""

    far: Field  # (N,)
    normal: Field  # (N, 3)
    colour: Field  # (N, 3)
    shine: Field  # (N, 2) strength, exponent
    open: Field  # (N,) share of the ambient light that comes in
    body: NDArray[np.int16]  # (N,) which body, -1 for the board

    def met(self, at, far, normal, colour, finish, body):
        """Put hits at rays `at`, all nearer than what those met before."""
        self.far[at], self.normal[at], self.colour[at], self.body[at] = far, normal, colour, body
        self.shine[at] = (finish.shine, finish.gloss)
        self.open[at] = 1.0


class Tracer:
    """Pictures of one table. The board without discs is traced once."""

    def __init__(self, table):
        self.table = table
        self._random = np.random.default_rng(table.seed)
        self._grains = {}
        camera = table.camera
        y, x = np.mgrid[: camera.height, : camera.width].astype(np.float32)
        self._bare = self._light(x.ravel(), y.ravel(), ())[0].reshape(camera.height, camera.width, 3)

    def lit(self, discs, things=()):
        """The light (H, W, 3) that meets the sensor, and how much of each disc is hidden by others, 0..1."""
        bodies, picture = (*discs, *things), self._bare.copy()
        rows, columns = np.nonzero(self._standing_out((*bodies, *self.table.pegs)))
        steps = (np.arange(FINE, dtype=np.float32) + 0.5) / FINE - 0.5
        y = (rows[:, None, None] + steps[:, None] + np.zeros(FINE, np.float32)).astype(np.float32)
        x = (columns[:, None, None] + steps + np.zeros((FINE, 1), np.float32)).astype(np.float32)
        light, hidden = self._light(x.ravel(), y.ravel(), (*bodies, *self.table.pegs))
        picture[rows, columns] = light.reshape(len(rows), FINE * FINE, 3).mean(1)
        return picture, hidden[: len(discs)]

    def _standing_out(self, bodies):
        """Where (H, W) rays may meet a body, its shadow, or the hole."""
        camera = self.table.camera
        mask = np.zeros((camera.height, camera.width), np.uint8)
        hole = Body(0, 0, -6.0, self.table.board.hole_radius + 3, 8.0, self.table.hole)
        angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        for body in (*bodies, hole):
            wide = body.radius + (0 if body is hole else body.shadow)
            ring = np.stack([body.x + wide * np.cos(angles), body.y + wide * np.sin(angles)], axis=-1)
            points = np.concatenate([np.column_stack((ring, np.full(24, z))) for z in body.heights])
            hull = cv2.convexHull(np.rint(camera.project(points)).astype(np.int32))
            cv2.fillConvexPoly(mask, hull, (1,))
        return mask > 0

    def _light(self, x, y, bodies):
        camera = self.table.camera
        rays = camera.rays(np.stack((x, y), axis=-1)) @ camera.rotation
        rays = (rays / np.linalg.norm(rays, axis=1, keepdims=True)).astype(np.float32)
        eye = camera.centre.astype(np.float32)
        hits = self._board(eye, rays)
        alone, near = [], []
        for k, body in enumerate(bodies):
            at = close_to(eye, rays, body)
            near.append(at)
            far, normal, top = body.meet(eye, rays[at])
            alone.append(int(np.count_nonzero(far < FAR)))
            nearer = far < hits.far[at]
            at, far, normal, top = at[nearer], far[nearer], normal[nearer], top[nearer]
            place = eye + far[:, None] * rays[at]
            colour = self._coloured(body.finish, *place.T[:2] + 40 * k, top)
            if isinstance(body, Body):
                colour *= body.burnt(place)[:, None]
            hits.met(at, far, normal, colour, body.finish, k)
        shown = np.bincount(hits.body[hits.body >= 0], minlength=len(bodies))
        hidden = [1 - float(shown[k]) / alone[k] if alone[k] else 1.0 for k in range(len(bodies))]
        return self._shaded(eye, rays, hits, bodies), hidden

    def _board(self, eye, rays):
        """What the rays meet of the board itself."""
        table, board, n = self.table, self.table.board, len(rays)
        hits = _Hits(
            np.full(n, FAR),
            np.zeros((n, 3), np.float32),
            np.zeros((n, 3), np.float32),
            np.zeros((n, 2), np.float32),
            np.ones(n, np.float32),
            np.full(n, -1, np.int16),
        )
        floor, top = -board.surface_height, board.rail_height - board.surface_height
        outside = board.rail_radius + board.rail_width
        rings = (  # height, from, to, finish, light that comes in
            (0.0, board.hole_radius, board.surface_radius, table.surface, 1.0),
            (-board.hole_depth, 0.0, board.hole_radius, table.hole, 0.6),
            (floor, board.surface_radius, board.rail_radius, table.ditch, 0.7),
            (top, board.rail_radius, outside, table.rail, 1.0),
            (floor - 8, outside, 3000.0, table.around, 0.9),
        )
        for z, least, most, finish, opened in rings:
            far = (z - eye[2]) / rays[:, 2]
            x, y = eye[0] + far * rays[:, 0], eye[1] + far * rays[:, 1]
            r = np.hypot(x, y)
            at = np.flatnonzero((r >= least) & (r < most) & (far < hits.far))
            colour = self._coloured(finish, x[at], y[at])
            if z == 0.0:
                colour = self._with_lines(colour, x[at], y[at], far[at])
            normal = np.zeros((len(at), 3), np.float32)
            normal[:, 2] = 1
            hits.met(at, far[at], normal, colour, finish, -1)
            hits.open[at] = opened
            if z == 0.0:
                self._break_edge(hits, at, x[at], y[at])
        walls = (  # radius, from, to, finish, which way it faces
            (board.hole_radius, -board.hole_depth, 0.0, table.hole, -1.0),
            (board.surface_radius, floor, 0.0, table.surface, 1.0),
            (board.rail_radius, floor, top, table.rail, -1.0),
            (outside, floor - 8, top, table.rail, 1.0),
        )
        for radius, low, high, finish, faces in walls:
            self._wall(hits, eye, rays, (radius, low, high, faces), finish)
        return hits

    def _break_edge(self, hits, at, x, y):
        """The hole's edge is not sharp: it shows a ring that leans inwards."""
        r = np.hypot(x, y)
        edge = r < self.table.board.hole_radius + self.table.chamfer
        inwards = np.stack([-x[edge] / r[edge], -y[edge] / r[edge], np.full(edge.sum(), 1.2)], axis=-1)
        hits.colour[at[edge]] *= np.float32(self.table.bevel)
        hits.normal[at[edge]] = inwards / np.linalg.norm(inwards, axis=1, keepdims=True)

    def _wall(self, hits, eye, rays, shell, finish):
        radius, low, high, faces = shell
        a = (rays[:, :2] ** 2).sum(1)
        b = rays[:, :2] @ eye[:2]
        under = b * b - a * (eye[:2] @ eye[:2] - radius**2)
        root = np.sqrt(np.maximum(under, 0))
        far = (-b + (root if faces < 0 else -root)) / np.maximum(a, 1e-9)
        z = eye[2] + far * rays[:, 2]
        at = np.flatnonzero((under > 0) & (z > low) & (z < high) & (far > 0) & (far < hits.far))
        x, y = eye[0] + far[at] * rays[at, 0], eye[1] + far[at] * rays[at, 1]
        normal = np.stack([faces * x / radius, faces * y / radius, np.zeros_like(x)], axis=-1).astype(np.float32)
        colour = self._coloured(finish, radius * np.arctan2(y, x), 3 * z[at])
        hits.met(at, far[at], normal, colour, finish, -1)
        hits.open[at] = 0.5

    def _with_lines(self, colour, x, y, far):
        """The surface (N, 3) with its three rings and the four lines between quadrants, as sharp as pixels are."""
        board, pixel = self.table.board, far / np.float32(self.table.camera.focal)
        r = np.hypot(x, y)
        ink = np.zeros_like(r)
        for line in (board.fifteen_line, board.ten_line, board.outer_line):
            ink = np.maximum(ink, np.clip((board.line_width / 2 - np.abs(r - line)) / pixel + 0.5, 0, 1))
        for angle in np.radians(board.quadrant_angles):
            beside = np.abs(x * math.sin(angle) - y * math.cos(angle))
            along = x * math.cos(angle) + y * math.sin(angle)
            drawn = np.clip((board.line_width / 2 - beside) / pixel + 0.5, 0, 1)
            ink = np.maximum(ink, drawn * ((along > board.ten_line) & (r < board.outer_line)))
        paint = np.array(self.table.line.colour, np.float32)
        return np.asarray(colour + ink[:, None] * (paint - colour), np.float32)

    def _coloured(self, finish, x, y, top=None):
        """The finish's colour (N, 3) at places of its own plane; on a body's side it is plain."""
        grain = self._grain(finish)
        u = np.asarray(x, np.float32) % np.float32(grain.shape[1] - 1)
        v = np.asarray(y, np.float32) % np.float32(grain.shape[0] - 1)
        value = np.zeros(0, np.float32)
        if len(u):
            width = 32000  # OpenCV's largest side
            pad = -len(u) % width
            u, v = (np.pad(part, (0, pad)).reshape(-1, min(width, len(part) + pad)) for part in (u, v))
            value = cv2.remap(grain, u, v, cv2.INTER_LINEAR).ravel()[: len(x)]
        if top is not None:
            value = value * top
        return np.asarray(np.array(finish.colour, np.float32) * (1 + value[:, None]), np.float32)

    def _grain(self, finish):
        """The finish's relative brightness (1024, 1024), a millimetre each, about 0."""
        kind = finish.grain, finish.fibre
        if kind not in self._grains:
            noise = self._random.normal(size=(1024, 1024)).astype(np.float32)
            fine = cv2.GaussianBlur(noise, (0, 0), sigmaX=0.7 * finish.fibre + 0.1, sigmaY=0.7)
            broad = cv2.GaussianBlur(noise[::-1], (0, 0), sigmaX=9 * finish.fibre, sigmaY=6.0)
            grain = fine / fine.std() + 0.7 * broad / broad.std()
            turn = cv2.getRotationMatrix2D((512, 512), float(self._random.uniform(0, 180)), 1.5)
            grain = cv2.warpAffine(grain, turn, (1024, 1024), borderMode=cv2.BORDER_REFLECT)
            self._grains[kind] = np.asarray(finish.grain * grain, np.float32)
        return self._grains[kind]

    def _shaded(self, eye, rays, hits, bodies):
        place = eye + np.minimum(hits.far, 1e5)[:, None] * rays
        opened = hits.open.copy()
        near = [np.flatnonzero(body.shades(place[:, 0], place[:, 1])) for body in bodies]
        for k, body in enumerate(bodies):  # little of the sky is seen right beside a body
            if not body.stands:
                continue
            at = near[k][hits.body[near[k]] != k]
            gap = np.maximum(np.hypot(place[at, 0] - body.x, place[at, 1] - body.y) - body.radius, 0)
            opened[at] *= 1 - 0.45 * np.exp(-gap / 4)
        light = (self.table.ambient * opened)[:, None] * hits.colour
        for lamp in self.table.lamps:
            whole = bool(bodies) or self.table.surface.shine > DULL
            points = LAMP_POINTS if whole else LAMP_POINTS[:1]  # no shadow has an edge, no lamp is mirrored
            for across, along in points:
                source = np.array((lamp.x + across * lamp.radius, lamp.y + along * lamp.radius, lamp.z), np.float32)
                light += self._from_point(source, lamp, place, rays, hits, bodies, near) / np.float32(len(points))
        return np.asarray(light, np.float32)

    def _from_point(
        self,
        source,
        lamp,
        place,
        rays,
        hits,
        bodies,
        near,
    ):
        """The light (N, 3) from one point of a lamp."""
        to = source - place
        away = np.linalg.norm(to, axis=1, keepdims=True)
        to /= away
        level = np.maximum((to * hits.normal).sum(1), 0) * to[:, 2] * (lamp.z / away[:, 0]) ** 2
        level *= self._let_in(place, to)
        for k, body in enumerate(bodies):
            at = near[k][hits.body[near[k]] != k]
            if not body.stands:
                at = at[close_to(place[at], to[at], body)]
            blocked = body.meet(place[at] + 0.02 * hits.normal[at], to[at])[0] < FAR
            level[at[blocked]] = 0
        half = to - rays
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        shining = np.maximum((half * hits.normal).sum(1), 0) ** hits.shine[:, 1] * hits.shine[:, 0] * (level > 0)
        shining *= (hits.shine[:, 1] + 2) / 8
        power = np.array(lamp.tint, np.float32) * np.float32(lamp.power)
        return np.asarray((level[:, None] * hits.colour + shining[:, None]) * power, np.float32)

    def _let_in(self, place, to):
        """1 where a lamp's light reaches into the hole past its edge, and everywhere on the surface; else 0."""
        board = self.table.board
        low = place[:, 2] < -0.05
        up = -place[:, 2] / np.maximum(to[:, 2], 1e-3)
        out = np.hypot(place[:, 0] + up * to[:, 0], place[:, 1] + up * to[:, 1])
        within = np.hypot(place[:, 0], place[:, 1]) < board.hole_radius + 0.05
        return np.where(low & within & (out > board.hole_radius), np.float32(0), np.float32(1))
