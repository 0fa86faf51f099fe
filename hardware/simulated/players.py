"""The simulated players' decisions: where to place the disc, what to aim at, and how accurately they shoot.

These figures and the physics' friction together make rounds like real ones. "Simulated": 320 singles rounds by the
NCA's rules. "Real": 8,797 rounds and 22,617 players' rounds of competitive finger play, 2009 to 2020.

|                                              | simulated | real        |
| -------------------------------------------- | --------- | ----------- |
| twenties per player and round                | 1.71      | 1.67        |
| players' rounds without a twenty             | 23.6 %    | 23.6 %      |
| players' rounds with six twenties or more    | 3.6 %     | 1.9 %       |
| rounds in which both sides have equally many | 33 %      | 31 %        |
| tied rounds                                  | 8.7 %     | 6.3 %       |
| shots that are fouls                         | 7.4 %     | not counted |
| shots that make a disc come back off the rail | 0.8 %    | not counted |
| shots that leave a disc leaning              | 0.4 %     | not counted |
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hardware.board import Board, seat_angle
from hardware.simulated.fall import GRAVITY, DiscPose
from hardware.simulated.physics import SLIDING_FRICTION

Floats = NDArray[np.float64]
Point = tuple[float, float]
WIDEST_START = 40.0  # degrees from the seat's middle: the disc stays within its quadrant
STARTS = 33  # places along the starting line that a player considers
START_PLAY = 6.0  # mm inside or outside the starting line's middle: the disc touches it in any case
ROOM = 3.0  # mm that a player wants between the line of the shot and an obstacle
ROOM_WORTH = 5.0  # points off for each missing mm; the figures below are in the same points
CUTS = (0.0, -0.5, 0.5)  # off-centre distance of the hit, as a share of the diameter; 0 is full
CUT_COST = 12.0
DISTANCE_COST = 0.1  # for each mm between target and hole: discs near the hole are worth more
WHIM = 8.0  # standard deviation of a player's preferences
INTO_HOLE = (350.0, 450.0)  # mm/s at the hole: a miss ends within the 15 line
TAKE_OUT = (500.0, 1700.0)  # mm/s at the opponent's disc: most knock it off the surface


@dataclass(frozen=True, slots=True)
class Skill:
    """A player's accuracy."""

    angle: float = 1.25  # degrees, standard deviation of the direction
    speed: float = 0.055  # standard deviation, as a share of the speed
    spread: float = 0.4  # standard deviation of the logarithm of both between players

    def of_player(self, random: np.random.Generator) -> "Skill":
        factor = float(np.exp(random.normal(0.0, self.spread)))
        return Skill(self.angle * factor, self.speed * factor, 0.0)


@dataclass(frozen=True, slots=True)
class Habits:
    """How tidy the players are: probabilities, each per occasion."""

    slow: float = 0.05  # does something in two to four times the usual time
    hover: float = 0.03  # holds a hand over the board before placing
    forget_twenty: float = 0.02  # leaves a twenty in the hole until after the next shot
    forget_removal: float = 0.01  # leaves a disc that must come off until after the next shot
    never_remove: bool = False  # leaves such discs until the round is over
    haste: float = 0.0  # places the disc before the last one rests
    prompt: float = 0.0  # and then shoots at once
    take_back: float = 0.0  # takes a placed disc back and places it again
    wrong_removal: float = 0.0  # takes a wrong disc off first
    nudge: float = 0.0  # pushes a disc with the sleeve
    phone: float = 0.0  # lays a phone on the board
    slide: float = 0.0  # slides the placed disc along the starting line; for this and the following see `hand_habits`
    place_twice: float = 0.0
    rethink: float = 0.0  # aims, then decides otherwise
    tap: float = 0.0
    drop: float = 0.0
    slip: float = 0.0

    @classmethod
    def with_faults(cls, faults: Collection[str]) -> "Habits":
        """The usual habits with those of these faults; see `faults.PEOPLE`."""
        chosen: dict[str, float] = {}
        for fault in faults:  # the result does not depend on the order, which differs between processes
            for habit, often in BAD_HABITS.get(fault, {}).items():
                chosen[habit] = max(often, chosen.get(habit, 0.0))
        return replace(cls(), **chosen)  # type: ignore[arg-type]


BAD_HABITS: Mapping[str, Mapping[str, float]] = {
    "haste": {"haste": 0.4},
    "two-shots": {"haste": 0.15, "prompt": 1.0},
    "taken-back": {"take_back": 0.15},
    "late-removal": {"forget_removal": 0.5},
    "wrong-removal": {"wrong_removal": 0.4},
    "forgotten-removal": {"never_remove": True},
    "forgotten-twenty": {"forget_twenty": 0.4},
    "nudged": {"nudge": 0.08},
    "phone": {"phone": 0.04},
    "slid": {"slide": 0.5},
    "placed-twice": {"place_twice": 0.3},
    "second-thoughts": {"rethink": 0.3},
    "tapped": {"tap": 0.5},
    "dropped": {"drop": 0.15},
    "carried-back": {"slip": 0.15},
}
"""Each fault's habits and their probabilities."""


@dataclass(frozen=True, slots=True)
class Flick:
    """A disc as it leaves the finger: place in mm, velocity in mm/s."""

    x: float
    y: float
    vx: float
    vy: float


def choose_flick(
    board: Board,
    discs: Mapping[str, DiscPose],
    seat: int,
    targets: Sequence[str],
    skill: Skill,
    random: np.random.Generator,
) -> Flick:
    """Place, aim and flick: at the target with the clearest line, or at the hole if there is no target."""
    starts = _free_starts(board, discs, seat, random)
    standing = {disc: lying for disc, lying in discs.items() if lying.at != "ditch"}
    obstacles = {disc: (lying.x, lying.y, 2 * board.disc.radius) for disc, lying in standing.items()}
    pegs = [(x, y, board.disc.radius + board.peg_radius) for x, y in board.pegs]
    chosen: tuple[float, Floats, Point] = (-math.inf, starts[0], (0.0, 0.0))
    for target, cut, aim in _aims(board, standing, seat, targets):
        others = np.array(pegs + [place for disc, place in obstacles.items() if disc != target])
        room = np.minimum(_clearance(starts, np.array(aim), others) - ROOM, 0.0)
        worth = room * ROOM_WORTH - CUT_COST * abs(cut) - DISTANCE_COST * math.hypot(*aim)
        worth += random.normal(0.0, WHIM, len(starts))
        k = int(np.argmax(worth))
        chosen = max(chosen, (float(worth[k]), starts[k], aim), key=lambda choice: choice[0])
    _, start, aim = chosen
    arrival = random.uniform(*(TAKE_OUT if targets else INTO_HOLE))
    return _flick(start, aim, arrival, skill, random)


def _aims(
    board: Board, standing: Mapping[str, DiscPose], seat: int, targets: Sequence[str]
) -> Iterator[tuple[str | None, float, Point]]:
    """The possible aims: target, cut and point. Without a target, the hole."""
    side_x, side_y = -math.sin(math.radians(seat_angle(seat))), math.cos(math.radians(seat_angle(seat)))
    for target in targets:
        for cut in CUTS:
            aside = 2 * board.disc.radius * cut
            yield target, cut, (standing[target].x + aside * side_x, standing[target].y + aside * side_y)
    if not targets:
        yield None, 0.0, (0.0, 0.0)


def _flick(start: Floats, aim: Point, arrival: float, skill: Skill, random: np.random.Generator) -> Flick:
    """A flick for the speed `arrival` at the aim, with the noise of the skill."""
    dx, dy = aim[0] - float(start[0]), aim[1] - float(start[1])
    speed = math.sqrt(arrival**2 + 2 * SLIDING_FRICTION * GRAVITY * math.hypot(dx, dy))
    speed = min(max(speed * random.normal(1.0, skill.speed), 500.0), 3000.0)
    angle = math.atan2(dy, dx) + math.radians(random.normal(0.0, skill.angle))
    return Flick(float(start[0]), float(start[1]), speed * math.cos(angle), speed * math.sin(angle))


def _free_starts(board: Board, discs: Mapping[str, DiscPose], seat: int, random: np.random.Generator) -> Floats:
    """Free places (n, 2) on the seat's starting line."""
    angles = np.radians(seat_angle(seat) + np.linspace(-WIDEST_START, WIDEST_START, STARTS))
    radius = board.outer_line + random.uniform(-START_PLAY, START_PLAY)
    starts: Floats = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
    taken = np.array([(d.x, d.y) for d in discs.values() if d.at == "surface"]).reshape(-1, 2)
    gaps = np.hypot(*(starts[:, None] - taken[None]).transpose(2, 0, 1)).min(axis=1, initial=math.inf)
    free: Floats = starts[gaps > 2 * board.disc.radius + 1.0]
    return free if len(free) else starts[[int(np.argmax(gaps))]]


def _clearance(starts: Floats, aim: Floats, obstacles: Floats) -> Floats:
    """For each start (n, 2), the gap in mm between the line to `aim` and the nearest of `obstacles` (m, 3)."""
    way = aim - starts
    length = np.hypot(way[:, 0], way[:, 1])[:, None]
    unit = way / length
    to = obstacles[None, :, :2] - starts[:, None]
    along = np.clip((to * unit[:, None]).sum(axis=2), 0.0, length)
    gap = np.hypot(*(to - along[:, :, None] * unit[:, None]).transpose(2, 0, 1)) - obstacles[None, :, 2]
    least: Floats = gap.min(axis=1, initial=math.inf)
    return least
