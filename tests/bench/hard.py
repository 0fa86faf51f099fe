"""Boards that are hard to read, traced by `tracing`, with truth: seeded, and split into halves.

One half (`TUNE`) is there to choose by, the other (`HELD`) to report. Of each board there are several pictures, and one
of it empty.
"""

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from controller.vision.calibration.camera import Camera, rotation_vector
from hardware.board import TOURNAMENT, Board, DiscSize
from hardware.devices import Image
from tests.bench import things
from tests.bench.materials import DISCS, FELTS, HOLES, SURFACES, rgb
from tests.bench.sensing import Sensor, exposure
from tests.bench.shapes import Body, Finish
from tests.bench.tracing import Lamp, Table, Tracer
from tests.bench.truth import TrueDisc, is_free, true_disc

TUNE, HELD = 0, 1
LAID = (6, 13)  # discs beside the hole, from and below
LEAST_LEAN, MOST_LEAN = 2.2, 6.8  # mm from the hole's axis to the middle of a disc that leans
RIM, PEG_ROOM, LEAST_APART = 296.0, 21.5, 32.3  # mm
SIZE = (1280, 960)
BEVEL = (0.2, 2.5)  # mm, of a dark bevel around the hole
EDGE = (0.5, 3.5)  # mm, of a disc's dark edge
BURNT = (0.1, 0.6)  # of their own colour that dark edges keep


ALIKE = (("maple", "natural"), ("oak", "tan"), ("black", "black"))
NEAR_PAIRS = (("tan", "natural"), ("black", "brown"), ("black", "natural"), ("red", "brown"), ("blue", "black"))


@dataclass(frozen=True)
class Hard:
    """A traced picture with its truth, and that of the same board without discs."""

    kind: str
    name: str
    image: Image
    empty: Image
    camera: Camera
    discs: tuple[TrueDisc, ...]
    board: Board
    hole: str  # what it is made of
    surface: str


PLAIN = Sensor()


@dataclass(frozen=True)
class Setting:
    """What is played with, and under what light; of one kind of board."""

    surface: str
    hole: str
    colours: tuple[str, ...]
    tilt: tuple[float, float] = (0.0, 18.0)  # degrees
    lamps: str = "even"
    sensor: Sensor = PLAIN
    white: float = 0.62
    glare: bool = False
    strewn: bool = False  # with hands and things
    together: float = 0.0  # share of the discs that touch another, or nearly
    out: float = 1.0  # how much of the board the picture shows across, times
    ringed: bool = False  # with a dark bevel around the hole, and discs with dark edges


def holes(random):
    """Any hole, any two colours."""
    hole = str(random.choice(list(HOLES)))
    surface = str(random.choice(["maple", "birch", "oak", "cherry", "walnut"]))
    first = "red" if random.random() < 0.25 else "black" if random.random() < 0.5 else ""
    others = [c for c in DISCS if c != first and not (surface in ("maple", "birch") and c == "natural")]
    second = str(random.choice(others))
    return Setting(surface, hole, (first or str(random.choice([c for c in others if c != second])), second))


def faint(random):
    """Discs like the board."""
    surface, alike = ALIKE[int(random.integers(3))]
    other = str(random.choice(["red", "blue", "white", "green"]))
    return Setting(surface, str(random.choice(["wood", "black"])), (alike, other), white=random.uniform(0.3, 0.7))


def sides(random):
    """Colours that are near each other in light that changes over the board."""
    surface = str(random.choice(["maple", "birch", "cherry", "walnut"]))
    pairs = [p for p in NEAR_PAIRS if surface not in ("maple", "birch") or "natural" not in p or p[0] == "tan"]
    pair = pairs[int(random.integers(len(pairs)))]
    return Setting(surface, "wood", pair, lamps="uneven")


def compressed(random):
    """JPEG at quality 60."""
    return replace(holes(random), sensor=Sensor(quality=60, noise=0.01))


def small(random):
    """A webcam of 640x480."""
    return replace(holes(random), sensor=Sensor(half=True, noise=0.008))


def cut(random):
    """The picture ends before the board does: at the rail, in the ditch, or on the surface."""
    return replace(holes(random), out=random.uniform(1.1, 1.9))


def blown(random):
    """Light boards under a mirrored lamp, exposed too long: much of the wood is as bright as the picture can show."""
    surface = str(random.choice(["white", "birch", "maple"]))
    return replace(
        holes(random), surface=surface, colours=("black", "red"), glare=True, white=random.uniform(0.95, 1.5)
    )


def glares(random):
    """A lamp that is mirrored in the board."""
    surface = str(random.choice(["maple", "white", "cherry", "walnut"]))
    return replace(holes(random), surface=surface, glare=True, white=random.uniform(0.6, 0.85))


def oblique(random):
    """A camera beside the table."""
    return replace(holes(random), tilt=(30.0, 50.0))


def beside(random):
    """Discs like the board, many in each other's shadow, under a low lamp or one that is mirrored."""
    surface, alike = ALIKE[int(random.integers(2))] if random.random() < 0.7 else ("maple", "natural")
    other, glare = str(random.choice(["black", "red", "blue", "tan"])), bool(random.random() < 0.25)
    lamps, white = str(random.choice(["low", "uneven"])), random.uniform(0.3, 0.8)
    return Setting(surface, "wood", (alike, other), lamps=lamps, white=white, glare=glare, together=0.6)


def strewn(random):
    """Hands over the board and beside it, sleeves, mugs, cloths and coins; in any light."""
    like = (holes, faint, glares, beside)[int(random.integers(4))](random)
    return replace(like, strewn=True)


def ringed(random):
    """A dark bevel around the hole, often a black hole, and discs with dark edges: rings within rings."""
    like = holes(random)
    return replace(like, hole="black" if random.random() < 0.6 else like.hole, ringed=True)


KINDS = {
    "holes": holes,
    "faint": faint,
    "sides": sides,
    "compressed": compressed,
    "glares": glares,
    "oblique": oblique,
    "small": small,
    "cut": cut,
    "blown": blown,
    "beside": beside,
    "strewn": strewn,
    "ringed": ringed,
}  # a kind's place in it is part of its boards' seed


def boards(kind, half, count):
    """The pictures of so many boards, each board's together: nothing at the hole, flat in it, leaning into it."""
    for k in range(count):
        random = np.random.default_rng((77, list(KINDS).index(kind), half, k))
        yield _pictures(kind, f"{kind}-{'th'[half]}{k:03}", KINDS[kind](random), random)


def _pictures(kind, name, setting, random):
    board = _board(random)
    tracer, sensor = Tracer(table_of(board, setting, random)), setting.sensor
    without, _ = tracer.lit(())
    exposed = exposure(without, setting.white)
    empty = sensor.picture(without, exposed, random)
    camera = tracer.table.camera.scaled(640, 480) if sensor.half else tracer.table.camera
    made = []
    for status in ("", "in_hole", "leaning"):
        laid = lay(random, board, setting.colours, int(random.integers(*LAID)), setting.together)
        if status:
            laid.insert(0, _at_hole(random, board, setting.colours[int(random.integers(2))], status))
        edge = (float(random.uniform(*EDGE)), float(random.uniform(*BURNT))) if setting.ringed else (0.0, 1.0)
        bodies = tuple(replace(_body(place, board.disc, random), edge=edge) for place in laid)
        others = things.strewn(random, board) if setting.strewn else ()
        light, hidden = tracer.lit(bodies, others)
        image = sensor.picture(light, exposed * random.uniform(0.93, 1.07), random)
        discs = tuple(
            true_disc(board, at["x"], at["y"], at["colour"], setting.colours, at["status"], gone)
            for at, gone in zip(laid, hidden, strict=True)
        )
        made.append(Hard(kind, f"{name}{status}", image, empty, camera, discs, board, setting.hole, setting.surface))
    return made


def _board(random):
    """Makers differ: in the hole's width and depth, and in the size of discs."""
    disc = DiscSize(random.uniform(15.75, 16.0), random.uniform(9.0, 10.0))
    return replace(TOURNAMENT, disc=disc, hole_radius=random.uniform(17.1, 17.9), hole_depth=random.uniform(4.8, 7.0))


def table_of(board, setting, random):
    surface = SURFACES[setting.surface]
    hole = HOLES[setting.hole] or (
        replace(surface, colour=tuple(0.8 * c for c in surface.colour), shine=0.0)
        if setting.hole == "wood"
        else Finish(FELTS[int(random.integers(len(FELTS)))], 0.10, 1.0, 0.0)
    )
    dark = setting.surface in ("black", "walnut")
    line = Finish(rgb(200, 196, 186)) if dark else Finish(rgb(36, 34, 34))
    camera = _camera(random, setting)
    if setting.glare:
        surface = replace(surface, shine=random.uniform(0.1, 0.35), gloss=random.uniform(80, 400))
    return Table(
        board,
        camera,
        surface,
        line,
        hole,
        ditch=Finish(rgb(52, 50, 52) if random.random() < 0.6 else rgb(40, 84, 56), 0.08),
        rail=SURFACES["walnut" if random.random() < 0.5 else "cherry"],
        around=Finish(rgb(*(int(v) for v in random.integers(50, 190, 3))), 0.03),
        peg=Finish(rgb(40, 40, 42) if not dark or random.random() < 0.5 else rgb(180, 150, 110), 0.0, 1.0, 0.1),
        lamps=_lamps(random, setting, camera),
        ambient=random.uniform(0.25, 0.7),
        chamfer=float(random.uniform(*(BEVEL if setting.ringed else (0.2, 1.2)))),
        seed=int(random.integers(1 << 30)),
        bevel=float(random.uniform(*BURNT)) if setting.ringed else 1.0,
    )


def _lamps(random, setting, camera):
    def tint():
        warm = random.uniform(-0.12, 0.2)
        return 1 - warm, 1 - 0.3 * abs(warm), 1 + 0.3 * warm

    away = partial(things.away, random)
    if setting.lamps == "low":  # a small one: shadows as long as discs, with sharp edges
        return (
            Lamp(*away(500, 900), random.uniform(450, 750), random.uniform(10, 60), 1.0, tint()),
            Lamp(*away(300, 900), 1500.0, 150.0, random.uniform(0.1, 0.5), tint()),
        )
    if setting.lamps == "uneven":
        near, far = away(250, 600), away(500, 1200)
        return (
            Lamp(*near, random.uniform(550, 900), random.uniform(30, 120), 1.0, tint()),
            Lamp(*far, random.uniform(900, 1800), random.uniform(60, 200), 0.5, tint()),
        )
    if setting.glare:
        x, y, z = camera.centre  # mirrored in the board, the lamp is seen some way off its middle
        at = away(60, 260)
        height = random.uniform(900, 1600)
        there = at[0] + (at[0] - x) * height / z, at[1] + (at[1] - y) * height / z
        return Lamp(there[0], there[1], height, random.uniform(40, 140), 1.0, tint()), Lamp(
            *away(500, 900), 1500.0, 150.0, 0.5, tint()
        )
    return tuple(
        Lamp(*away(100, 900), random.uniform(1000, 2000), random.uniform(40, 250), power, tint())
        for power in (1.0, 0.6)[: int(random.integers(1, 3))]
    )


def _camera(random, setting):
    """A camera that looks at about the board's middle and sees all of it."""
    tilt, bearing, away = (
        math.radians(random.uniform(*setting.tilt)),
        random.uniform(0, 2 * math.pi),
        random.uniform(950, 1400),
    )
    flat = away * math.sin(tilt)
    eye = np.array((flat * math.cos(bearing), flat * math.sin(bearing), away * math.cos(tilt)))
    aim = np.append(random.uniform(-12, 12, 2), 0.0)
    forward = (aim - eye) / np.linalg.norm(aim - eye)
    across = np.cross(
        forward, (math.cos(bearing + 0.3), math.sin(bearing + 0.3), 0.0) if tilt < 0.2 else (0.0, 0.0, 1.0)
    )
    across /= np.linalg.norm(across)
    turn = np.stack((across, np.cross(forward, across), forward))
    roll = random.uniform(-0.2, 0.2) if tilt > 0.2 else random.uniform(-math.pi, math.pi)
    spin = np.array(((math.cos(roll), -math.sin(roll), 0), (math.sin(roll), math.cos(roll), 0), (0, 0, 1)))
    turn = spin @ turn
    k1 = random.uniform(-0.12, 0.03)
    t = tuple(float(v) for v in -turn @ eye)
    width, height = SIZE
    camera = Camera(width, height, 1000.0, (width - 1) / 2, (height - 1) / 2, k1, rotation_vector(turn), t)
    return replace(camera, focal=float(1000.0 * setting.out * 0.97 / _fill(camera)))


def _fill(camera):
    """How far the board with its rail reaches from the picture's middle to its borders, 1 when it just touches one."""
    angles = np.linspace(0, 2 * np.pi, 60)
    rim = camera.project(np.column_stack((406 * np.cos(angles), 406 * np.sin(angles), np.full(60, 12.0))))
    return float(np.max(np.abs(rim - (camera.cx, camera.cy)) / (camera.width / 2, camera.height / 2)))


def lay(random, board, colours, count, together=0.0):
    """Discs flat on the surface, clear of each other, of pegs and of the hole."""
    spots = []
    while len(spots) < count:
        spot = _spot(random, spots, together)
        if 40.0 < math.hypot(*spot) < RIM and is_free(board, spots, spot, LEAST_APART, PEG_ROOM):
            spots.append(spot)
    return [disc_at(spot, colours[k % len(colours)]) for k, spot in enumerate(spots)]


def _spot(random, spots, together):
    """Anywhere; with this probability it is beside one of the others, with less than a radius between."""
    if spots and together and random.random() < together:
        x, y = spots[int(random.integers(len(spots)))]
        apart, turn = LEAST_APART + random.exponential(4.0), random.uniform(0, 2 * math.pi)
        return x + apart * math.cos(turn), y + apart * math.sin(turn)
    out, turn = math.sqrt(random.uniform(40.0**2, RIM**2)), random.uniform(0, 2 * math.pi)
    return out * math.cos(turn), out * math.sin(turn)


def disc_at(spot, colour, z=0.0, status="flat"):
    """A disc that lies level."""
    x, y = spot
    return {"x": x, "y": y, "z": z, "lean": 0.0, "towards": 0.0, "colour": colour, "status": status}


def _at_hole(random, board, colour, status):
    """A disc in the hole: flat on its floor, or its lower edge on the floor and its bottom on the opposite rim."""
    turn, radius = random.uniform(0, 2 * math.pi), board.disc.radius
    if status == "in_hole":
        out = (board.hole_radius - radius) * math.sqrt(random.random())
        return disc_at((out * math.cos(turn), out * math.sin(turn)), colour, -board.hole_depth, status)
    out = random.uniform(LEAST_LEAN, MOST_LEAN)
    low, high = 0.0, 1.0  # the lean at which the bottom just passes the rim's edge: found by halving
    for _ in range(40):
        lean = (low + high) / 2
        lowest = radius * math.cos(lean) - out  # beyond the axis
        gap = (lowest + board.hole_radius) * math.tan(lean) - board.hole_depth
        low, high = (lean, high) if gap < 0 else (low, lean)
    level = disc_at(
        (out * math.cos(turn), out * math.sin(turn)), colour, radius * math.sin(lean) - board.hole_depth, status
    )
    return {**level, "lean": lean, "towards": turn + math.pi}


def shaded(finish, random):
    """The same, a little lighter or darker: no two discs of a set are alike."""
    shade = random.uniform(0.93, 1.07)
    return replace(finish, colour=tuple(shade * c for c in finish.colour))


def _body(place, size, random):
    own = shaded(DISCS[str(place["colour"])], random)
    where = (float(place[part]) for part in ("x", "y", "z"))
    return Body(
        *where,
        size.radius,
        size.thickness,
        own,
        float(place["lean"]),
        float(place["towards"]),
        random.uniform(0.4, 1.5),
    )
