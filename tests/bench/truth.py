"""Pictures of which the truth is known: ray-traced ones, hand-labelled photographs, and painted ones."""

import hashlib
import json
import math
import os
from dataclasses import dataclass
from pathlib import Path

import cv2

from controller.vision.calibration.camera import Camera
from hardware.board import TOURNAMENT, Board
from hardware.devices import Image
from tests.shared import VISION, true_camera


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

    @property
    def from_hole(self):
        return math.hypot(self.x, self.y)


def inner_edges(board):
    """How far from the hole, mm, each ring line begins."""
    return [board.inner_edge(line) for line in (board.fifteen_line, board.ten_line, board.outer_line)]


def true_disc(board, x, y, colour, colours, status, hidden=0.0):
    """A disc that was laid there, of one of the two sides' colours."""
    gaps = [edge - math.hypot(x, y) - board.disc.radius for edge in inner_edges(board)]
    zone = next((zone for zone, gap in zip((15, 10, 5), gaps, strict=True) if gap > 0), 0)
    zone = 20 if status == "in_hole" else zone
    return TrueDisc(x, y, "AB"[colours.index(colour)], colour, status, zone, hidden, min(gaps, key=abs))


def is_free(board, spots, spot, apart, peg_room):
    """Whether a place is so far, mm, from the other places and from the pegs."""
    return all(math.dist(spot, other) > apart for other in spots) and all(
        math.dist(spot, peg) > peg_room for peg in board.pegs
    )


@dataclass(frozen=True)
class TruePicture:
    """A still with its camera, its discs and, in a round, the picture of the empty board before it."""

    name: str
    image: Image
    camera: Camera
    discs: tuple[TrueDisc, ...]
    board: Board = TOURNAMENT
    empty: Image | None = None


def read_image(path):
    image = cv2.imread(str(path))
    assert image is not None, path
    return image


def stills():
    """The ray-traced stills, of as many boards."""
    for path in sorted((VISION / "raytraced").glob("*.json")):
        yield ray_traced(path)


def rounds():
    """The ray-traced rounds; the first picture of each is that of the empty board."""
    for folder in sorted((VISION / "sequences").glob("*/")):
        first, *rest = sorted(folder.glob("*.json"))
        empty = read_image(first.with_suffix(".jpg"))
        for path in rest:
            yield ray_traced(path, empty)


def holes():
    """The ray-traced pictures of the hole, each board's after it was bare."""
    for bare in sorted((VISION / "hole").glob("*_bare.jpg")):
        for path in sorted(bare.parent.glob(bare.name.replace("bare.jpg", "*.json"))):
            yield ray_traced(path, None if path.stem == bare.stem else read_image(bare))


def ray_traced(path, empty=None):
    """The picture that belongs to a truth file."""
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
    return TruePicture(path.stem, image, camera, discs, empty=empty)


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
    def kept_aside(self):
        """Whether nothing was chosen by it: half of all photographs, by their names, but none of `CHOSEN_BY`."""
        by_name = bool(hashlib.sha256(self.name.encode()).digest()[-1] % 2)
        return by_name and not self.name.startswith(CHOSEN_BY)


def photographs():
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
