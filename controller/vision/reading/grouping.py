"""Which discs of a picture are of one colour, decided jointly; whose they are is decided elsewhere.

Two discs of one side differ by what light does to them: more or less light, which differs the more the farther they
lie apart; light mirrored in their varnish, which greys a dark or a vivid disc much and a light one little; and texture.
How far apart two discs are is counted in variances of all that. Mirrored light has a heavy tail: most discs mirror
hardly any, a few mirror a lamp or a window. So each pair is compared under both hypotheses, and the second has a price.

A group is split where two discs, each standing for its part, explain so much better what all discs look like than one
does. Light that falls on one disc of the smaller part falls on its neighbours too: n discs that deviate together count
as the square root of n that deviate by themselves.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.vision.reading.colours import bgr_of, lab_of_light, linear
from controller.vision.reading.settings import GROUPING

Floats = NDArray[np.float64]
Labels = NDArray[np.intp]

USUAL_SIDES = 2


@dataclass(frozen=True, slots=True)
class Groups:
    """To which group each of K discs belongs, 0 for the first, and whether that is sure."""

    labels: Labels  # (K,)
    sure: NDArray[np.bool_]  # (K,)

    @property
    def count(self) -> int:
        """How many groups there are."""
        return int(self.labels.max(initial=-1)) + 1


def grouped(labs: Floats, places: Floats) -> Groups:
    """The groups of discs with the colours `labs` (K, 3), as the picture shows them, at `places` (K, 2), mm."""
    apart = np.minimum(squared_distances(labs, places), GROUPING.most)
    groups: list[Labels] = []
    waiting = [np.arange(len(labs))] if len(labs) else []
    sure = np.ones(len(labs), np.bool_)
    while waiting:
        members = waiting.pop()
        parts, gain = _split(apart[np.ix_(members, members)])
        known = len(groups) + len(waiting) + 1
        enough, doubtful = (GROUPING.two, GROUPING.doubtful) if known == 1 else (GROUPING.more, GROUPING.two)
        if gain > enough and known < GROUPING.sides:
            waiting += [members[~parts], members[parts]]
            continue
        groups.append(members)
        if gain > doubtful:
            sure[members[_lesser(parts)]] = False
    labels = np.zeros(len(labs), np.intp)
    for number, members in enumerate(groups):
        labels[members] = number
        if len(members) == 1 and len(groups) > USUAL_SIDES:
            sure[members] = False  # rather a shaded disc of one of the others than the only one of a third side
    return Groups(labels, sure & _nearest_by_far(apart, labels))


def squared_distances(labs: Floats, places: Floats) -> Floats:
    """How far the discs (K,) look apart (K, K): squared, in variances of one colour's discs."""
    light = linear(bgr_of(labs))
    by_light, *by_primary = _changes(light)
    away = np.hypot(*np.moveaxis(places[:, None] - places[None], -1, 0))
    lamps = GROUPING.far_light * np.minimum(away / GROUPING.light_reach, 1)
    shared = (by_light[:, None] + by_light[None]) / 2 * np.hypot(GROUPING.near_light, lamps)[..., None]
    between = labs[:, None] - labs[None]
    plain, mirrored = (
        own[:, None] + own[None] + shared[..., None] * shared[..., None, :]
        for own in _variances(light, np.array(by_primary))
    )
    squares = np.linalg.solve(np.stack((plain, mirrored)), between[None, ..., None])[..., 0]  # NumPy 1 needs all axes
    near, lit = (between * squares).sum(-1)
    return np.asarray(np.minimum(near, lit + GROUPING.mirror_cost), np.float64)


def _variances(light: Floats, by_primary: Floats) -> tuple[Floats, Floats]:
    """How much each disc that shows this light (K, 3) deviates from its colour, (K, 3, 3) in L*a*b*.

    First for a disc that mirrors the room, then for one that mirrors a lamp or a window of any tint. `by_primary`
    (3, K, 3) is how L*a*b* changes where a primary gains light.
    """
    own = lab_of_light(light)
    beyond = GROUPING.beyond_full * (GROUPING.full < light.T)[..., None] * by_primary
    lamp = light + GROUPING.mirrored
    tinted = np.maximum(lamp + GROUPING.mirrored_tint * np.array((1.0, 0.0, -1.0)), 0.0)
    lit = lab_of_light(lamp)
    texture = np.diag(np.square(GROUPING.texture))
    room, window = (
        texture + np.einsum("pki,pkj->kij", parts, parts)
        for parts in (
            np.stack([lab_of_light(light + GROUPING.gloss) - own, *beyond]),
            np.stack([lit - own, lab_of_light(tinted) - lit, *beyond]),
        )
    )
    return room, window


def _changes(light: Floats) -> Floats:
    """By how much L*a*b* (4, K, 3) changes for each e-fold of light that all primaries gain, and each one alone."""
    more = light * (1 + GROUPING.step * np.concatenate([np.ones((1, 3)), np.eye(3)]))[:, None]
    return np.asarray((lab_of_light(more) - lab_of_light(light)) / np.log1p(GROUPING.step), np.float64)


def _split(apart: Floats) -> tuple[NDArray[np.bool_], float]:
    """Discs (K,) in two, and by how many variances two that stand for them explain them better than one.

    The gain is divided by the square root of the smaller part's size: its discs share much of what lights them.
    """
    pairs = np.minimum(apart[:, :, None], apart[:, None, :]).sum(0)
    one, other = np.unravel_index(int(pairs.argmin()), pairs.shape)
    parts = np.asarray(apart[other] < apart[one], np.bool_)
    many = int(np.count_nonzero(parts))
    gain = float(apart.sum(0).min() - pairs[one, other])
    return parts, gain / max(min(many, len(parts) - many), 1) ** 0.5


def _lesser(parts: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The smaller of two parts of a group; both where they are equal."""
    many = int(np.count_nonzero(parts))
    if 2 * many == len(parts):
        return np.ones_like(parts)
    return parts if 2 * many < len(parts) else ~parts


def _nearest_by_far(apart: Floats, labels: Labels) -> NDArray[np.bool_]:
    """Which discs (K,) are plainly nearer to the discs of their group that look most like them than to any other's.

    No disc stands for all of its group: those that mirror a lamp are like each other, and like no other.
    """
    count = int(labels.max(initial=-1)) + 1
    if count < 2:
        return np.ones(len(labels), np.bool_)
    others = apart + np.diag(np.full(len(labels), np.inf))
    to = np.array([_mean_of_least(others[:, labels == number]) for number in range(count)])
    this = np.arange(len(labels))
    own, to[labels, this] = to[labels, this], np.inf
    return np.asarray(to.min(0) - own > GROUPING.plainly, np.bool_)


def _mean_of_least(distances: Floats) -> Floats:
    """(K,) of the least `GROUPING.likest` of distances (K, M) that have an end; 0 where none has."""
    least = np.sort(distances, axis=1)[:, : GROUPING.likest]
    known = np.isfinite(least)
    return np.asarray(np.where(known, least, 0).sum(1) / np.maximum(known.sum(1), 1), np.float64)
