"""The settled board for the film: where discs may be seen, the bare wood, and the look of the discs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Floats, Indices
from controller.vision.film.film import KnownDisc
from controller.vision.film.spots import LEAST_CONTRAST, Spot, Spotter
from controller.vision.light_field import LightField
from hardware.devices import Image

BEYOND_MM = 25.0
"""mm beyond the surface's edge in which the wood's grey is measured too. Measured: without them one recording's
tan discs stay below `least_contrast`."""
OFF_RAIL_MM = 4.0
"""mm inside the rail that are ignored: the rail's own edge."""
SEEN_HEIGHT = 0.8
"""Share of a disc's thickness: the height of its apparent centre in the picture. Measured."""
BESIDE_PIXELS = 2.5
"""Pixels around a disc: its soft edge and its contact shadow."""
INPAINT_PIXELS = 3.0
"""Pixels around a disc from which the wood under it is filled in."""
NEAR_PIXELS = 1.5
"""Pixels between a settled disc's place as read and its spot, at most."""
CORE = 0.5
"""Share of a disc's radius within which all pixels are the disc's."""


class FilmView:
    """One calibration's view of the board in small pictures of one size (width, height)."""

    def __init__(self, calibration: Calibration, width: int, height: int) -> None:
        self.calibration = calibration.scaled(width, height)
        self.size = width, height
        self.disc = calibration.disc
        self.board = calibration.board
        self.radius = self.disc.radius * self.calibration.quality.px_per_mm

    @cached_property
    def region(self) -> Image:
        """Mask of surface and ditch, where discs are followed."""
        return self.calibration.within(self.board.rail_radius - OFF_RAIL_MM)

    @cached_property
    def surface(self) -> Image:
        """Mask of the surface with the ditch's inner part."""
        return self.calibration.within(self.board.surface_radius + BEYOND_MM)

    def pixels(self, points: Floats) -> Floats:
        """(n, 2) pixels of the centres of discs at (n, 2) mm."""
        raised = np.column_stack((points, np.full(len(points), self.disc.thickness * SEEN_HEIGHT)))
        return self.calibration.project(raised)

    def at(self, pixels: Floats) -> tuple[Indices, Indices]:
        """Rows and columns (..) of pixels (.., 2), x and y; the picture's edge for those beyond it."""
        columns, rows = np.moveaxis(np.rint(pixels).astype(np.intp), -1, 0)
        width, height = self.size
        return np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)

    def places(self, pixels: Floats) -> Floats:
        """(n, 2) mm of discs seen at (n, 2) pixels."""
        return self.calibration.to_board(pixels, self.disc.thickness * SEEN_HEIGHT)


@dataclass(frozen=True)
class FilmStage:
    """A settled board, and the finder of its changes."""

    view: FilmView
    discs: tuple[KnownDisc, ...]
    unseen: frozenset[str]  # the colours like the wood
    spotter: Spotter
    biases: dict[str, Floats]  # by colour, mm by which shadows shift a disc's apparent centre

    def places(self, spots: Sequence[Spot]) -> Floats:
        """(n, 2) mm, the discs' places."""
        at = self.view.places(np.array([(spot.x, spot.y) for spot in spots]).reshape(-1, 2))
        shadows = np.array([self.biases.get(spot.colour, (0.0, 0.0)) for spot in spots]).reshape(-1, 2)
        return np.asarray(at - shadows, np.float64)


def stage(
    view: FilmView,
    board: Image,
    discs: Sequence[KnownDisc],
    greys: dict[str, float],
    wood: Image | None,
    ready: Sequence[KnownDisc] = (),
) -> FilmStage:
    """The stage of a settled board with the small grey picture `board`. `greys`: the grey levels of colours on earlier
    boards, updated with this one's; colours of about one grey are one in the film. `wood`: the board without discs, if
    known. Discs `ready` to be shot are removed from the picture, so that they enter the film from the hand, like discs
    placed later.
    """
    at, waiting = _seen_at(view, discs), _seen_at(view, ready)
    _learn_greys(view, board, (*discs, *ready), np.vstack((at, waiting)), greys)
    names = _shared_names(greys, (*discs, *ready))
    known = tuple(replace(disc, colour=names[disc.colour]) for disc in discs)
    levels = {name: greys[name] for name in names.values()}
    bare = without_discs(view, board, (*at, *waiting), wood)
    board = np.where(_footprints(view, board, waiting) > 0, bare, board)
    spotter = Spotter(board, bare, view.region, view.surface, levels, view.radius)
    unseen = frozenset(levels.keys() - spotter.colours)
    return FilmStage(view, known, unseen, spotter, _biases(view, spotter, known, at))


def without_discs(view: FilmView, board: Image, at: Iterable[Floats], wood: Image | None = None) -> Image:
    """The picture with discs at these pixels (x, y) replaced by the `wood` there, in the picture's light, if it is
    known, else by the wood around them."""
    mask = _footprints(view, board, at)
    if wood is None:
        return np.asarray(cv2.inpaint(board, mask, INPAINT_PIXELS, cv2.INPAINT_TELEA), np.uint8)
    lit = LightField.between(wood, board, 1 / view.calibration.quality.px_per_mm).lit(wood)
    return np.where(mask > 0, lit, board)


def _seen_at(view: FilmView, discs: Sequence[KnownDisc]) -> Floats:
    return view.pixels(np.array([(disc.x, disc.y) for disc in discs]).reshape(-1, 2))


def _footprints(view: FilmView, board: Image, at: Iterable[Floats]) -> Image:
    """Mask of discs at these pixels (x, y), with their soft edges and contact shadows."""
    mask = np.zeros_like(board)
    for x, y in at:
        cv2.circle(mask, (round(x), round(y)), round(view.radius + BESIDE_PIXELS), (255,), cv2.FILLED)
    return mask


def _learn_greys(view: FilmView, board: Image, discs: Sequence[KnownDisc], at: Floats, greys: dict[str, float]) -> None:
    reach = max(1, int(view.radius * CORE))
    seen: dict[str, list[float]] = {}
    for disc, (x, y) in zip(discs, np.round(at).astype(int), strict=True):
        core = board[y - reach : y + reach + 1, x - reach : x + reach + 1]
        if core.size:
            seen.setdefault(disc.colour, []).append(float(np.median(core)))
    greys.update({colour: float(np.median(levels)) for colour, levels in seen.items()})


def _shared_names(greys: Mapping[str, float], discs: Iterable[KnownDisc]) -> dict[str, str]:
    """Each colour's name in the film, which sees no hues: colours of about one grey have one, of these discs' first."""
    lying = {disc.colour for disc in discs}
    names: dict[str, str] = {}
    for colour in sorted(greys, key=lambda colour: colour not in lying):
        near = (name for name in names.values() if abs(greys[name] - greys[colour]) < LEAST_CONTRAST)
        names[colour] = next(near, colour)
    return names


def _biases(view: FilmView, spotter: Spotter, discs: Sequence[KnownDisc], at: Floats) -> dict[str, Floats]:
    """The shift between the settled board's discs as seen and as read, by colour."""
    off: dict[str, list[Floats]] = {}
    for disc, (x, y) in zip(discs, at.tolist(), strict=True):
        for spot in spotter.around(x, y):
            if spot.colour == disc.colour and np.hypot(spot.x - x, spot.y - y) < NEAR_PIXELS:
                off.setdefault(disc.colour, []).append(view.places(np.array(((spot.x, spot.y),)))[0] - (disc.x, disc.y))
    return {colour: np.median(each, axis=0) for colour, each in off.items()}
