"""Which discs of a picture are of one colour, decided jointly; whose they are is decided elsewhere.

Two discs of one side differ by what light does to them: more or less light, which differs the more the farther they
lie apart; light mirrored in their varnish, which greys a dark or a vivid disc much and a light one little; and texture.
How far apart two discs are is counted in variances of all that. Mirrored light has a heavy tail: most discs mirror
hardly any, a few mirror a lamp or a window. So each pair is compared under both hypotheses, and the second has a price.

Such light does not explain a shadow's edge. Where the wood beside a disc is dark, either a shadow falls on both or that
wood is darker. One is as likely as the other, so discs are compared both ways, and one that only one of the two tells
from another side's is in doubt. Shadows of 0.4 and 0.16 of the light were added to pictures that nothing was chosen by:
of 1023 discs on stills of another generator 12 come into the wrong group, none of them surely, and 37 are in doubt;
compared one way only, 37, 9 and 125. Of 138 discs on photographs it is 6, 2 and 9; one way only, 7, 3 and 15. Each disc
of a group in one light of its own was tried: more were surely in the wrong group.

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
EVEN_LIGHT = np.zeros((3, 1))


@dataclass(frozen=True, slots=True)
class Groups:
    """To which group each of K discs belongs, 0 for the first, and whether that is sure."""

    labels: Labels  # (K,)
    sure: NDArray[np.bool_]  # (K,)

    @property
    def count(self) -> int:
        """How many groups there are."""
        return int(self.labels.max(initial=-1)) + 1


def grouped(labs: Floats, places: Floats, beside: Floats = EVEN_LIGHT) -> Groups:
    """The groups of discs with the colours `labs` (K, 3), as the picture shows them, at `places` (K, 2), mm.

    `beside` (3, K) is what `colours.light_beside` says of each.
    """
    apart = np.minimum(squared_distances(labs, places, beside), GROUPING.most)
    groups: list[Labels] = []
    waiting = [np.arange(len(labs))] if len(labs) else []
    sure = np.ones(len(labs), np.bool_)
    while waiting:
        members = waiting.pop()
        parts, gain = _split(apart[np.ix_(members, members)])
        known = len(groups) + len(waiting) + 1
        enough = GROUPING.two if known == 1 else GROUPING.more
        if gain > enough and known < GROUPING.sides:
            waiting += [members[~parts], members[parts]]
            continue
        groups.append(members)
        if gain > enough - GROUPING.plainly:
            sure[members[_lesser(parts)]] = False
    labels = np.zeros(len(labs), np.intp)
    for number, members in enumerate(groups):
        labels[members] = number
        if len(members) == 1 and len(groups) > USUAL_SIDES:
            sure[members] = False  # rather a shaded disc of one of the others than the only one of a third side
    return Groups(labels, sure & _nearest_by_far(apart, labels))


def squared_distances(labs: Floats, places: Floats, beside: Floats = EVEN_LIGHT) -> Floats:
    """How far the discs (K,) look apart (K, K): squared, in variances of one colour's discs."""
    light = linear(bgr_of(labs))
    away = np.hypot(*np.moveaxis(places[:, None] - places[None], -1, 0))
    lamps = GROUPING.near_light**2 + (GROUPING.far_light * np.minimum(away / GROUPING.light_reach, 1)) ** 2
    less, varies, tint = beside
    shaded = _in_light(light / np.exp(less)[:, None], lamps + np.add.outer(varies**2, varies**2))
    coloured = np.maximum.outer(tint, tint) / GROUPING.shade_tint
    return np.asarray(np.minimum(_in_light(light, lamps), shaded + coloured**2), np.float64)


def _in_light(light: Floats, lamps: Floats) -> Floats:
    """The same of discs that show this light (K, 3), by whose logarithm two differ with variances `lamps` (K, K)."""
    labs = lab_of_light(light)
    by_light, *by_primary = _changes(light)
    shared = (by_light[:, None] + by_light[None]) / 2 * np.sqrt(lamps)[..., None]
    between = labs[:, None] - labs[None]
    own = _room_variances(light, np.array(by_primary))
    plain = own[:, None] + own[None] + _outer(shared)
    variances = np.stack((plain, plain + _mirrored_variances(light)))
    squares = np.linalg.solve(variances, between[None, ..., None])[..., 0]  # NumPy 1 needs all axes
    near, lit = (between * squares).sum(-1)
    return np.asarray(np.minimum(near, lit + GROUPING.mirror_cost), np.float64)


def _room_variances(light: Floats, by_primary: Floats) -> Floats:
    """How much each disc that shows this light (K, 3) deviates from its colour, (K, 3, 3) in L*a*b*.

    It mirrors the room, but no lamp. `by_primary` (3, K, 3) is how L*a*b* changes where a primary gains light.
    """
    beyond = GROUPING.beyond_full * (GROUPING.full < light.T)[..., None] * by_primary
    parts = np.stack([lab_of_light(light + GROUPING.gloss) - lab_of_light(light), *beyond])
    return np.asarray(np.diag(np.square(GROUPING.texture)) + _outer(parts).sum(0), np.float64)


def _mirrored_variances(light: Floats) -> Floats:
    """How much more (K, K, 3, 3) two discs that show this light (K, 3) differ where one mirrors a lamp or a window.

    The darker one of each pair would mirror as much light as it lacks. That greys a dark disc at once and a bright one
    hardly, so what L*a*b* changes is taken over all of that light. Its tint is a share of it.
    """
    one, other, total = light[:, None], light[None], light.sum(-1)
    base = np.where((total[:, None] > total)[..., None], other, one)
    lacking = np.maximum(np.abs(one - other).mean(-1, keepdims=True), GROUPING.gloss)
    tint = GROUPING.mirrored_tint * lacking * np.array((1.0, 0.0, -1.0))
    lit = lab_of_light(base + lacking)
    grey = (lit - lab_of_light(base)) * GROUPING.mirrored / lacking
    return _outer(grey) + _outer(lab_of_light(np.maximum(base + lacking + tint, 0.0)) - lit)


def _outer(parts: Floats) -> Floats:
    """(.., 3, 3) variances of what changes L*a*b* by `parts` (.., 3), one standard deviation each."""
    return np.asarray(parts[..., :, None] * parts[..., None, :], np.float64)


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
    """Which discs (K,) their own group explains much better than any other.

    Each disc of a group is as likely as the next to be the one that a disc looks like: those that mirror a lamp are
    like each other, and like no other.
    """
    groups = [np.flatnonzero(labels == number) for number in range(int(labels.max(initial=-1)) + 1)]
    if len(groups) < 2:
        return np.ones(len(labels), np.bool_)
    this = np.arange(len(labels))
    likeness = np.where(np.eye(len(labels), dtype=np.bool_), 0.0, np.exp(-apart / 2))
    of = [likeness[:, members].sum(1) / np.maximum((members != this[:, None]).sum(1), 1) for members in groups]
    cost = -2 * np.log(np.maximum(of, np.exp(-GROUPING.most)))
    own = np.where(np.bincount(labels)[labels] > 1, cost[labels, this], 0.0)
    cost[labels, this] = np.inf
    return np.asarray(cost.min(0) - own > GROUPING.plainly, np.bool_)
