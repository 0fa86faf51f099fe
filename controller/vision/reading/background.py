"""The empty board, learnt from a picture, for detecting changes independent of the light."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import discs
from controller.vision.reading.colours import wood_of
from controller.vision.reading.discs import View
from controller.vision.reading.hole_look import Patch, patch
from controller.vision.reading.obstruction import Changed
from controller.vision.reading.settings import BACKGROUND, DISCS
from hardware.devices import Image


@dataclass(frozen=True)
class Background:
    """The empty board from above."""

    view: View
    patches: NDArray[np.float32]  # (m, m, 3) the view in patches, and `BACKGROUND.offset` more
    lifted: NDArray[np.float32]  # (n, n, 3) the view and `BACKGROUND.offset` more
    noise: NDArray[np.float32]  # (n, n) insignificant grey levels of change; infinite where overexposed
    hole: Patch | None  # the empty hole in this light, if known
    wood: NDArray[np.float64]  # (3,) the surface's median colour
    reference: NDArray[np.float64]  # (3,) the same in the reference light of colours
    round: NDArray[np.float32]  # (n, n) the highest roundness around each place: the board's own circles

    @classmethod
    def from_empty(
        cls, image: Image, calibration: Calibration, hole: Patch | None = None, view: View | None = None
    ) -> Self:
        """Learn from one picture (H, W, 3) of the empty board, with the empty `hole` from another picture. `view`: the
        same picture from above, if already computed.
        """
        view = view or discs.playing_view(image, calibration)
        noise = np.where(view.image.min(2) < BACKGROUND.blown_out, _noise(view.image), np.float32(np.inf))
        score = discs.roundness(view, calibration.disc.radius)
        own = np.asarray(cv2.dilate(score, np.ones((BACKGROUND.circle_pixels,) * 2, np.uint8)), np.float32)
        lifted = view.image + BACKGROUND.offset
        wood = wood_of(view, calibration)
        return cls(view, _patches(view), lifted, noise, hole or patch(image, calibration), wood, wood, own)

    @cached_property
    def blown_out(self) -> NDArray[np.bool_]:
        """(n, n) where reflections hid the empty board, so that changes can't be detected."""
        return np.isinf(self.noise)

    def changed(self, view: View) -> Changed:
        """The difference of `view` (n, n) from the empty board; none where that was overexposed."""
        empty = self.relit(view)
        unlike = view.unlike(empty)
        return Changed(view.image, empty, unlike > self.noise, unlike)

    def in_light_of(self, image: Image, calibration: Calibration, learnt: View) -> Self:
        """The same board, which looks like `learnt` in the light of a picture (H, W, 3). The hole's look is then
        unknown. Colours are still measured relative to the first wood.
        """
        return replace(self.from_empty(image, calibration, view=learnt), hole=None, reference=self.reference)

    def relit(self, view: View) -> Image:
        """The empty board (n, n, 3) in the light of `view`."""
        ratio = np.clip(_patches(view) / self.patches, 0.25, 4)
        gain = cv2.resize(_smoothed(ratio), self.view.image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        lit = cv2.multiply(self.lifted, gain, dst=gain)
        return np.asarray(cv2.convertScaleAbs(lit, beta=-float(BACKGROUND.offset)), np.uint8)


def _patches(view: View) -> NDArray[np.float32]:
    """The view in patches (m, m, 3), and `BACKGROUND.offset` more."""
    patch = DISCS.step / BACKGROUND.patch
    return cv2.resize(view.image, None, fx=patch, fy=patch, interpolation=cv2.INTER_AREA) + BACKGROUND.offset


def _smoothed(ratio: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median (m, m, 3) over the surrounding patches, smoothed against the remaining noise.

    OpenCV's median over 5 x 5 patches of 40 mm takes a twentieth of the time, but a trial hid some mm more beside a
    hand, which reached over the outer line in 3 of 116 readings of a match.
    """
    wide, half = BACKGROUND.patches_around, BACKGROUND.patches_around // 2
    padded = cv2.copyMakeBorder(ratio, half, half, half, half, cv2.BORDER_REFLECT_101)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (wide, wide), axis=(0, 1))
    median = np.partition(windows.reshape(*ratio.shape, wide * wide), wide * wide // 2, axis=-1)[..., wide * wide // 2]
    return np.asarray(cv2.GaussianBlur(median, (0, 0), 1.0), np.float32)


def _noise(image: Image) -> NDArray[np.float32]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    span = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray(BACKGROUND.noise + BACKGROUND.jitter * span.astype(np.float32), np.float32)
