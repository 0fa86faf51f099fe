"""What may be discs outside the hole: circles of the discs' size, with the outlines that were fitted to them.

Looking for circles' outlines costs most of a reading. In play nearly all of the board is as it was in the picture
before. So a `Memory` keeps what that gave: where nothing has changed since, no outline is looked for, and the one that
was found is where the fit begins. Each is measured and judged again in every picture.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.reading import colours, discs, hole, outline
from controller.vision.reading.background import Background
from controller.vision.reading.discs import Grain, View
from controller.vision.reading.hole_settings import HOLE_LOOK
from controller.vision.reading.obstruction import Changed, Thing
from controller.vision.reading.outline import Outlines
from controller.vision.reading.rays import Solids
from controller.vision.reading.rows import Rows
from controller.vision.reading.settings import COLOURS, DISCS, MEMORY, READER
from hardware.devices import Image

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ABOUT = colours.spread(COLOURS.top_samples, READER.about_within)  # places (M, 2) about a disc, in radii


@dataclass(frozen=True, slots=True)
class Circles(Rows):
    """K places where a disc may lie."""

    places: Floats  # (K, 2) mm, where the view shows the top's middle
    roundness: Floats  # (K,)
    new: Floats  # (K,) share of the place that differs from the empty board; 0 where that is not known
    about: Floats  # (K,) the same of what lies about the place
    z: Floats  # (K,) mm, height of the bottom
    starts: Floats  # (K, 2) mm, about where the bottom's middle is
    twice: Bools  # (K,) whether the outline was looked for a second time

    @classmethod
    def seen(cls, places: Floats, roundness: Floats, calibration: Calibration) -> "Circles":
        """Those that a view shows."""
        which, z = _heights(calibration, places)
        places, none = places[which], np.zeros(len(z))
        return cls(places, roundness[which], none, none, z, _moved_to(calibration, places, z), none > 0)

    def less_likely(self, odds: Floats) -> Bools:
        """Which (K,) have the same place as one with better odds (K,): there lies one disc, at one height."""
        same = (self.places[:, None] == self.places).all(-1)
        return np.asarray((same & (odds > odds[:, None])).any(1), np.bool_)

    def to_search(self, calibration: Calibration) -> "Circles":
        """The same as they were seen, without what was learnt of them since."""
        if not len(self.places):
            return self
        return Circles.seen(self.places, self.roundness, calibration)

    def best(self, most: int) -> "Circles":
        """The `most` roundest of them."""
        return self.only(np.argsort(-self.roundness, kind="stable")[:most])

    def possible(self, view: View, empty: Background | None, changed: Bools | None, radius: float) -> "Circles":
        """Those where a disc may have come since the board was empty; all of them where that look is not known.

        Their places differ from the empty board, or are rounder than it, or it was blown out there.
        """
        if empty is None or changed is None:
            return self
        within = COLOURS.top_share * radius * colours.SPOTS
        new, unknown = (share(mask, view, self.places, within) for mask in (changed, empty.blown_out))
        about = share(changed, view, self.places, radius * ABOUT)
        rounder = self.roundness - at(empty.round, view, self.places) > READER.rounder
        return replace(self, new=new, about=about).only((new + unknown > READER.changed_share) | rounder)

    def promising(self, image: Image, calibration: Calibration) -> "Circles":
        """Those about which edges lie as an outline's do, moved to where most of them do.

        Fewer edges will do where the place differs from the empty board.
        """
        shift, support = outline.search(image, calibration, Solids.flat(self.starts, self.z, calibration))
        promise = self.roundness + support + READER.promise_of_change * self.new
        return replace(self, starts=self.starts + shift).only(promise > READER.promising)


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may be discs, K of them, fitted."""

    circles: Circles
    fits: Outlines
    labs: Floats  # (K, 3) colours of the tops
    asked: Circles  # that were seen and are not yet known to be discs

    @classmethod
    def fitted(cls, image: Image, calibration: Calibration, circles: Circles, asked: Circles) -> "Candidates":
        """The outlines that the picture shows from where the circles start."""
        fits = outline.refine(image, calibration, Solids.flat(circles.starts, circles.z, calibration))
        return cls(circles, fits, colours.tops(image, calibration, fits.centres, circles.z), asked)

    def split(self, discs: list[int]) -> tuple[Circles, Circles]:
        """The circles of the candidates that are discs, each starting where its outline is; and all other circles."""
        own = replace(self.circles, starts=self.fits.centres).only(np.array(discs, np.intp))
        return own, self.asked.only(~_among(self.asked.places, own.places))

    @property
    def evidence(self) -> Floats:
        """How much (K,) speaks for a disc, by its shape alone."""
        return self.circles.roundness + plainness(self.fits)


@dataclass(frozen=True, slots=True)
class Known:
    """The parts of the previous reading that are still valid, since nothing has changed there."""

    discs: Circles  # each starts where its outline was
    others: Circles  # that were no discs
    touched: Bools  # (n, n) the places of the view about which something has changed
    grain: Grain  # the board's own
    hole_empty: bool  # the hole was clearly empty, and nothing has changed there

    def borne_out(self, seen: Candidates, discs: list[int]) -> bool:
        """Whether the discs that still differ from the empty board are found again, where they were.

        `discs` are those of the candidates that were found.
        """
        held = self.discs.only(_among(self.discs.places, seen.circles.places))
        away = np.linalg.norm(held.starts[:, None] - seen.fits.centres[discs], axis=-1)
        return bool((away.min(1, initial=np.inf) < MEMORY.same_place).all())


@dataclass(frozen=True, slots=True)
class LastReading:
    """The results of one reading, kept for the next."""

    calibration: Calibration
    empty: Background | None
    view: View
    discs: Circles  # each starts where its outline was
    others: Circles  # that were no discs
    hole_empty: bool  # clearly
    grain: Grain  # the board's own, as measured in this picture or an earlier one
    times: int  # that readings began from what was known, since the board was read from nothing


class Memory:
    """What the last reading of one table's board gave, for the next one. Not thread-safe."""

    def __init__(self) -> None:
        self.last: LastReading | None = None
        self.changed: Changed | None = None  # how the last view differs from the empty board, where that is known
        self.other_light = False  # whether that was in another light
        self.things: list[Thing] | None = None  # what has an outline there, where the empty board is known

    def reusable_readings(self, view: View, calibration: Calibration, empty: Background | None) -> Known | None:
        """What of the last reading holds in the picture that `view` shows; None to read from scratch."""
        last = self.last
        if last is None or last.calibration is not calibration or last.empty is not empty:
            return None
        if last.times >= MEMORY.most_times:
            return None
        touched = _touched(view, last.view)
        discs = last.discs.only(~at(touched, view, last.discs.places))
        moved = at(touched, view, discs.starts)  # a disc need not lie where its circle is the roundest
        others = last.others.only(~at(touched, view, last.others.places)).plus(discs.only(moved).to_search(calibration))
        hole_empty = last.hole_empty and not touched[_about_hole(view)].any()
        # Where most of it has changed, the light has, and every slope with it.
        grain = view.grain if 2 * cv2.countNonZero(touched.view(np.uint8)) > touched.size else last.grain
        return Known(discs.only(~moved), others, touched, grain, hole_empty)


def _touched(view: View, then: View) -> Bools:
    """The places of a view (n, n) about which something on the board or in its ditch has changed since."""
    changed = (view.unlike(then.image) > MEMORY.change).view(np.uint8)
    wide, middle = 2 * round(MEMORY.around / DISCS.step) + 1, len(changed) // 2
    board = np.zeros(changed.shape, np.uint8)
    cv2.circle(board, (middle, middle), round((view.reach - DISCS.beyond_rail) / DISCS.step), (1,), cv2.FILLED)
    many = cv2.boxFilter(cv2.bitwise_and(changed, board), cv2.CV_32F, (wide, wide), normalize=False)
    return np.asarray(many > MEMORY.share * wide**2, np.bool_)


def _about_hole(view: View) -> tuple[slice, slice]:
    """The part of a view that shows what lies in the hole: what has changed within `around` of it is `touched` too."""
    middle, half = len(view.image) // 2, math.ceil((HOLE_LOOK.reach - MEMORY.around) / DISCS.step)
    part = slice(middle - half, middle + half + 1)
    return part, part


def _among(places: Floats, others: Floats) -> Bools:
    """Which of the places (K, 2) are among the others."""
    return np.asarray((places[:, None] == others).all(-1).any(1), np.bool_)


def at(field: NDArray[Any], view: View, places: Floats) -> NDArray[Any]:
    """What a field (n, n) over the view is at these places (K,)."""
    column, row = np.clip(np.rint(view.pixel(places)).astype(np.intp), 0, len(field) - 1).T
    return np.asarray(field[row, column])


def find_candidates(
    image: Image,
    view: View,
    calibration: Calibration,
    empty: Background | None,
    changed: Bools | None,
    known: Known | None = None,
) -> Candidates:
    """The candidates of a picture. `changed` (n, n) is where the view differs from the empty board."""
    radius = calibration.disc.radius
    if known is None:
        score = discs.roundness(view, radius)
    else:
        score = discs.roundness(view, radius, known.touched, known.grain)
    places, roundness = discs.peaks(score, view.reach, radius, READER.round_enough, READER.most_searched)
    if known is not None:
        fresh = at(known.touched, view, places)
        places, roundness = places[fresh], roundness[fresh]
    asked = Circles.seen(places, roundness, calibration)
    if known is not None:  # as many as a reading from nothing looks at: no weaker place gets a turn in a smaller part
        asked = asked.plus(known.others).best(READER.most_searched - len(known.discs.places))
    circles = asked.possible(view, empty, changed, radius).promising(image, calibration)
    if known is not None:
        held = known.discs.possible(view, empty, changed, radius)
        gone = known.discs.only(~_among(known.discs.places, held.places))
        circles, asked = circles.plus(held), asked.plus(gone.to_search(calibration))
    seen = Candidates.fitted(image, calibration, circles, asked)
    return _seen_again(image, calibration, seen, score, view)


def plainness(fits: Outlines) -> Floats:
    """How much the outlines (K,) speak for discs that lie where they were fitted."""
    much = np.maximum(np.abs(fits.excess) - READER.fair_excess, 0)
    return fits.support + fits.visible - READER.scatter_weight * fits.scatter - READER.excess_weight * much


def beside_hole(calibration: Calibration, candidates: Candidates) -> Bools:
    """Which of the candidates (K,) lie on the surface and not in or over the hole.

    An empty hole of bare wood looks like a disc over it. So a disc over the hole is accepted only where the empty board
    is known and the place has changed. What may be a disc flat in the hole as well is left to `hole`.
    """
    centres = candidates.fits.centres
    changed = candidates.circles.new > READER.changed_share
    least = np.where(changed, _tipping_radius(calibration), calibration.hole_radius)
    return np.asarray((np.hypot(*centres.T) > least) & ~hole.may_be_flat(calibration, centres), np.bool_)


def share(mask: Bools, view: View, centres: Floats, spots: Floats) -> Floats:
    """The mean of `mask` (n, n) over `spots` (M, 2), mm, counted from each of the places (K, 2): (K,)."""
    places = np.rint(view.pixel(centres[:, None] + spots))
    places = np.clip(places, 0, len(mask) - 1, out=places)  # a ditch's disc may overlap the view's border
    index = (places @ (1, len(mask))).astype(np.intp)
    return np.asarray(np.count_nonzero(mask.take(index), axis=1) / index.shape[1], np.float64)


def _seen_again(image: Image, calibration: Calibration, seen: Candidates, score: discs.Field, view: View) -> Candidates:
    """The candidates, of which the doubtful ones are looked for a second time; of two fits the better is kept.

    The second search begins where the first fit ended, and once more at the roundest place beside: where the first fit
    was the disc's shadow, the disc lies there. `score` is the roundness of the view.
    """
    which = np.flatnonzero(_doubtful(calibration, seen))
    if not len(which):
        return seen
    circles, evidence = seen.circles, seen.evidence
    there = Solids.flat(seen.fits.centres[which], circles.z[which], calibration)
    vague = plainness(seen.fits.only(which)) < READER.vague_outline
    worth = np.append(np.ones(len(which), np.bool_), vague)
    tried = outline.both_ways(image, calibration, there).only(worth)
    beside = discs.beside(score, view.reach, there.centres)
    lit = Solids.flat(beside.reshape(-1, 2), np.tile(there.z, len(beside)), calibration)
    tried = tried.plus(lit.moved(outline.search(image, calibration, lit)[0]))
    away = np.repeat((0.0, READER.itself), (len(tried.z) - len(lit.z), len(lit.z)))
    of = np.append(np.tile(which, 2)[worth], np.tile(which, len(beside)))
    again = Candidates.fitted(image, calibration, replace(circles.only(of), starts=tried.centres), seen.asked)
    elsewhere = np.linalg.norm(again.fits.centres - seen.fits.centres[of], axis=-1) >= away
    kept = np.arange(len(evidence))
    for k, (place, found) in enumerate(zip(of, again.evidence, strict=True)):
        if found > evidence[place] and elsewhere[k]:
            evidence[place], kept[place] = found, len(evidence) + k
    twice = circles.twice.copy()
    twice[which] = True
    labs = np.concatenate([seen.labs, again.labs])[kept]
    return Candidates(replace(circles, twice=twice), seen.fits.plus(again.fits).only(kept), labs, seen.asked)


def _doubtful(calibration: Calibration, seen: Candidates) -> Bools:
    """Which of the candidates (K,) are worth a second look that they have not had."""
    evidence = seen.evidence
    changed = seen.circles.new > READER.changed_share
    least = np.where(changed, READER.shadow_evidence, READER.doubtful_evidence)
    doubtful = (evidence > least) & (plainness(seen.fits) < READER.plain_outline)
    doubtful &= beside_hole(calibration, seen) & ~seen.circles.twice
    sure = evidence > READER.sure_evidence
    apart = np.linalg.norm(seen.fits.centres[:, None] - seen.fits.centres[sure], axis=-1)
    doubtful &= (apart > READER.overlap * calibration.disc.radius).all(1) | sure
    return np.asarray(doubtful, np.bool_)


def _tipping_radius(calibration: Calibration) -> float:
    """How near to the hole's middle a disc's centre loses its support: the rim's two last points pass under it."""
    return float(np.sqrt(max(calibration.hole_radius**2 - calibration.disc.radius**2, 0.0)))


def _heights(calibration: Calibration, places: Floats) -> tuple[NDArray[np.intp], Floats]:
    """The heights at which the bottom of each candidate may lie, from where the view shows its top.

    Gives which candidate (M,) and its height (M,). In the ditch is what lies beyond the surface's edge; and what, if it
    lay in the ditch, would lie clear of the edge: a camera beside the table sees a disc in the far ditch as if it lay
    over the edge. Ditches differ in depth. What would lie clear of the edge only in a deep one may lie in such a one or
    on the surface.
    """
    board = calibration.board
    low, lowest = (np.full(len(places), -depth - READER.ditch_lift) for depth in (board.surface_height, READER.deep))
    clear = board.surface_radius + READER.clear_of_edge * board.disc.radius
    sunk, deep = (np.hypot(*_moved_to(calibration, places, z).T) > clear for z in (low, lowest))
    beyond = np.hypot(*places.T) > board.surface_radius + READER.on_edge
    either = np.flatnonzero(deep & ~sunk & ~beyond)
    which = np.append(np.arange(len(places)), either)
    return which, np.append(np.where(sunk | beyond, low, 0.0), lowest[either])


def _moved_to(calibration: Calibration, places: Floats, z: Floats) -> Floats:
    """Where discs with bottoms at heights `z` (K,) are whose tops are seen at `places` (K, 2) in the view."""
    thickness = calibration.disc.thickness
    return calibration.camera.along_sight(places, thickness, thickness + z)
