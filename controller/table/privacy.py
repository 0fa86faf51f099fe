"""Removes people's names, and everything beside the board, from a recording that may leave the table."""

from typing import Any

import cv2
import numpy as np

from controller.vision.calibration.calibration import Calibration
from hardware.devices import Image

BEYOND = 5.0  # mm beyond the rail that stay visible
NAMED = ("name", "to", "seats")  # members that contain people's names
UNNAMED = ("rules", "board")  # these have names too, but not people's


class Pseudonyms:
    """Renames people to `Player 1`, `Player 2`, ... in order of appearance."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, document: dict[str, Any]) -> dict[str, Any]:
        """The document without names, and without `who`, the name of a scorer's phone.

        Only members that hold names change: a player called `A` must not rename side A.
        """
        return {member: self._replaced(value, member) for member, value in document.items() if member != "who"}

    def _replaced(self, value: Any, member: str, *, names: bool = False) -> Any:
        names = names or member in NAMED
        match value:
            case str() if names:
                return self._known.setdefault(value, f"Player {len(self._known) + 1}")
            case dict() if member not in UNNAMED:
                return {name: self._replaced(one, name, names=names) for name, one in value.items() if name != "who"}
            case list() | tuple():
                return [self._replaced(one, member, names=names) for one in value]
        return value


def cut_to_board(picture: Image, calibration: Calibration | None) -> Image:
    """The picture (H, W, 3), black beyond the rail; all black while nobody knows where the board is."""
    if calibration is None:
        return np.zeros_like(picture)
    board = calibration.board
    angles = np.linspace(0, 2 * np.pi, 90)
    radius = board.rail_radius + board.rail_width + BEYOND
    ring = np.column_stack((radius * np.cos(angles), radius * np.sin(angles)))
    heights = (-board.surface_height, board.rail_height - board.surface_height)
    points = np.concatenate([np.column_stack((ring, np.full(len(ring), z))) for z in heights])
    outline = cv2.convexHull(np.rint(calibration.project(points)).astype(np.int32))
    mask = cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), outline, (255,))
    return np.asarray(cv2.bitwise_and(picture, picture, mask=mask), np.uint8)
