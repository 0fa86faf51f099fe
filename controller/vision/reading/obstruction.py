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
from controller.vision.reading import colours, discs
from controller.vision.reading.discs import View
from controller.vision.reading.obstruction_settings import OBSTRUCTION
from controller.vision.reading.settings import DISCS
from controller.vision.readings import Outline
from hardware.board import Board
from hardware.devices import Image

Floats = NDArray[np.float64]

THIN = np.ones((OBSTRUCTION.thin_pixels,) * 2, np.uint8)
AROUND = np.ones((3, 3), np.uint8)
ARM = np.ones((OBSTRUCTION.arm_rows, OBSTRUCTION.narrowest), np.uint8)
WINDOW = np.ones((OBSTRUCTION.pattern_pixels,) * 2, np.uint8)
BORDER = DISCS.step / 2  # mm of border per pixel, since a border is two pixels wide


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The sampled places: R radii, D directions."""

    x: Floats  # (R, D) mm
    y: Floats
    column: NDArray[np.float32]  # (R, D) pixels of the view
    row: NDArray[np.float32]
    in_picture: NDArray[np.bool_]  # (R, D) whether the picture shows them


@lru_cache(maxsize=4)
def _stretch(calibration: Calibration, inwards: float = OBSTRUCTION.inwards) -> _Stretch:
    edge = calibration.board.surface_radius
    radii = np.arange(edge - inwards, edge + OBSTRUCTION.outwards, OBSTRUCTION.apart)[:, None]
    angles = np.arange(OBSTRUCTION.directions) * (2 * np.pi / OBSTRUCTION.directions)
    x, y = radii * np.cos(angles), radii * np.sin(angles)
    pixels = calibration.project(np.stack([x, y, np.full_like(x, calibration.disc.thickness)], axis=-1))
    inside = (pixels >= 0) & (pixels < (calibration.width, calibration.height))
    reach = discs.playing_area(calibration).reach
    column, row = (((part + reach) / DISCS.step).astype(np.float32) for part in (x, y))
    return _Stretch(x, y, column, row, inside[..., 0] & inside[..., 1])


@dataclass(frozen=True)
class Changed:
    """The difference of a view (n, n) from the empty board."""

    now: Image  # (n, n, 3) the view
    empty: Image  # (n, n, 3) the empty board in the light of the view
    mask: NDArray[np.bool_]  # where they differ
    unlike: NDArray[np.float32]  # the difference in grey levels

    @cached_property
    def wood(self) -> Image:
        """(3,) the usual colour of the view where nothing has changed."""
        now, mask = (part[:: OBSTRUCTION.wood_step, :: OBSTRUCTION.wood_step] for part in (self.now, self.mask))
        return np.asarray(np.median(now[~mask], axis=0), np.uint8)

    @cached_property
    def edges(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Where (n, n) the empty board has no edge, and where the difference from it has one."""
        own = cv2.morphologyEx(cv2.cvtColor(self.empty, cv2.COLOR_BGR2GRAY), cv2.MORPH_GRADIENT, THIN)
        sharp = cv2.morphologyEx(self.unlike, cv2.MORPH_GRADIENT, THIN) > OBSTRUCTION.sharp
        return np.asarray(own < OBSTRUCTION.own_edge, np.bool_), np.asarray(sharp, np.bool_)

    @cached_property
    def shows_through(self) -> NDArray[np.bool_]:
        """Where (n, n) the view shows the empty board's grain and lines, so that only the light differs."""
        now, empty = (_pattern(image) for image in (self.now, self.empty))
        window = WINDOW.shape
        both = cv2.blur(now * empty, window) - cv2.blur(now, window) * cv2.blur(empty, window)
        spread = [cv2.blur(part * part, window) - cv2.blur(part, window) ** 2 for part in (now, empty)]
        least = OBSTRUCTION.grain**2
        alike = both > OBSTRUCTION.goes_on * np.sqrt(np.maximum(spread[0], least) * np.maximum(spread[1], least))
        return np.asarray(alike, np.bool_)


@dataclass(frozen=True, slots=True)
class Thing:
    """A changed area with an outline: a hand or an object, perhaps with its soft shadow."""

    piece: NDArray[np.bool_]  # (n, n) all of it
    outline: NDArray[np.int32]  # (k, 2) columns and rows of its sharp border in the view
    reaches_in: bool  # it comes in from beyond the rail

    @property
    def hull(self) -> NDArray[np.int32]:
        """(j, 1, 2) around its outline."""
        return np.asarray(cv2.convexHull(self.outline), np.int32)

    @property
    def hides(self) -> bool:
        """Whether it is not just what a change of light leaves beside discs, within the rail."""
        return self.reaches_in or len(self.outline) * BORDER > OBSTRUCTION.thing_outline


def outlined(changed: Changed, calibration: Calibration, seen: Sequence[tuple[float, float]] = ()) -> list[Thing]:
    """The changed areas that have an outline and are none of the discs `seen`. An area may be a hand together with its
    soft shadow, so its border counts only where it is sharp and the empty board has no edge.
    """
    middle = len(changed.mask) // 2
    rail, edge = _rail(len(changed.mask), calibration.board.surface_radius)
    mask = rail & changed.mask.view(np.uint8)
    radius = round(OBSTRUCTION.disc_margin * calibration.disc.radius / DISCS.step)
    for x, y in seen:
        cv2.circle(mask, (middle + round(x / DISCS.step), middle + round(y / DISCS.step)), radius, (0,), cv2.FILLED)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, THIN), np.uint8)
    if not mask.any() or not _things(mask, changed, edge):
        return []
    covered = cv2.morphologyEx(np.where(changed.shows_through, np.uint8(0), mask), cv2.MORPH_OPEN, THIN)
    left = np.asarray(cv2.bitwise_and(mask, cv2.dilate(covered, WINDOW)), np.uint8)
    return [thing for thing in _things(left, changed, edge) if not _is_light(thing, covered > 0, changed)]


def _is_light(thing: Thing, covered: NDArray[np.bool_], changed: Changed) -> bool:
    """Whether nearly all of an object only mirrors more light than the empty board did, or is bare board that mirrors
    less; `covered` (n, n): where the board's pattern is not visible.
    """
    place = thing.piece & covered
    if not place.any():
        return False
    now, empty = changed.now[place], changed.empty[place]
    darker = (empty > now).all(axis=-1)
    if darker.mean() > OBSTRUCTION.mirroring:
        bare = colours.distance(colours.lab_of(now), colours.lab_of(changed.wood)) < OBSTRUCTION.unusual
        return bool((bare & darker).mean() > OBSTRUCTION.mirroring)
    return bool(_mirrors(now, colours.linear(empty)).mean() > OBSTRUCTION.mirroring)


def shown_at(changed: Changed, places: Floats) -> NDArray[np.bool_]:
    """Whether the empty board's pattern is visible at each of these places (N, 2), mm, within the view."""
    size = len(changed.mask)
    pixels = np.round(places / DISCS.step).astype(np.intp) + size // 2
    columns, rows = pixels[((pixels >= 0) & (pixels < size)).all(axis=1)].T
    return np.asarray(changed.shows_through[rows, columns], np.bool_)


def _pattern(image: Image) -> NDArray[np.float32]:
    """The grain and lines (n, n) of a view in grey levels: its high frequencies."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    most = OBSTRUCTION.strong_grain
    return np.asarray(np.clip(grey - cv2.GaussianBlur(grey, (0, 0), OBSTRUCTION.pattern), -most, most), np.float32)


def _things(mask: Image, changed: Changed, edge: tuple[NDArray[np.intp], ...]) -> list[Thing]:
    """The pieces of a mask (n, n), 0 or 1, with an outline; `edge`: the rail's places."""
    plain, sharp = changed.edges
    border = (cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, AROUND) > 0) & plain
    _, pieces = cv2.connectedComponents(cv2.dilate(mask, AROUND))
    rows, columns = np.nonzero(border & sharp)
    piece = pieces[rows, columns]
    sharply = np.bincount(piece, minlength=pieces.max() + 1)
    share = sharply / np.maximum(np.bincount(pieces[border], minlength=len(sharply)), 1)
    numbers = np.flatnonzero((sharply * BORDER > OBSTRUCTION.outline) & (share > OBSTRUCTION.sharp_share))
    reaching = pieces[edge][mask[edge] > 0]
    points = np.column_stack((columns, rows)).astype(np.int32)
    return [Thing(pieces == k, points[piece == k], bool((reaching == k).any())) for k in numbers]


@lru_cache(maxsize=4)
def _rail(size: int, surface_radius: float) -> tuple[NDArray[np.uint8], tuple[NDArray[np.intp], ...]]:
    """The mask (n, n) of the view out to the rail, 0 or 1, and the places of its edge."""
    rail, middle = np.zeros((size, size), np.uint8), size // 2
    out = round((surface_radius + OBSTRUCTION.outwards) / DISCS.step)
    cv2.circle(rail, (middle, middle), out, (1,), cv2.FILLED)
    return rail, np.nonzero(rail & (cv2.erode(rail, AROUND) == 0))


def in_other_light(changed: Changed, calibration: Calibration) -> bool:
    """Whether much of the view has changed without an outline: then the light has changed."""
    if changed.mask.mean() < OBSTRUCTION.other_light:
        return False
    soft = changed.mask & ~covered_by(outlined(changed, calibration), len(changed.mask))
    return bool(soft.mean() > OBSTRUCTION.other_light)


def _something_reaches_in(view: View, calibration: Calibration, seen: Sequence[tuple[float, float]]) -> bool:
    """Whether something crosses the edge of a board whose empty look is unknown; `seen`: the discs' centres (x, y)."""
    stretch = _stretch(calibration)
    if stretch.in_picture.mean() < OBSTRUCTION.whole:
        return False  # the usual colours may be a part of the board
    strange = _strange(view, stretch) & stretch.in_picture
    if not _crossed(strange):
        return False
    margin = OBSTRUCTION.disc_margin * calibration.disc.radius
    for disc_x, disc_y in seen:
        if np.hypot(disc_x, disc_y) > calibration.board.surface_radius - OBSTRUCTION.inwards - margin:
            strange &= np.hypot(stretch.x - disc_x, stretch.y - disc_y) > margin
    return _crossed(strange)


def _crossed(strange: NDArray[np.bool_]) -> bool:
    """Whether strange places (R, D) span the stretch in some directions."""
    return _longest_run(strange.mean(0) > OBSTRUCTION.crossing) >= OBSTRUCTION.narrowest


def hidden_parts(calibration: Calibration, found: Sequence[Thing], size: int) -> tuple[Outline, ...]:
    """The outlines of these objects over the surface and the ditch, in a view of `size` pixels each way."""
    middle, turn = size // 2, np.linspace(0, 2 * np.pi, 72, endpoint=False)
    out = ditch_middle(calibration.board) / DISCS.step
    board = (middle + out * np.column_stack((np.cos(turn), np.sin(turn)))).astype(np.float32)
    hulls = [cv2.intersectConvexConvex(thing.hull.astype(np.float32), board) for thing in found]
    corners = [
        cv2.approxPolyDP(hull, 2.0, True)[:, 0].astype(np.float64)
        for thing, (area, hull) in zip(found, hulls, strict=True)
        if area * DISCS.step**2 > (0.0 if thing.reaches_in else OBSTRUCTION.hiding)
    ]
    return tuple(tuple((float(x), float(y)) for x, y in (hull - middle) * DISCS.step) for hull in corners)


def covered_by(found: Sequence[Thing], size: int) -> NDArray[np.bool_]:
    """The mask (n, n) of these objects in a view of `size` pixels each way."""
    mask = np.zeros((size, size), np.uint8)
    for thing in found:
        cv2.fillConvexPoly(mask, thing.hull, (1,))
    return mask > 0


def ditch_middle(board: Board) -> float:
    """mm from the hole: a disc in the ditch is seen even if farther places are hidden."""
    return board.surface_radius + board.ditch_width / 2


def _counts_within(board: Board) -> float:
    """mm from the hole within which the middle of every disc that counts is. One whose middle is seen is read."""
    return board.outer_line - board.disc.radius


def hides_surface(calibration: Calibration, found: Sequence[Thing], size: int) -> bool:
    """Whether the outline of any of these objects, in a view of `size` pixels each way, reaches over the middle of a
    disc that counts. Not the hull, which does so for a hand along the ditch.
    """
    within = _counts_within(calibration.board) / DISCS.step
    return any(np.hypot(*(thing.outline - size // 2).T).min() < within for thing in found)


def reaching_parts(
    view: View, calibration: Calibration, seen: Sequence[tuple[float, float]]
) -> tuple[tuple[Outline, ...], bool]:
    """The parts that what crosses the board's edge hides, if the empty board is not known, and whether it reaches over
    the middle of a disc that counts; `seen`: the discs' centres (x, y). No parts if it reaches too far in to see where
    it ends.
    """
    if not _something_reaches_in(view, calibration, seen):
        return (), False
    stretch = _stretch(calibration, OBSTRUCTION.far_inwards)
    strange = (_strange(view, stretch) & stretch.in_picture).view(np.uint8)
    around = np.hstack((strange, strange))  # so that what lies across the first direction is one piece
    thick = cv2.morphologyEx(around, cv2.MORPH_OPEN, ARM)
    _, pieces, stats, _ = cv2.connectedComponentsWithStats(thick)
    rows, directions = strange.shape
    high = round((OBSTRUCTION.inwards + OBSTRUCTION.outwards) / OBSTRUCTION.apart * OBSTRUCTION.crossing)
    reach = np.hypot(stretch.x, stretch.y)[:, 0]
    parts, nearest = [], np.inf
    for k, (left, top, _, height, _) in enumerate(stats.tolist()):
        if k == 0 or left >= directions or top + height < rows - 1 or height < high:
            continue
        if top == 0:
            return (), True
        piece = cv2.dilate((pieces == k).view(np.uint8), AROUND)
        piece[reach > ditch_middle(calibration.board)] = 0
        row, column = np.nonzero(piece)
        at = np.column_stack((stretch.x[row, column % directions], stretch.y[row, column % directions]))
        hull = cv2.convexHull(at.astype(np.float32))[:, 0]
        parts.append(tuple((float(x), float(y)) for x, y in hull))
        nearest = min(nearest, float(reach[row].min()))
    return tuple(parts), not parts or nearest < _counts_within(calibration.board)


def _strange(view: View, stretch: _Stretch) -> NDArray[np.bool_]:
    """Where colours of a stretch (R, D) differ from the same radius in neighbouring directions, other than by
    reflections."""
    soft = np.asarray(cv2.blur(view.image, (OBSTRUCTION.blur, OBSTRUCTION.blur)), np.uint8)
    bgr = discs.sample(soft, stretch.column, stretch.row)
    around = np.arange(-OBSTRUCTION.beside, OBSTRUCTION.beside + 1, OBSTRUCTION.beside_step)
    columns = (np.arange(0, bgr.shape[1], OBSTRUCTION.beside_step)[:, None] + around) % bgr.shape[1]
    middle = len(around) // 2
    planes = np.moveaxis(bgr[:, columns], -1, 1).astype(np.float32)  # sorts faster than bytes
    usual = np.partition(planes, middle, axis=-1)[..., middle].transpose(0, 2, 1).astype(np.uint8)
    light, lab = (
        np.repeat(part, OBSTRUCTION.beside_step, axis=1) for part in (colours.linear(usual), colours.lab_of(usual))
    )
    unusual = colours.distance(colours.lab_of(bgr), lab) > OBSTRUCTION.unusual
    return np.asarray(unusual & ~_mirrors(bgr, light), np.bool_)


def _mirrors(bgr: Image, then: NDArray[np.floating[Any]]) -> NDArray[np.bool_]:
    """Where a picture (.., 3) mirrors more light than in `then`, its primaries in linear light: a lamp on a glossy
    board, whatever the board's colour, adds the same to all three."""
    gain = colours.linear(bgr) - then
    full = np.where(bgr >= OBSTRUCTION.full, np.inf, gain)  # a saturated primary may have gained more than it shows
    least = np.minimum(np.minimum(full[..., 0], full[..., 1]), full[..., 2])
    gain = np.abs(gain, out=gain)
    most = np.maximum(np.maximum(gain[..., 0], gain[..., 1]), gain[..., 2])
    return np.asarray(least > OBSTRUCTION.mirrored * most, np.bool_)


def _longest_run(flags: NDArray[np.bool_]) -> int:
    """The longest run of True around the circle."""
    gaps = np.flatnonzero(~flags)
    if not len(gaps):
        return len(flags)
    return int(np.diff(np.append(gaps, gaps[0] + len(flags))).max()) - 1
