"""The discs' colours as they would be if the light were as bright and of one tint everywhere on the board.

Lamps beside the table make one side's discs look like two kinds. The wood shows the light at each place: a smooth
surface through its colours is what the discs' colours are divided by.
"""

import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours
from controller.vision.reading.discs import View
from controller.vision.reading.settings import DISCS, EVENNESS

Floats = NDArray[np.float64]


def evened(labs: Floats, places: Floats, view: View, calibration: Calibration) -> Floats:
    """The colours (K, 3) of discs at `places` (K, 2), as they would be in the light of the board's middle."""
    reach = calibration.board.surface_radius
    steps = np.arange(-reach, reach, EVENNESS.apart)
    points = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    points = points[np.hypot(*points.T) < EVENNESS.share * reach]
    column, row = np.rint((points + view.reach) / DISCS.step).astype(np.intp).T
    light = np.log(colours.linear(view.image[row, column]) + EVENNESS.dark)
    bends = _fitted(_terms(points / reach), light)
    gain = (_terms(np.zeros((1, 2))) - _terms(places / reach)) @ bends
    return colours.lab_of(colours.encoded(colours.linear(colours.bgr_of(labs)) * np.exp(gain)))


def _terms(points: Floats) -> Floats:
    """What a surface of the second degree is made of, (N, 6)."""
    x, y = points.T
    return np.stack((np.ones_like(x), x, y, x * x, y * y, x * y), axis=-1)


def _fitted(terms: Floats, light: Floats) -> Floats:
    """The surface (6, 3) through most of the light (N, 3): discs, lines and mirrored light weigh little."""
    weight = np.ones(len(terms))
    for _ in range(EVENNESS.rounds):
        some = weight[:, None]
        bends = np.linalg.lstsq(terms * some, light * some, rcond=None)[0]
        off = np.abs(light - terms @ bends).max(1)
        weight = 1 / (1 + (off / (np.median(off) + EVENNESS.dark)) ** 2)
    return np.asarray(bends, np.float64)
