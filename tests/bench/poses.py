"""Writes docs/hole.jpg: the 20 hole of traced boards, empty, with a disc flat in it and with one that leans. Under each
picture are the odds read from it, without the empty board's picture and with it."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from controller.training.pictures import calibration_of
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from controller.vision.readings import HoleOdds
from hardware.devices import Image
from tests.bench import hard

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "hole.jpg"
BOARDS = 2
WIDE, LINE = 260, 24  # pixels of a picture, and of a line of words
AROUND = 32.0  # mm beside the hole's axis that are shown


def run() -> Iterator[tuple[str, float, str]]:
    """Write the picture, and yield (name, probability of the truth, unit)."""
    rows = []
    for pictures in hard.boards("holes", hard.HELD, BOARDS):
        row = []
        for picture, pose in zip(pictures, ("empty", "flat", "leaning"), strict=True):
            calibration = calibration_of(picture.camera)
            alone = read_board(picture.image, calibration).hole
            known = read_board(picture.image, calibration, empty=Background.from_empty(picture.empty, calibration)).hole
            words = [f"{pose}  (empty, flat, leaning)", f"alone   {_said(alone)}", f"known  {_said(known)}"]
            row.append(
                np.vstack(
                    [_hole(picture.image, calibration.project(np.zeros(2)), picture.camera.px_per_mm)]
                    + [_line(text) for text in words]
                )
            )
            yield f"{picture.name}, {pose}", getattr(known, pose), "of the truth, empty hole known"
        rows.append(np.hstack(row))
    cv2.imwrite(str(PICTURE), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 88])


def _said(odds: HoleOdds) -> str:
    return "  ".join(f"{part:.2f}" for part in (odds.empty, odds.flat, odds.leaning))


def _hole(image: Image, at: np.ndarray, scale: float) -> Image:
    half = AROUND * scale
    x, y = (int(part) for part in at)
    shown = image[round(y - half) : round(y + half), round(x - half) : round(x + half)]
    return np.asarray(cv2.resize(shown, (WIDE, WIDE), interpolation=cv2.INTER_CUBIC), np.uint8)


def _line(text: str) -> Image:
    line = np.full((LINE, WIDE, 3), 255, np.uint8)
    cv2.putText(line, text, (6, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (30, 30, 30), 1, cv2.LINE_AA)
    return line
