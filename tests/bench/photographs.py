"""Readings of real photographs against hand labels: pixels and rings, no millimetres."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.readings import SeenDisc
from hardware.devices import Image
from tests.bench.truth import Label, Photograph

MATCHED = 0.6  # radii of the disc in the picture
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
    silent: int = 0
    ghosts: int = 0
    refused: list[str] = field(default_factory=list)

    def take(self, photograph: Photograph, calibration: Calibration) -> None:
        """Read one photograph."""
        seen, _ = self.read(photograph.image, calibration, None)
        left = list(seen)
        for label in photograph.labels:
            near = min(left, key=lambda disc: _apart(calibration, disc, label), default=None)
            matched = near is not None and _apart(calibration, near, label) < MATCHED
            if near is not None and matched:
                left.remove(near)
            if label.ring not in RINGS:
                continue
            self.labelled += 1
            if near is None or not matched:
                continue
            self.found += 1
            right = near.zone == RINGS[label.ring]
            self.ring_right += right
            self.close += near.call == "close"
            self.silent += label.sure and not right and near.call == "sure"
        self.ghosts += sum(disc.pose != "ditch" for disc in left)


def _apart(calibration: Calibration, disc: SeenDisc, label: Label) -> float:
    """From the middle of the read disc's top to the label, in radii of the disc in the picture."""
    floor = -calibration.board.surface_height if disc.pose == "ditch" else 0.0
    top = np.array([(disc.x, disc.y), (disc.x + calibration.disc.radius, disc.y)])
    pixels = calibration.project(np.column_stack((top, np.full(2, floor + calibration.disc.thickness))))
    return float(np.hypot(*(pixels[0] - (label.x, label.y))) / np.hypot(*(pixels[1] - pixels[0])))
