"""Groups the discs of a picture by colour, jointly; their sides are decided elsewhere.

Two discs of one side differ by their light, the more the farther they are apart; by reflections in their varnish, which
grey a dark or a vivid disc much and a light one little; and by texture. The distance of two discs is counted in
variances of all these. Reflections have a heavy tail: most discs reflect hardly any light, a few a lamp or a window. So
each pair is compared under both hypotheses, and the second has a price.

This does not model a shadow's edge. If the wood beside a disc is dark, either a shadow falls on both or that wood is
darker. Both are equally likely, so discs are compared both ways, and one that only one of the two separates from
another side's is in doubt. Shadows of 0.4 and 0.16 of the light were added to pictures that no setting was chosen on:
of 1023 discs on stills of another generator 12 come into the wrong group, none of them surely, and 37 are in doubt;
compared one way only, 37, 9 and 125. Of 138 discs on photographs it is 6, 2 and 9; one way only, 7, 3 and 15. Each disc
of a group in one light of its own was tried: more were surely in the wrong group.

A group is split if two discs, each representing its part, explain the colours of all discs so much better than one.
Light that falls on one disc of the smaller part falls on its neighbours too: n discs that deviate together count as the
square root of n that deviate independently.
"""

from dataclasses import dataclass

import numpy as np

from controller.vision.calibration.camera import Bools, Floats, Indices
from controller.vision.reading.colours import bgr_of, lab_of_light, linear

# Light is 0..1 of full scale. Chosen on photographs of 9 makers' boards, half of them kept aside, and on 40 stills
# and 22 pictures of rounds of another generator than ours. On these, the other photographs and 60 painted boards, 11
# of 1445 discs are in the wrong group, 5 of them surely, and 13 are in doubt.
TEXTURE = (1.5, 0.6, 0.8)
"""L*, a*, b*: the deviation of the tops' median colours in the same light."""
GLOSS = 0.02  # light that a disc reflects. Black varnish reflects 4 % of the light on it
MIRRORED = 0.15  # light added to a disc that reflects a lamp. Measured on photographs: up to 0.4
MIRRORED_TINT = 0.2  # share of it by which blue and red are not white. Window light is bluer than a lamp's
MIRROR_COST = 9.0  # variances: one disc in ten reflects so, 2 ln 10, with ten times the variance, 2 ln 10
NEAR_LIGHT = 0.08  # natural logarithm: the deviation of light between discs side by side
FAR_LIGHT = 0.25  # the same, in addition, between discs `LIGHT_REACH` apart
SHADE_TINT = 0.1
"""The same, of the primaries from each other in a shadow. Measured likewise: at 0.25 discs on dark wood are surely
mistaken for another side's."""
LIGHT_REACH = 300.0  # mm: about the surface's radius, over which lamps beside the table halve the light
FULL = 0.95  # a primary with more may have gained more than it shows
BEYOND_FULL = 0.15  # natural logarithm: the deviation of that gain
STEP = 0.05  # share of the light: the step for its derivatives
MOST = 60.0
"""Variances: a larger distance counts no more, so that one shaded disc does not make two groups."""
TWO = 18.0  # variances by which two colours explain the discs better than one
MORE = 30.0  # the same for three or four colours: there are rarely more than two sides
PLAINLY = 6.5
"""Variances from which a disc is surely its own group's, and a group surely of one colour: odds of 25 to 1. Midway
between two, a colour has 6.4."""
SIDES = 4  # groups at most: no rules have more sides


USUAL_SIDES = 2


@dataclass(frozen=True, slots=True)
class Groups:
    """The group of each of K discs, 0 for the first, and whether that is sure."""

    labels: Indices  # (K,)
    sure: Bools  # (K,)

    @property
    def count(self) -> int:
        """The number of groups."""
        return int(self.labels.max(initial=-1)) + 1


def grouped(labs: Floats, places: Floats, beside: Floats | None = None) -> Groups:
    """The groups of discs with the colours `labs` (K, 3), as the picture shows them, at `places` (K, 2), mm.

    `beside` (3, K): the result of `colours.light_beside`.
    """
    apart = np.minimum(squared_distances(labs, places, beside), MOST)
    groups: list[Indices] = []
    waiting = [np.arange(len(labs))] if len(labs) else []
    sure = np.ones(len(labs), np.bool_)
    while waiting:
        members = waiting.pop()
        parts, gain = _split(apart[np.ix_(members, members)])
        known = len(groups) + len(waiting) + 1
        enough = TWO if known == 1 else MORE
        if gain > enough and known < SIDES:
            waiting += [members[~parts], members[parts]]
            continue
        groups.append(members)
        if gain > enough - PLAINLY:
            sure[members[_lesser(parts)]] = False
    labels = np.zeros(len(labs), np.intp)
    for number, members in enumerate(groups):
        labels[members] = number
        if len(members) == 1 and len(groups) > USUAL_SIDES:
            sure[members] = False  # more likely a shaded disc of another group than a third side's only one
    return Groups(labels, sure & _nearest_by_far(apart, labels))


def squared_distances(labs: Floats, places: Floats, beside: Floats | None = None) -> Floats:
    """The squared distances (K, K) of the discs' colours, in variances among discs of one colour."""
    light = linear(bgr_of(labs))
    away = np.hypot(*np.moveaxis(places[:, None] - places[None], -1, 0))
    lamps = NEAR_LIGHT**2 + (FAR_LIGHT * np.minimum(away / LIGHT_REACH, 1)) ** 2
    even = _in_light(light, lamps)
    if beside is None:
        return even
    less, varies, tint = beside
    shaded = _in_light(light / np.exp(less)[:, None], lamps + np.add.outer(varies**2, varies**2))
    coloured = np.maximum.outer(tint, tint) / SHADE_TINT
    return np.asarray(np.minimum(even, shaded + coloured**2), np.float64)


def _in_light(light: Floats, lamps: Floats) -> Floats:
    """The same for discs with this light (K, 3); `lamps` (K, K): the variances of the difference of its logarithm."""
    labs = lab_of_light(light)
    by_light, *by_primary = _changes(light)
    shared = (by_light[:, None] + by_light[None]) / 2 * np.sqrt(lamps)[..., None]
    between = labs[:, None] - labs[None]
    own = _room_variances(light, np.array(by_primary))
    plain = own[:, None] + own[None] + _outer(shared)
    variances = np.stack((plain, plain + _mirrored_variances(light)))
    squares = np.linalg.solve(variances, between[None, ..., None])[..., 0]  # NumPy 1 needs all axes
    near, lit = (between * squares).sum(-1)
    return np.asarray(np.minimum(near, lit + MIRROR_COST), np.float64)


def _room_variances(light: Floats, by_primary: Floats) -> Floats:
    """The variances (K, 3, 3), in L*a*b*, of discs with this light (K, 3) about their colours.

    They reflect the room, but no lamp. `by_primary` (3, K, 3): the change of L*a*b* if a primary gains light.
    """
    beyond = BEYOND_FULL * (FULL < light.T)[..., None] * by_primary
    parts = np.stack([lab_of_light(light + GLOSS) - lab_of_light(light), *beyond])
    return np.asarray(np.diag(np.square(TEXTURE)) + _outer(parts).sum(0), np.float64)


def _mirrored_variances(light: Floats) -> Floats:
    """The variances (K, K, 3, 3) added for two discs with this light (K, 3) if one reflects a lamp or a window.

    The disc with less light is taken to reflect as much as it lacks. That greys a dark disc at once and a bright one
    hardly, so the change of L*a*b* is computed over all of that light. Its tint is a share of it.
    """
    one, other, total = light[:, None], light[None], light.sum(-1)
    base = np.where((total[:, None] > total)[..., None], other, one)
    lacking = np.maximum(np.abs(one - other).mean(-1, keepdims=True), GLOSS)
    tint = MIRRORED_TINT * lacking * np.array((1.0, 0.0, -1.0))
    lit = lab_of_light(base + lacking)
    grey = (lit - lab_of_light(base)) * MIRRORED / lacking
    return _outer(grey) + _outer(lab_of_light(np.maximum(base + lacking + tint, 0.0)) - lit)


def _outer(parts: Floats) -> Floats:
    """The variances (.., 3, 3) of changes of L*a*b* by `parts` (.., 3), one standard deviation each."""
    return parts[..., :, None] * parts[..., None, :]


def _changes(light: Floats) -> Floats:
    """The change (4, K, 3) of L*a*b* for each e-fold of light gained by all primaries, and by each one alone."""
    more = light * (1 + STEP * np.concatenate([np.ones((1, 3)), np.eye(3)]))[:, None]
    return np.asarray((lab_of_light(more) - lab_of_light(light)) / np.log1p(STEP), np.float64)


def _split(apart: Floats) -> tuple[Bools, float]:
    """Split discs (K,) in two: the mask, and by how many variances two representatives explain them better than one.

    The gain is divided by the square root of the smaller part's size: its discs share much of their light.
    """
    pairs = np.minimum(apart[:, :, None], apart[:, None, :]).sum(0)
    one, other = np.unravel_index(int(pairs.argmin()), pairs.shape)
    parts = apart[other] < apart[one]
    many = int(np.count_nonzero(parts))
    gain = float(apart.sum(0).min() - pairs[one, other])
    return parts, gain / max(min(many, len(parts) - many), 1) ** 0.5


def _lesser(parts: Bools) -> Bools:
    """The smaller of two parts of a group; both if they are equal."""
    many = int(np.count_nonzero(parts))
    if 2 * many == len(parts):
        return np.ones_like(parts)
    return parts if 2 * many < len(parts) else ~parts


def _nearest_by_far(apart: Floats, labels: Indices) -> Bools:
    """Which discs (K,) are explained much better by their own group than by any other.

    Each disc of a group is equally likely to be the one that a disc looks like: those that reflect a lamp are like each
    other, and like no others.
    """
    groups = [np.flatnonzero(labels == number) for number in range(int(labels.max(initial=-1)) + 1)]
    if len(groups) < 2:
        return np.ones(len(labels), np.bool_)
    this = np.arange(len(labels))
    likeness = np.where(np.eye(len(labels), dtype=np.bool_), 0.0, np.exp(-apart / 2))
    of = [likeness[:, members].sum(1) / np.maximum((members != this[:, None]).sum(1), 1) for members in groups]
    cost = -2 * np.log(np.maximum(of, np.exp(-MOST)))
    own = np.where(np.bincount(labels)[labels] > 1, cost[labels, this], 0.0)
    cost[labels, this] = np.inf
    return np.asarray(cost.min(0) - own > PLAINLY, np.bool_)
