"""Readings of real photographs against hand labels: pixels and rings, no millimetres."""

import numpy as np

from tests.bench.tally import Tally
from tests.bench.truth import TrueDisc

MATCHED = 0.6  # radii of the disc in the picture
RINGS = {"20": 20, "15": 15, "10": 10, "5": 5, "0": 0}


def board_of(labels, calibration, seen, asks):
    """What became of one photograph. Where a person doubted a ring, no call is held wrong."""
    tally, left = Tally(asked=asks or any(disc.in_doubt for disc in seen)), list(seen)
    for label in labels:
        near = min(left, key=lambda disc: _apart(calibration, disc, label), default=None)
        matched = near if near is not None and _apart(calibration, near, label) < MATCHED else None
        if matched is not None:
            left.remove(matched)
        if label.ring in RINGS:
            zone = RINGS[label.ring] if label.sure or matched is None else matched.zone
            tally.pairs.append((TrueDisc(label.x, label.y, label.side, "", "flat", zone, 0.0, None), matched))
    tally.ghosts = [disc for disc in left if disc.pose != "ditch"]
    tally.mistaken = not tally.asked and (bool(tally.ghosts) or any(disc is None for _, disc in tally.pairs))
    return tally


def _apart(calibration, disc, label):
    """From the middle of the read disc's top to the label, in radii of the disc in the picture."""
    floor = -calibration.board.surface_height if disc.pose == "ditch" else 0.0
    top = np.array([(disc.x, disc.y), (disc.x + calibration.disc.radius, disc.y)])
    pixels = calibration.project(np.column_stack((top, np.full(2, floor + calibration.disc.thickness))))
    return float(np.hypot(*(pixels[0] - (label.x, label.y))) / np.hypot(*(pixels[1] - pixels[0])))
