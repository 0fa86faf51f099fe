"""Detects hands and other objects that hide part of the board.

An object that reaches in crosses the edge of the playing surface, the ditch and the rail in one direction, and looks
unlike the board in neighbouring directions. Reflections do too, but add the same to all three primaries, unlike arms,
sleeves and their shadows.

If the empty board is known, every part that differs from it, has an outline and is no disc counts as hidden. An
object's outline is sharp and no edge of the board itself; a difference of light changes gradually. A lamp's highlight
may have a sharp edge too, but the board's grain and lines are visible through it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools, Field, Floats, Indices
from controller.vision.calibration.following import lines_in_place
from controller.vision.reading import colours, discs
from controller.vision.reading.discs import VIEW_STEP, TopView
from controller.vision.reading.hole_poses import REACH
from controller.vision.readings import Outline, as_outline
from hardware.board import Board
from hardware.devices import Image

INWARDS = 35.0
"""mm from the surface's edge inwards to the start of the sampled stretch. Source not recorded."""
FAR_INWARDS = 290.0
"""mm, the same to find the end of an object if the empty board is not known."""
OUTWARDS = 45.0
"""mm from the edge outwards to its end, over ditch and rail. Source not recorded."""
APART = 5.0
"""mm between the sampled radii."""
DIRECTIONS = 180
"""Directions around the board, two degrees apart."""
BESIDE = 40
"""Directions to either side that define the usual colour. Source not recorded."""
BESIDE_STEP = 5
"""Directions between those that are sampled, and between those for which the usual colour is computed."""
BLUR = 3
"""Pixels of the view."""
UNUSUAL = 6.0
"""Distance of colours from the usual one at the same radius. Source not recorded."""
MIRRORED = 0.6
"""Least over greatest gain of a primary. Measured: reflections 0.8 and more, arms up to 0.5."""
MIRRORING = 0.75
"""Share of an object that mirrors light if it is only light. Measured: one lamp's highlight on a black board
0.89, the hands of one picture up to 0.1."""
FULL = 250
"""Grey levels from which a primary may have gained more than it shows."""
WHOLE = 0.85
"""Share of the stretch that the picture must show."""
CROSSING = 0.6
"""Share of a direction's stretch that is unusual if something crosses it. Source not recorded."""
DISC_MARGIN = 1.5
"""Radii around each disc that are excluded."""
HIDING = 1600.0
"""mm2, two discs. Measured: phones 12500, an unseen disc with its shadow up to 1300."""
SHARP = 20.0
"""Grey levels by which the difference from the empty board grows within `THIN` at an object's outline.
Measured: arms and discs 40 to 110; a lamp's highlight 6, its shadows in the ditch 10 to 15."""
OWN_EDGE = 20
"""Grey levels within `THIN` from which the empty board has an edge there, stronger in other light."""
OUTLINE = 25.0
"""mm of sharp outline, a quarter of a disc's. Measured: a hand at a dark rail 41, arms 52 and more; a lamp's light
30."""
SHARP_SHARE = 0.03
"""Share of an object's border that is sharp. Measured: arms and discs 0.06 and more, a lamp's light 0.015."""
THING_OUTLINE = 60.0
"""mm of sharp outline of an object within the rail that hides something. Measured: phones 210, changes beside discs
after a lamp was moved 49."""
PATTERN = 2.0
"""Pixels: the standard deviation of the blur that leaves grain and lines."""
GRAIN = 1.0
"""Grey levels: a pattern with less spread counts as noise of this size."""
STRONG_GRAIN = 15.0
"""Grey levels at which a pattern is clipped, so that one edge does not outweigh the grain beside it."""
GOES_ON = 0.6
"""Correlation from which the board's pattern is visible. Measured at 2.5 mm a pixel: under a lamp's highlight 0.7
in the quarter with the least, under hands 0.3 in the quarter with the most."""
OTHER_LIGHT = 0.06
"""Share of the view that has changed without an outline. Measured: a nearby lamp 0.25, discs' shadows 0.01."""
COVERED = 0.5
"""Share of the three lines that a picture shows in place; with less, something covers the board. Measured: jackets
0.31, 24 striped, checked, printed and photographed cloths up to 0.26; boards in any light 0.85 and more,
behind arms 0.76, behind four at once 0.64."""


THIN = np.ones((5, 5), np.uint8)  # pixels of the view: a thinner area is an edge of something that moved slightly
AROUND = np.ones((3, 3), np.uint8)
ARM = np.ones((3, 2), np.uint8)  # radii and directions: less, in 15 mm, is a line, and narrower than a wrist
WINDOW = np.ones((11, 11), np.uint8)  # pixels in which the pattern is compared
BORDER = VIEW_STEP / 2  # mm of border per pixel, since a border is two pixels wide


@lru_cache(maxsize=4)
def _stretch(calibration: Calibration, inwards: float) -> tuple[Floats, Bools]:
    """The sampled places (R, D, 2), mm, at R radii and D directions, and whether the picture shows them (R, D)."""
    edge = calibration.board.surface_radius
    radii = np.arange(edge - inwards, edge + OUTWARDS, APART)[:, None]
    angles = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    places = np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=-1)
    tops = np.dstack([places, np.full(places.shape[:2], calibration.disc.thickness)])
    pixels = calibration.project(tops)
    return places, np.all((pixels >= 0) & (pixels < (calibration.width, calibration.height)), axis=-1)


@dataclass(frozen=True)
class BoardDifference:
    """The difference of a view (n, n) from the empty board."""

    now: Image  # (n, n, 3) the view
    empty: Image  # (n, n, 3) the empty board in the light of the view
    mask: Bools  # where they differ
    unlike: Field  # the difference in grey levels

    @cached_property
    def wood(self) -> Image:
        """(3,) the usual colour of the view where nothing has changed."""
        now, mask = (part[::4, ::4] for part in (self.now, self.mask))
        return np.asarray(np.median(now[~mask], axis=0), np.uint8)

    @cached_property
    def edges(self) -> tuple[Bools, Bools]:
        """Where (n, n) the empty board has no edge, and where the difference from it has one."""
        own = cv2.morphologyEx(cv2.cvtColor(self.empty, cv2.COLOR_BGR2GRAY), cv2.MORPH_GRADIENT, THIN)
        sharp = cv2.morphologyEx(self.unlike, cv2.MORPH_GRADIENT, THIN) > SHARP
        return own < OWN_EDGE, sharp

    @cached_property
    def shows_through(self) -> Bools:
        """Where (n, n) the view shows the empty board's grain and lines, so that only the light differs."""
        now, empty = (_pattern(image) for image in (self.now, self.empty))
        window = WINDOW.shape
        both = cv2.blur(now * empty, window) - cv2.blur(now, window) * cv2.blur(empty, window)
        spread = [cv2.blur(part * part, window) - cv2.blur(part, window) ** 2 for part in (now, empty)]
        least = GRAIN**2
        alike = both > GOES_ON * np.sqrt(np.maximum(spread[0], least) * np.maximum(spread[1], least))
        return np.asarray(alike, np.bool_)


@dataclass(frozen=True, slots=True)
class Thing:
    """A changed area with an outline: a hand or an object, perhaps with its soft shadow."""

    piece: Bools  # (n, n) all of it
    outline: NDArray[np.int32]  # (k, 2) columns and rows of its sharp border in the view
    reaches_in: bool  # it comes in from beyond the rail

    @property
    def hull(self) -> NDArray[np.int32]:
        """(j, 1, 2) around its outline."""
        return np.asarray(cv2.convexHull(self.outline), np.int32)

    @property
    def hides(self) -> bool:
        """Whether it is not just what a change of light leaves beside discs, within the rail."""
        return self.reaches_in or len(self.outline) * BORDER > THING_OUTLINE


def outlined(
    changed: BoardDifference, calibration: Calibration, seen: Sequence[tuple[float, float]] = ()
) -> list[Thing]:
    """The changed areas that have an outline and are none of the discs `seen`. An area may be a hand together with its
    soft shadow, so its border counts only where it is sharp and the empty board has no edge.
    """
    middle = len(changed.mask) // 2
    rail, edge = _rail(len(changed.mask), calibration.board.surface_radius)
    mask = rail & changed.mask.view(np.uint8)
    radius = round(DISC_MARGIN * calibration.disc.radius / VIEW_STEP)
    for x, y in seen:
        cv2.circle(mask, (middle + round(x / VIEW_STEP), middle + round(y / VIEW_STEP)), radius, (0,), cv2.FILLED)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, THIN), np.uint8)
    if not mask.any() or not _things(mask, changed, edge):
        return []
    covered = cv2.morphologyEx(np.where(changed.shows_through, np.uint8(0), mask), cv2.MORPH_OPEN, THIN)
    left = np.asarray(cv2.bitwise_and(mask, cv2.dilate(covered, WINDOW)), np.uint8)
    return [thing for thing in _things(left, changed, edge) if not _is_light(thing, covered > 0, changed)]


def _is_light(thing: Thing, covered: Bools, changed: BoardDifference) -> bool:
    """Whether nearly all of an object only mirrors more light than the empty board did, or is bare board that mirrors
    less; `covered` (n, n): where the board's pattern is not visible.
    """
    place = thing.piece & covered
    if not place.any():
        return False
    now, empty = changed.now[place], changed.empty[place]
    darker = (empty > now).all(axis=-1)
    if darker.mean() > MIRRORING:
        bare = colours.distance(colours.lab_of(now), colours.lab_of(changed.wood)) < UNUSUAL
        return bool((bare & darker).mean() > MIRRORING)
    return bool(_mirrors(now, colours.linear(empty)).mean() > MIRRORING)


def shown_at(changed: BoardDifference, places: Floats) -> Bools:
    """Whether the empty board's pattern is visible at each of these places (N, 2), mm, within the view."""
    size = len(changed.mask)
    pixels = np.round(places / VIEW_STEP).astype(np.intp) + size // 2
    columns, rows = pixels[((pixels >= 0) & (pixels < size)).all(axis=1)].T
    return np.asarray(changed.shows_through[rows, columns], np.bool_)


def _pattern(image: Image) -> Field:
    """The grain and lines (n, n) of a view in grey levels: its high frequencies."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    most = STRONG_GRAIN
    return np.asarray(np.clip(grey - cv2.GaussianBlur(grey, (0, 0), PATTERN), -most, most), np.float32)


def _things(mask: Image, changed: BoardDifference, edge: tuple[Indices, ...]) -> list[Thing]:
    """The pieces of a mask (n, n), 0 or 1, with an outline; `edge`: the rail's places."""
    plain, sharp = changed.edges
    border = (cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, AROUND) > 0) & plain
    _, pieces = cv2.connectedComponents(cv2.dilate(mask, AROUND))
    rows, columns = np.nonzero(border & sharp)
    piece = pieces[rows, columns]
    sharply = np.bincount(piece, minlength=pieces.max() + 1)
    share = sharply / np.maximum(np.bincount(pieces[border], minlength=len(sharply)), 1)
    numbers = np.flatnonzero((sharply * BORDER > OUTLINE) & (share > SHARP_SHARE))
    reaching = pieces[edge][mask[edge] > 0]
    points = np.column_stack((columns, rows)).astype(np.int32)
    return [Thing(pieces == k, points[piece == k], bool((reaching == k).any())) for k in numbers]


@lru_cache(maxsize=4)
def _rail(size: int, surface_radius: float) -> tuple[NDArray[np.uint8], tuple[Indices, ...]]:
    """The mask (n, n) of the view out to the rail, 0 or 255, and the places of its edge."""
    rail = discs.circle(size, surface_radius + OUTWARDS)
    return rail, np.nonzero(rail & (cv2.erode(rail, AROUND) == 0))


def in_other_light(changed: BoardDifference, calibration: Calibration) -> bool:
    """Whether much of the view has changed without an outline: then the light has changed."""
    if changed.mask.mean() < OTHER_LIGHT:
        return False
    soft = changed.mask & ~covered_by(outlined(changed, calibration), len(changed.mask))
    return bool(soft.mean() > OTHER_LIGHT)


def is_covered(image: Image, changed: BoardDifference, calibration: Calibration) -> bool:
    """Whether something covers most of the board. Its outline may be lost: a cloth of one colour looks like a board in
    coloured light, but for the lines.
    """
    return changed.mask.mean() > OTHER_LIGHT and lines_in_place(image, calibration) < COVERED


def whole_board(board: Board) -> Outline:
    """The outline of surface and ditch."""
    return as_outline(_around(board.rail_radius))


def _something_reaches_in(view: TopView, calibration: Calibration, seen: Sequence[tuple[float, float]]) -> bool:
    """Whether something crosses the edge of a board whose empty look is unknown; `seen`: the discs' centres (x, y)."""
    places, in_picture = _stretch(calibration, INWARDS)
    if in_picture.mean() < WHOLE:
        return False  # the usual colours may be a part of the board
    strange = _strange(view, places) & in_picture
    margin = DISC_MARGIN * calibration.disc.radius
    for centre in seen:
        if np.hypot(*centre) > calibration.board.surface_radius - INWARDS - margin:
            strange &= np.hypot(*np.moveaxis(places - centre, -1, 0)) > margin
    across = strange.mean(0) > CROSSING
    return bool((across & np.roll(across, 1)).any())  # two directions, of 11 mm: boards without arms have at most one


def hidden_parts(calibration: Calibration, found: Sequence[Thing], size: int) -> tuple[Outline, ...]:
    """The outlines of these objects over the surface and the ditch, in a view of `size` pixels each way. Of those that
    do not reach in, a small one may be an unseen disc: that hides a place only where discs count.
    """
    middle = size // 2
    board = (middle + _around(ditch_middle(calibration.board)) / VIEW_STEP).astype(np.float32)
    hulls = [cv2.intersectConvexConvex(thing.hull.astype(np.float32), board) for thing in found]
    over = [thing.reaches_in or hides_surface(calibration, [thing], size) for thing in found]
    corners = [
        cv2.approxPolyDP(hull, 2.0, True)[:, 0].astype(np.float64)
        for certain, (area, hull) in zip(over, hulls, strict=True)
        if area * VIEW_STEP**2 > (0.0 if certain else HIDING)
    ]
    return tuple(as_outline((hull - middle) * VIEW_STEP) for hull in corners)


def _around(radius: float) -> Floats:
    """(72, 2) points, in mm, at this radius around the hole."""
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    return radius * np.column_stack((np.cos(turn), np.sin(turn)))


def covered_by(found: Sequence[Thing], size: int) -> Bools:
    """The mask (n, n) of these objects in a view of `size` pixels each way."""
    mask = np.zeros((size, size), np.uint8)
    for thing in found:
        cv2.fillConvexPoly(mask, thing.hull, (1,))
    return mask > 0


def ditch_middle(board: Board) -> float:
    """mm from the hole: a disc in the ditch is seen even if farther places are hidden."""
    return board.surface_radius + board.ditch_width / 2


def counts_within(board: Board) -> float:
    """mm from the hole within which the middle of every disc that counts is. One whose middle is seen is read."""
    return board.outer_line - board.disc.radius


def hides_surface(calibration: Calibration, found: Sequence[Thing], size: int) -> bool:
    """Whether the outline of any of these objects, in a view of `size` pixels each way, reaches over the middle of a
    disc that counts. Not the hull, which does so for a hand along the ditch.
    """
    within = counts_within(calibration.board) / VIEW_STEP
    return any(np.hypot(*(thing.outline - size // 2).T).min() < within for thing in found)


def hides_hole(found: Sequence[Thing], size: int) -> bool:
    """Whether any of these objects, however small, reaches so near to the hole that it may hide a disc there, or be
    what is seen of one.
    """
    middle, within = (size // 2, size // 2), REACH / VIEW_STEP
    return any(cv2.pointPolygonTest(thing.hull, middle, True) > -within for thing in found)


def reaching_parts(
    view: TopView, calibration: Calibration, seen: Sequence[tuple[float, float]]
) -> tuple[tuple[Outline, ...], bool]:
    """The parts that what crosses the board's edge hides, if the empty board is not known, and whether it reaches over
    the middle of a disc that counts; `seen`: the discs' centres (x, y). No parts if it reaches too far in to see where
    it ends.
    """
    if not _something_reaches_in(view, calibration, seen):
        return (), False
    places, in_picture = _stretch(calibration, FAR_INWARDS)
    strange = (_strange(view, places) & in_picture).view(np.uint8)
    around = np.hstack((strange, strange))  # so that what lies across the first direction is one piece
    thick = cv2.morphologyEx(around, cv2.MORPH_OPEN, ARM)
    _, pieces, stats, _ = cv2.connectedComponentsWithStats(thick)
    rows, directions = strange.shape
    high = round((INWARDS + OUTWARDS) / APART * CROSSING)
    reach = np.hypot(*places[:, 0].T)
    parts, nearest = [], np.inf
    for k, (left, top, _, height, _) in enumerate(stats.tolist()):
        if k == 0 or left >= directions or top + height < rows - 1 or height < high:
            continue
        if top == 0:
            return (), True
        piece = cv2.dilate((pieces == k).view(np.uint8), AROUND)
        piece[reach > ditch_middle(calibration.board)] = 0
        row, column = np.nonzero(piece)
        hull = cv2.convexHull(places[row, column % directions].astype(np.float32))[:, 0]
        parts.append(as_outline(hull))
        nearest = min(nearest, float(reach[row].min()))
    return tuple(parts), not parts or nearest < counts_within(calibration.board)


def _strange(view: TopView, places: Floats) -> Bools:
    """Where (R, D) the colours at these places (R, D, 2) differ from the same radius in neighbouring directions, other
    than by reflections."""
    soft = np.asarray(cv2.blur(view.image, (BLUR, BLUR)), np.uint8)
    column, row = np.moveaxis(view.pixel(places).astype(np.float32), -1, 0)
    bgr = discs.sample(soft, column, row)
    around = np.arange(-BESIDE, BESIDE + 1, BESIDE_STEP)
    columns = (np.arange(0, bgr.shape[1], BESIDE_STEP)[:, None] + around) % bgr.shape[1]
    middle = len(around) // 2
    planes = np.moveaxis(bgr[:, columns], -1, 1).astype(np.float32)  # sorts faster than bytes
    usual = np.partition(planes, middle, axis=-1)[..., middle].transpose(0, 2, 1).astype(np.uint8)
    light, lab = (np.repeat(part, BESIDE_STEP, axis=1) for part in (colours.linear(usual), colours.lab_of(usual)))
    unusual = colours.distance(colours.lab_of(bgr), lab) > UNUSUAL
    return np.asarray(unusual & ~_mirrors(bgr, light), np.bool_)


def _mirrors(bgr: Image, then: NDArray[np.floating[Any]]) -> Bools:
    """Where a picture (.., 3) mirrors more light than in `then`, its primaries in linear light: a lamp on a glossy
    board, whatever the board's colour, adds the same to all three."""
    gain = colours.linear(bgr) - then
    full = np.where(bgr >= FULL, np.inf, gain)  # a saturated primary may have gained more than it shows
    least = np.minimum(np.minimum(full[..., 0], full[..., 1]), full[..., 2])
    gain = np.abs(gain, out=gain)
    most = np.maximum(np.maximum(gain[..., 0], gain[..., 1]), gain[..., 2])
    return least > MIRRORED * most
