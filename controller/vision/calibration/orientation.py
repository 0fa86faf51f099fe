"""The board's turn, from quadrant lines and pegs in the straightened picture."""

import numpy as np

from controller.vision.calibration.camera import Camera, Floats
from controller.vision.calibration.rings import Grey, straighten
from hardware.board import Board

CLEAR_PEAK = 6.0  # times the usual scatter by which quadrant lines stand out; grain along a radius reaches 3

BEARING_STEPS = 1440  # directions, a quarter degree apart: 1.1 mm between the ten and the outer line
BESIDE = 3.0  # mm from a quadrant line's middle to the bare wood
CLEAR_OF_LINES = 6.0  # mm between the samples in the ring of five and its two lines
PEG_SIDES = (2.5, 5.0)  # mm beside the line's middle: a peg of 9.5 mm covers it
PEG_SEARCH = 10.0  # degrees to either side of a peg's place in the drawing
PEGS_AGREE = 1.5  # degrees by which a peg's own shadow moves it
PEGS_TURNED = 2.0  # degrees, 3.5 mm: pegs turned by less are as drawn
PEGS_NEEDED = 0.75  # share of the pegs that must agree. Source not recorded


def quadrant_turn(grey: Grey, camera: Camera, board: Board, sign: int) -> tuple[float, float]:
    """The angle (-45 to 45 degrees) by which to turn the board's frame so that the quadrant lines fit, and how far the
    lines stand out, in multiples of the usual scatter.
    """
    radii = np.linspace(board.ten_line + CLEAR_OF_LINES, board.outer_line - CLEAR_OF_LINES, 48)
    bearings = np.linspace(0, 2 * np.pi, BEARING_STEPS, endpoint=False)
    picture = straighten(grey, camera, radii, bearings) * np.float32(sign)
    beside = round(BESIDE / float(np.mean(radii)) * BEARING_STEPS / (2 * np.pi))
    depth = np.minimum(np.roll(picture, beside, axis=0), np.roll(picture, -beside, axis=0)) - picture
    seen = np.median(np.nan_to_num(depth, nan=-1.0), axis=1)
    quarter = BEARING_STEPS // 4
    four = np.sort(seen.reshape(4, quarter), axis=0)
    folded = four[1:].mean(axis=0)  # one of the four may be under a hand
    usual = float(np.median(folded))
    scatter = 1.48 * float(np.median(np.abs(folded - usual))) + 0.1
    best = int(np.argmax(folded))
    left, top, right = folded[best - 1], folded[best], folded[(best + 1) % quarter]
    shift = 0.5 * (left - right) / min(left - 2 * top + right, -1e-6)
    angle = (best + float(np.clip(shift, -1, 1))) * 360 / BEARING_STEPS
    turn = (angle - board.quadrant_angles[0] + 45) % 90 - 45
    return float(turn), (float(top) - usual) / scatter


def seated(camera: Camera, board: Board, before: Camera | None = None) -> Camera:
    """Of the four equivalent turns of the board's frame, the one closest to `before`, else the one with seat 1 (-y)
    nearest to the picture's bottom. A camera turned by 45 degrees shows two sides equally near to it; seat 1 must stay
    the same, otherwise every disc of a running round would change its place.
    """
    down = np.array(((0.0, 0.0), (0.0, -board.outer_line)))

    def seat(view: Camera) -> Floats:
        hole, edge = view.project(down)
        return np.asarray(edge - hole, np.float64)

    wanted = np.array((0.0, 1.0)) if before is None else seat(before)
    return max((camera.turned(90.0 * k) for k in range(4)), key=lambda view: float(wanted @ seat(view)))


def peg_turn(grey: Grey, camera: Camera, board: Board) -> float:
    """The angle in degrees between the ring of pegs and the drawing; 0 unless most pegs clearly agree. Unlike its line,
    a peg differs from the wood on both sides of it. Shadows and discs mislead single pegs only.
    """
    beside = np.linspace(*PEG_SIDES, 5)
    bearings = np.linspace(0, 2 * np.pi, BEARING_STEPS, endpoint=False)
    ring = straighten(grey, camera, board.peg_circle + np.concatenate((-beside, beside)), bearings)
    unlike = np.abs(ring - np.nan_to_num(np.nanmedian(ring, axis=0)))
    both = np.nan_to_num(np.minimum(unlike[:, :5].mean(axis=1), unlike[:, 5:].mean(axis=1)))
    width = round(board.peg_radius / board.peg_circle * BEARING_STEPS / np.pi)
    smooth = np.convolve(np.concatenate((both[-width:], both, both[:width])), np.ones(width) / width, "same")
    smooth = smooth[width:-width]
    degree = BEARING_STEPS / 360
    search = np.arange(-round(PEG_SEARCH * degree), round(PEG_SEARCH * degree) + 1)
    places = [round(angle * degree) for angle in board.peg_angles]
    offsets = np.array([search[np.argmax(smooth[(search + place) % BEARING_STEPS])] for place in places]) / degree
    turn = float(np.median(offsets))
    agreeing = np.count_nonzero(np.abs(offsets - turn) < PEGS_AGREE)
    return turn if abs(turn) > PEGS_TURNED and agreeing >= PEGS_NEEDED * len(offsets) else 0.0
