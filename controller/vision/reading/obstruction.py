"""Does a hand, or anything else that reaches in over the rail, hide part of the board?

What reaches in crosses the edge of the playing surface, the ditch and the rail along one direction, and looks unlike
the board in the directions beside it. Mirrored light looks unlike it, too, but adds the same to all three primaries;
arms, sleeves and their shadows do not.

Where the look of the empty board is known, every part that differs from it and is no disc counts as hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours, discs
from controller.vision.reading.discs import View
from controller.vision.reading.settings import DISCS, OBSTRUCTION
from controller.vision.readings import Outline
from hardware.board import Board
from hardware.devices import Image

Floats = NDArray[np.float64]

THIN = np.ones((OBSTRUCTION.thin_pixels,) * 2, np.uint8)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The places that are looked at: R radii, D directions."""

    x: Floats  # (R, D) mm
    y: Floats
    column: NDArray[np.float32]  # (R, D) pixels of the view
    row: NDArray[np.float32]
    in_picture: NDArray[np.bool_]  # (R, D) whether the camera sees them at all


@lru_cache(maxsize=4)
def _stretch(calibration: Calibration) -> _Stretch:
    edge = calibration.board.surface_radius
    radii = np.arange(edge - OBSTRUCTION.inwards, edge + OBSTRUCTION.outwards, OBSTRUCTION.apart)[:, None]
    angles = np.arange(OBSTRUCTION.directions) * (2 * np.pi / OBSTRUCTION.directions)
    x, y = radii * np.cos(angles), radii * np.sin(angles)
    pixels = calibration.project(np.stack([x, y, np.full_like(x, calibration.disc.thickness)], axis=-1))
    inside = (pixels >= 0) & (pixels < (calibration.width, calibration.height))
    reach = discs.playing_area(calibration).reach
    column, row = (((part + reach) / DISCS.step).astype(np.float32) for part in (x, y))
    return _Stretch(x, y, column, row, inside[..., 0] & inside[..., 1])


def something_reaches_in(
    view: View,
    calibration: Calibration,
    seen: Sequence[tuple[float, float]],
    changed: NDArray[np.bool_] | None = None,
) -> bool:
    """True when something crosses the board's edge; `seen` are the discs' centres (x, y).

    `changed` (n, n) is where the view differs from the empty board, where that is known: then nothing else counts.
    """
    stretch = _stretch(calibration)
    if changed is not None:
        strange = cv2.remap(changed.view(np.uint8), stretch.column, stretch.row, cv2.INTER_NEAREST) > 0
    else:
        soft = np.asarray(cv2.blur(view.image, (OBSTRUCTION.blur, OBSTRUCTION.blur)), np.uint8)
        if stretch.in_picture.mean() < OBSTRUCTION.whole:
            return False  # what is usual cannot be told from a part of the board
        strange = _strange(discs.sample(soft, stretch.column, stretch.row))
    strange &= stretch.in_picture
    if not _crossed(strange):
        return False
    margin = OBSTRUCTION.disc_margin * calibration.disc.radius
    for disc_x, disc_y in seen:
        if np.hypot(disc_x, disc_y) > calibration.board.surface_radius - OBSTRUCTION.inwards - margin:
            strange &= np.hypot(stretch.x - disc_x, stretch.y - disc_y) > margin
    return _crossed(strange)


def _crossed(strange: NDArray[np.bool_]) -> bool:
    """Whether strange places (R, D) cross the stretch in some directions."""
    return _longest_run(strange.mean(0) > OBSTRUCTION.crossing) >= OBSTRUCTION.narrowest


def hidden_parts(
    calibration: Calibration, seen: Sequence[tuple[float, float]], changed: NDArray[np.bool_]
) -> tuple[Outline, ...]:
    """What is hidden of the surface and the ditch: the outlines of what lies or reaches there and is no disc.

    `seen` are the discs' centres (x, y), `changed` (n, n) is where the view differs from the empty board.
    """
    middle, board = len(changed) // 2, calibration.board
    radius = round(OBSTRUCTION.disc_margin * calibration.disc.radius / DISCS.step)
    mask = np.zeros(changed.shape, np.uint8)
    cv2.circle(mask, (middle, middle), round(ditch_middle(board) / DISCS.step), (1,), cv2.FILLED)
    mask &= changed.view(np.uint8)
    for x, y in seen:
        cv2.circle(mask, (middle + round(x / DISCS.step), middle + round(y / DISCS.step)), radius, (0,), cv2.FILLED)
    pieces, _ = cv2.findContours(
        cv2.morphologyEx(mask, cv2.MORPH_OPEN, THIN), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    hulls = [cv2.convexHull(piece) for piece in pieces if cv2.contourArea(piece) * DISCS.step**2 > OBSTRUCTION.hiding]
    corners = [cv2.approxPolyDP(hull, 2.0, True)[:, 0].astype(np.float64) for hull in hulls]
    return tuple(tuple((float(x), float(y)) for x, y in (hull - middle) * DISCS.step) for hull in corners)


def ditch_middle(board: Board) -> float:
    """Millimetres from the hole. A disc in the ditch is seen although places beyond this are hidden."""
    return board.surface_radius + board.ditch_width / 2


def hides_surface(calibration: Calibration, hidden: Sequence[Outline]) -> bool:
    """Whether any of these parts reaches over the outer line, where discs count."""
    return any(np.hypot(x, y) < calibration.board.outer_line for outline in hidden for x, y in outline)


def _strange(bgr: Image) -> NDArray[np.bool_]:
    """Where colours (R, D, 3) differ from the same radius in the directions beside, and not by mirrored light."""
    around = np.arange(-OBSTRUCTION.beside, OBSTRUCTION.beside + 1, OBSTRUCTION.beside_step)
    columns = (np.arange(0, bgr.shape[1], OBSTRUCTION.beside_step)[:, None] + around) % bgr.shape[1]
    middle = len(around) // 2
    planes = np.moveaxis(bgr[:, columns], -1, 1).astype(np.float32)  # which sort faster than bytes
    usual = np.partition(planes, middle, axis=-1)[..., middle].transpose(0, 2, 1).astype(np.uint8)
    parts = colours.linear(usual), colours.lab_of(usual)
    light, lab = (np.repeat(part, OBSTRUCTION.beside_step, axis=1) for part in parts)
    gain = colours.linear(bgr) - light
    full = np.where(bgr >= OBSTRUCTION.full, np.inf, gain)  # a primary at its limit may have gained more than it shows
    least = np.minimum(np.minimum(full[..., 0], full[..., 1]), full[..., 2])
    gain = np.abs(gain, out=gain)
    mirrored = least > OBSTRUCTION.mirrored * np.maximum(np.maximum(gain[..., 0], gain[..., 1]), gain[..., 2])
    return np.asarray((colours.distance(colours.lab_of(bgr), lab) > OBSTRUCTION.unusual) & ~mirrored, np.bool_)


def _longest_run(flags: NDArray[np.bool_]) -> int:
    """The longest run of True around the circle."""
    gaps = np.flatnonzero(~flags)
    if not len(gaps):
        return len(flags)
    return int(np.diff(np.append(gaps, gaps[0] + len(flags))).max()) - 1
