"""Pictures with truth to fit by, in folders of one generator each: FOLDER/GENERATOR/*.json, each beside its picture.

    {"file": "a_000.jpg", "empty": "a_empty.png", "width": 1280, "height": 960,
     "camera": {"K": [[..], [..], [..]], "dist": [..], "rvec": [..], "t": [..]},
     "discs": [{"x_mm": 84.0, "y_mm": 12.5, "status": "flat"}]}

Pixel centres are at whole numbers, the board frame is that of readings. `status` is flat, in_hole, leaning or ditch.
`empty` is the same camera's picture of the empty board, and may be left out."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.errors import BadInput
from controller.vision.calibration.calibration import Calibration, Quality
from controller.vision.calibration.camera import Camera
from controller.vision.reading.background import Background
from hardware.board import TOURNAMENT
from hardware.devices import Image
from hardware.pictures import read_picture


@dataclass(frozen=True, slots=True)
class TruePose:
    """The centre of a disc's bottom, mm, and its pose."""

    x: float
    y: float
    status: str


@dataclass(frozen=True, slots=True)
class TrainingPicture:
    """A picture with its camera and the true discs."""

    generator: str
    name: str
    image: Image
    empty: Image | None
    calibration: Calibration
    discs: tuple[TruePose, ...]

    def background(self) -> Background | None:
        """The picture of the empty board, if any."""
        return None if self.empty is None else Background.from_empty(self.empty, self.calibration)

    def away(self, x: float, y: float, *status: str) -> tuple[float, TruePose | None]:
        """The distance (mm) to the nearest disc, of one of these poses if given, and that disc."""
        there = [disc for disc in self.discs if not status or disc.status in status]
        near = min(there, key=lambda disc: math.hypot(disc.x - x, disc.y - y), default=None)
        return (math.inf, None) if near is None else (math.hypot(near.x - x, near.y - y), near)


def pictures(folder: Path) -> Iterator[TrainingPicture]:
    """All pictures of all generators. Raises `BadInput` where there is none, or one can't be read."""
    found = sorted(folder.glob("*/*.json"))
    if not found:
        raise BadInput(
            f"{folder}: there is no GENERATOR/*.json in this folder: name one with pictures and their truth."
        )
    for path in found:
        try:
            yield _picture(path)
        except (KeyError, TypeError, IndexError, ValueError) as error:
            raise BadInput(f"{path} is no picture's truth ({error!r}): mend it or take it away.") from error


def _picture(path: Path) -> TrainingPicture:
    document = json.loads(path.read_text(encoding="utf-8"))
    seen, empty = document["camera"], document.get("empty")
    camera = Camera(
        int(document["width"]),
        int(document["height"]),
        seen["K"][0][0],
        seen["K"][0][2],
        seen["K"][1][2],
        seen["dist"][0],
        tuple(seen["rvec"]),
        tuple(seen["t"]),
    )
    discs = (TruePose(d["x_mm"], d["y_mm"], d["status"]) for d in document["discs"] if d["status"] != "off_board")
    return TrainingPicture(
        path.parent.name,
        path.stem,
        read_picture(path.parent / document["file"]),
        None if empty is None else read_picture(path.parent / empty),
        calibration_of(camera),
        tuple(discs),
    )


def calibration_of(camera: Camera) -> Calibration:
    """A perfect calibration of the standard board."""
    quality = Quality(
        method="rings",
        rms=0.05,
        worst_line=0.05,
        sigma=(0.03, 0.03, 0.03),
        seen=(1.0, 1.0, 1.0),
        height=float(camera.centre[2]),
        height_sigma=3.0,
        tilt=camera.tilt,
        px_per_mm=camera.px_per_mm,
        contrast=80.0,
        turn_sure=True,
    )
    return Calibration(camera, TOURNAMENT, (TOURNAMENT.line_width,) * 3, 1, quality)
