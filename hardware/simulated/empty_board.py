"""Paints the empty table: board, lines, numerals and other marks, hole, rail, ditch and the table around them."""

import math
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board import Board
from hardware.errors import HardwareError
from hardware.simulated.lens import PaintedView, Tile
from hardware.simulated.look import FINISHES, Colour, Look, Plane, paint
from hardware.simulated.solids import Cylinder, coverage, trace

Picture = NDArray[np.floating[Any]]
BASE = 8.0  # mm, thickness of the board under the ditch's floor
WALL = 0.62  # brightness of walls relative to level wood
OCCLUSION = 0.72  # brightness in the ditch's corners
HOLE_WALL = 0.4
EVERYWHERE = (slice(None), slice(None))
CORNER = 22.0  # mm over which a corner is darker


class EmptyBoard:
    """Paints one board in one light. Distances to outlines are positive inside, in mm."""

    def __init__(self, board: Board, look: Look, textures: Mapping[str, Plane]) -> None:
        self._board = board
        self._look = look
        self._textures = textures
        self._prints = Prints(board, look)
        self._floor = -board.surface_height
        self._rail_top = board.rail_height - board.surface_height
        azimuth = math.radians(look.light_azimuth)
        cot = 1 / math.tan(math.radians(look.light_elevation))
        self._throw = (-math.cos(azimuth) * cot, -math.sin(azimuth) * cot)

    @property
    def throw(self) -> tuple[float, float]:
        """How far (dx, dy) a shadow moves per mm of height."""
        return self._throw

    def within_rail(self, x: Plane, y: Plane, apothem: float) -> Plane:
        """Signed distance to the rail's outline, inner (`board.rail_radius`) or outer."""
        if self._look.rail_shape == "round":
            return np.asarray(apothem - np.hypot(x, y))
        x, y = np.abs(x), np.abs(y)
        return np.asarray(apothem - np.maximum(np.maximum(x, y), (x + y) * math.sqrt(0.5)))

    def paint(self, view: PaintedView, table: PaintedView) -> Picture:
        """(h, w, 3) the table in `view`; `table` is the view before the board was bumped."""
        outer = self._board.rail_radius + self._board.rail_width
        bottom = self._floor - BASE
        picture = self._finish(self._look.table, *table.plane(EVERYWHERE, bottom), angle=77.0, scale=1.7)
        picture *= self._shade(view, bottom, self._rail_top, outer)[..., None]
        top_x, top_y = view.plane(EVERYWHERE, self._rail_top)
        rail = self._finish(self._look.rail, top_x, top_y, angle=self._look.grain_angle + 90)
        top = self.within_rail(top_x, top_y, outer)
        wall = top
        for z in (bottom, (bottom + self._rail_top) / 2):  # the outline at the table, halfway up and at the rail's top
            wall = np.maximum(wall, self.within_rail(*view.plane(EVERYWHERE, z), outer))
        picture = _over(picture, rail * WALL, coverage(wall))
        picture = _over(picture, rail, coverage(top))
        tile = self._circle(view, self._rail_top, self._board.rail_radius / math.cos(math.pi / 8))
        opening = coverage(self.within_rail(top_x[tile], top_y[tile], self._board.rail_radius))
        picture[tile] = _over(picture[tile], self._inside(view, tile, rail[tile] * WALL), opening)
        return picture

    def glare(self, view: PaintedView, channels: int) -> NDArray[np.uint8] | None:
        """(h, w, channels) grey levels that reflections add; None if there are none."""
        if not self._look.glare:
            return None
        x, y = view.plane(EVERYWHERE, 0.0)
        added = np.zeros(x.shape, np.float32)
        for spot in self._look.glare:
            distance = np.hypot(x - spot.x, (y - spot.y) / spot.stretch) - spot.radius
            fade = np.clip(0.5 - distance / spot.softness, 0.0, 1.0)
            added += spot.strength * fade * fade * (3 - 2 * fade)
        return np.repeat(np.clip(added, 0, 255).astype(np.uint8)[..., None], channels, axis=2)

    def _finish(self, name: str, x: Plane, y: Plane, *, angle: float, scale: float = 1.0) -> Picture:
        finish = FINISHES[name]
        return paint(finish, self._textures[finish.kind], x, y, angle=angle, scale=scale)

    def _shade(self, view: PaintedView, z: float, from_z: float, apothem: float) -> Plane:
        """Share of light left on the plane at height `z` in the shadow of an outline at height `from_z`."""
        x, y = view.plane(EVERYWHERE, z)
        rise = from_z - z
        inside = self.within_rail(x - self._throw[0] * rise, y - self._throw[1] * rise, apothem)
        return np.asarray(1 - self._look.shadow * _ramp(inside, self._look.softness + 0.4 * rise))

    def _circle(self, view: PaintedView, z: float, radius: float) -> Tile:
        """The tile around a circle about the hole. Raises `HardwareError` if the camera does not see it."""
        tile = view.tile(Cylinder(0.0, 0.0, z, radius, 0.0).corners())
        if tile is None:
            raise HardwareError("the camera does not see the board; choose another pose")
        return tile

    def _inside(self, view: PaintedView, tile: Tile, rail_wall: Picture) -> Picture:
        """Everything inside the rail, in a tile: its wall, the ditch and the surface."""
        board = self._board
        x, y = view.plane(tile, self._floor)
        picture = _over(rail_wall, self._ditch(x, y), coverage(self.within_rail(x, y, board.rail_radius)))
        body = Cylinder(0.0, 0.0, self._floor, board.surface_radius, board.surface_height)
        part = view.tile(body.corners()) or tile
        met = trace(view.eye, view.rays[part], body, self._look.light_azimuth)
        surface = self._surface(view, part)
        here = tuple(slice(a.start - b.start, a.stop - b.start) for a, b in zip(part, tile, strict=True))
        edge = _over(picture[here], surface * (WALL + 0.15 * met.side)[..., None], met.cover)
        picture[here] = _over(edge, surface, met.face)
        return picture

    def _ditch(self, x: Plane, y: Plane) -> Picture:
        board, look = self._board, self._look
        ditch = self._finish(look.ditch, x, y, angle=look.grain_angle + 40)
        rise = board.rail_height
        lit = self.within_rail(x - self._throw[0] * rise, y - self._throw[1] * rise, board.rail_radius)
        light = 1 - look.shadow * (1 - _ramp(lit, look.softness + 0.4 * rise))
        rise = board.surface_height
        lift = np.hypot(x - self._throw[0] * rise, y - self._throw[1] * rise)
        below = math.hypot(*self._throw) * rise
        light *= 1 - look.shadow * _ramp(board.surface_radius - lift, look.softness + below)
        corner = np.minimum(self.within_rail(x, y, board.rail_radius), np.hypot(x, y) - board.surface_radius) / CORNER
        light *= OCCLUSION + (1 - OCCLUSION) * np.clip(corner, 0.0, 1.0)
        ditch *= light[..., None]
        return ditch

    def _surface(self, view: PaintedView, tile: Tile) -> Picture:
        """The playing surface in a tile, with its lines and the hole."""
        board, look = self._board, self._look
        x, y = view.plane(tile, 0.0)
        picture = self._finish(look.surface, x, y, angle=look.grain_angle)
        picture = self._prints.paint(picture, x, y)
        picture = _over(picture, np.full_like(picture, look.lines), self._lines(x, y))
        azimuth = math.radians(look.light_azimuth)
        slope = look.falloff / board.surface_radius
        picture *= (1 + slope * (x * math.cos(azimuth) + y * math.sin(azimuth)))[..., None]
        mouth = self._circle(view, 0.0, board.hole_radius)
        here = tuple(slice(a.start - b.start, a.stop - b.start) for a, b in zip(mouth, tile, strict=True))
        open_share = coverage(board.hole_radius - np.hypot(x[here], y[here]))
        picture[here] = _over(picture[here], self._hole(view, mouth), open_share)
        return picture

    def _lines(self, x: Plane, y: Plane) -> Plane:
        board = self._board
        half = board.line_width / 2
        radius = np.hypot(x, y)
        down, across = np.gradient(radius)
        per_pixel = np.maximum(np.hypot(down, across), 1e-6)

        def within(limit: float) -> Plane:
            return np.asarray(np.clip(0.5 + (limit - radius) / per_pixel, 0.0, 1.0))

        lines = np.zeros_like(x)
        for line in (board.fifteen_line, board.ten_line, board.outer_line):
            lines += within(line + half) - within(line - half)
        begin = self._look.quadrants_from
        belt = within(board.outer_line) - within(board.ten_line if begin is None else begin)
        for angle in board.quadrant_angles:
            c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            beside = y * c - x * s
            stroke = coverage(beside + half) - coverage(beside - half)
            lines = np.maximum(lines, stroke * belt * (x * c + y * s > 0))
        return lines

    def _hole(self, view: PaintedView, tile: Tile) -> Picture:
        """The hole's inside, in a tile: its floor and wall."""
        board, look = self._board, self._look
        x, y = view.plane(tile, -board.hole_depth)
        floor = self._finish(look.hole, x, y, angle=look.grain_angle)
        mouth = np.hypot(x - self._throw[0] * board.hole_depth, y - self._throw[1] * board.hole_depth)
        floor *= (0.85 - look.shadow * _ramp(mouth - board.hole_radius, 4.0))[..., None]
        wall = self._finish(look.surface, x, y, angle=look.grain_angle) * HOLE_WALL
        return _over(wall, floor, coverage(board.hole_radius - np.hypot(x, y)))


def _ramp(inside: Plane, width: float) -> Plane:
    """Smooth step from 0 outside to 1 inside over `width` mm."""
    share = np.clip(0.5 + inside / width, 0.0, 1.0)
    return np.asarray(share * share * (3 - 2 * share), np.float32)


def _over(under: Picture, colour: Picture, share: Plane) -> Picture:
    """(h, w, 3) `colour` over `under`, weighted by `share` (h, w)."""
    weights = np.asarray(share, np.float32)
    return np.asarray(cv2.blendLinear(np.ascontiguousarray(colour), np.ascontiguousarray(under), weights, 1 - weights))


TEXEL = 0.4  # mm
FINER = 4  # bits of OpenCV's fractional coordinates
NUMERAL = 26.0  # mm high
KNOT_DARK = 0.5  # brightness at a knot's centre
SCREW: Colour = (150, 156, 160)
SCREW_RADIUS = 3.4  # mm
SCREWS_AT = 318.0  # mm from the hole: outside the starting line, where boards are screwed down


class Prints:
    """Paints the marks over a surface (h, w, 3) at board coordinates `x`, `y` (h, w), mm."""

    def __init__(self, board: Board, look: Look) -> None:
        self._look = look
        self._reach = board.surface_radius
        self._ink = self._draw(board) if look.numerals or look.circles else None

    def paint(self, surface: Picture, x: Plane, y: Plane) -> Picture:
        for kx, ky, radius in self._look.knots:
            near = np.clip(1.0 - np.hypot(x - kx, (y - ky) * 0.7) / radius, 0.0, 1.0)
            rings = 0.75 + 0.25 * np.cos(18.0 * near)
            surface = surface * (1.0 - (1.0 - KNOT_DARK) * np.sqrt(near) * rings)[..., None]
        if self._ink is not None:
            middle = (self._ink.shape[0] - 1) / 2
            across, down = (np.asarray(v / TEXEL + middle, np.float32) for v in (x, y))
            share = cv2.remap(self._ink, across, down, cv2.INTER_LINEAR)[..., None] / np.float32(255)
            surface = surface * (1 - share) + np.array(self._look.print_colour, np.float32) * share
        for k in range(self._look.screws):
            angle = 2 * math.pi * (k + 0.5) / self._look.screws
            dx, dy = x - SCREWS_AT * math.cos(angle), y - SCREWS_AT * math.sin(angle)
            head = np.clip((SCREW_RADIUS - np.hypot(dx, dy)) / 0.8 + 0.5, 0.0, 1.0)
            slot = np.clip((0.6 - np.abs(dx * math.cos(k) + dy * math.sin(k))) / 0.8 + 0.5, 0.0, 1.0)
            metal = np.array(SCREW, np.float32) * (1 - 0.6 * slot[..., None])
            surface = surface * (1 - head[..., None]) + metal * head[..., None]
        return surface

    def _draw(self, board: Board) -> NDArray[np.uint8]:
        """(n, n) share of ink, 0 to 255; columns are x and rows are y."""
        size = 2 * math.ceil(self._reach / TEXEL) + 1
        ink = np.zeros((size, size), np.uint8)
        middle = round((size - 1) / 2 * (1 << FINER))
        for radius, width in self._look.circles:
            outer, inner = (round((radius + half) / TEXEL * (1 << FINER)) for half in (width / 2, -width / 2))
            ring = np.zeros_like(ink)
            cv2.circle(ring, (middle, middle), outer, (255,), cv2.FILLED, cv2.LINE_AA, FINER)
            cv2.circle(ring, (middle, middle), inner, (0,), cv2.FILLED, cv2.LINE_AA, FINER)
            ink = np.maximum(ink, ring)
        if self._look.numerals:
            edges = (board.hole_radius, board.fifteen_line, board.ten_line, board.outer_line)
            for text, inside, outside in zip(("15", "10", "5"), edges[:-1], edges[1:], strict=True):
                for quarter in range(4):
                    _write(ink, text, (inside + outside) / 2, 90.0 * quarter)
        return ink


def _write(ink: NDArray[np.uint8], text: str, radius: float, degrees: float) -> None:
    """Print a numeral that faces the seat at this angle."""
    font, height = cv2.FONT_HERSHEY_TRIPLEX, NUMERAL / TEXEL
    (width, _), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = height / 22.0  # the font's capitals are 22 px high at scale 1
    patch = np.zeros((round(1.6 * height), round(width * scale + height)), np.uint8)
    cv2.putText(patch, text, (round(height / 2), round(1.3 * height)), font, scale, (255,), 3, cv2.LINE_AA)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    middle = (ink.shape[0] - 1) / 2
    turn = np.array([[-s, c], [c, s]])  # its foot points outwards; the ink's rows are y, which is up on the board
    at = np.array((middle + radius * c / TEXEL, middle + radius * s / TEXEL))
    shift = at - turn @ np.array(((patch.shape[1] - 1) / 2, (patch.shape[0] - 1) / 2))
    matrix = np.concatenate((turn, shift[:, None]), axis=1)
    printed = cv2.warpAffine(patch, matrix, (ink.shape[1], ink.shape[0]), flags=cv2.INTER_LINEAR)
    np.maximum(ink, np.asarray(printed, np.uint8), out=ink)
