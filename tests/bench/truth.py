"""Pictures of which the truth is known: ray-traced ones, hand-labelled photographs, and painted ones."""

import hashlib
import json
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.vision.calibration.lens import Camera, Floats
from hardware.board import TOURNAMENT, Board
from hardware.devices import Image
from tests.shared import VISION, true_camera

TAP_NOISE = 2.0  # pixels: landmarks are given as a finger would, not as the ray tracer knows them
BESIDE = (1.35, 1.75)  # radii of a disc: the board beside it, clear of its wall and its contact shadow
INSIDE = 0.75  # radii: the top without its rounded rim


@dataclass(frozen=True)
class TrueDisc:
    """A disc on the board or in its ditch. `clearance` is that of the line that decides the zone; mm."""

    x: float
    y: float
    side: str
    colour: str
    status: str  # flat, leaning, in_hole, ditch
    zone: int
    occluded: float  # share
    clearance: float | None
    contrast: float = math.nan  # grey levels from the board beside it, in the channel that differs most

    @property
    def from_hole(self) -> float:
        return math.hypot(self.x, self.y)


@dataclass(frozen=True)
class TruePicture:
    """A still with its camera, its discs and, in a round, the picture of the empty board before it."""

    name: str
    image: Image
    camera: Camera
    discs: tuple[TrueDisc, ...]
    landmarks: dict[str, Any]  # with a finger's scatter
    board: Board = TOURNAMENT
    empty: Image | None = None

    def with_contrasts(self) -> "TruePicture":
        """The discs with their contrasts measured."""
        return replace(
            self, discs=tuple(replace(disc, contrast=_contrast(self, disc)) for disc in self.discs if disc.zone >= 0)
        )


def read_image(path: Path) -> Image:
    image = cv2.imread(str(path))
    assert image is not None, path
    return np.asarray(image, np.uint8)


def stills() -> Iterator[TruePicture]:
    """The ray-traced stills, of as many boards."""
    for path in sorted((VISION / "raytraced").glob("*.json")):
        yield _ray_traced(path, None)


def rounds() -> Iterator[TruePicture]:
    """The ray-traced rounds; the first picture of each is that of the empty board."""
    for folder in sorted((VISION / "sequences").glob("*/")):
        first, *rest = sorted(folder.glob("*.json"))
        empty = read_image(first.with_suffix(".jpg"))
        for path in rest:
            yield _ray_traced(path, empty)


def _ray_traced(path: Path, empty: Image | None) -> TruePicture:
    document = json.loads(path.read_text(encoding="utf-8"))
    camera = true_camera(document)
    discs = tuple(
        TrueDisc(
            disc["x_mm"],
            disc["y_mm"],
            disc["side"],
            disc["colour"],
            disc["status"],
            disc["zone"],
            disc["occluded_frac"],
            disc["clearance_mm"],
        )
        for disc in document["discs"]
        if disc["status"] != "off_board"
    )
    image = read_image(path.parent / document["file"])
    taps = taps_of(camera, TOURNAMENT, np.random.default_rng(document["index" if "index" in document else "frame"]))
    return TruePicture(path.stem, image, camera, discs, taps, empty=empty).with_contrasts()


def taps_of(camera: Camera, board: Board, random: np.random.Generator) -> dict[str, Any]:
    """What a person would tap: hole, pegs and outer line, each some pixels off."""

    def tapped(points: list[tuple[float, float]]) -> list[list[float]]:
        pixels = camera.project(np.array(points)) + random.normal(0, TAP_NOISE, (len(points), 2))
        return [[float(x), float(y)] for x, y in pixels]

    outer = [(board.outer_line * math.cos(a), board.outer_line * math.sin(a)) for a in np.radians(range(0, 360, 45))]
    return {"hole": tapped([(0.0, 0.0)])[0], "pegs": tapped(list(board.pegs)), "outer_line": tapped(outer)}


def _contrast(picture: TruePicture, disc: TrueDisc) -> float:
    """Grey levels between a flat disc's top and the board beside it, in the channel that differs most."""
    if disc.status != "flat":
        return math.nan
    size = picture.board.disc
    top = _colours(picture, _rings(disc, np.linspace(0.1, INSIDE, 6) * size.radius), size.thickness)
    beside = _rings(disc, np.linspace(*BESIDE, 5) * size.radius)
    free = np.ones(len(beside), np.bool_)
    for other in picture.discs:
        free &= np.hypot(*(beside - (other.x, other.y)).T) > 1.3 * size.radius
    if np.count_nonzero(free) < 10:
        return math.nan
    wood = _colours(picture, beside[free], 0.0)
    return float(np.max(np.abs(np.median(top, axis=0) - np.median(wood, axis=0))))


def _rings(disc: TrueDisc, radii: Floats) -> Floats:
    angles = np.linspace(0, 2 * np.pi, 36, endpoint=False)
    out = np.repeat(radii, len(angles))
    turn = np.tile(angles, len(radii))
    return np.stack((disc.x + out * np.cos(turn), disc.y + out * np.sin(turn)), axis=-1)


def _colours(picture: TruePicture, points: Floats, z: float) -> Floats:
    pixels = picture.camera.project(np.column_stack((points, np.full(len(points), z))))
    columns, rows = np.rint(pixels).astype(int).T
    height, width = picture.image.shape[:2]
    return picture.image[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)].astype(np.float64)


PHOTOS = Path(os.environ.get("CROKINOLE_PHOTOS", VISION / "real"))
"""The labelled photographs, made by `photos.py` beside their labels. Most belong to owners who state no licence, so few
are kept with the labels; the others are read from the folder that this variable names."""


CHOSEN_BY = ("D_", "I_")
"""Boards of which all photographs were looked at when settings were chosen."""


@dataclass(frozen=True)
class Label:
    """A disc in a photograph: the middle of its top in pixels, its ring as a person read it."""

    x: float
    y: float
    side: str
    ring: str  # 20, 15, 10, 5, 0, ditch, off-board, ..
    sure: bool


@dataclass(frozen=True)
class Photograph:
    """A real board, labelled by hand."""

    name: str
    image: Image
    labels: tuple[Label, ...]

    @property
    def kept_aside(self) -> bool:
        """Whether nothing was chosen by it: half of all photographs, by their names, but none of `CHOSEN_BY`."""
        by_name = bool(hashlib.sha256(self.name.encode()).digest()[-1] % 2)
        return by_name and not self.name.startswith(CHOSEN_BY)


def photographs() -> Iterator[Photograph]:
    """The photographs that are there, with all discs on the board labelled."""
    labels = VISION / "real" / "photos.json"
    if not labels.exists():
        return
    for entry in json.loads(labels.read_text(encoding="utf-8"))["images"]:
        path = PHOTOS / entry["file"]
        if path.exists() and "calibration" in entry and entry.get("discs_complete"):
            still = (d for d in entry.get("discs", ()) if d.get("state") not in ("moving", "in_hand"))
            discs = tuple(Label(d["x"], d["y"], d["side"], str(d["ring"]), bool(d["sure"])) for d in still)
            yield Photograph(entry["file"], read_image(path), discs)
