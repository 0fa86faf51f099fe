"""The picture of the table with nothing on it: board, lines, hole, rail and ditch, and what stands around it."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.board import Board
from hardware.simulated.grain import Plane, paint
from hardware.simulated.lens import View
from hardware.simulated.look import FINISHES, Look
from hardware.simulated.solids import Cylinder, coverage, trace

Picture = NDArray[np.floating[Any]]

BASE = 8.0  # mm, thickness of the board under the ditch's floor
WALL = 0.62  # brightness of walls beside that of level wood
OCCLUSION = 0.72  # brightness in the ditch's corners
CORNER = 22.0  # mm over which a corner is darker


class EmptyBoard:
    """Paints one board in one light. Distances to outlines are positive inside, in mm."""

    def __init__(self, board: Board, look: Look, textures: Mapping[str, Plane]) -> None:
        self._board = board
        self._look = look
        self._textures = textures
        self._floor = -board.surface_height
        self._rail_top = board.rail_height - board.surface_height
        azimuth = math.radians(look.light_azimuth)
        cot = 1 / math.tan(math.radians(look.light_elevation))
        self._throw = (-math.cos(azimuth) * cot, -math.sin(azimuth) * cot)

    @property
    def throw(self) -> tuple[float, float]:
        """By how much (dx, dy) a shadow moves per mm of height."""
        return self._throw

    def within_rail(self, x: Plane, y: Plane, apothem: float) -> Plane:
        """Signed distance to the rail's outline, inner (`board.rail_radius`) or outer."""
        if self._look.rail_shape == "round":
            return np.asarray(apothem - np.hypot(x, y))
        x, y = np.abs(x), np.abs(y)
        return np.asarray(apothem - np.maximum(np.maximum(x, y), (x + y) * math.sqrt(0.5)))

    def paint(self, view: View, table: View) -> Picture:
        """(h, w, 3) the table seen by `view`; `table` is the view before anybody bumped the board."""
        everything = (slice(None), slice(None))
        outer = self._board.rail_radius + self._board.rail_width
        bottom = self._floor - BASE
        picture = self._finish(self._look.table, *table.plane(everything, bottom), angle=77.0, scale=1.7)
        picture *= self._shade(view, bottom, self._rail_top, outer)[..., None]
        rail = self._finish(self._look.rail, *view.plane(everything, self._rail_top), angle=self._look.grain_angle + 90)
        wall = np.zeros(picture.shape[:2], np.float32)
        for z in np.linspace(bottom, self._rail_top, 6):  # the outline's way from the table up to the rail's top
            wall = np.maximum(wall, coverage(self.within_rail(*view.plane(everything, float(z)), outer)))
        _blend(picture, rail * WALL, wall)
        top_x, top_y = view.plane(everything, self._rail_top)
        _blend(picture, rail, coverage(self.within_rail(top_x, top_y, outer)))
        opening = coverage(self.within_rail(top_x, top_y, self._board.rail_radius))
        _blend(picture, self._inside(view, rail * WALL), opening)
        return picture

    def glare(self, view: View, channels: int) -> NDArray[np.uint8] | None:
        """(h, w, channels) grey levels that reflections add, or None when there are none."""
        if not self._look.glare:
            return None
        x, y = view.plane((slice(None), slice(None)), 0.0)
        added = np.zeros(x.shape, np.float32)
        for spot in self._look.glare:
            distance = np.hypot(x - spot.x, (y - spot.y) / spot.stretch) - spot.radius
            fade = np.clip(0.5 - distance / spot.softness, 0.0, 1.0)
            added += spot.strength * fade * fade * (3 - 2 * fade)
        return np.repeat(np.clip(added, 0, 255).astype(np.uint8)[..., None], channels, axis=2)

    def _finish(self, name: str, x: Plane, y: Plane, *, angle: float, scale: float = 1.0) -> Picture:
        finish = FINISHES[name]
        return paint(finish, self._textures[finish.kind], x, y, angle=angle, scale=scale)

    def _shade(self, view: View, z: float, from_z: float, apothem: float) -> Plane:
        """Light left on the plane outside a rail's outline whose top throws its shadow there."""
        x, y = view.plane((slice(None), slice(None)), z)
        rise = from_z - z
        inside = self.within_rail(x - self._throw[0] * rise, y - self._throw[1] * rise, apothem)
        return np.asarray(1 - self._look.shadow * _ramp(inside, self._look.softness + 0.4 * rise))

    def _inside(self, view: View, rail_wall: Picture) -> Picture:
        """What is seen inside the rail: its wall, the ditch and the surface."""
        board, look = self._board, self._look
        x, y = view.plane((slice(None), slice(None)), self._floor)
        ditch = self._finish(look.ditch, x, y, angle=look.grain_angle + 40)
        rise = board.rail_height
        lit = self.within_rail(x - self._throw[0] * rise, y - self._throw[1] * rise, board.rail_radius)
        ditch *= (1 - look.shadow * (1 - _ramp(lit, look.softness + 0.4 * rise)))[..., None]
        below = math.hypot(*self._throw) * board.surface_height
        lift = np.hypot(x - self._throw[0] * board.surface_height, y - self._throw[1] * board.surface_height)
        ditch *= (1 - look.shadow * _ramp(board.surface_radius - lift, look.softness + below))[..., None]
        to_rail = self.within_rail(x, y, board.rail_radius)
        corner = np.minimum(to_rail, np.hypot(x, y) - board.surface_radius) / CORNER
        ditch *= (OCCLUSION + (1 - OCCLUSION) * np.clip(corner, 0.0, 1.0))[..., None]
        picture = rail_wall
        _blend(picture, ditch, coverage(to_rail))
        body = Cylinder(0.0, 0.0, self._floor, board.surface_radius, board.surface_height)
        met = trace(view.eye, view.rays, body, look.light_azimuth)
        surface = self._surface(view)
        _blend(picture, surface * (WALL + 0.15 * met.side)[..., None], met.cover)
        _blend(picture, surface, met.face)
        return picture

    def _surface(self, view: View) -> Picture:
        """The playing surface with its lines and the hole."""
        board, look = self._board, self._look
        x, y = view.plane((slice(None), slice(None)), 0.0)
        picture = self._finish(look.surface, x, y, angle=look.grain_angle)
        _blend(picture, np.array(look.lines, np.float32), self._lines(x, y))
        radius = np.hypot(x, y)
        azimuth = math.radians(look.light_azimuth)
        slope = look.falloff / board.surface_radius
        picture *= (1 + slope * (x * math.cos(azimuth) + y * math.sin(azimuth)))[..., None]
        _blend(picture, self._hole(view), coverage(board.hole_radius - radius))
        return picture

    def _lines(self, x: Plane, y: Plane) -> Plane:
        """(h, w) share of each pixel that is printed."""
        board = self._board
        half = board.line_width / 2
        radius = np.hypot(x, y)
        down, across = np.gradient(radius)
        per_pixel = np.maximum(np.hypot(down, across), 1e-6)

        def within(limit: float) -> Plane:
            return np.asarray(np.clip(0.5 + (limit - radius) / per_pixel, 0.0, 1.0), np.float32)

        lines = np.zeros(x.shape, np.float32)
        for line in (board.fifteen_line, board.ten_line, board.outer_line):
            lines += within(line + half) - within(line - half)
        belt = within(board.outer_line) - within(board.ten_line)
        for angle in board.quadrant_angles:
            c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            beside = np.asarray(y * c - x * s)
            stroke = coverage(beside + half) - coverage(beside - half)
            lines = np.maximum(lines, stroke * belt * (x * c + y * s > 0))
        return lines

    def _hole(self, view: View) -> Picture:
        """What is seen through the hole's mouth: the floor, and the wall around it."""
        board, look = self._board, self._look
        x, y = view.plane((slice(None), slice(None)), -board.hole_depth)
        floor = self._finish(look.hole, x, y, angle=look.grain_angle)
        mouth = np.hypot(x - self._throw[0] * board.hole_depth, y - self._throw[1] * board.hole_depth)
        floor *= (0.85 - look.shadow * _ramp(mouth - board.hole_radius, 4.0))[..., None]
        picture = self._finish(look.surface, x, y, angle=look.grain_angle) * np.float32(0.4)
        _blend(picture, floor, coverage(board.hole_radius - np.hypot(x, y)))
        return picture


def _ramp(inside: Plane, width: float) -> Plane:
    """0 outside to 1 inside, smoothly over `width` mm."""
    share = np.clip(0.5 + inside / width, 0.0, 1.0)
    return np.asarray(share * share * (3 - 2 * share), np.float32)


def _blend(picture: Picture, colour: Picture, share: Plane) -> None:
    """Paint `colour` over `picture` where `share` (h, w) says."""
    picture += (colour - picture) * share[..., None]
