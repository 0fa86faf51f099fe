"""Hands, sleeves and things on and about a traced board: what may be taken for a disc. Millimetres, board frame."""

import math

import numpy as np

from tests.bench.materials import rgb
from tests.bench.shapes import Body, Finish, Limb, Slab

SKINS = ((242, 205, 180), (214, 164, 130), (158, 106, 76), (92, 60, 44))
CLOTHS = ((30, 32, 38), (214, 206, 190), (120, 40, 44), (44, 66, 120), (196, 160, 110), (90, 100, 84))
PLAIN = ((24, 24, 26), (232, 230, 224), (60, 90, 140), (150, 110, 70), (200, 170, 60), (150, 40, 40))
ARM = 420.0  # mm from wrist to where the arm leaves the picture
FINGERS = ((-28.0, 62.0), (-10.0, 76.0), (9.0, 74.0), (26.0, 58.0))  # mm beside the hand's middle, and long


def any_of(random, colours):
    """One of the colours, a little lighter or darker."""
    shade = random.uniform(0.8, 1.1)
    blue, green, red = rgb(*colours[int(random.integers(len(colours)))])
    return shade * blue, shade * green, shade * red


def hand(random, board):
    """A hand over the board, over its rail or beside a disc, with its sleeve; fingers stretched, bent, or a fist."""
    skin = Finish(any_of(random, SKINS), 0.02, 1.0, 0.04, 20.0)
    sleeve = Finish(any_of(random, CLOTHS), 0.08, 1.0, 0.0)
    out, turn = board.rail_radius * math.sqrt(random.uniform(0.15, 1.25)), random.uniform(0, 2 * math.pi)
    from_where, low = turn + random.uniform(-0.5, 0.5), random.uniform(12, 40)
    knuckles = np.array((out * math.cos(turn), out * math.sin(turn)))
    forth = -np.array((math.cos(from_where), math.sin(from_where)))
    beside = np.array((-forth[1], forth[0]))

    def at(along, across, height):
        x, y = knuckles + along * forth + across * beside
        return float(x), float(y), height

    for across in (-20.0, 0.0, 20.0):
        yield Limb(at(-70, 0.6 * across, low + 16), at(0, across, low + 8), 15.0, skin)
    bent = random.uniform(0, 1)
    for across, long in FINGERS:
        reach = long * (1 - 0.75 * bent) * random.uniform(0.85, 1.1)
        joint = at(reach * 0.6, across, low + 10 + 6 * bent)
        yield Limb(at(0, across, low + 6), joint, 9.0, skin)
        yield Limb(joint, at(reach, across * 0.9, max(8.0, low - 6 - 10 * bent)), 8.0, skin)
    thumb = at(-10, 44, low + 2)
    yield Limb(at(-55, 18, low + 10), thumb, 11.0, skin)
    yield Limb(thumb, at(25, 38, max(9.0, low - 6)), 9.5, skin)
    cuff = random.uniform(80, 240)
    yield Limb(at(-60, 0, low + 18), at(-cuff - 20, 0, low + 40), 27.0, skin)
    yield Limb(at(-cuff, 0, low + 40), at(-ARM, 0, low + 110), random.uniform(36, 50), sleeve)


def mug(random, board):
    """A mug, glass or bottle on the table beside the board, or on the rail, with its handle."""
    x, y = away(random, board.rail_radius + 5, board.rail_radius + 110)
    wide, high = random.uniform(27, 44), random.uniform(70, 150)
    foot = board.rail_height - board.surface_height if random.random() < 0.5 else -board.surface_height
    finish = Finish(any_of(random, PLAIN), 0.0, 1.0, 0.15, 60.0)
    yield Body(x, y, foot, wide, high, finish, rounding=3.0)
    yield Limb((x + wide, y, foot + 0.2 * high), (x + wide + 18, y, foot + 0.7 * high), 6.0, finish)


def spares(random, board):
    """Counters, coins and caps beside the board or on its rail: round, and none of a disc's size."""
    for _ in range(int(random.integers(2, 7))):
        x, y = away(random, board.rail_radius + 4, board.rail_radius + 60)
        wide = _no_discs_radius(random)
        finish = Finish(any_of(random, PLAIN), 0.02, 1.0, 0.1, 40.0)
        yield Body(x, y, board.rail_height - board.surface_height, wide, random.uniform(1.5, 12), finish)


def cloth(random, board):
    """A folded cloth, a sheet of paper or a telephone that hangs over the rail or lies on the board."""
    x, y = away(random, 0.4 * board.rail_radius, board.rail_radius + 80)
    inside = math.hypot(x, y) < board.surface_radius - 60
    finish = Finish(any_of(random, CLOTHS + PLAIN), float(random.choice([0.0, 0.08])), 1.0, 0.02)
    size = sorted((random.uniform(60, 100), random.uniform(120, 260)))
    low = 0.0 if inside else board.rail_height - board.surface_height
    high = random.uniform(0.5, 9.0)
    yield Slab(x, y, low, size[1], size[0], high, finish, random.uniform(0, math.pi))
    if random.random() < 0.5:  # a round mark printed on it
        mark = Finish(any_of(random, PLAIN), 0.0)
        yield Body(x, y, low + high, _no_discs_radius(random), 0.3, mark, rounding=0.1, stands=False)


THINGS = (hand, hand, mug, spares, cloth)


def strewn(random, board):
    """One to three of them."""
    return tuple(
        shape
        for _ in range(int(random.integers(1, 4)))
        for shape in THINGS[int(random.integers(len(THINGS)))](random, board)
    )


def _no_discs_radius(random):
    """Smaller than a disc's, or larger: what is flat, round and as large as a disc looks like one."""
    return float(random.choice([random.uniform(9.0, 13.0), random.uniform(19.0, 26.0)]))


def away(random, least, most):
    """A place so far from the hole."""
    out, turn = random.uniform(least, most), random.uniform(0, 2 * math.pi)
    return float(out * math.cos(turn)), float(out * math.sin(turn))
