"""A hand with its arm for traced pictures, from the keys of a filmed round's truth. Millimetres in the board frame."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.bench.shapes import Finish, Limb, Point

# Where the tips of thumb, index, middle, ring and little finger are: mm before the grip, beside it and above it.
POSES: Mapping[str, tuple[Point, ...]] = {
    "pinch": ((4, 17, 9), (4, -17, 9), (-14, -26, 22), (-26, -30, 26), (-36, -34, 28)),
    "relaxed": ((-30, 40, 16), (0, 12, 14), (0, -8, 14), (-6, -26, 15), (-22, -42, 17)),
    "flick0": ((-24, 6, 12), (-27, 0, 10), (-40, -16, 24), (-48, -24, 26), (-56, -32, 28)),
    "flick1": ((-34, 34, 16), (-17, 0, 9), (-34, -16, 24), (-44, -24, 26), (-54, -32, 28)),
    "open": ((-26, 46, 12), (0, 22, 10), (8, 2, 10), (2, -20, 10), (-16, -40, 10)),
    "point": ((-50, 20, 10), (0, 0, 8), (-50, -10, 14), (-54, -22, 16), (-58, -34, 18)),
    "sweep": ((-30, 48, 10), (-4, 24, 9), (2, 4, 9), (-4, -16, 9), (-18, -38, 9)),
}
KNUCKLES: tuple[Point, ...] = ((-70, 30, 34), (-62, 20, 38), (-58, 2, 40), (-62, -16, 38), (-70, -32, 34))
WRIST: Point = (-150, 0, 48)
THUMBS_ROOT: Point = (-120, 14, 44)
SHOULDER = 950.0, 260.0  # mm from the hole, and above the surface
LOWEST = 8.0  # mm: the middle of a finger that lies on the board


@dataclass(frozen=True)
class Grip:
    """Where a hand is at one time: the place that it grips, where its fingers point (radians), and their tips."""

    place: Point
    towards: float
    tips: tuple[Point, ...]


def grip_at(keys: Sequence[Mapping[str, Any]], t: float) -> Grip | None:
    """The grip between the keys of a truth's hand (`t` s, `g` mm, `pose`, `dir` radians); None before and after."""
    pair = next(((a, b) for a, b in pairwise(keys) if a["t"] <= t <= b["t"]), None)
    if pair is None:
        return None
    before, after = pair
    share = (t - before["t"]) / max(after["t"] - before["t"], 1e-9)
    place = _between(np.array(before["g"]), np.array(after["g"]), share)
    tips = _between(np.array(POSES[before["pose"]]), np.array(POSES[after["pose"]]), share)
    turn = (after["dir"] - before["dir"] + math.pi) % (2 * math.pi) - math.pi
    x, y, z = place.tolist()
    return Grip((x, y, z), before["dir"] + share * turn, tuple((a, b, c) for a, b, c in tips.tolist()))


def limbs(grip: Grip, seat: float, left: bool, skin: Finish, sleeve: Finish) -> Iterator[Limb]:
    """Fingers, hand, forearm and sleeve; `seat` is the direction from the hole in which the player sits, radians."""
    forth = np.array((math.cos(grip.towards), math.sin(grip.towards)))
    beside = np.array((-forth[1], forth[0])) * (-1 if left else 1)

    def at(part: Point) -> Point:
        x, y = np.array(grip.place[:2]) + part[0] * forth + part[1] * beside
        return float(x), float(y), max(part[2] + grip.place[2], LOWEST)

    wrist = at(WRIST)
    for finger, (tip, knuckle) in enumerate(zip(grip.tips, KNUCKLES, strict=True)):
        end, root = at(tip), at(knuckle)
        thick = 8.5 if finger else 9.5
        joint = (end[0] + root[0]) / 2, (end[1] + root[1]) / 2, (end[2] + root[2]) / 2 + 12
        yield Limb(root, joint, thick, skin)
        yield Limb(joint, end, thick - 1, skin)
        yield Limb(wrist if finger else at(THUMBS_ROOT), root, 14.0, skin)
    out, high = SHOULDER
    way = np.array((out * math.cos(seat), out * math.sin(seat), high)) - np.array(wrist)
    way /= np.linalg.norm(way)

    def along(far: float) -> Point:
        x, y, z = (np.array(wrist) + far * way).tolist()
        return x, y, z

    yield Limb(wrist, along(90), 26.0, skin)
    yield Limb(along(70), along(260), 38.0, sleeve)
    yield Limb(along(260), along(700), 48.0, sleeve)


def _between(one: NDArray[np.float64], other: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    return np.asarray((1 - share) * one + share * other)
