"""What the simulated players decide: where to place the disc, what to aim at, and how well they hit it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.board import Board, seat_angle
from hardware.simulated.fall import GRAVITY, Lying
from hardware.simulated.physics import SLIDING_FRICTION

Floats = NDArray[np.float64]

WIDEST_START = 40.0  # degrees from the seat's middle: the disc stays within its quadrant
STARTS = 33  # places along the starting line that a player considers
START_PLAY = 6.0  # mm inside or outside the starting line's middle: the disc touches it in any case
ROOM = 3.0  # mm that a player wants between the line of the shot and what stands beside it
INTO_HOLE = 400.0  # mm/s over the hole: a miss still ends within the 15 line
TAKE_OUT = 950.0  # mm/s at the opponent's disc: drives it off the surface from nearly everywhere


@dataclass(frozen=True, slots=True)
class Skill:
    """How well a player does what he wants."""

    angle: float = 1.0  # degrees, standard deviation of the direction
    speed: float = 0.05  # standard deviation, as a share of the speed


@dataclass(frozen=True, slots=True)
class Habits:
    """How tidy the players are: probabilities, each per occasion."""

    slow: float = 0.05  # does something in two to four times the usual time
    hover: float = 0.03  # holds a hand over the board before placing
    forget_twenty: float = 0.02  # leaves a twenty in the hole until after the next shot
    forget_removal: float = 0.01  # leaves a disc that must come off until after the next shot


@dataclass(frozen=True, slots=True)
class Flick:
    """A shot as it leaves the finger: place in mm, speed in mm/s."""

    x: float
    y: float
    vx: float
    vy: float


def choose_flick(
    board: Board,
    discs: Mapping[str, Lying],
    seat: int,
    targets: Sequence[str],
    skill: Skill,
    random: np.random.Generator,
) -> Flick:
    """Place, aim and flick: at one of `targets` with a clear line, or at the hole when there is none to hit."""
    starts = _free_starts(board, discs, seat, random)
    standing = {disc: lying for disc, lying in discs.items() if lying.at != "ditch"}
    aims = [(standing[disc].x, standing[disc].y) for disc in targets if disc in standing]
    around = np.array([(d.x, d.y, 2 * board.disc.radius) for d in standing.values()]).reshape(-1, 3)
    pegs = np.array([(x, y, board.disc.radius + board.peg_radius) for x, y in board.pegs])
    best, best_worth = (starts[0], (0.0, 0.0)), -math.inf
    for aim in aims or [(0.0, 0.0)]:
        others = around[np.hypot(around[:, 0] - aim[0], around[:, 1] - aim[1]) > 1e-6] if aims else around
        room = _clearance(starts, np.array(aim), np.concatenate([pegs, others]))
        worth = np.minimum(room - ROOM, 0.0) * 5.0 - 0.1 * math.hypot(*aim) + random.normal(0.0, 8.0, len(starts))
        k = int(np.argmax(worth))
        if worth[k] > best_worth:
            best, best_worth = (starts[k], aim), float(worth[k])
    return _flick(best[0], best[1], TAKE_OUT if aims else INTO_HOLE, skill, random)


def _flick(start: Floats, aim: tuple[float, float], arrival: float, skill: Skill, random: np.random.Generator) -> Flick:
    """As meant: to have the speed `arrival` at the aim. As done: with the noise of the skill."""
    dx, dy = aim[0] - float(start[0]), aim[1] - float(start[1])
    speed = math.sqrt(arrival**2 + 2 * SLIDING_FRICTION * GRAVITY * math.hypot(dx, dy))
    speed = min(max(speed * random.normal(1.0, skill.speed), 500.0), 3000.0)
    angle = math.atan2(dy, dx) + math.radians(random.normal(0.0, skill.angle))
    return Flick(float(start[0]), float(start[1]), speed * math.cos(angle), speed * math.sin(angle))


def _free_starts(board: Board, discs: Mapping[str, Lying], seat: int, random: np.random.Generator) -> Floats:
    """Places (n, 2) on the seat's starting line where a disc can be put down."""
    angles = np.radians(seat_angle(seat) + np.linspace(-WIDEST_START, WIDEST_START, STARTS))
    radius = board.outer_line + random.uniform(-START_PLAY, START_PLAY)
    starts: Floats = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
    taken = np.array([(d.x, d.y) for d in discs.values() if d.at == "surface"]).reshape(-1, 2)
    gaps = np.hypot(*(starts[:, None] - taken[None]).transpose(2, 0, 1)).min(axis=1, initial=math.inf)
    free: Floats = starts[gaps > 2 * board.disc.radius + 1.0]
    return free if len(free) else starts[[int(np.argmax(gaps))]]


def _clearance(starts: Floats, aim: Floats, obstacles: Floats) -> Floats:
    """For each start (n, 2), the room in mm between the line to `aim` and the nearest of `obstacles` (m, 3)."""
    way = aim - starts
    length = np.hypot(way[:, 0], way[:, 1])[:, None]
    unit = way / length
    to = obstacles[None, :, :2] - starts[:, None]
    along = np.clip((to * unit[:, None]).sum(axis=2), 0.0, length)
    gap = np.hypot(*(to - along[:, :, None] * unit[:, None]).transpose(2, 0, 1)) - obstacles[None, :, 2]
    least: Floats = gap.min(axis=1, initial=math.inf)
    return least
