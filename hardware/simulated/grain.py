"""Textures of wood, felt and checked cloth: pictures of relative brightness that tile a plane."""

import math
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.look import Finish

Plane = NDArray[np.floating[Any]]
SIZE = 1024  # texels across
TEXEL = 0.8  # mm: finer than a pixel at the usual 1.2 px/mm
# Grain is redder than the wood around it: it absorbs more blue than red.
TINT = np.array((1.25, 1.05, 0.85), np.float32)


def _noise(random: np.random.Generator, rows: int, columns: int) -> Plane:
    """(SIZE, SIZE) smooth noise of unit variance from a coarse grid; few columns make long fibres along x."""
    grid = random.standard_normal((rows, columns)).astype(np.float32)
    noise = cv2.resize(grid, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)
    return np.asarray(noise / noise.std(), np.float32)


def _wood(random: np.random.Generator) -> Plane:
    across = np.arange(SIZE, dtype=np.float32)[:, None] * (TEXEL / 38.0)  # rings 38 mm apart
    warp = 0.9 * _noise(random, 6, 3) + 0.12 * _noise(random, 40, 6)
    rings = np.sin(2 * math.pi * (across + warp)) ** 3
    fibres = 0.55 * _noise(random, SIZE // 2, 12) + 0.35 * _noise(random, 300, 5)
    return np.asarray(fibres + 0.55 * rings + 0.5 * _noise(random, 10, 2), np.float32)


def _felt(random: np.random.Generator) -> Plane:
    return np.asarray(0.8 * _noise(random, SIZE, SIZE) + 0.6 * _noise(random, 90, 90), np.float32)


def _checks(random: np.random.Generator) -> Plane:
    rows, columns = np.mgrid[:SIZE, :SIZE] // 32
    return np.asarray(np.where((rows + columns) % 2, 1.0, -1.0) + 0.2 * _noise(random, SIZE, SIZE), np.float32)


def textures(seed: int) -> Mapping[str, Plane]:
    """(SIZE, SIZE) relative brightness of each kind of finish: mean 0, standard deviation about 1."""
    random = np.random.default_rng([seed, 7])
    return {"wood": _wood(random), "felt": _felt(random), "checks": _checks(random)}


def paint(
    finish: Finish, texture: Plane, x: Plane, y: Plane, *, angle: float = 0.0, scale: float = 1.0
) -> NDArray[np.float32]:
    """(h, w, 3) the finish at plane coordinates `x`, `y` (mm), with fibres along `angle` degrees."""
    c, s = math.cos(math.radians(angle)) / (TEXEL * scale), math.sin(math.radians(angle)) / (TEXEL * scale)
    along, across = x * c + y * s + SIZE / 2, y * c - x * s + SIZE / 2
    grain = cv2.remap(texture, along, across, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    tint = TINT if finish.kind == "wood" else np.ones(3, np.float32)
    return np.asarray(
        np.array(finish.colour, np.float32) * (1 + finish.grain * grain[..., None] * tint), dtype=np.float32
    )
