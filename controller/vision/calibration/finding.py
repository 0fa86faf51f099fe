"""Finds the board in an arbitrary picture: three thin concentric circles, seen at some tilt.

Pieces of thin lines are picked from a reduced picture with their directions. If the camera is turned virtually until it
looks straight down, the lines become circles around one point, where the normals of all pieces meet. The turn for which
they meet best is the tilt; the distances from the meeting point are the radii.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.camera import (
    USUAL_FOCAL_SPREAD,
    Bools,
    Camera,
    Floats,
    LensPrior,
    rotation_matrix,
    rotation_vector,
)
from controller.vision.calibration.least_squares import finish, solving
from controller.vision.calibration.rings import (
    IN_VIEW,
    RATIO_SLACK,
    TAP_WOBBLE,
    Grey,
    RingFit,
    acceptable,
    circles,
    fit_board,
    radii_near,
)
from hardware.board import INCH, Board

WORK_SIZE = 640  # pixels of the reduced picture's longer side: lines are a pixel wide from 1 px/mm in full
LINE_SCALE = 1.0  # pixels: the blur with the best response to a line of that width
MOST_PIECES = 5000  # the most pieces of lines kept, the strongest. Source not recorded
ROUGH_TILTS = 4  # rings of tilts tried first, `TILT_STEP` apart: up to 48 degrees
TILT_STEP = 12.0
"""Degrees between two of those rings. Measured on 129 pictures warped to tilts of 35 to 50 degrees, and on 80
of steep cameras: with 9, 11 and 12 every board was found."""
CELL = 6.0  # pixels of the reduced picture within which normals must meet. Source not recorded
LEAST_RADIUS = 20.0  # pixels of the reduced picture: the smallest circle looked for. Source not recorded
MOST_RADIUS = 330.0  # the largest: slightly more than half of `WORK_SIZE`
CANDIDATES = 6  # the best tilts that are followed up. Source not recorded
PLAIN = 2.0  # complete lines, of three: a candidate with this many is fitted at once
DOUBTFUL = 3  # fits tried if no candidate is clear. Source not recorded
SAME_BOARD = 8.0  # pixels of the full picture: nearer candidates lead to one fit
LEAST_PIECES = 100  # pieces of lines; with fewer there is no board. Source not recorded
ROUGH_PIECES = 1500  # pieces that vote on the tilts. Source not recorded
MEETING_NOISE = 0.06  # radians: the error of one piece's direction, one sigma
MEETING_LIMIT = 0.2  # radians by which a piece's normal may miss the meeting point: three of `MEETING_NOISE`
SECTORS = 90  # sectors of 4 degrees in which a circle is seen or not. Source not recorded
TRIPLES = 2  # triples of circles tried for one meeting point. Source not recorded


@dataclass(frozen=True, slots=True)
class Pieces:
    """Pixels of thin lines: places (n, 2) and unit directions along the line (n, 2), in the reduced picture."""

    places: Floats
    along: Floats


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible board: the camera in the full picture's pixels, the radii (3,) in mm, and how well it is seen."""

    camera: Camera
    radii: Floats
    score: float
    sign: int


def thin_lines(light: Grey, sign: int) -> Pieces:
    """The strongest pieces of dark (`sign` 1) or light (-1) lines, spread evenly over contrasts.

    On a line the second derivative is large and the first is small; beside the edge of a disc or shadow both are large.
    """
    smooth = cv2.GaussianBlur(light, (0, 0), LINE_SCALE)
    dx, dy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    dxx = cv2.Sobel(smooth, cv2.CV_32F, 2, 0, scale=sign / 4)
    dyy = cv2.Sobel(smooth, cv2.CV_32F, 0, 2, scale=sign / 4)
    dxy = cv2.Sobel(smooth, cv2.CV_32F, 1, 1, scale=sign / 4)
    half, gap = (dxx + dyy) / 2, np.sqrt(((dxx - dyy) / 2) ** 2 + dxy**2)
    bend = half + gap
    angle = np.arctan2(dxy, (dxx - dyy) / 2) / 2  # of the normal
    nx, ny = np.cos(angle), np.sin(angle)
    level = np.abs(dx * nx + dy * ny) < 0.6 * bend
    around = cv2.blur(np.maximum(bend, 0), (31, 31)) + 0.1
    strength = np.where(level & (bend > 0), bend / around, 0)
    strength = np.where(_is_ridge(bend, nx, ny), strength, 0)
    strength[:3], strength[-3:], strength[:, :3], strength[:, -3:] = 0, 0, 0, 0
    wanted = strength > 1.5
    count = int(np.count_nonzero(wanted))
    if count > MOST_PIECES:
        wanted = strength > np.partition(strength[wanted], count - MOST_PIECES)[count - MOST_PIECES]
    rows, columns = np.nonzero(wanted)
    along = np.stack((-ny[rows, columns], nx[rows, columns]), axis=-1)
    return Pieces(np.stack((columns, rows), axis=-1).astype(np.float64), along.astype(np.float64))


def _is_ridge(bend: NDArray[Any], nx: NDArray[Any], ny: NDArray[Any]) -> Bools:
    """Where `bend` is at least that of both neighbours along the normal."""
    columns, rows = np.meshgrid(np.arange(bend.shape[1], dtype=np.float32), np.arange(bend.shape[0], dtype=np.float32))
    ahead = cv2.remap(bend, columns + nx, rows + ny, cv2.INTER_LINEAR)
    behind = cv2.remap(bend, columns - nx, rows - ny, cv2.INTER_LINEAR)
    return (bend >= ahead) & (bend >= behind)


def candidates(grey: Grey, prior: LensPrior, board: Board) -> Iterator[Candidate]:
    """The possible boards in the picture, the likeliest first."""
    height, width = grey.shape
    shrink = min(1.0, WORK_SIZE / max(width, height))
    size = (round(width * shrink), round(height * shrink))
    light = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)
    focal = prior.focal * shrink
    axis = np.array(((light.shape[1] - 1) / 2, (light.shape[0] - 1) / 2))
    rough: list[tuple[float, int, Floats]] = []
    pieces: dict[int, Pieces] = {}
    for sign in (1, -1):
        lines = thin_lines(light, sign)
        if len(lines.places) < LEAST_PIECES:
            continue
        pieces[sign] = Pieces(lines.places - axis, lines.along)
        some = np.linspace(0, len(lines.places) - 1, min(ROUGH_PIECES, len(lines.places))).astype(np.intp)
        few = Pieces(pieces[sign].places[some], pieces[sign].along[some])
        for tilt in _tilts():
            votes, meeting = _vote(few, tilt, focal, light.shape)
            rough.append((votes / len(some), sign, np.array((*tilt, *meeting, np.log(focal)))))
    rough.sort(key=lambda entry: -entry[0])
    seen: list[Candidate] = []
    doubtful: list[Candidate] = []
    for _, sign, view in rough[:CANDIDATES]:
        for each in _boards(pieces[sign], _meet(pieces[sign], view), sign, board, (width, height), shrink):
            if any(_alike(each, other) for other in seen):
                continue
            seen.append(each)
            if each.score > PLAIN:
                yield each
            else:
                doubtful.append(each)
    yield from sorted(doubtful, key=lambda each: -each.score)[:DOUBTFUL]


def _alike(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates would lead to the same fit."""
    if one.sign != other.sign:
        return False
    around = one.radii[2] * np.array(((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)))
    return bool(np.max(np.abs(one.camera.project(around) - other.camera.project(around))) < SAME_BOARD)


def _tilts() -> list[tuple[float, float]]:
    """Tilts evenly spread over a disc, as axis vectors in radians."""
    tilts = [(0.0, 0.0)]
    for ring in range(1, ROUGH_TILTS + 1):
        for k in range(6 * ring):
            angle, size = 2 * np.pi * k / (6 * ring), np.radians(TILT_STEP * ring)
            tilts.append((float(size * np.cos(angle)), float(size * np.sin(angle))))
    return tilts


def _turned(pieces: Pieces, tilt: tuple[float, float], focal: float) -> tuple[Floats, Floats]:
    """Places and unit directions of the pieces as seen by the camera turned by `tilt`. Moved and scaled so that the
    picture's centre stays, with its scale across the tilt: otherwise a board seen at a steep tilt would leave the
    picture.
    """
    turn = rotation_matrix(np.array((*tilt, 0.0)))
    middle = turn[:, 2]
    rays = np.column_stack((pieces.places, np.full(len(pieces.places), focal))) @ turn.T
    steps = pieces.along @ turn[:, :2].T
    places = focal * (middle[2] * rays[:, :2] / rays[:, 2:] - middle[:2])
    along = steps[:, :2] * rays[:, 2:] - rays[:, :2] * steps[:, 2:]
    return places, along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)


def _vote(
    pieces: Pieces, tilt: tuple[float, float], focal: float, shape: tuple[int, ...]
) -> tuple[float, tuple[float, float]]:
    """The largest number of normals that pass one place, and that place."""
    places, along = _turned(pieces, tilt, focal)
    normals = np.stack((-along[:, 1], along[:, 0]), axis=-1)
    reach = np.arange(LEAST_RADIUS, MOST_RADIUS, CELL)
    reach = np.concatenate((-reach, reach))
    size = np.array((shape[1], shape[0])) / 2
    across, down = int(2 * size[0] / CELL) + 1, int(2 * size[1] / CELL) + 1
    x = ((places[:, :1] + normals[:, :1] * reach + size[0]) / CELL).astype(np.int32)
    y = ((places[:, 1:] + normals[:, 1:] * reach + size[1]) / CELL).astype(np.int32)
    inside = (x >= 0) & (x < across) & (y >= 0) & (y < down)
    votes = np.bincount((y * across + x)[inside], minlength=across * down).reshape(down, across)
    spread = cv2.blur(votes.astype(np.float32), (3, 3))
    best = int(np.argmax(spread))
    return float(spread.flat[best]), (
        float((best % across + 0.5) * CELL - size[0]),
        float((best // across + 0.5) * CELL - size[1]),
    )


def _miss(pieces: Pieces, view: Floats) -> tuple[Floats, Floats, Floats]:
    """The angle (radians) by which each piece's normal misses the meeting point, and its distance and bearing from
    there."""
    places, along = _turned(pieces, (view[0], view[1]), float(np.exp(view[4])))
    way = places - view[2:4]
    distance = np.hypot(way[:, 0], way[:, 1])
    return np.sum(way * along, axis=1) / (distance + 10.0), distance, np.arctan2(way[:, 1], way[:, 0])


def _angles(pieces: Pieces, view: Floats) -> Floats:
    return _miss(pieces, view)[0]


def _meet(pieces: Pieces, view: Floats) -> Floats:
    """Optimise (tilt x, tilt y, meeting x, meeting y, log focal) so that the normals meet as well as possible."""
    for limit in (0.3, 0.15):
        miss, distance, _ = _miss(pieces, view)
        near = (np.abs(miss) < limit) & (distance > LEAST_RADIUS) & (distance < MOST_RADIUS)
        some = Pieces(pieces.places[near], pieces.along[near])
        if len(some.places) < LEAST_PIECES:
            break
        spread = np.array((0.5, 0.5, np.inf, np.inf, USUAL_FOCAL_SPREAD))
        view = finish(solving(partial(_angles, some), view, view, spread, MEETING_NOISE)).parameters
    return view


def _boards(
    pieces: Pieces, view: Floats, sign: int, board: Board, size: tuple[int, int], shrink: float
) -> list[Candidate]:
    """Triples of circles around the meeting point that may be a board's three lines."""
    miss, distance, bearing = _miss(pieces, view)
    mine = (np.abs(miss) < MEETING_LIMIT) & (distance < MOST_RADIUS)
    sector = ((bearing[mine] + np.pi) * (SECTORS / (2 * np.pi))).astype(np.intp) % SECTORS
    hits = np.zeros((SECTORS, int(MOST_RADIUS) + 2), np.uint8)
    hits[sector, distance[mine].astype(np.intp)] = 1
    cover = cv2.dilate(hits, np.ones((1, 5), np.uint8)).mean(axis=0)
    found: list[Candidate] = []
    for outer in np.argsort(-cover)[:40]:
        if outer < 3 * LEAST_RADIUS or any(abs(outer - other.radii[2]) < 8 for other in found):
            continue
        ten, fifteen = (
            _inner(cover, outer, drawn / board.outer_line) for drawn in (board.ten_line, board.fifteen_line)
        )
        radii = np.array((fifteen, ten, outer)) + 0.5
        camera = _camera(view, float(radii[2]), board, size, shrink)
        if not camera.faces(board.outer_line):  # normals also meet well where the picture shows nothing
            continue
        found.append(Candidate(camera, radii, float(cover[[outer, ten, fifteen]].sum()), sign))
    found.sort(key=lambda candidate: -candidate.score)
    return [replace(each, radii=each.radii * board.outer_line / each.radii[2]) for each in found[:TRIPLES]]


def _inner(cover: Floats, outer: int, share: float) -> int:
    """The best covered radius near `share` of the outer line's, within `RATIO_SLACK`."""
    low, high = int(outer * share * (1 - RATIO_SLACK)), int(outer * share * (1 + RATIO_SLACK)) + 1
    radii = np.arange(low, high + 1)
    return int(radii[np.argmax(cover[radii] * (1 - 2 * np.abs(radii / (outer * share) - 1)))])


def _camera(view: Floats, outer: float, board: Board, size: tuple[int, int], shrink: float) -> Camera:
    """The camera that sees the meeting point as the hole and a circle of `outer` pixels as the outer line."""
    focal = float(np.exp(view[4]))
    turn = rotation_matrix(np.array((view[0], view[1], 0.0)))
    middle = turn[:, 2]
    across, down = (view[2:4] / focal + middle[:2]) / middle[2]
    depth = focal * middle[2] * board.outer_line / outer
    t = turn.T @ np.array((across * depth, down * depth, depth))
    facing = turn.T @ np.diag((1.0, -1.0, -1.0))
    x, y, z = (float(v) for v in t)
    width, height = size
    axis = ((width - 1) / 2, (height - 1) / 2)
    return Camera(width, height, focal / shrink, *axis, 0.0, rotation_vector(facing), (x, y, z))


# Which circle is the outer line: extra circles may have nearly the proportions of the three lines.

FIFTEENS = (3.8 * INCH, 4.1 * INCH)
"""mm, least and most, if the outer line is at 12 inches: tournament, octagonal and vintage boards."""
TENS = (8.0 * INCH, 8.6 * INCH)  # mm: the two radii of ten lines on those boards
ODD = 2.0  # mm off these: possibly other lines
PLAIN_LINE = 3.0  # grey levels: twice `rings.FAINT`. A circle of such contrast may be a line
OTHERS = 3  # other circles tried as the outer line. Source not recorded


def likeliest_board(grey: Grey, fit: RingFit, prior: LensPrior, board: Board) -> RingFit:
    """The fit itself, or one to another triple of circles with more typical proportions."""
    best = fit
    if _oddness(fit.radii) < ODD:
        return best
    for radius in _circles_around(grey, fit, board):
        shrink = board.outer_line / radius
        x, y, z = fit.camera.t
        camera = replace(fit.camera, t=(x * shrink, y * shrink, z * shrink))
        other = fit_board(grey, camera, radii_near(grey, camera, board, fit.sign), prior, fit.sign, board)
        if acceptable(other) and _oddness(other.radii) < _oddness(best.radii) - ODD:
            best = other
    return best


def _oddness(radii: Floats) -> float:
    """The larger deviation (mm) of the fifteen and ten lines from those of known boards."""
    fifteen = max(FIFTEENS[0] - radii[0], radii[0] - FIFTEENS[1], 0.0)
    return float(max(fifteen, min(abs(radii[1] - ten) for ten in TENS)))


def _circles_around(grey: Grey, fit: RingFit, board: Board) -> list[float]:
    """Radii (mm) of other possible outer lines, the clearest first."""
    nearest = board.ten_line * (1 + RATIO_SLACK)
    farthest = board.outer_line**2 / board.ten_line * (1 + RATIO_SLACK)
    at, depth = circles(grey, fit.camera, fit.sign, nearest, farthest)
    share = np.mean(depth > PLAIN_LINE, axis=0)
    share[np.abs(at - board.outer_line) < 2 * TAP_WOBBLE] = 0
    found: list[float] = []
    while len(found) < OTHERS and share.max() > IN_VIEW:
        top = at[share > share.max() - 1e-6]
        radius = float(np.mean(top[top < top[0] + 2 * TAP_WOBBLE]))  # a dilated peak is a plateau
        found.append(radius)
        share[np.abs(at - radius) < 2 * TAP_WOBBLE] = 0
    return found
