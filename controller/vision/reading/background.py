"""The empty board, learnt from a picture, for detecting changes independent of the light."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import cv2
import numpy as np

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools, Field, Floats
from controller.vision.light_field import LightField
from controller.vision.reading import discs
from controller.vision.reading.colours import wood_of
from controller.vision.reading.discs import VIEW_STEP, TopView
from controller.vision.reading.hole_look import Patch, patch
from controller.vision.reading.light import CAMERA_NOISE, MIRRORS
from controller.vision.reading.obstruction import BoardDifference
from hardware.devices import Image

CIRCLE_PIXELS = 5
"""Pixels of the view within which a circle of the empty board is searched: its roundest place shifts with noise."""
EDGE_JITTER = 0.35  # pixels of the view by which an edge may have moved
SECTORS = 16
"""Sectors of the surface, 130 mm wide at its edge: a forearm leaves most of them as they were."""
STRANGE = 0.05
"""Share of each sector that is unlike the known board if this is another one. Measured in pairs of 14 ray-traced
boards: 0.07 and more in the sector with the least; on the same board, with arms and lamps, up to 0.03."""


@dataclass(frozen=True)
class Background:
    """The empty board from above."""

    view: TopView
    noise: Field  # (n, n) insignificant grey levels of change; infinite where overexposed
    hole: Patch | None  # the empty hole in this light, if known
    wood: Floats  # (3,) the surface's median colour
    reference: Floats  # (3,) the same in the reference light of colours
    round: Field  # (n, n) the highest roundness around each place: the board's own circles

    @classmethod
    def from_empty(
        cls, image: Image, calibration: Calibration, hole: Patch | None = None, view: TopView | None = None
    ) -> Self:
        """Learn from one picture (H, W, 3) of the empty board, with the empty `hole` from another picture. `view`: the
        same picture from above, if already computed.
        """
        view = view or discs.playing_view(image, calibration)
        noise = np.where(view.image.min(2) < MIRRORS, _noise(view.image), np.float32(np.inf))
        score = discs.roundness(view, calibration.disc.radius)
        own = np.asarray(cv2.dilate(score, np.ones((CIRCLE_PIXELS,) * 2, np.uint8)), np.float32)
        wood = wood_of(view, calibration)
        return cls(view, noise, hole or patch(image, calibration), wood, wood, own)

    @cached_property
    def blown_out(self) -> Bools:
        """(n, n) where reflections hid the empty board, so that changes can't be detected."""
        return np.isinf(self.noise)

    def changed(self, view: TopView) -> BoardDifference:
        """The difference of `view` (n, n) from the empty board; none where that was overexposed."""
        empty = self.relit(view)
        unlike = view.unlike(empty)
        return BoardDifference(view.image, empty, unlike > self.noise, unlike)

    def is_strange_to(self, view: TopView, calibration: Calibration) -> bool:
        """Whether no part of the surface in `view` (n, n) looks like this board's, in any light."""
        changed = self.changed(view)
        across = np.arange(len(changed.mask)) - len(changed.mask) // 2
        sector = (np.arctan2(across[:, None], across) / (2 * np.pi) + 0.5) * SECTORS
        surface = discs.circle(len(changed.mask), calibration.board.surface_radius) > 0
        which = sector[surface].astype(np.intp) % SECTORS
        unlike = (changed.mask & ~changed.shows_through)[surface]
        share = np.bincount(which, unlike, SECTORS) / np.bincount(which)
        return bool(share.min() > STRANGE)

    def in_light_of(self, image: Image, calibration: Calibration, learnt: TopView) -> Self:
        """The same board, which looks like `learnt` in the light of a picture (H, W, 3). The hole's look is then
        unknown. Colours are still measured relative to the first wood.
        """
        return replace(self.from_empty(image, calibration, view=learnt), hole=None, reference=self.reference)

    def relit(self, view: TopView) -> Image:
        """The empty board (n, n, 3) in the light of `view`."""
        field = LightField.between(self.view.image, view.image, VIEW_STEP)
        return np.asarray(field.lit(self.view.image), np.uint8)


def _noise(image: Image) -> Field:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    span = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return CAMERA_NOISE + EDGE_JITTER * span.astype(np.float32)
