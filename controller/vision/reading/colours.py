"""The discs' colours: measured, put into groups, and named.

Colours are CIE L*a*b* with L 0..100. No colour is known beforehand: two groups are found in the picture. Only the plain
names for people come from fixed hues. Whose a colour is, `side_colours` tells.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import discs
from controller.vision.reading.discs import View
from controller.vision.reading.settings import COLOUR_NAMES, COLOURS
from hardware.devices import Image

Floats = NDArray[np.float64]


# IEC 61966-2-1 (sRGB, D65) and CIE 15 (L*a*b*). OpenCV's own conversion takes half a second before its first colour.
XYZ_OF_BGR = np.array([[0.180437, 0.357580, 0.412453], [0.072169, 0.715160, 0.212671], [0.950227, 0.119193, 0.019334]])
XYZ_OF_BGR /= XYZ_OF_BGR.sum(1, keepdims=True)  # relative to white
LAB_OF_ROOTS = np.array([[0.0, 116.0, 0.0], [500.0, -500.0, 0.0], [0.0, 200.0, -200.0]])
CIE_LIMIT = 6 / 29


def _spread(count: int) -> Floats:
    """Places (count, 2) evenly over the unit circle's area: a sunflower's seeds."""
    turn = np.arange(count) * np.pi * (3 - np.sqrt(5))
    out = np.sqrt((np.arange(count) + 0.5) / count)
    return np.stack([out * np.cos(turn), out * np.sin(turn)], axis=-1)


SPOTS = _spread(COLOURS.top_samples)


def lab_of(bgr: Floats | Image) -> Floats:
    """CIE L*a*b* (.., 3) of sRGB colours (.., 3) in the order blue, green, red, 0..255."""
    ratio = linear(bgr) @ XYZ_OF_BGR.T
    root = np.where(ratio > CIE_LIMIT**3, np.cbrt(ratio), ratio / (3 * CIE_LIMIT**2) + 4 / 29)
    return np.asarray(root @ LAB_OF_ROOTS.T - np.array([16.0, 0.0, 0.0]), np.float64)


def bgr_of(lab: Floats) -> Floats:
    """The inverse of `lab_of`, within 0..255."""
    root = (np.asarray(lab, np.float64) + np.array([16.0, 0.0, 0.0])) @ np.linalg.inv(LAB_OF_ROOTS).T
    ratio = np.where(root > CIE_LIMIT, root**3, 3 * CIE_LIMIT**2 * (root - 4 / 29))
    return encoded(ratio @ np.linalg.inv(XYZ_OF_BGR).T)


def under_light_of(bgr: Floats, wood: Floats, reference: Floats) -> Floats:
    """Colours (.., 3) as they would look in the light that makes `wood` look like `reference`; all blue, green, red."""
    gain = linear(reference) / np.maximum(linear(wood), 1e-4)
    return encoded(linear(bgr) * gain)


def linear(bgr: Floats | Image) -> Floats:
    """Light, 0..1, of sRGB values 0..255."""
    if bgr.dtype == np.uint8:
        return _LIGHT_OF[bgr]
    unit = np.asarray(bgr, np.float64) / 255
    return np.where(unit <= 0.04045, unit / 12.92, ((np.maximum(unit, 0) + 0.055) / 1.055) ** 2.4)


_LIGHT_OF = linear(np.arange(256.0))


def encoded(linear: Floats) -> Floats:
    """The inverse of `linear`, within 0..255."""
    unit = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 0.0031308) ** (1 / 2.4) - 0.055)
    return np.asarray(np.clip(unit, 0, 1) * 255)


def wood_of(view: View, calibration: Calibration) -> Floats:
    """The playing surface's median colour (3,), blue, green, red: discs and lines cover the lesser part of it."""
    square = view.within(calibration.board.surface_radius)[:: COLOURS.wood_step, :: COLOURS.wood_step]
    return np.asarray(np.median(square.reshape(-1, 3), axis=0), np.float64)


def distance(one: Floats, other: Floats) -> Floats:
    """How different colours (.., 3) look in one picture: Lab with less weight on lightness, for the sake of shadows.

    Whose disc it is, which is asked from picture to picture, `side_colours.distance` tells.
    """
    away = np.asarray(one, np.float64) - np.asarray(other, np.float64)
    return np.asarray(np.sqrt((away * away * (COLOURS.lightness_weight**2, 1.0, 1.0)).sum(-1)))


def tops(image: Image, calibration: Calibration, centres: Floats, z: Floats) -> Floats:
    """The median colour (K, 3), L*a*b*, of the tops of discs with bottoms at `centres` (K, 2) and heights `z` (K,)."""
    if not len(centres):
        return np.zeros((0, 3))
    spots = np.pad(COLOURS.top_share * calibration.disc.radius * SPOTS, ((0, 0), (0, 1)))
    base = np.concatenate([centres, (z + calibration.disc.thickness)[:, None]], axis=1)
    pixels = calibration.project(base[:, None] + spots).astype(np.float32)
    return lab_of(np.median(discs.sample(image, pixels[..., 0], pixels[..., 1]), axis=1))


def colour_name(lab: Sequence[float]) -> str:
    """A plain name for people."""
    light, a, b = (float(v) for v in lab)
    chroma, hue = float(np.hypot(a, b)), float(np.degrees(np.arctan2(b, a))) % 360
    if chroma < min(COLOUR_NAMES.grey_chroma, 6 + light / 6):
        return "black" if light < COLOUR_NAMES.dark else "white" if light > COLOUR_NAMES.light else "grey"
    if hue > COLOUR_NAMES.hues[-1][0]:
        return "red"
    least, most = COLOUR_NAMES.wood_hues
    if least < hue < most and chroma < COLOUR_NAMES.wood_chroma:
        if light < COLOUR_NAMES.brown_lightness:
            return "brown"
        return "tan" if hue < COLOUR_NAMES.tan_hue else "natural"
    return next(name for upper, name in COLOUR_NAMES.hues if hue <= upper)


def group(labs: Floats) -> NDArray[np.intp]:
    """Each colour (N, 3) to group 0 or 1; all 0 when there is one colour only. Group 0 is the darker one."""
    labels = np.zeros(len(labs), np.intp)
    if len(labs) < 2:
        return labels
    apart = distance(np.asarray(labs)[:, None], np.asarray(labs)[None])
    pairs = np.minimum(
        apart[:, :, None], apart[:, None, :]
    )  # of each colour to the nearer of two that stand for groups
    one, other = np.unravel_index(int(pairs.sum(0).argmin()), apart.shape)
    labels = (apart[:, other] < apart[:, one]).astype(np.intp)
    within = np.median(np.minimum(apart[:, one], apart[:, other]))
    if apart[one, other] < max(COLOURS.two_colours, 3 * within):
        return np.zeros(len(labs), np.intp)
    return 1 - labels if labs[one][0] > labs[other][0] else labels


def near_groups(labs: Floats) -> NDArray[np.intp]:
    """Each of the colours (N, 3), all as in one even light, to group 0 or 1, however near the two are to each other.

    Two groups are two where each holds together, and nothing lies between them.
    """
    nothing = np.zeros(len(labs), np.intp)
    if len(labs) < 2:
        return nothing
    apart = _shade_distance(labs[:, None], labs[None])
    one, other = np.unravel_index(int(np.minimum(apart[:, :, None], apart[:, None, :]).sum(0).argmin()), apart.shape)
    labels = (apart[:, other] < apart[:, one]).astype(np.intp)
    parts = [np.flatnonzero(labels == k) for k in (0, 1)]
    if min(len(part) for part in parts) < COLOURS.least_group or apart[one, other] < COLOURS.near_colours:
        return nothing
    between = float(apart[np.ix_(*parts)].min())
    within = max(_longest_link(apart[np.ix_(part, part)]) for part in parts)
    return labels if between > COLOURS.gap * within else nothing


def _shade_distance(one: Floats, other: Floats) -> Floats:
    """How different colours (.., 3) are, with less weight on what more or less light on the same disc would change."""
    middle, away = (one + other) / 2, one - other
    towards_dark = middle / np.maximum(np.linalg.norm(middle, axis=-1, keepdims=True), 1e-6)
    by_light = (away * towards_dark).sum(-1)
    rest = np.maximum((away * away).sum(-1) - by_light**2, 0)
    return np.asarray(np.sqrt(rest + (COLOURS.shade_weight * by_light) ** 2), np.float64)


def _longest_link(apart: Floats) -> float:
    """The longest link of the shortest tree that joins all (N, N)."""
    joined, longest = [0], 0.0
    left = list(range(1, len(apart)))
    while left:
        nearest = apart[np.ix_(joined, left)].min(0)
        longest = max(longest, float(nearest.min()))
        joined.append(left.pop(int(nearest.argmin())))
    return longest


def names(labs: Floats, even: Floats | None = None) -> list[str]:
    """A plain name for each colour (N, 3). Discs of one side have one name, which its group's middle colour gives.

    Where more than two colours lie there, it is the middle of those that are like the disc's own. `even` are the same
    colours in even light, where that is known: groups that are near each other are told by them.
    """
    if not len(labs):
        return []
    labels = group(labs)
    if even is not None and not plainly_two(labs, labels):
        near = near_groups(even)
        labels = near if near.any() else labels
    middles = np.stack([np.median(labs[labels == k], axis=0) for k in range(labels.max() + 1)])[labels]
    if (distance(labs, middles) > COLOURS.two_colours).any():
        like = distance(labs[:, None], labs[None]) < COLOURS.one_colour
        middles = np.stack([np.median(labs[near], axis=0) for near in like])
    return [colour_name(middle) for middle in middles]


def plainly_two(labs: Floats, labels: NDArray[np.intp]) -> bool:
    """Whether the groups of the colours (N, 3) are so far apart that no light makes two of one."""
    if not labels.any():
        return False
    one, other = (np.median(labs[labels == k], axis=0) for k in (0, 1))
    return bool(distance(one, other) > COLOURS.plainly_two)
