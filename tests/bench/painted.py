"""Painted boards of every kind, with truth: any wood, light, lens and pose, and lines where other makers draw them."""

import math
from dataclasses import replace

import numpy as np

from controller.vision.calibration.camera import Camera, rotation_vector
from hardware.board import INCH, TOURNAMENT
from hardware.simulated.fall import LEAST_LEAN, MOST_LEAN, ditch_spot, flat_in_hole, leaning_on_rim
from hardware.simulated.look import DISC_COLOURS
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Hand, Scene, SceneDisc
from tests.bench.truth import TruePicture, inner_edges, is_free, true_disc
from tests.random_tables import random_look, random_pose

LEAST_APART = 31.9  # mm between middles: touching
RIM = 300.0  # mm from the hole: where discs are laid at most
NEAR_A_LINE = 1.5  # mm
SHARE_NEAR = 1 / 3  # of the discs
PEG_ROOM = 21.0  # mm from a peg's axis
OTHER_BOARDS = 0.5  # of the boards: other than the tournament's


def boards(count, seed):
    """As many random tables, each with its empty picture, ten to sixteen discs and now and then a hand."""
    for k in range(count):
        random = np.random.default_rng((seed, k))
        board = random_board(random) if random.random() < OTHER_BOARDS else TOURNAMENT
        painter = Painter(board, random_look(random), random_pose(random), seed=k)
        colours = [str(c) for c in random.choice(list(DISC_COLOURS), 2, replace=False)]
        laid = lay(random, board, (colours[0], colours[1]), int(random.integers(8, 15)))
        if random.random() < 0.6:
            laid.append(at_the_hole(random, board, colours[int(random.integers(2))]))
        laid.append(in_the_ditch(random, board, colours[0]))
        hands = (hand(random),) if random.random() < 0.15 else ()
        scene = Scene(1.0, tuple(disc for disc, _ in laid), hands)
        camera = camera_of(painter.pose)
        discs = tuple(true_disc(board, disc.x, disc.y, disc.colour, colours, status) for disc, status in laid)
        if hands:  # how much of what it hides the painter does not tell: its discs are no unobstructed ones
            discs = tuple(replace(disc, occluded=math.nan) for disc in discs)
        yield TruePicture(
            f"painted_{seed}_{k:03}",
            painter.full(scene),
            camera,
            discs,
            board,
            painter.full(Scene(0.0)),
        )


def random_board(random):
    """Octagonal and vintage boards, and the pegs and line widths of makers who follow no standard."""
    fifteen = random.uniform(3.8, 4.1) * INCH
    turn = float(random.choice((0.0, 0.0, random.uniform(-4, 4))))
    return replace(
        TOURNAMENT,
        name="other",
        fifteen_line=fifteen,
        ten_line=float(random.choice((8.0, 8.6, random.uniform(7.9, 8.65)))) * INCH,
        peg_circle=fifteen,
        peg_angles=tuple(angle + turn for angle in TOURNAMENT.peg_angles),
        line_width=random.uniform(1.2, 2.4),
    )


def camera_of(pose):
    """The painter's camera in the words of the calibration."""
    x, y, z = (float(v) for v in pose.t)
    return Camera(pose.width, pose.height, pose.focal, *pose.axis, pose.k1, rotation_vector(pose.rotation), (x, y, z))


def lay(random, board, colours, count):
    """Discs flat on the surface, a third of them within `NEAR_A_LINE` of touching a line."""
    spots = []
    lines = inner_edges(board)
    while len(spots) < count:
        out = math.sqrt(random.uniform(36.0**2, RIM**2))
        if random.random() < SHARE_NEAR:
            out = float(random.choice(lines)) - board.disc.radius + random.uniform(-NEAR_A_LINE, NEAR_A_LINE)
        turn = random.uniform(0, 2 * math.pi)
        spot = (out * math.cos(turn), out * math.sin(turn))
        if is_free(board, spots, spot, LEAST_APART, PEG_ROOM):
            spots.append(spot)
    return [(SceneDisc(f"d{k}", colours[k % 2], x, y), "flat") for k, (x, y) in enumerate(spots)]


def at_the_hole(random, board, colour):
    """A disc that lies flat in the hole or leans on its rim, and which of the two."""
    towards, leans = random.uniform(0, 2 * math.pi), random.random() < 0.5
    if leans:
        lying = leaning_on_rim(board, towards, random.uniform(LEAST_LEAN, MOST_LEAN))
    else:
        lying = flat_in_hole(board, towards, random.uniform(0, 1))
    disc = SceneDisc("h", colour, lying.x, lying.y, lying.z, lying.tilt, lying.tilt_towards)
    return disc, "leaning" if leans else "in_hole"


def in_the_ditch(random, board, colour):
    """A disc that has been taken off."""
    x, y = ditch_spot(board, random.uniform(0, 2 * math.pi), ())
    return SceneDisc("o", colour, x, y, -board.surface_height), "ditch"


def hand(random):
    """Somebody's hand, somewhere over the board."""
    out, turn = random.uniform(80, 320), random.uniform(0, 2 * math.pi)
    return Hand(int(random.integers(1, 5)), out * math.cos(turn), out * math.sin(turn))
