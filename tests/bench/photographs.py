"""Readings of real photographs against hand labels: pixels and rings, no millimetres."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.readings import SeenDisc
from hardware.devices import Image
from tests.bench.promises import Board
from tests.bench.truth import Label, Photograph

MATCHED = 0.6  # radii of the disc in the picture
ORDERS = (("light", "dark"), ("dark", "light"))
FAR = 4.0  # standard errors of the clearance
RINGS = {"20": 20, "15": 15, "10": 10, "5": 5, "0": 0}


@dataclass
class Photographed:
    """One way to read, and what it made of the photographs."""

    name: str
    read: Callable[[Image, Calibration, Image | None], tuple[list[SeenDisc], bool]]
    labelled: int = 0  # discs on the playing surface
    found: int = 0
    ring_right: int = 0
    close: int = 0
    close_far: int = 0  # of these farther than `FAR` sigma from every line, and flat on the surface
    sides: int = 0
    side_right: int = 0
    silent: int = 0
    ghosts: int = 0
    refused: list[str] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)  # one for each photograph

    def take(self, photograph: Photograph, calibration: Calibration) -> None:
        """Read one photograph."""
        seen, asks = self.read(photograph.image, calibration, None)
        before = self.silent, self.labelled - self.found, self.ghosts, self.labelled
        left = list(seen)
        named: dict[str, list[str]] = {}
        for label in photograph.labels:
            near = min(left, key=lambda disc: _apart(calibration, disc, label), default=None)
            matched = near if near is not None and _apart(calibration, near, label) < MATCHED else None
            if matched is not None:
                left.remove(matched)
            if label.ring in RINGS:
                self._count(label, matched, named)
        self.sides += sum(map(len, named.values()))
        self.side_right += _sides_right(list(named.values()))
        self.ghosts += sum(disc.pose != "ditch" for disc in left)
        self.boards.append(self._board(before, seen, left, asks))

    def _count(self, label: Label, near: SeenDisc | None, named: dict[str, list[str]]) -> None:
        """Add a disc that a person saw and what was read of it, if anything was."""
        self.labelled += 1
        if near is None:
            return
        self.found += 1
        right = near.zone == RINGS[label.ring]
        self.ring_right += right
        self.close += near.in_doubt
        self.close_far += near.in_doubt and near.pose == "flat" and abs(near.clearance) > FAR * near.sigma
        self.silent += label.sure and not right and not near.in_doubt
        named.setdefault(near.colour, []).append(label.side)

    def _board(
        self, before: tuple[int, int, int, int], seen: list[SeenDisc], left: list[SeenDisc], asks: bool
    ) -> Board:
        """What became of the photograph that was just counted; `before` is how the counts stood."""
        silent, missed, ghosts, labelled = before
        asked = asks or any(disc.in_doubt for disc in seen)
        unseen = self.labelled - self.found > missed or self.ghosts > ghosts
        sure = sum(not disc.in_doubt for disc in seen if disc not in left and disc.pose != "ditch")
        return Board(self.silent > silent or (unseen and not asked), asked, sure, self.labelled - labelled)


def _sides_right(groups: list[list[str]]) -> int:
    """How many discs have their side, where the two largest groups are the two sides. A further group is wrong."""
    one, other = [*sorted(groups, key=len, reverse=True), [], []][:2]
    light, dark = (sum(group.count(side) for group, side in zip((one, other), order, strict=True)) for order in ORDERS)
    return max(light, dark)


def _apart(calibration: Calibration, disc: SeenDisc, label: Label) -> float:
    """From the middle of the read disc's top to the label, in radii of the disc in the picture."""
    floor = -calibration.board.surface_height if disc.pose == "ditch" else 0.0
    top = np.array([(disc.x, disc.y), (disc.x + calibration.disc.radius, disc.y)])
    pixels = calibration.project(np.column_stack((top, np.full(2, floor + calibration.disc.thickness))))
    return float(np.hypot(*(pixels[0] - (label.x, label.y))) / np.hypot(*(pixels[1] - pixels[0])))
