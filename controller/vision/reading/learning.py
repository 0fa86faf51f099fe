"""Learns a side's colour from a picture of its discs."""

import numpy as np

from controller.errors import BadInput
from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours, discs
from controller.vision.reading.background import Background
from controller.vision.reading.grouping import grouped
from controller.vision.reading.reader import read_board
from controller.vision.side_colours import Palette
from hardware.devices import Image


def learn(
    image: Image, calibration: Calibration, side: str, known: Palette | None = None, *, empty: Background | None = None
) -> Palette:
    """The palette with a side's colour, learnt from a picture with one or more of its discs and no others. `known`: the
    earlier palette. Raises `BadInput` with the remedy if it is unclear which disc to learn.
    """
    reading = read_board(image, calibration, empty=empty, palette=known)
    lying = [disc for disc in reading.discs if disc.pose in ("flat", "in_hole")]
    labs = np.array([disc.lab for disc in lying])
    if reading.obstructed:
        raise BadInput("something reaches over the board: take your hands away and show the disc again")
    if not lying:
        raise BadInput("no disc is seen on the board: lay one of this side's discs on bare wood, away from the lines")
    if grouped(labs, np.array([(disc.x, disc.y) for disc in lying])).count > 1:
        raise BadInput("discs of two colours are seen: leave only this side's on the board")
    if known is None or known.wood is None:
        known = Palette(known.sides if known else {}, _wood(image, calibration, empty))
    light, a, b = (float(part) for part in np.median(labs, axis=0))
    return known.with_side(side, (light, a, b))


def _wood(image: Image, calibration: Calibration, empty: Background | None) -> tuple[float, float, float]:
    view = discs.playing_view(image, calibration) if empty is None else empty.view
    blue, green, red = (float(part) for part in colours.wood_of(view, calibration))
    return blue, green, red
