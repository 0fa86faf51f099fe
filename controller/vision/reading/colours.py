"""The discs' colours: measured, and named.

Colours are CIE L*a*b* with L 0..100. No colour is known in advance: `grouping` decides which discs are of one colour.
Only the plain names for people come from fixed hues. `side_colours` decides a colour's side.
"""

from collections.abc import Sequence

import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Floats, Indices
from controller.vision.reading import discs
from controller.vision.reading.discs import TopView
from hardware.devices import Image

TOP_SHARE = 0.8  # share of a disc's radius that is measured: the rim is rounded and glossy
TOP_SAMPLES = 96  # samples: enough for a top's median colour, whose texture has some ten fibres

COLOURS_BESIDE = (1.3, 2.2)  # radii between which the wood beside a disc is measured
LEAST_BESIDE = 0.1  # share of it that must be free of other discs: ten samples
SHARES = np.array((0.2, 0.5, 0.8))
"""Quantiles that count as the least, the usual and the most light on that wood. Measured with shadows added to half
of the photographs and stills: wider doubts more discs, narrower mistakes more for another side's."""
WOOD_STEP = 5  # pixels of the view between samples of the wood's colour
LIGHTNESS_WEIGHT = 0.5  # weight of L*: light differs over the board; hue and chroma differ less

# Measured on ray-traced discs; the limits of hue are midway between neighbours.
GREY_CHROMA = 13.0  # white, black and grey are below. Measured: white to 10, natural from 15
DARK = 45.0  # l*: a grey below it is black. Source not recorded
LIGHT = 66.0  # l*: a grey above it is white. Source not recorded
BROWN_LIGHTNESS = 45.0  # l*: a dark orange is brown
WOOD_CHROMA = 52.0  # natural and tan are below, yellow and orange above
HUES = (
    (46.0, "red"),
    (72.0, "orange"),
    (110.0, "yellow"),
    (200.0, "green"),
    (303.0, "blue"),
    (345.0, "purple"),
)
"""Degrees: the upper hue angle of each name. Above the last it is red again."""
WOOD_HUES = (40.0, 115.0)  # degrees, from and to: hues of wood. Source not recorded
TAN_HUE = 72.4  # degrees. Measured over whole groups: tan up to 72.0, natural from 72.8
LOOKS = {
    "black": (15.0, 0.0, 1.0),
    "grey": (55.0, 0.0, 2.0),
    "white": (90.0, 0.0, 6.0),
    "brown": (33.0, 14.0, 19.0),
    "tan": (66.0, 16.0, 38.0),
    "natural": (77.0, 7.0, 30.0),
    "red": (40.0, 55.0, 34.0),
    "orange": (55.0, 42.0, 55.0),
    "yellow": (80.0, 2.0, 68.0),
    "green": (41.0, -32.0, 16.0),
    "blue": (32.0, 14.0, -40.0),
    "purple": (26.0, 25.0, -28.0),
}
"""L*, a*, b* of discs of these names in even light, to give different names to two groups that share one in this
light. Measured on ray-traced boards, except grey, since no disc there is grey."""


# IEC 61966-2-1 (sRGB, D65) and CIE 15 (L*a*b*). OpenCV's own conversion takes half a second before its first colour.
XYZ_OF_BGR = np.array([[0.180437, 0.357580, 0.412453], [0.072169, 0.715160, 0.212671], [0.950227, 0.119193, 0.019334]])
XYZ_OF_BGR /= XYZ_OF_BGR.sum(1, keepdims=True)  # relative to white
LAB_OF_ROOTS = np.array([[0.0, 116.0, 0.0], [500.0, -500.0, 0.0], [0.0, 200.0, -200.0]])
CIE_LIMIT = 6 / 29
DARKEST = 1e-3  # light: a ratio of less is noise
BGR_OF_XYZ, ROOTS_OF_LAB = np.linalg.inv(XYZ_OF_BGR), np.linalg.inv(LAB_OF_ROOTS)


def spread(count: int, within: tuple[float, float] = (0.0, 1.0)) -> Floats:
    """Places (count, 2) evenly over the area between circles of two radii: a sunflower's seeds."""
    least, most = within
    turn = np.arange(count) * np.pi * (3 - np.sqrt(5))
    out = np.sqrt(least**2 + (most**2 - least**2) * (np.arange(count) + 0.5) / count)
    return np.stack([out * np.cos(turn), out * np.sin(turn)], axis=-1)


SPOTS = spread(TOP_SAMPLES)
BESIDE = spread(TOP_SAMPLES, COLOURS_BESIDE)


def lab_of(bgr: Floats | Image) -> Floats:
    """CIE L*a*b* (.., 3) of sRGB colours (.., 3) in the order blue, green, red, 0..255."""
    return lab_of_light(linear(bgr))


def lab_of_light(light: Floats) -> Floats:
    """CIE L*a*b* (.., 3) of light (.., 3) in the primaries blue, green, red, 0..1."""
    ratio = light @ XYZ_OF_BGR.T
    root = np.where(ratio > CIE_LIMIT**3, np.cbrt(ratio), ratio / (3 * CIE_LIMIT**2) + 4 / 29)
    return np.asarray(root @ LAB_OF_ROOTS.T - np.array([16.0, 0.0, 0.0]), np.float64)


def bgr_of(lab: Floats) -> Floats:
    """The inverse of `lab_of`, within 0..255."""
    root = (np.asarray(lab, np.float64) + np.array([16.0, 0.0, 0.0])) @ ROOTS_OF_LAB.T
    ratio = np.where(root > CIE_LIMIT, root**3, 3 * CIE_LIMIT**2 * (root - 4 / 29))
    return encoded(ratio @ BGR_OF_XYZ.T)


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


def wood_of(view: TopView, calibration: Calibration) -> Floats:
    """The playing surface's median colour (3,), blue, green, red: discs and lines cover the smaller part of it."""
    square = view.within(calibration.board.surface_radius)[::WOOD_STEP, ::WOOD_STEP]
    return np.asarray(np.median(square.reshape(-1, 3), axis=0), np.float64)


def light_beside(view: TopView, calibration: Calibration, places: Floats, wood: Floats) -> Floats:
    """The light on the wood around discs at `places` (K, 2), relative to that on the `wood` (3,): logarithms (3, K).

    Its amount, its variation there, and the difference of the primaries: a shadow has little colour. All are 0 if too
    little wood is seen. Brighter wood counts as equally bright: it reflects light that falls on no disc.
    """
    spots = places[:, None] + calibration.disc.radius * BESIDE
    free = np.hypot(*np.moveaxis(spots, -1, 0)) < calibration.board.surface_radius
    free &= (np.linalg.norm(spots[:, :, None] - places, axis=-1) > COLOURS_BESIDE[0] * calibration.disc.radius).all(-1)
    column, row = np.rint(view.pixel(spots)).astype(np.intp).clip(0, len(view.image) - 1).transpose(2, 0, 1)
    ratios = np.log(np.maximum(linear(view.image[row, column]), DARKEST) / np.maximum(linear(wood), DARKEST))
    beside = np.zeros((3, len(places)))
    for k in np.flatnonzero(free.mean(1) > LEAST_BESIDE):
        ratio = np.minimum(ratios[k, free[k]], 0)
        least, usual, most = np.sort(ratio.max(1))[(SHARES * len(ratio)).astype(np.intp)]
        beside[:, k] = usual, (most - least) / 2, np.ptp(np.median(ratio, axis=0))
    return beside


def distance(one: Floats, other: Floats) -> Floats:
    """The difference of colours (.., 3) within one picture: Lab with less weight on lightness, because of shadows.

    `side_colours.distance` compares colours between pictures, to decide a disc's side.
    """
    away = np.asarray(one, np.float64) - np.asarray(other, np.float64)
    return np.asarray(np.sqrt((away * away * (LIGHTNESS_WEIGHT**2, 1.0, 1.0)).sum(-1)))


def tops(image: Image, calibration: Calibration, centres: Floats, z: Floats) -> Floats:
    """The median colour (K, 3), L*a*b*, of the tops of discs with bottoms at `centres` (K, 2) and heights `z` (K,)."""
    if not len(centres):
        return np.zeros((0, 3))
    spots = np.empty((3, len(centres), len(SPOTS)))  # x, y, z
    spots[:2] = centres.T[..., None] + TOP_SHARE * calibration.disc.radius * SPOTS.T[:, None]
    spots[2] = (z + calibration.disc.thickness)[:, None]
    x, y = calibration.camera.project_planes(spots).astype(np.float32)
    return lab_of(np.median(discs.sample(image, x, y), axis=1))


def colour_name(lab: Sequence[float]) -> str:
    """A plain name for people."""
    light, a, b = (float(v) for v in lab)
    chroma, hue = float(np.hypot(a, b)), float(np.degrees(np.arctan2(b, a))) % 360
    if chroma < min(GREY_CHROMA, 6 + light / 6):
        return "black" if light < DARK else "white" if light > LIGHT else "grey"
    if hue > HUES[-1][0]:
        return "red"
    least, most = WOOD_HUES
    if least < hue < most and chroma < WOOD_CHROMA:
        if light < BROWN_LIGHTNESS:
            return "brown"
        return "tan" if hue < TAN_HUE else "natural"
    return next(name for upper, name in HUES if hue <= upper)


def names(labs: Floats, labels: Indices) -> list[str]:
    """A plain name for each colour (N, 3): that of its group's median colour, a different one for each group.

    If two groups would share a name, the one more like the name's own colour keeps it. The other gets the nearest name
    left: a white disc in little light is grey beside a black one.
    """
    middles = [np.median(labs[labels == number], axis=0) for number in range(labels.max(initial=-1) + 1)]
    called = [colour_name(middle) for middle in middles]

    def unlike(number: int, name: str) -> float:
        return float(np.linalg.norm(middles[number] - LOOKS[name]))

    taken: set[str] = set()
    for number in sorted(range(len(called)), key=lambda number: unlike(number, called[number])):
        if called[number] in taken:
            left = [name for name in LOOKS if name not in called]
            called[number] = min(left, key=lambda name, number=number: unlike(number, name))  # type: ignore[misc]
        taken.add(called[number])
    return [called[label] for label in labels]
