"""The camera's image sensor: brightness, white balance and noise."""

from zlib import crc32

import cv2
import numpy as np

from hardware.devices import Image
from hardware.simulated.scene import Scene

GAMMA = 2.2  # from light to grey level
READ_NOISE = 2.0  # grey levels, at black
SHOT_NOISE = 1.8  # grey levels, at white; grows with the root of the brightness
SMALL_NOISE = 0.7  # grey levels: the small stream averages 16 pixels, whose noise is not independent
POOL = 2  # small noise pictures; each frame uses one at a random offset
SPARE = 128  # pixels by which a noise picture is larger than a frame
SCALE_BITS = 4  # fractional bits of noise levels
SCALE = 1 << SCALE_BITS
HALF = SCALE * SCALE // 2  # rounds the product of two scaled numbers
WARMTH = (-0.14, 0.0, 0.14)  # change of blue, green, red at warmth 1


class Sensor:
    """Turns a canvas into a picture. The noise depends on the seed and the scene's time alone."""

    def __init__(self, width: int, height: int, small: tuple[int, int], contrast: float, seed: int) -> None:
        self._level = (128 + (np.arange(256) - 128) * contrast)[:, None]
        random = np.random.default_rng([seed, 11])
        shape = (height + SPARE, width + SPARE, 3)
        self._noise = np.rint(random.standard_normal(shape, np.float32) * SCALE).astype(np.int16)
        small_shape = (small[1] + SPARE, small[0] + SPARE)
        self._small_noise = [self._split(random, small_shape) for _ in range(POOL)]
        self._seed = seed
        self._light: tuple[float, float] | None = None
        self._curve = self._level.astype(np.uint8)
        self._same = False  # whether the curve is the identity
        self._lit: tuple[Image, Image] | None = None  # the last small canvas before and after the curve
        level = np.arange(256) / 255
        self._spread = np.rint(np.sqrt(READ_NOISE**2 + SHOT_NOISE**2 * level) * SCALE).astype(np.int16)

    @staticmethod
    def _split(random: np.random.Generator, shape: tuple[int, int]) -> tuple[Image, Image]:
        """Noise as bytes to add and bytes to subtract: saturating byte arithmetic is the fastest."""
        noise = np.rint(random.standard_normal(shape) * SMALL_NOISE)
        return np.maximum(noise, 0).astype(np.uint8), np.maximum(-noise, 0).astype(np.uint8)

    def full(self, canvas: Image, scene: Scene) -> Image:
        """(h, w, 3) the picture of a canvas (h, w, 3)."""
        self._expose(scene)
        lit = canvas if self._same else cv2.LUT(canvas, self._curve)
        _, top, left = self._place(scene.t)
        height, width = canvas.shape[:2]
        noise = self._noise[top : top + height, left : left + width]
        change = np.asarray(noise * cv2.LUT(lit, self._spread), np.int16)
        change += HALF
        change >>= 2 * SCALE_BITS
        return np.asarray(cv2.add(lit, change, dtype=cv2.CV_8U), np.uint8)

    def small(self, canvas: Image, scene: Scene) -> Image:
        """(h, w) the picture of a canvas (h, w, 1), which must not change afterwards."""
        self._expose(scene)
        if self._lit is None or self._lit[0] is not canvas:
            self._lit = canvas, np.asarray(cv2.LUT(canvas[..., 0], np.ascontiguousarray(self._curve[..., 1])), np.uint8)
        lit = self._lit[1]
        which, top, left = self._place(scene.t)
        height, width = canvas.shape[:2]
        more, less = (noise[top : top + height, left : left + width] for noise in self._small_noise[which])
        return np.asarray(cv2.subtract(cv2.add(lit, more), less), np.uint8)

    def _expose(self, scene: Scene) -> None:
        """Set the tone curve (1, 256, 3) for the scene's light: output by input level and channel."""
        if self._light == (scene.light, scene.warmth):
            return
        gain = np.array([max(scene.light * (1 + scene.warmth * w), 0.0) ** (1 / GAMMA) for w in WARMTH])
        self._curve = np.asarray(np.clip(np.rint(self._level * gain), 0, 255), np.uint8)[None]
        self._same = bool(np.all(self._curve[0] == np.arange(256)[:, None]))
        self._light, self._lit = (scene.light, scene.warmth), None

    def _place(self, t: float) -> tuple[int, int, int]:
        """A noise picture and an offset in it."""
        key = crc32(f"{self._seed}:{t:.6f}".encode())
        return key % POOL, key // POOL % SPARE, key // (POOL * SPARE) % SPARE
