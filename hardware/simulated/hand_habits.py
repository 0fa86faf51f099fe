"""What a hand does with its disc before the flick, without a shot. The disc ends up where the player wants it.

Units: mm, seconds."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from hardware.board import seat_angle
from hardware.simulated.fall import DiscPose
from hardware.simulated.hands import CARRY_HEIGHT, Carry, Point, Reach, home, polar, smooth
from hardware.simulated.player_actions import CARRYING, FINGER, REACH, SECOND_THOUGHTS, PlayerActions, Waiting
from hardware.simulated.players import WIDEST_START

SLIDE = (5.0, 120.0)  # along the starting line, under the hand
ELSEWHERE = (40.0, 160.0)  # along the starting line: another place altogether
OFF = (1.5, 6.0)  # from where a disc is meant to lie, before it is tapped straight
SLIP = (15.0, 60.0)  # inwards, from under the finger
FALL = (20.0, 90.0)  # inwards, from the starting line: where a dropped disc comes down
ROLL_OUT = (5.0, 35.0)  # how far it slides on from there
SLIDING = (60.0, 250.0)  # mm/s of a disc under the hand
SLIPPING = (100.0, 300.0)  # mm/s of a disc that gets away
PAUSE = (0.1, 0.8)
ROOM = 1.0  # to the next disc
STEP = 5.0  # between the places at which a path is checked
HandHabit = Callable[[PlayerActions, int, str, Point], Waiting]


def slide(actions: PlayerActions, seat: int, disc: str, at: Point) -> Waiting:
    """Place it, and slide it along the starting line."""
    yield from _place_elsewhere_first(
        actions, seat, disc, at, SLIDE, lambda start: _slide_along_line(actions, seat, disc, start, at)
    )


def place_twice(actions: PlayerActions, seat: int, disc: str, at: Point) -> Waiting:
    """Place it, let go or not, lift it, and place it elsewhere on the line."""

    def change(start: Point) -> Waiting:
        if actions.happens(0.5):
            yield from actions.withdraw(seat, start)
            yield from actions.wait(actions.time(SECOND_THOUGHTS))
            yield from actions.reach(seat, home(seat), start, actions.time(REACH))
        yield from _move(actions, seat, disc, (start, at), actions.time(CARRYING), CARRY_HEIGHT)

    yield from _place_elsewhere_first(actions, seat, disc, at, ELSEWHERE, change)


def rethink(actions: PlayerActions, seat: int, disc: str, at: Point) -> Waiting:
    """Place it, aim with the finger behind it, and slide it elsewhere instead."""

    def change(start: Point) -> Waiting:
        behind = polar(
            math.hypot(*start) + actions.top.board.disc.radius + FINGER, math.degrees(math.atan2(*start[::-1]))
        )
        yield from actions.reach(seat, start, behind, actions.time(PAUSE), "flick")
        yield from actions.reach(seat, behind, behind, actions.time(SECOND_THOUGHTS), "flick")
        yield from actions.reach(seat, behind, start, actions.time(PAUSE))
        yield from _slide_along_line(actions, seat, disc, start, at)

    yield from _place_elsewhere_first(actions, seat, disc, at, ELSEWHERE, change)


def tap(actions: PlayerActions, seat: int, disc: str, at: Point) -> Waiting:
    """Place it some millimetres off, and tap it straight with the fingertips."""
    off, angle = actions.time(OFF), actions.random.uniform(0.0, 360.0)
    dx, dy = polar(off, angle)
    start = at[0] + dx, at[1] + dy
    if not _free(actions, disc, (start, at)):
        start = at
    yield from actions.place(seat, disc, start)
    half = (start[0] + at[0]) / 2, (start[1] + at[1]) / 2
    for here, there in pairwise((start, half, at)):
        raised = here[0] + 2 * dx / off * FINGER, here[1] + 2 * dy / off * FINGER
        yield from actions.reach(seat, here, raised, actions.time(PAUSE))
        yield from actions.reach(seat, raised, here, 0.1)
        yield from _move(actions, seat, disc, (here, there), 0.08, 0.0)


def drop(actions: PlayerActions, seat: int, disc: str, at: Point) -> Waiting:
    """It falls from the hand onto the board, slides on a little, and is carried back to the line."""
    radius, angle = math.hypot(*at), math.degrees(math.atan2(at[1], at[0]))
    down = radius - actions.time(FALL)
    fallen, end = polar(down, angle), polar(down - actions.time(ROLL_OUT), angle + actions.random.uniform(-6.0, 6.0))
    if not _free(actions, disc, (at, fallen, end)):
        yield from actions.place(seat, disc, at)
        return
    yield from actions.place(seat, disc, fallen)
    yield from _slip(actions, seat, disc, fallen, end)
    yield from _move(actions, seat, disc, (end, at), actions.time(CARRYING), CARRY_HEIGHT)


def slip(actions: PlayerActions, seat: int, disc: str, at: Point) -> Waiting:
    """It slips away from under the finger by some centimetres, and is carried or slid back."""
    angle = math.degrees(math.atan2(at[1], at[0])) + actions.random.uniform(-4.0, 4.0)
    end = polar(math.hypot(*at) - actions.time(SLIP), angle)
    yield from actions.place(seat, disc, at)
    if _free(actions, disc, (at, end)):
        yield from _slip(actions, seat, disc, at, end)
        lifted = actions.happens(0.5)
        yield from _move(actions, seat, disc, (end, at), actions.time(CARRYING), CARRY_HEIGHT if lifted else 0.0)


HAND_HABITS: Mapping[str, HandHabit] = {
    "slide": slide,
    "place_twice": place_twice,
    "rethink": rethink,
    "tap": tap,
    "drop": drop,
    "slip": slip,
}
"""By the habit's name."""


def choose_habit(actions: PlayerActions) -> HandHabit | None:
    """Draw what this player does, if anything. A habit of probability 0 draws no random number."""
    for name, habit in HAND_HABITS.items():
        often = getattr(actions.habits, name)
        if often and actions.happens(often):
            return habit
    return None


def _place_elsewhere_first(
    actions: PlayerActions,
    seat: int,
    disc: str,
    at: Point,
    span: tuple[float, float],
    change: Callable[[Point], Waiting],
) -> Waiting:
    """Place it elsewhere on the line and `change` that place to `at`; if nowhere is free, place it at `at`."""
    start = _free_start(actions, seat, disc, at, actions.time(span))
    yield from actions.place(seat, disc, start or at)
    if start is not None:
        yield from actions.reach(seat, start, start, actions.time(PAUSE))
        yield from change(start)


def _slide_along_line(actions: PlayerActions, seat: int, disc: str, start: Point, at: Point) -> Waiting:
    path = _along_line(start, at)
    seconds = sum(math.dist(a, b) for a, b in pairwise(path)) / actions.time(SLIDING)
    yield from _move(actions, seat, disc, path, max(seconds, 0.1), 0.0)


def _slip(actions: PlayerActions, seat: int, disc: str, at: Point, end: Point) -> Waiting:
    """It slides away by itself; the hand hesitates, then follows it."""
    seconds = math.dist(at, end) / actions.time(SLIPPING)
    loose = Reach(seat, "place", ((actions.t, at), (actions.t + seconds, end)))
    actions.top.carry(
        Carry(disc, loose, loose.begin, loose.end, actions.top.discs[disc], DiscPose("surface", *end), height=0.0)
    )
    yield from actions.reach(seat, at, at, seconds + actions.time(PAUSE))
    yield from actions.reach(seat, at, end, actions.time(PAUSE))


def _move(
    actions: PlayerActions, seat: int, disc: str, path: Sequence[Point], seconds: float, height: float
) -> Waiting:
    """The hand moves the disc along a path at this height above the surface, and stays with it."""
    times = np.linspace(actions.t, actions.t + seconds, len(path))
    reach = Reach(seat, "place", tuple(zip(times.tolist(), path, strict=True)))
    actions.top.reaches.append(reach)
    goal = DiscPose("surface", *path[-1])
    actions.top.carry(Carry(disc, reach, reach.begin, reach.end, actions.top.discs[disc], goal, height=height))
    yield from actions.until(reach.end)


def _free_start(actions: PlayerActions, seat: int, disc: str, at: Point, away: float) -> Point | None:
    """A place `away` mm along the line on either side, with a free path to `at`; None if there is none."""
    radius, angle = math.hypot(*at), math.degrees(math.atan2(at[1], at[0]))
    turn = math.degrees(away / radius) * (1 if actions.happens(0.5) else -1)
    for to in (angle + turn, angle - turn):
        from_middle = (to - seat_angle(seat) + 180.0) % 360.0 - 180.0
        if abs(from_middle) <= WIDEST_START and _free(actions, disc, _along_line(polar(radius, to), at)):
            return polar(radius, to)
    return None


def _along_line(start: Point, end: Point) -> list[Point]:
    radius, first = math.hypot(*end), math.degrees(math.atan2(start[1], start[0]))
    turn = (math.degrees(math.atan2(end[1], end[0])) - first + 180.0) % 360.0 - 180.0
    count = max(math.ceil(math.dist(start, end) / STEP), 1)
    between = [polar(radius, first + turn * smooth(k / count)) for k in range(1, count)]
    return [start, *between, end]


def _free(actions: PlayerActions, disc: str, path: Sequence[Point]) -> bool:
    """Whether a disc can slide along this path without touching another."""
    others = [(d.x, d.y) for name, d in actions.top.discs.items() if d.at == "surface" and name != disc]
    least = 2 * actions.top.board.disc.radius + ROOM
    for (ax, ay), (bx, by) in pairwise(path):
        for share in np.linspace(0.0, 1.0, max(math.ceil(math.dist((ax, ay), (bx, by)) / STEP), 1) + 1).tolist():
            at = ax + (bx - ax) * share, ay + (by - ay) * share
            if any(math.dist(at, other) < least for other in others):
                return False
    return True
