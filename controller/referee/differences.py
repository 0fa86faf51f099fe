"""What changed between two settled boards: which discs lie still, which left their place, which are new there."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol

from controller.referee.settings import DIFFERENCES
from controller.vision.readings import SeenDisc


class At(Protocol):
    """Anything with a place on the board, in mm, and a pose."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def pose(self) -> str: ...


class Located(At, Protocol):
    """Anything whose place was measured."""

    @property
    def sigma(self) -> float:
        """Standard error, mm."""


def distance(a: At, b: At) -> float:
    """Between two centres, in mm."""
    return math.hypot(a.x - b.x, a.y - b.y)


@dataclass(frozen=True, slots=True)
class Difference:
    """The change from one board to the next."""

    still: Mapping[str, SeenDisc]  # known discs, where they were
    left: tuple[str, ...]  # known discs that are not where they were
    appeared: tuple[SeenDisc, ...]  # discs where none of their side was


def compare(known: Mapping[str, tuple[str, Located]], now: Iterable[SeenDisc], refilled: bool = False) -> Difference:
    """Match the known discs (id to side and place) with those seen now; nearest pairs first, same side only.

    A disc that slides about in the hole is still the same disc, unless the hole was emptied and `refilled`.
    """
    seen = list(now)
    pairs = sorted(
        (distance(at, disc), name, index)
        for name, (side, at) in known.items()
        for index, disc in enumerate(seen)
        if disc.side == side and _as_before(at, disc, refilled)
    )
    still: dict[str, SeenDisc] = {}
    taken: set[int] = set()
    for _, name, index in pairs:
        if name not in still and index not in taken:
            still[name] = seen[index]
            taken.add(index)
    return Difference(
        still,
        tuple(name for name in known if name not in still),
        tuple(disc for index, disc in enumerate(seen) if index not in taken),
    )


def _as_before(at: Located, disc: SeenDisc, refilled: bool) -> bool:
    if at.pose == disc.pose == "in_hole":
        return not refilled
    if at.pose == "leaning" and disc.pose == "in_hole" and disc.call == "sure":
        return False  # it slid in, even where it moved by less than the error between the two poses
    return distance(at, disc) <= max(DIFFERENCES.moved_mm, math.hypot(at.sigma, disc.sigma))


def pair(left: Mapping[str, At], appeared: list[SeenDisc]) -> tuple[dict[str, SeenDisc], list[SeenDisc]]:
    """Which disc moved where, by the least sum of distances; and the new places that no known disc moved to.

    With fewer places than discs the left-over discs have gone; with more, the left-over places hold other discs.
    """
    if not left or not appeared:
        return {}, list(appeared)
    if max(len(left), len(appeared)) > DIFFERENCES.exhaustive:
        return _pair_greedily(left, appeared)
    pairs = _cheapest_pairs(left, appeared)
    used = set(pairs.values())
    return {n: appeared[j] for n, j in pairs.items()}, [d for j, d in enumerate(appeared) if j not in used]


def _cheapest_pairs(left: Mapping[str, At], appeared: list[SeenDisc]) -> dict[str, int]:
    """Names and the indices of their new places, by the least sum of distances over all ways to pair them."""
    names = list(left)
    small, large = sorted((len(names), len(appeared)))
    best: tuple[float, dict[str, int]] = (math.inf, {})
    for order in permutations(range(large), small):
        pairs = (
            {names[i]: j for i, j in enumerate(order)}
            if len(names) == small
            else {names[j]: i for i, j in enumerate(order)}
        )
        cost = sum(distance(left[name], appeared[j]) for name, j in pairs.items())
        if cost < best[0]:
            best = (cost, pairs)
    return best[1]


def _pair_greedily(left: Mapping[str, At], appeared: list[SeenDisc]) -> tuple[dict[str, SeenDisc], list[SeenDisc]]:
    free = list(appeared)
    moved: dict[str, SeenDisc] = {}
    for name, at in left.items():
        if free:
            nearest = min(free, key=lambda disc: distance(at, disc))
            free.remove(nearest)
            moved[name] = nearest
    return moved, free
