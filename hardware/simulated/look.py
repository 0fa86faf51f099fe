"""A simulated table's appearance: woods, paints, colours and light as data, and the textures of wood, felt and checked
cloth, pictures of relative brightness that tile a plane. Colours are (blue, green, red)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]


class Finish(NamedTuple):
    """A material: mean colour, strength of the grain (share of the colour), and kind of grain."""

    colour: Colour
    grain: float
    kind: Literal["wood", "felt", "checks"] = "wood"


FINISHES: dict[str, Finish] = {
    "maple": Finish((141, 186, 222), 0.045),
    "birch": Finish((172, 204, 225), 0.035),
    "oak": Finish((86, 150, 200), 0.10),
    "pine": Finish((96, 160, 210), 0.07),
    "cherry": Finish((72, 112, 186), 0.08),
    "walnut": Finish((58, 82, 118), 0.13),
    "dark_stain": Finish((30, 42, 74), 0.16),
    "black_paint": Finish((42, 40, 40), 0.015),
    "green_paint": Finish((58, 98, 40), 0.015),
    "white": Finish((218, 222, 222), 0.008),
    "grey": Finish((126, 124, 122), 0.008),
    "black": Finish((36, 34, 34), 0.02),
    "red_paint": Finish((40, 36, 150), 0.015),
    "blue_paint": Finish((140, 80, 40), 0.015),
    "felt_green": Finish((48, 96, 24), 0.06, "felt"),
    "felt_black": Finish((32, 30, 30), 0.06, "felt"),
    "felt_grey": Finish((86, 84, 84), 0.06, "felt"),
    "carpet_red": Finish((24, 20, 124), 0.08, "felt"),
    "cloth": Finish((150, 70, 90), 0.03, "felt"),
    "checked_cloth": Finish((128, 112, 118), 0.14, "checks"),
}
"""Materials by name, with colours of boards in photographs."""

DISC_COLOURS: dict[str, Finish] = {
    "black": Finish((36, 33, 32), 0.03),
    "natural": Finish((134, 188, 222), 0.06),
    "white": Finish((222, 230, 232), 0.02),
    "tan": Finish((98, 148, 196), 0.08),
    "brown": Finish((40, 62, 98), 0.12),
    "red": Finish((38, 34, 178), 0.04),
    "blue": Finish((158, 78, 36), 0.04),
    "green": Finish((62, 112, 30), 0.04),
    "yellow": Finish((44, 176, 222), 0.04),
    "orange": Finish((28, 98, 218), 0.04),
    "purple": Finish((98, 34, 72), 0.04),
}
"""The discs' colours by name."""


@dataclass(frozen=True, slots=True)
class Glare:
    """A lamp's or window's reflection on the surface: an ellipse with soft edges, in mm of the board frame."""

    x: float
    y: float
    radius: float
    strength: float  # grey levels added at its centre
    softness: float  # mm over which it fades
    stretch: float = 1.0  # y radius over x radius


@dataclass(frozen=True, slots=True)
class Look:
    """The table's materials and light. Lengths in mm, angles in degrees, shares of 1."""

    surface: str = "maple"
    grain_angle: float = 20.0
    lines: Colour = (24, 26, 30)
    ditch: str = "felt_black"
    rail: str = "walnut"
    rail_shape: Literal["round", "octagonal"] = "round"
    pegs: Colour = (60, 64, 70)
    hole: str = "dark_stain"
    table: str = "grey"
    light_azimuth: float = 130.0  # the light's direction
    light_elevation: float = 62.0
    shadow: float = 0.35  # share of the light that a shadow removes
    contact: float = 0.25  # share of the light that is missing right beside an object
    softness: float = 7.0  # mm, width of a disc's penumbra
    falloff: float = 0.06  # the lit side is brighter by this share, the far side darker
    glare: tuple[Glare, ...] = ()
    contrast: float = 1.0
    blur: float = 0.55  # px, of the lens
    quadrants_from: float | None = None  # mm from the hole where the quadrant lines begin; None: at the ten line
    numerals: bool = False  # 15, 10 and 5 printed in every quarter
    circles: tuple[tuple[float, float], ...] = ()  # decorative: radius and width, mm
    print_colour: Colour = (24, 26, 30)  # of numerals and decorative circles
    knots: tuple[tuple[float, float, float], ...] = ()  # x, y and radius, mm
    screws: int = 0  # heads on the surface, outside the starting line
    spares: tuple[tuple[float, float, str], ...] = ()  # discs of a colour beside the board: x and y in mm


def grey(colour: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """(.., 1) the luma of colours (.., 3), as OpenCV computes it (ITU-R BT.601)."""
    return np.asarray(colour @ np.array((0.114, 0.587, 0.299), np.float32))[..., None]


Plane = NDArray[np.floating[Any]]
SIZE = 1024  # texels across
TEXEL = 0.8  # mm: finer than a pixel at the usual 1.2 px/mm
# Grain is redder than the wood around it: it absorbs more blue than red.
TINT = np.array((1.25, 1.05, 0.85), np.float32)


def _noise(random: np.random.Generator, rows: int, columns: int) -> Plane:
    """(SIZE, SIZE) smooth noise of unit variance from a coarse grid; few columns make long fibres along x."""
    grid = random.standard_normal((rows, columns)).astype(np.float32)
    noise = cv2.resize(grid, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)
    return np.asarray(noise / noise.std(), np.float32)


def _wood(random: np.random.Generator) -> Plane:
    across = np.arange(SIZE, dtype=np.float32)[:, None] * (TEXEL / 38.0)  # rings 38 mm apart
    warp = 0.9 * _noise(random, 6, 3) + 0.12 * _noise(random, 40, 6)
    rings = np.sin(2 * math.pi * (across + warp)) ** 3
    fibres = 0.55 * _noise(random, SIZE // 2, 12) + 0.35 * _noise(random, 300, 5)
    return np.asarray(fibres + 0.55 * rings + 0.5 * _noise(random, 10, 2), np.float32)


def _felt(random: np.random.Generator) -> Plane:
    return np.asarray(0.8 * _noise(random, SIZE, SIZE) + 0.6 * _noise(random, 90, 90), np.float32)


def _checks(random: np.random.Generator) -> Plane:
    rows, columns = np.mgrid[:SIZE, :SIZE] // 32
    return np.asarray(np.where((rows + columns) % 2, 1.0, -1.0) + 0.2 * _noise(random, SIZE, SIZE), np.float32)


def textures(seed: int) -> Mapping[str, Plane]:
    """(SIZE, SIZE) relative brightness of each kind of finish: mean 0, standard deviation about 1."""
    random = np.random.default_rng([seed, 7])
    return {"wood": _wood(random), "felt": _felt(random), "checks": _checks(random)}


def paint(
    finish: Finish, texture: Plane, x: Plane, y: Plane, *, angle: float = 0.0, scale: float = 1.0
) -> NDArray[np.float32]:
    """(h, w, 3) the finish at plane coordinates `x`, `y` (mm), with fibres along `angle` degrees."""
    c, s = math.cos(math.radians(angle)) / (TEXEL * scale), math.sin(math.radians(angle)) / (TEXEL * scale)
    along, across = x * c + y * s + SIZE / 2, y * c - x * s + SIZE / 2
    grain = cv2.remap(texture, along, across, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    tint = TINT if finish.kind == "wood" else np.ones(3, np.float32)
    return np.asarray(
        np.array(finish.colour, np.float32) * (1 + finish.grain * grain[..., None] * tint), dtype=np.float32
    )
