"""What a simulated table looks like: woods, paints, colours and light, all as data. Colours are (blue, green, red)."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]


class Finish(NamedTuple):
    """A material: its mean colour, how strong its grain is (share of the colour), and the grain's kind."""

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
    "felt_green": Finish((48, 96, 24), 0.06, "felt"),
    "felt_black": Finish((32, 30, 30), 0.06, "felt"),
    "felt_grey": Finish((86, 84, 84), 0.06, "felt"),
    "carpet_red": Finish((24, 20, 124), 0.08, "felt"),
    "cloth": Finish((150, 70, 90), 0.03, "felt"),
    "checked_cloth": Finish((128, 112, 118), 0.14, "checks"),
}
"""Materials by name; colours after those of boards on photographs."""

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
"""The discs' colours by plain name."""


@dataclass(frozen=True, slots=True)
class Glare:
    """A lamp's or window's reflection on the surface: an ellipse with soft edges, in mm of the board frame."""

    x: float
    y: float
    radius: float
    strength: float  # grey levels added in its middle
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
    light_azimuth: float = 130.0  # where the light comes from
    light_elevation: float = 62.0
    shadow: float = 0.35  # share of the light that a shadow takes
    contact: float = 0.25  # share of the light that is missing right beside what stands on the surface
    softness: float = 7.0  # mm, width of a disc's half-shadow
    falloff: float = 0.06  # the light side is brighter by this share, the far side darker
    glare: tuple[Glare, ...] = ()
    contrast: float = 1.0
    blur: float = 0.55  # px, the lens's own


LIGHT_LINES: tuple[Colour, ...] = ((235, 238, 238), (200, 226, 236))
DARK_LINES: tuple[Colour, ...] = ((24, 26, 30), (34, 44, 66))
DARK_SURFACES = ("walnut", "dark_stain", "black_paint", "green_paint")
LIGHT_SURFACES = ("maple", "maple", "birch", "oak", "oak", "cherry")


def random_look(random: np.random.Generator) -> Look:
    """Any table that one may meet in a club or a living room."""

    def one(names: tuple[str, ...]) -> str:
        return str(random.choice(names))

    dark = random.random() < 0.35
    surface = one(DARK_SURFACES if dark else LIGHT_SURFACES)
    lines = (LIGHT_LINES if dark else DARK_LINES)[int(random.integers(2))]
    rail = one(("maple", "oak", "cherry", "walnut", "dark_stain", "black_paint"))
    ditch = one((rail, surface, "felt_green", "felt_black", "felt_grey", "carpet_red"))
    peg = float(random.uniform(40, 190))
    return Look(
        surface=surface,
        grain_angle=float(random.uniform(0, 180)),
        lines=lines,
        ditch=ditch,
        rail=rail,
        rail_shape="octagonal" if random.random() < 0.5 else "round",
        pegs=(peg * 0.9, peg * 0.95, peg),
        hole=one((surface, surface, "dark_stain", "black")),
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
    )


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
    """(.., 1) the brightness of colours (.., 3), as OpenCV turns them grey (ITU-R BT.601)."""
    return np.asarray(colour @ np.array((0.114, 0.587, 0.299), np.float32))[..., None]
