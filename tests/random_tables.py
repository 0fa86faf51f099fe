"""Random tables and cameras, as found in clubs and living rooms."""

import math

import numpy as np

from hardware.simulated.lens import CameraPose
from hardware.simulated.look import DISC_COLOURS, Glare, Look

LIGHT_LINES = ((235, 238, 238), (200, 226, 236))
DARK_LINES = ((24, 26, 30), (34, 44, 66))
DARK_SURFACES = ("walnut", "dark_stain", "black_paint", "green_paint")
LIGHT_SURFACES = ("maple", "maple", "birch", "oak", "oak", "cherry")


def random_look(random):
    """A random table as found in clubs and living rooms."""

    def one(names):
        return str(random.choice(names))

    dark = random.random() < 0.35
    surface = one(DARK_SURFACES if dark else LIGHT_SURFACES)
    lines = (LIGHT_LINES if dark else DARK_LINES)[int(random.integers(2))]
    rail = one(("maple", "oak", "cherry", "walnut", "dark_stain", "black_paint"))
    ditch = one((rail, surface, "felt_green", "felt_black", "felt_grey", "carpet_red"))
    peg = random.uniform(40, 190)
    colours = sorted(DISC_COLOURS)
    pair = [str(colour) for colour in random.choice(colours, 2, replace=False)]
    return Look(
        surface=surface,
        grain_angle=random.uniform(0, 180),
        lines=lines,
        ditch=ditch,
        rail=rail,
        rail_shape="octagonal" if random.random() < 0.5 else "round",
        pegs=(peg * 0.9, peg * 0.95, peg),
        hole=one((surface, surface, "dark_stain", "black", "red_paint", "blue_paint", "green_paint", "white")),
        table=one(("oak", "pine", "cherry", "walnut", "white", "grey", "black", "cloth", "checked_cloth")),
        light_azimuth=random.uniform(0, 360),
        light_elevation=random.uniform(40, 80),
        shadow=random.uniform(0.12, 0.5),
        contact=random.uniform(0.1, 0.35),
        softness=random.uniform(2, 14),
        falloff=random.uniform(0, 0.15),
        glare=tuple(_random_glare(random) for _ in range(int(random.choice((0, 0, 1, 2))))),
        contrast=random.uniform(0.85, 1.15),
        blur=random.uniform(0.4, 0.9),
        quadrants_from=float(random.choice((17.5, 101.6))) if random.random() < 0.25 else None,
        numerals=bool(random.random() < 0.3),
        circles=tuple(_random_circle(random) for _ in range(int(random.choice((0, 0, 0, 1, 2))))),
        print_colour=((24, 26, 30), (40, 46, 150), (90, 150, 190), (140, 90, 40))[int(random.integers(4))],
        knots=tuple(_random_knot(random) for _ in range(int(random.choice((0, 0, 1, 3))))),
        screws=int(random.choice((0, 0, 0, 4, 8))),
        spares=tuple(_spare(random, pair) for _ in range(int(random.choice((0, 0, 4, 12))))),
    )


def _random_circle(random):
    """A decorative circle between the lines, where a maker would put one."""
    inside, outside = ((40, 80), (125, 180), (225, 285))[int(random.integers(3))]
    return random.uniform(inside, outside), random.uniform(0.8, 3.0)


def _random_knot(random):
    radius, turn = random.uniform(30, 300), random.uniform(0, 2 * np.pi)
    return float(radius * np.cos(turn)), float(radius * np.sin(turn)), random.uniform(5, 16)


def _spare(random, pair):
    radius, turn = random.uniform(450, 560), random.uniform(0, 2 * np.pi)
    return float(radius * np.cos(turn)), float(radius * np.sin(turn)), pair[int(random.integers(2))]


def _random_glare(random):
    x, y = random.uniform(-300, 300, 2)
    sharp = random.random() < 0.4
    return Glare(
        x=float(x),
        y=float(y),
        radius=float(random.uniform(20, 55) if sharp else random.uniform(60, 160)),
        strength=float(random.uniform(120, 250) if sharp else random.uniform(25, 110)),
        softness=float(random.uniform(5, 15) if sharp else random.uniform(50, 120)),
        stretch=random.uniform(0.6, 1.6),
    )


def random_pose(random):
    """A typical camera: 70 to 125 cm up, tilted by up to 30 degrees, with the whole board in view."""
    height, tilt = random.uniform(700, 1250), math.radians(random.triangular(0, 4, 30))
    azimuth = random.uniform(0, 2 * math.pi)
    across = height * math.tan(tilt)
    position = (across * math.cos(azimuth), across * math.sin(azimuth), height)
    x, y = random.normal(0, 12, 2)
    # At 1.22 px/mm a board of 790 mm fills the picture's 960 lines; a tilt enlarges its near side.
    scale = random.uniform(1.1, 1.22) * (1 - 0.3 * math.sin(tilt) * 400 / height)
    return CameraPose(
        position=position,
        look_at=(float(x), float(y), 0.0),
        roll=random.uniform(-180, 180),
        focal=float(scale * np.linalg.norm(position)),
        k1=random.uniform(-0.11, 0.11),
        principal=(639.5 + random.normal(0, 3), 479.5 + random.normal(0, 3)),
    )
