"""A simulated table's appearance as data: woods, paints, colours and light. Colours are (blue, green, red)."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

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


LIGHT_LINES: tuple[Colour, ...] = ((235, 238, 238), (200, 226, 236))
DARK_LINES: tuple[Colour, ...] = ((24, 26, 30), (34, 44, 66))
DARK_SURFACES = ("walnut", "dark_stain", "black_paint", "green_paint")
LIGHT_SURFACES = ("maple", "maple", "birch", "oak", "oak", "cherry")


def random_look(random: np.random.Generator) -> Look:
    """A random table as found in clubs and living rooms."""

    def one(names: tuple[str, ...]) -> str:
        return str(random.choice(names))

    dark = random.random() < 0.35
    surface = one(DARK_SURFACES if dark else LIGHT_SURFACES)
    lines = (LIGHT_LINES if dark else DARK_LINES)[int(random.integers(2))]
    rail = one(("maple", "oak", "cherry", "walnut", "dark_stain", "black_paint"))
    ditch = one((rail, surface, "felt_green", "felt_black", "felt_grey", "carpet_red"))
    peg = float(random.uniform(40, 190))
    colours = sorted(DISC_COLOURS)
    pair = [str(colour) for colour in random.choice(colours, 2, replace=False)]
    return Look(
        surface=surface,
        grain_angle=float(random.uniform(0, 180)),
        lines=lines,
        ditch=ditch,
        rail=rail,
        rail_shape="octagonal" if random.random() < 0.5 else "round",
        pegs=(peg * 0.9, peg * 0.95, peg),
        hole=one((surface, surface, "dark_stain", "black", "red_paint", "blue_paint", "green_paint", "white")),
        table=one(("oak", "pine", "cherry", "walnut", "white", "grey", "black", "cloth", "checked_cloth")),
        light_azimuth=float(random.uniform(0, 360)),
        light_elevation=float(random.uniform(40, 80)),
        shadow=float(random.uniform(0.12, 0.5)),
        contact=float(random.uniform(0.1, 0.35)),
        softness=float(random.uniform(2, 14)),
        falloff=float(random.uniform(0, 0.15)),
        glare=tuple(_random_glare(random) for _ in range(int(random.choice((0, 0, 1, 2))))),
        contrast=float(random.uniform(0.85, 1.15)),
        blur=float(random.uniform(0.4, 0.9)),
        quadrants_from=float(random.choice((17.5, 101.6))) if random.random() < 0.25 else None,
        numerals=bool(random.random() < 0.3),
        circles=tuple(_random_circle(random) for _ in range(int(random.choice((0, 0, 0, 1, 2))))),
        print_colour=((24, 26, 30), (40, 46, 150), (90, 150, 190), (140, 90, 40))[int(random.integers(4))],
        knots=tuple(_random_knot(random) for _ in range(int(random.choice((0, 0, 1, 3))))),
        screws=int(random.choice((0, 0, 0, 4, 8))),
        spares=tuple(_spare(random, pair) for _ in range(int(random.choice((0, 0, 4, 12))))),
    )


def _random_circle(random: np.random.Generator) -> tuple[float, float]:
    """A decorative circle between the lines, where a maker would put one."""
    inside, outside = ((40, 80), (125, 180), (225, 285))[int(random.integers(3))]
    return float(random.uniform(inside, outside)), float(random.uniform(0.8, 3.0))


def _random_knot(random: np.random.Generator) -> tuple[float, float, float]:
    radius, turn = random.uniform(30, 300), random.uniform(0, 2 * np.pi)
    return float(radius * np.cos(turn)), float(radius * np.sin(turn)), float(random.uniform(5, 16))


def _spare(random: np.random.Generator, pair: list[str]) -> tuple[float, float, str]:
    radius, turn = random.uniform(450, 560), random.uniform(0, 2 * np.pi)
    return float(radius * np.cos(turn)), float(radius * np.sin(turn)), pair[int(random.integers(2))]


def _random_glare(random: np.random.Generator) -> Glare:
    x, y = random.uniform(-300, 300, 2)
    sharp = random.random() < 0.4
    return Glare(
        x=float(x),
        y=float(y),
        radius=float(random.uniform(20, 55) if sharp else random.uniform(60, 160)),
        strength=float(random.uniform(120, 250) if sharp else random.uniform(25, 110)),
        softness=float(random.uniform(5, 15) if sharp else random.uniform(50, 120)),
        stretch=float(random.uniform(0.6, 1.6)),
    )


def grey(colour: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """(.., 1) the luma of colours (.., 3), as OpenCV computes it (ITU-R BT.601)."""
    return np.asarray(colour @ np.array((0.114, 0.587, 0.299), np.float32))[..., None]
