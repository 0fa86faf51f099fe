"""Reads a still picture: every disc, its pose, its zone, and how certain they are.

Circles of the discs' size are searched in the view from above (`discs`), each is fitted in the picture itself
(`outline`), and the fits together decide which are discs. The millimetres come from the fit alone.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from controller.errors import BadInput
from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools, Floats
from controller.vision.calibration.image_quality import unreadable
from controller.vision.reading import candidates, colours, disc_model, discs, hole, place_model
from controller.vision.reading.background import Background
from controller.vision.reading.candidates import (
    ON_EDGE,
    OVERLAP,
    Candidates,
    Known,
    LastReading,
    ReadingMemory,
    beside_hole,
)
from controller.vision.reading.discs import TopView
from controller.vision.reading.grouping import Groups, grouped
from controller.vision.reading.hole import BLOWN_OUT, BLOWN_OUT_VISIBLE, HoleDisc, HoleSeen
from controller.vision.reading.hole_look import Others, Patch
from controller.vision.reading.light import LEARNT, within_tolerance
from controller.vision.reading.obstruction import (
    Thing,
    hidden_parts,
    hides_hole,
    hides_surface,
    in_other_light,
    is_covered,
    outlined,
    reaching_parts,
    whole_board,
)
from controller.vision.reading.outline import Outlines
from controller.vision.reading.unseen import unseen_in
from controller.vision.readings import (
    AT_HOLE,
    EMPTY_HOLE,
    UNKNOWN_HOLE,
    USUAL_SIDES,
    BoardReading,
    Call,
    Doubt,
    HoleOdds,
    Outline,
    Pose,
    SeenDisc,
    Zone,
)
from controller.vision.side_colours import Palette
from hardware.devices import Image

LEAST_ODDS = -0.6
"""Log-odds from which something may be a disc, so that people are asked: below 0, since nobody is asked about a
missed disc. Measured with each generator left out: of 3706 discs 13 have less, of 1169 others 6 have more."""
SURE_ODDS = 2.0
"""Log-odds from which something is surely a disc. Measured in the same way, and on photographs: of the others none
has more; what looks like a disc where light has washed out the board has 1.4, a letter in a photograph 0.9. Of the
discs 60 have less, nearly all like the wood. A mark on a bare traced board, to which nothing is fitted, has 3.2."""
LEAST_ODDS_KNOWN = -1.25
"""The same for candidates like the wood if the empty board is known: grain is then no candidate. At -1 it depended
on the release of OpenCV that decoded the picture whether a disc like the wood was found. Measured on traced and
painted boards: of 953 discs and 54 others none lies between the two."""
KNOWN_LUCK = 0.25  # share of a candidate's luck that is left if the empty board is known, and grain with it
LIKE_WOOD = 8.0
"""Distance of colours within which a disc looks like the wood. Measured: a disc three grey levels from it 0.6, a
hand 18."""
DITCH_ODDS = 4.0
"""Subtracted for a disc in the ditch. Measured: of 416 others there two have 0, none 2.2; 50 discs all have 6.9."""
LEAST_IN_SIGHT = 0.35
"""Least share of a disc in the ditch past the surface's edge: on a smaller one a few rays agree by chance.
Measured in painted pictures at 50 degrees."""
CLOSE_SIGMAS = 4.0
"""Standard errors of the clearance from which a call is sure: two-sided 0.4 % of Student's t with 8 degrees of
freedom. Measured: of 3129 discs on boards of three generators 11 were read in a wrong ring, none of them surely."""
LEAST_VISIBLE = 0.45
"""Share of the outline. Less adds to a doubt but causes none: 3 of 3129 discs have less, and were read to 2 mm."""


@dataclass(frozen=True, slots=True)
class Detections:
    """Accepted discs, K of them."""

    fits: Outlines
    z: Floats
    labs: Floats  # colours of the tops
    certain: Bools  # that it is a disc in this pose
    odds: Floats  # the log-odds that it is a disc; NaN for one in the hole, which has its own model
    leaning: Bools
    rivals: Floats  # (K, 2, 2) mm^2, the spread of other outlines as good
    hole: HoleOdds = EMPTY_HOLE
    hole_unclear: bool = False  # there may be another disc, in the hole

    @classmethod
    def of(cls, seen: Candidates, which: list[int], odds: Floats) -> "Detections":
        """The candidates `which`, accepted as discs; `odds` (K,): the log-odds of all candidates."""
        fits, z, labs = seen.fits.only(which), seen.circles.z[which], seen.labs[which]
        rivals = np.nan_to_num(seen.circles.rivals[which])
        return cls(fits, z, labs, odds[which] > SURE_ODDS, odds[which], np.zeros(len(which), np.bool_), rivals)

    def plus(self, sunk: HoleDisc) -> "Detections":
        """Add the disc in the hole, first."""
        return replace(
            self,
            fits=sunk.fit.plus(self.fits),
            z=np.append(sunk.z, self.z),
            labs=np.concatenate([sunk.lab[None], self.labs]),
            certain=np.append(sunk.sure, self.certain),
            odds=np.append(np.nan, self.odds),
            leaning=np.append(sunk.leaning, self.leaning),
            rivals=np.concatenate([np.zeros((1, 2, 2)), self.rivals]),
        )


def read_board(
    image: Image,
    calibration: Calibration,
    *,
    empty: Background | None = None,
    empty_hole: Patch | None = None,
    palette: Palette | None = None,
    memory: ReadingMemory | None = None,
    t: float = 0.0,
    frame: str = "",
    sides: int = USUAL_SIDES,
) -> BoardReading:
    """Read a picture (H, W, 3) of a still board.

    All of these are optional: `empty`, the same camera's view of the empty board; `empty_hole`, used if only the empty
    20 hole is known; `palette`, the sides' colours; `memory`, the previous reading, which is updated in place; `sides`,
    how many play. If the light differs from that of `empty` by more than readings tolerate, nothing is sure. Raises
    `BadInput` if the picture does not belong to the calibration, is too dark, or is blurred.
    """
    started = time.perf_counter()
    view = _view(image, calibration)
    unseen, wood, memory = unseen_in(view, calibration), colours.wood_of(view, calibration), memory or ReadingMemory()
    found = _find(image, view, calibration, wood, unseen.within, empty, empty_hole, memory, sides)
    seen = _seen(found, view, wood, calibration, empty, palette)
    places = [(disc.x, disc.y) for disc in seen]
    things = memory.things = None if memory.changed is None else outlined(memory.changed, calibration, places)
    hidden, obstructed, over_hole = _in_the_way(view, calibration, things, places)
    if memory.changed is not None and is_covered(image, memory.changed, calibration):
        seen, hidden, obstructed, over_hole = (), (whole_board(calibration.board),), True, True
    light = 1.0 if empty is None else _light(wood, empty.wood)
    milliseconds = (time.perf_counter() - started) * 1e3
    shown = (hidden, light, found.hole_unclear, unseen.parts, unseen.share, found.hole, over_hole)
    reading = _with_hole_in_doubt(BoardReading(seen, obstructed, milliseconds, t, frame, *shown))
    return reading if within_tolerance(light, LEARNT) else reading.doubted()


def _in_the_way(
    view: TopView, calibration: Calibration, things: list[Thing] | None, places: list[tuple[float, float]]
) -> tuple[tuple[Outline, ...], bool, bool]:
    """The parts that hands and objects hide, and whether they obstruct the surface, and may hide the hole; `places`:
    the discs', mm.
    """
    if things is None:
        hidden, obstructed = reaching_parts(view, calibration, places)
        return hidden, obstructed, obstructed and not hidden  # known parts end far from the hole
    there, size = [thing for thing in things if thing.hides], len(view.image)
    obstructed = hides_surface(calibration, there, size)
    return hidden_parts(calibration, there, size), obstructed, obstructed and hides_hole(there, size)


def _with_hole_in_doubt(reading: BoardReading) -> BoardReading:
    """The reading, with discs at the hole in doubt if they may be part of what is in the way, and with an unclear hole
    if the picture does not show it and no disc was read there.
    """
    if reading.hole_hidden:
        discs = (disc.doubted("hole") if disc.pose in AT_HOLE else disc for disc in reading.discs)
        reading = replace(reading, discs=tuple(discs))
    if reading.shows(0.0, 0.0) or any(disc.pose in AT_HOLE for disc in reading.discs):
        return reading
    return replace(reading, hole_unclear=True, hole=UNKNOWN_HOLE)


def found_in(image: Image, calibration: Calibration, empty: Background | None = None) -> Detections:
    """The discs of `read_board`, before they become a reading; raises the same. For fitting and measuring."""
    view = _view(image, calibration)
    wood, within = colours.wood_of(view, calibration), unseen_in(view, calibration).within
    return _find(image, view, calibration, wood, within, empty, None, ReadingMemory(), USUAL_SIDES)


def _view(image: Image, calibration: Calibration) -> TopView:
    """The view of the playing area in the picture. Raises `BadInput` if discs can't be seen in it."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise BadInput("the picture is not a colour picture of 8 bits: give it as height x width x 3")
    calibration.require(image.shape[1], image.shape[0])
    view = discs.playing_view(image, calibration)
    words = unreadable(view.within(calibration.board.surface_radius))
    if words is not None:
        raise BadInput(words)
    return view


def _seen(
    found: Detections,
    view: TopView,
    wood: Floats,
    calibration: Calibration,
    empty: Background | None,
    palette: Palette | None,
) -> tuple[SeenDisc, ...]:
    """The discs found, each with its side's colour, its zone, and how certain these are."""
    if not len(found.z):
        return ()
    labs = _under_known_light(found.labs, wood, empty, palette)
    light = colours.light_beside(view, calibration, found.fits.centres, wood)
    return tuple(_describe(calibration, palette, found, labs, grouped(found.labs, found.fits.centres, light)))


def _light(wood: Floats, then: Floats) -> float:
    """The light on the wood (3,), relative to that in which it looked like `then`: the median of the channels."""
    return float(np.median(colours.linear(wood) / np.maximum(colours.linear(then), 1e-4)))


def _find(
    image: Image,
    view: TopView,
    calibration: Calibration,
    wood: Floats,
    within: Bools,
    empty: Background | None,
    empty_hole: Patch | None,
    memory: ReadingMemory,
    sides: int,
) -> Detections:
    """Find the discs; `within` (n, n): what of the view the picture shows."""
    unlike = memory.changed = None if empty is None else empty.changed(view)
    memory.other_light = unlike is not None and in_other_light(unlike, calibration)
    hole_then = empty_hole if empty is None else empty.hole
    if memory.other_light:
        hole_then = None  # light falls into a hole from one side: the look of an empty one is now unknown
    changed = None if unlike is None else unlike.mask & within
    known = memory.reusable_readings(view, calibration, empty)
    seen = candidates.find_candidates(image, view, calibration, empty, changed, known)
    like = None if empty is None else colours.lab_of(wood)
    which, odds = _discs(calibration, seen, like)
    if known is not None and not known.borne_out(seen, which):
        known = None
        seen = candidates.find_candidates(image, view, calibration, empty, changed)
        which, odds = _discs(calibration, seen, like)
    found = Detections.of(seen, which, odds)
    sunk = _at_hole(image, calibration, found, hole_then, known, sides)
    grain, times = (view.grain, 0) if known is None else (known.grain, known.times)
    memory.last = LastReading(calibration, empty, view, *seen.split(which), sunk.odds == EMPTY_HOLE, grain, times)
    found = replace(found, hole=sunk.odds, hole_unclear=sunk.unclear)
    return found if sunk.disc is None else found.plus(sunk.disc)


def _at_hole(
    image: Image, calibration: Calibration, found: Detections, empty: Patch | None, known: Known | None, sides: int
) -> HoleSeen:
    if known is not None and known.hole_empty:
        return hole.CLEARLY_EMPTY
    over = found.fits.centres[np.hypot(*found.fits.centres.T) < OVERLAP * calibration.disc.radius]
    if len(over):  # a disc that overhangs the hole leaves no room in it
        return HoleSeen(UNKNOWN_HOLE) if hole.may_lean(calibration, over).any() else hole.CLEARLY_EMPTY
    return hole.seen_at_hole(image, calibration, Others(found.fits.centres, found.labs, sides), empty)


def _discs(calibration: Calibration, seen: Candidates, wood: Floats | None) -> tuple[list[int], Floats]:
    """Which candidates may be discs outside the hole, and the log-odds (K,) of each candidate.

    `wood`: the colour (3,) of the wood, if the empty board is known.
    """
    least = np.full(len(seen.labs), LEAST_ODDS)
    if wood is not None:
        least[colours.distance(seen.labs, wood) < LIKE_WOOD] = LEAST_ODDS_KNOWN
    fits, z = seen.fits, seen.circles.z
    odds = disc_model.log_odds(calibration, seen) - seen.circles.luck * (1.0 if wood is None else KNOWN_LUCK)
    odds[seen.circles.less_likely(odds) | (fits.in_sight < LEAST_IN_SIGHT)] = -np.inf
    odds[z != 0] -= DITCH_ODDS
    odds[(seen.labs[:, 0] > BLOWN_OUT) & (fits.visible < BLOWN_OUT_VISIBLE)] = -np.inf
    odds[~beside_hole(calibration, seen)] = -np.inf
    keep = _not_overlapping(fits, odds, least, OVERLAP * calibration.disc.radius)
    return [k for k in keep if _can_lie(calibration, fits.centres[k], float(z[k]))], odds


def _not_overlapping(fits: Outlines, odds: Floats, least: Floats, apart: float) -> list[int]:
    """The candidates above `least` log-odds (K,); of any two nearer than `apart` mm only the likelier."""
    free = odds > least
    near = np.hypot(*(fits.centres[:, None] - fits.centres).T) <= apart
    keep: list[int] = []
    for k in np.argsort(-odds).tolist():
        if free[k]:
            keep.append(k)
            free &= ~near[k]
    return keep


def _can_lie(calibration: Calibration, centre: Floats, z: float) -> bool:
    board = calibration.board
    from_hole = float(np.hypot(*centre))
    if z != 0:
        return board.surface_radius < from_hole < board.rail_radius + ON_EDGE
    return from_hole < board.surface_radius + ON_EDGE


def _under_known_light(labs: Floats, wood: Floats, empty: Background | None, palette: Palette | None) -> Floats:
    """The colours (K, 3) in the light in which the wood was learnt; unchanged if it was not."""
    if palette is not None and palette.wood is not None:
        known = np.array(palette.wood)
    elif empty is not None:
        known = empty.reference
    else:
        return labs
    return colours.lab_of(colours.under_light_of(colours.bgr_of(labs), wood, known))


def _describe(
    calibration: Calibration, palette: Palette | None, found: Detections, labs: Floats, groups: Groups
) -> Iterator[SeenDisc]:
    fits = found.fits
    names = colours.names(labs, groups.labels)
    spreads = place_model.covariances(calibration, fits.centres, fits.covariance, found.rivals)
    ours = calibration.sigma_radial(*fits.centres.T)
    lean = hole.may_lean(calibration, fits.centres)
    for k, (x, y) in enumerate(fits.centres.tolist()):
        from_hole = math.hypot(x, y)
        outward = np.array([x, y]) / max(from_hole, 1e-9)
        sigma = math.sqrt(outward @ spreads[k] @ outward + float(ours[k]) ** 2)
        pose = "leaning" if found.leaning[k] else _pose(calibration, from_hole, float(found.z[k]))
        zone, clearance = _zone(calibration, from_hole, pose)
        near = abs(clearance) < CLOSE_SIGMAS * sigma
        doubts = _doubts(found, k, pose, near_line=near, may_lean=bool(lean[k]))
        call: Call = "close" if doubts else "sure"
        side = palette.classify_side(labs[k])[0] if palette is not None else None
        lab = (float(labs[k, 0]), float(labs[k, 1]), float(labs[k, 2]))
        of_colour: Call = "sure" if groups.sure[k] else "close"
        covariance = float(spreads[k, 0, 0]), float(spreads[k, 0, 1]), float(spreads[k, 1, 1])
        odds = None if pose in AT_HOLE else float(found.odds[k])
        yield SeenDisc(
            x,
            y,
            names[k],
            lab,
            pose,
            zone,
            clearance,
            sigma,
            call,
            side,
            float(fits.visible[k]),
            of_colour,
            covariance,
            odds,
            tuple(doubts),
        )


def _doubts(found: Detections, k: int, pose: Pose, *, near_line: bool, may_lean: bool) -> list[Doubt]:
    """The reasons why disc `k` is in doubt, apart from its side."""
    flat = pose == "flat"
    doubts: list[Doubt] = ["near a line"] if flat and near_line else []
    if not found.certain[k] or (pose == "ditch" and found.z[k] == 0):  # it was fitted where no disc can be
        doubts.append("hole" if pose in AT_HOLE else "faint")
    if flat and may_lean:
        doubts.append("hole")
    if doubts and flat and found.fits.visible[k] < LEAST_VISIBLE:
        doubts.append("half hidden")
    return doubts


def _pose(calibration: Calibration, from_hole: float, z: float) -> Pose:
    if from_hole > calibration.board.surface_radius:
        return "ditch"  # at any fitted height: a disc with its centre beyond the edge falls
    return "flat" if z == 0 else "in_hole"


def _zone(calibration: Calibration, from_hole: float, pose: Pose) -> tuple[Zone, float]:
    """The zone, and the clearance to the line that decides it."""
    outermost = from_hole + calibration.disc.radius
    lines = (calibration.fifteen, calibration.ten, calibration.outer)
    if pose == "in_hole":
        return 20, calibration.fifteen - outermost
    if pose == "ditch":
        return 0, calibration.outer - outermost
    zones: tuple[Zone, ...] = (15, 10, 5)
    zone: Zone = next((zone for zone, line in zip(zones, lines, strict=True) if outermost < line), 0)
    return zone, min((line - outermost for line in lines), key=abs)
