"""Paints discs and pegs with their shadows, and moving discs by filled outlines, which saves time."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board import Board
from hardware.devices import Image
from hardware.errors import HardwareError
from hardware.simulated.empty_board import EmptyBoard
from hardware.simulated.lens import PaintedView, Tile
from hardware.simulated.look import DISC_COLOURS, SIZE, TEXEL, Finish, Look, Plane, grey
from hardware.simulated.scene import SceneDisc
from hardware.simulated.solids import SHADOW_REACH, Cylinder, Traced, coverage, shadow, trace

EXPOSURE = 0.008  # s: a Pi camera's at the light of a club room
MAX_STEPS = 16
BEVEL = 0.88  # share of the radius at which the edge of a disc begins to round off
SIDE = 0.62  # brightness of a disc's side relative to its top
Shade = tuple[Tile, NDArray[np.float32]]  # a shadow: tile and share of light left (h, w, 1)
Layer = tuple[Tile, NDArray[np.float32], NDArray[np.float32]]
"""A painted solid: tile, colour times coverage (h, w, channels), and 1 - coverage (h, w, 1)."""
STREAK_STEP = 1.5  # px between the places over which a moving disc is averaged
FINER = 4  # times as many pixels each way: the edge is exact to an eighth of a pixel
FRACTION = 4  # bits of OpenCV's fractional coordinates
TURN = np.linspace(0, 2 * math.pi, 24, endpoint=False)
CIRCLE = np.stack((np.cos(TURN), np.sin(TURN), np.zeros_like(TURN)), axis=-1) * (math.pi / 24 / math.sin(math.pi / 24))


def smear(view: PaintedView, start: Cylinder, end: Cylinder, top: float, side: float) -> Layer | None:
    """Paint a flat grey disc that moves from `start` to `end`; None if it is out of view."""
    rims = [
        CIRCLE * solid.radius + (solid.x, solid.y, solid.z + h) for solid in (start, end) for h in (0.0, solid.height)
    ]
    pixels = view.pose.project(np.stack(rims))  # (4, n, 2): bottom and top at the start, then at the end
    (left, upper), (right, lower) = np.floor(pixels.min(axis=(0, 1))), np.ceil(pixels.max(axis=(0, 1))) + 1
    left, upper = max(int(left), 0), max(int(upper), 0)
    right, lower = min(int(right), view.pose.width), min(int(lower), view.pose.height)
    width, height = right - left, lower - upper
    if width < 2 or height < 2:
        return None
    way = math.dist(pixels[0].mean(axis=0), pixels[2].mean(axis=0))
    steps = max(1, math.ceil(way / STREAK_STEP))
    body, face = np.zeros((height, width), np.float32), np.zeros((height, width), np.float32)
    finer = ((pixels - (left, upper) + 0.5) * FINER - 0.5) * (1 << FRACTION)
    for k in range(steps):
        share = (k + 0.5) / steps
        outlines = np.rint(finer[:2] + (finer[2:] - finer[:2]) * share).astype(np.int32)
        body += _filled(np.asarray(cv2.convexHull(outlines.reshape(-1, 2)), np.int32), width, height)
        face += _filled(outlines[1], width, height)
    tile = slice(upper, lower), slice(left, right)
    colour = (side * body + (top - side) * face) / (255 * steps) + 0.5
    return tile, np.asarray(colour[..., None], np.float32), np.asarray(1 - body / (255 * steps), np.float32)[..., None]


def _filled(outline: NDArray[np.int32], width: int, height: int) -> NDArray[np.uint8]:
    """(height, width) coverage of each pixel, 0 to 255."""
    mask = np.zeros((height * FINER, width * FINER), np.uint8)
    cv2.fillConvexPoly(mask, outline, (255,), cv2.LINE_8, FRACTION)
    return np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


class Stamp(NamedTuple):
    """A disc ready to paint: horizontal distance from the camera, shadow, and itself with the pegs before it."""

    distance: float
    shadow: Shade | None
    bodies: tuple[Layer | None, ...]


class Sprites:
    """Paints solids into canvases (h, w, 3) or (h, w, 1)."""

    def __init__(self, board: Board, look: Look, empty: EmptyBoard, wood: Plane, exposure: float = EXPOSURE) -> None:
        self._board = board
        self._look = look
        self._empty = empty
        self._wood = wood
        self._exposure = exposure
        peg = Finish(look.pegs, 0.0)
        self._pegs = [(Cylinder(x, y, 0.0, board.peg_radius, board.peg_height), peg) for x, y in board.pegs]

    def pegs(self, canvas: Image, view: PaintedView) -> None:
        for solid, _ in self._pegs:
            _shade(canvas, self._shadow(view, solid))
        for solid, finish in self._pegs:
            _lay(canvas, self._stand(view, solid, finish, "", canvas.shape[2]))

    def discs(
        self, canvas: Image, view: PaintedView, discs: Sequence[SceneDisc], known: dict[SceneDisc, Stamp]
    ) -> None:
        """Paint the discs and their shadows, the farthest first; a peg before a disc is painted over it. `known` caches
        stamps for the next call with this view and number of channels."""
        stamps = [known.get(disc) or self._stamp(view, disc, canvas.shape[2]) for disc in discs]
        known.update(zip(discs, stamps, strict=True))
        for stamp in stamps:
            _shade(canvas, stamp.shadow)
        for stamp in sorted(stamps, key=lambda stamp: -stamp.distance):
            for body in stamp.bodies:
                _lay(canvas, body)

    def _stamp(self, view: PaintedView, disc: SceneDisc, channels: int) -> Stamp:
        size, finish = self._board.disc, _finish(disc.colour)
        solid = Cylinder(disc.x, disc.y, disc.z, size.radius, size.thickness, disc.tilt, disc.tilt_towards)
        moving = disc.vx or disc.vy
        body = (
            self._streak(view, solid, finish, disc, channels)
            if moving
            else self._stand(view, solid, finish, disc.id, channels)
        )
        pegs = [self._stand(view, peg, peg_finish, "", channels) for peg, peg_finish in self._hiding(view, solid)]
        distance = math.hypot(solid.x - view.eye[0], solid.y - view.eye[1])
        return Stamp(distance, self._shadow(view, solid), (body, *pegs))

    def _hiding(self, view: PaintedView, disc: Cylinder) -> Iterable[tuple[Cylinder, Finish]]:
        """The pegs between the disc and the camera."""
        x, y, _ = view.eye
        near = disc.radius + self._board.peg_radius + self._board.peg_height
        for peg, finish in self._pegs:
            beside = math.hypot(peg.x - disc.x, peg.y - disc.y) < near
            if beside and math.hypot(peg.x - x, peg.y - y) < math.hypot(disc.x - x, disc.y - y):
                yield peg, finish

    def _shadow(self, view: PaintedView, solid: Cylinder) -> Shade | None:
        """A solid's shadow on the ground below; None in the hole and outside the picture."""
        board = self._board
        from_hole = math.hypot(solid.x, solid.y)
        if solid.z < -0.5 and from_hole < board.hole_radius:
            return None
        beside = self._beside(solid)
        ground = solid.z if beside else -board.surface_height if from_hole > board.surface_radius else 0.0
        throw = self._empty.throw
        lift = solid.z - ground
        solid = replace(solid, x=solid.x + throw[0] * lift, y=solid.y + throw[1] * lift, z=ground)
        reach = solid.radius + SHADOW_REACH + self._look.softness / 2
        tile = view.tile(_around_shadow(solid, throw, reach), 0)
        if tile is None:
            return None
        x, y = view.plane(tile, ground)
        light = shadow(x, y, solid, throw, self._look)
        if ground < 0 and not beside:
            light = 1 - (1 - light) * self._open(view, tile)
        elif not beside and from_hole + reach > board.surface_radius:
            light = 1 - (1 - light) * coverage(board.surface_radius - np.hypot(x, y))
        return tile, np.asarray(light, np.float32)[..., None]

    def _beside(self, solid: Cylinder) -> bool:
        return math.hypot(solid.x, solid.y) > self._board.rail_radius + self._board.rail_width

    def _open(self, view: PaintedView, tile: Tile) -> Plane:
        """Share of each pixel that shows the hole or the ditch."""
        board = self._board
        radius = np.hypot(*view.plane(tile, 0.0))
        below = coverage(board.hole_radius - radius) + coverage(radius - board.surface_radius)
        rail = self._empty.within_rail(*view.plane(tile, board.rail_height - board.surface_height), board.rail_radius)
        return below * coverage(rail)

    def _trace(self, view: PaintedView, tile: Tile, solid: Cylinder) -> Traced:
        met = trace(view.eye, view.rays[tile], solid, self._look.light_azimuth)
        if not self._beside(solid) and (solid.z < -0.5 or solid.tilt):
            cover = np.where(met.z < 0, met.cover * self._open(view, tile), met.cover)
            return replace(met, cover=cover)
        return met

    def _colours(
        self, met: Traced, view: PaintedView, tile: Tile, solid: Cylinder, finish: Finish, name: str
    ) -> NDArray[np.floating[Any]]:
        """(h, w, 3) colours of a solid's top and side."""
        edge = np.clip((met.rim - BEVEL) / (1 - BEVEL), 0.0, 1.0)
        top = 1 + 0.10 * edge * (met.side - 0.4)
        if finish.grain and name:
            top = top * (1 + finish.grain * self._grain(view, tile, solid, name))
        bright = SIDE + 0.16 * met.side
        bright += (top - bright) * met.face
        colour = np.array(finish.colour, np.float32) * self._fall_off(solid)
        return np.asarray(colour * bright[..., None], np.float32)

    def _tones(self, solid: Cylinder, finish: Finish) -> tuple[float, float]:
        """Grey levels of a solid's top and side, without the shading of its edge."""
        colour = float(grey(np.array(finish.colour, np.float32))[0]) * self._fall_off(solid)
        return colour, colour * SIDE

    def _fall_off(self, solid: Cylinder) -> float:
        azimuth = math.radians(self._look.light_azimuth)
        across = (solid.x * math.cos(azimuth) + solid.y * math.sin(azimuth)) / self._board.surface_radius
        return 1 + self._look.falloff * across

    def _grain(self, view: PaintedView, tile: Tile, solid: Cylinder, name: str) -> Plane:
        """Each disc's own piece of wood."""
        seed = crc32(name.encode())
        x, y = view.plane(tile, solid.z + solid.height)
        c, s = math.cos(seed % 628 / 100), math.sin(seed % 628 / 100)
        u, v = (x - solid.x) / TEXEL, (y - solid.y) / TEXEL
        columns = (u * c + v * s).astype(np.int32) + seed % SIZE
        rows = (v * c - u * s).astype(np.int32) + seed // SIZE % SIZE
        return self._wood[rows % SIZE, columns % SIZE]

    def _stand(self, view: PaintedView, solid: Cylinder, finish: Finish, name: str, channels: int) -> Layer | None:
        tile = view.tile(solid.corners())
        if tile is None:
            return None
        met = self._trace(view, tile, solid)
        return _layer(tile, self._colours(met, view, tile, solid, finish, name), met.cover, channels)

    def _streak(
        self, view: PaintedView, solid: Cylinder, finish: Finish, disc: SceneDisc, channels: int
    ) -> Layer | None:
        """Average the disc over its path during the exposure."""
        end = replace(solid, x=solid.x + disc.vx * self._exposure, y=solid.y + disc.vy * self._exposure)
        if channels == 1 and disc.z >= -0.5 and not disc.tilt:
            return smear(view, solid, end, *self._tones(solid, finish))
        way = view.pose.project([(s.x, s.y, s.z) for s in (solid, end)])
        steps = min(max(1, math.ceil(float(np.linalg.norm(way[1] - way[0])) / STREAK_STEP)), MAX_STEPS)
        tile = view.tile(np.concatenate((solid.corners(), end.corners())))
        if tile is None:
            return None
        rows, columns = view.rays[tile].shape[:2]
        cover, colour = np.zeros((rows, columns), np.float32), np.zeros((rows, columns, 3), np.float32)
        for k in range(steps):
            share = (k + 0.5) / steps
            here = replace(solid, x=solid.x + (end.x - solid.x) * share, y=solid.y + (end.y - solid.y) * share)
            met = self._trace(view, tile, here)
            cover += met.cover
            colour += self._colours(met, view, tile, here, finish, "") * met.cover[..., None]
        return _layer(tile, colour / np.maximum(cover, 1e-6)[..., None], cover / steps, channels)


def _around_shadow(solid: Cylinder, throw: tuple[float, float], reach: float) -> NDArray[np.float64]:
    """(8, 3) corners of two squares that hold the shadow, `reach` mm around its near and far end."""
    far = (solid.x + throw[0] * solid.height, solid.y + throw[1] * solid.height)
    return np.array(
        [
            (x + right * reach, y + up * reach, solid.z)
            for x, y in ((solid.x, solid.y), far)
            for right in (-1, 1)
            for up in (-1, 1)
        ]
    )


def _finish(colour: str) -> Finish:
    try:
        return DISC_COLOURS[colour]
    except KeyError:
        raise HardwareError(f"no disc colour {colour!r}; choose from {', '.join(DISC_COLOURS)}") from None


def _layer(tile: Tile, colour: NDArray[np.floating[Any]], cover: Plane, channels: int) -> Layer:
    shown = np.clip(grey(colour) if channels == 1 else colour, 0.0, 255.0)
    share = cover[..., None]
    return tile, np.asarray(shown * share + 0.5, np.float32), np.asarray(1 - share, np.float32)


def _lay(canvas: Image, layer: Layer | None) -> None:
    if layer is not None:
        tile, colour, left = layer
        canvas[tile] = canvas[tile] * left + colour


def _shade(canvas: Image, shade: Shade | None) -> None:
    if shade is not None:
        tile, light = shade
        canvas[tile] = canvas[tile] * light + 0.5
