"""Disc candidates outside the hole: circles of the discs' size, with fitted outlines.

The search for outlines takes most of a reading's time, and in play nearly all of the board is unchanged. So a
`ReadingMemory` keeps the last results: where nothing has changed no outline is searched, and the fit starts from the
known one. Each is still measured and judged in every picture.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.camera import Bools, Field, Floats, Indices
from controller.vision.reading import colours, discs, hole, outline
from controller.vision.reading.background import Background
from controller.vision.reading.colours import TOP_SAMPLES, TOP_SHARE
from controller.vision.reading.discs import BEYOND_RAIL, VIEW_STEP, Grain, TopView
from controller.vision.reading.hole_poses import REACH
from controller.vision.reading.obstruction import BoardDifference, Thing
from controller.vision.reading.outline import Outlines
from controller.vision.reading.rays import Rows, Solids
from hardware.devices import Image

SURE_EVIDENCE = 1.16  # a certain disc, whatever its colour: that colour is in play
OVERLAP = 1.7  # radii: of two candidates nearer than this, only the better is a disc
ON_EDGE = 3.0  # mm beyond the surface's edge: a disc with its centre farther out is in the ditch

# Evidence decides which candidates are searched again, and whose colours are in play: roundness + support + visible,
# minus scatter and wrong size. On 40 ray-traced boards hands, glare and knots reach 1.14; 99 % of discs have 0.95.
PROMISING = 0.7  # roundness and share of an outline on edges. Measured: 99.5 % of discs have 0.72
PROMISE_OF_CHANGE = 0.2
"""Added if all of the place differs from the empty board. Measured: of 836 traced discs 5 are not promising without
it; with it, none is."""
ROUND_ENOUGH = 0.15  # least roundness of a candidate. Source not recorded
MOST_SEARCHED = 56  # candidates. Measured: the roundest 42 include every disc, also those like the wood
DOUBTFUL_EVIDENCE = 0.65  # evidence for a second search: discs like the wood, found a few mm off, reach this
SHADOW_EVIDENCE = 0.3  # the same where the empty board has changed: a shadow reaches 0.4 to 1.2
ASTRAY = 5.0  # mm: the usual distance of a disc's outline from one fitted to an edge within it, a ring or a print
WITHIN = 7.5  # mm: an outline farther from the first fit is not the same disc's: rings and prints have 8.5 mm at least
SAME_OUTLINE = 1.0  # mm between the ends of two searches, from which they are fitted one by one
ITSELF = 5.0  # mm: a search beside a doubtful disc that ends nearer found the same disc, less well
VAGUE_OUTLINE = 0.75  # evidence without roundness: with less, grain is as good an edge as the disc's
PLAIN_OUTLINE = 1.35  # evidence without roundness: with less an outline may be mm off, on an edge of grain or a print
RIVAL = 0.2  # evidence by which an outline is e times as likely as another. Measured on drawn rings
SCATTER_WEIGHT = 2.0  # evidence per mm of scatter
EXCESS_WEIGHT = 0.6  # evidence per mm of radius beyond `FAIR_EXCESS`
FAIR_EXCESS = 0.5  # mm by which bright and dark discs look too large or too small
CHANGED_SHARE = 0.4  # share of a place that differs from the empty board. Source not recorded
ROUNDER = 0.12
"""Roundness beyond the empty board's from which an unchanged place may have a disc, of the board's own colour.
Measured: each of 1265 traced discs has this or a changed place, and of 4123 other places 40; between pictures of a
still board 95 % change by less than 0.04."""
ABOUT_WITHIN = (1.45, 1.7)
"""Radii between which a place's surroundings are: beyond a disc's wall and most of its shadow. Measured: 1.2 to 2
separate discs from others equally well."""
CLEAR_OF_EDGE = 0.75  # least radii from the surface's edge to a disc's centre in the ditch: some lean
DITCH_LIFT = 3.3  # mm: half of the usual range of discs in the ditch, on its floor or leaning on the rail
DEEP = 25.0  # mm from the surface to the floor of a deep ditch, as in the filmed round; 12.7 is usual

CHANGE = 4.0
"""Grey levels of the view, the mean of 3 x 3 pixels: more is a change. Measured between pictures of a still
camera: noise 2.6 on painted boards and 3.6 on ray-traced ones, at 95 % of all places."""
AROUND = 21.0  # mm around a place that must be unchanged: a disc, its wall, some shadow
SHARE = 0.05  # share of that area that noise may change
SAME_PLACE = 0.5
"""mm: an unmoved disc is found nearer. Measured: the outlines of one disc in two pictures deviate by 0.04 from each
other, 95 % of them by less than 0.11."""
MOST_TIMES = 8
"""Readings from known results before the next full one: no disc stays overlooked for longer."""


TURNS = np.arange(6) * np.pi / 3
AROUND_FIT = np.vstack([np.zeros(2), ASTRAY * np.column_stack([np.cos(TURNS), np.sin(TURNS)])])
"""mm (7, 2) from a doubtful fit: where outlines are searched again."""
LUCK = 1.0
"""Log-odds: searches end in some three outlines, and the best of three on grain or letters looks more like a disc."""
ABOUT = colours.spread(TOP_SAMPLES, ABOUT_WITHIN)  # places (M, 2) around a disc, in radii


@dataclass(frozen=True, slots=True)
class Circles(Rows):
    """K possible places of discs."""

    places: Floats  # (K, 2) mm, the centre of the top in the view
    roundness: Floats  # (K,)
    new: Floats  # (K,) share of the place that differs from the empty board; 0 if unknown
    about: Floats  # (K,) the same for the place's surroundings
    z: Floats  # (K,) mm, height of the bottom
    starts: Floats  # (K, 2) mm, the approximate centre of the bottom
    rivals: Floats  # (K, 2, 2) mm^2, the spread of equally good outlines about the best; NaN before a second search
    luck: Floats  # (K,) log-odds of a disc that are due to the number of outlines tried

    @classmethod
    def seen(cls, places: Floats, roundness: Floats, calibration: Calibration) -> "Circles":
        """The circles in a view."""
        which, z = _heights(calibration, places)
        places, none = places[which], np.zeros(len(z))
        unknown = np.full((len(z), 2, 2), np.nan)
        return cls(places, roundness[which], none, none, z, _moved_to(calibration, places, z), unknown, none)

    def less_likely(self, odds: Floats) -> Bools:
        """Which (K,) share the place of one with better odds (K,): one place has one disc, at one height."""
        same = (self.places[:, None] == self.places).all(-1)
        return np.asarray((same & (odds > odds[:, None])).any(1), np.bool_)

    def to_search(self, calibration: Calibration) -> "Circles":
        """The circles as seen in the view, to search again."""
        return Circles.seen(self.places, self.roundness, calibration)

    def best(self, most: int) -> "Circles":
        """The roundest, at most `most`."""
        return self.only(np.argsort(-self.roundness, kind="stable")[:most])

    def possible(self, view: TopView, empty: Background | None, changed: Bools | None, radius: float) -> "Circles":
        """Those where a disc may have come since the board was empty: their places differ from the empty board, are
        rounder than it, or were overexposed in it. All if the empty board is unknown.
        """
        if empty is None or changed is None:
            return self
        within = TOP_SHARE * radius * colours.SPOTS
        new, unknown = (share(mask, view, self.places, within) for mask in (changed, empty.blown_out))
        about = share(changed, view, self.places, radius * ABOUT)
        rounder = self.roundness - at(empty.round, view, self.places) > ROUNDER
        return replace(self, new=new, about=about).only((new + unknown > CHANGED_SHARE) | rounder)

    def promising(self, image: Image, calibration: Calibration) -> "Circles":
        """Those with edges like an outline's, moved to where most edges agree. Fewer edges suffice if the place differs
        from the empty board.
        """
        shift, support = outline.search(image, calibration, Solids.flat(self.starts, self.z, calibration))
        promise = self.roundness + support + PROMISE_OF_CHANGE * self.new
        return replace(self, starts=self.starts + shift).only(promise > PROMISING)


@dataclass(frozen=True, slots=True)
class Candidates:
    """K fitted disc candidates."""

    circles: Circles
    fits: Outlines
    labs: Floats  # (K, 3) colours of the tops
    asked: Circles  # seen circles, not yet known to be discs

    @classmethod
    def fitted(cls, image: Image, calibration: Calibration, circles: Circles, asked: Circles) -> "Candidates":
        """Fit outlines in the picture, starting from the circles."""
        fits = outline.refine(image, calibration, Solids.flat(circles.starts, circles.z, calibration))
        return cls(circles, fits, colours.tops(image, calibration, fits.centres, circles.z), asked)

    def split(self, discs: list[int]) -> tuple[Circles, Circles]:
        """The circles of the discs among the candidates, each starting at its outline; and all other circles."""
        own = replace(self.circles, starts=self.fits.centres).only(np.array(discs, np.intp))
        return own, self.asked.only(~_among(self.asked.places, own.places))

    @property
    def evidence(self) -> Floats:
        """The evidence (K,) for a disc from shape alone."""
        return self.circles.roundness + plainness(self.fits)


@dataclass(frozen=True, slots=True)
class Known:
    """The parts of the previous reading that are still valid, since nothing has changed there."""

    discs: Circles  # each starts where its outline was
    others: Circles  # not discs
    touched: Bools  # (n, n) the places of the view near a change
    grain: Grain  # the board's own
    hole_empty: bool  # the hole was clearly empty, and nothing has changed there
    times: int  # the number of readings from known results since the last full one, with this one

    def kept(self, places: Floats) -> Bools:
        """Which of the places (K, 2) are those of kept circles.

        From picture to picture a circle wanders by some 0.2 mm, which may take it to a pixel that is not `touched`.
        """
        circles = np.concatenate([self.discs.places, self.others.places])
        away = np.linalg.norm(places[:, None] - circles, axis=-1)
        return np.asarray(away.min(1, initial=np.inf) < SAME_PLACE, np.bool_)

    def borne_out(self, seen: Candidates, discs: list[int]) -> bool:
        """Whether the known discs that still differ from the empty board were found again in place. `discs`: the discs
        found.
        """
        held = self.discs.only(_among(self.discs.places, seen.circles.places))
        away = np.linalg.norm(held.starts[:, None] - seen.fits.centres[discs], axis=-1)
        return bool((away.min(1, initial=np.inf) < SAME_PLACE).all())


@dataclass(frozen=True, slots=True)
class LastReading:
    """The results of one reading, kept for the next."""

    calibration: Calibration
    empty: Background | None
    view: TopView
    discs: Circles  # each starts where its outline was
    others: Circles  # not discs
    hole_empty: bool  # clearly
    grain: Grain  # the board's own, as measured in this picture or an earlier one
    times: int  # the number of readings from known results since the last full one


class ReadingMemory:
    """The results of the last reading, for the next one. Not thread-safe."""

    def __init__(self) -> None:
        self.last: LastReading | None = None
        self.changed: BoardDifference | None = None  # the last view's difference from the empty board, if known
        self.other_light = False  # whether the last view was in another light
        self.things: list[Thing] | None = None  # objects with an outline, if the empty board is known

    def reusable_readings(self, view: TopView, calibration: Calibration, empty: Background | None) -> Known | None:
        """The results of the last reading that are still valid for `view`; None to read from scratch."""
        last = self.last
        if last is None or last.calibration is not calibration or last.empty is not empty:
            return None
        if last.times >= MOST_TIMES:
            return None
        touched = _touched(view, last.view)
        discs = last.discs.only(~at(touched, view, last.discs.places))
        moved = at(touched, view, discs.starts)  # a disc may be beside its roundest circle
        others = last.others.only(~at(touched, view, last.others.places)).plus(discs.only(moved).to_search(calibration))
        hole_empty = last.hole_empty and not touched[_about_hole(view)].any()
        # If most of the view has changed, the light has, and with it every slope.
        grain = view.grain if 2 * cv2.countNonZero(touched.view(np.uint8)) > touched.size else last.grain
        return Known(discs.only(~moved), others, touched, grain, hole_empty, last.times + 1)


def _touched(view: TopView, then: TopView) -> Bools:
    """The places of a view (n, n) near a change on the board or in its ditch."""
    changed = (view.unlike(then.image) > CHANGE).view(np.uint8)
    wide, board = 2 * round(AROUND / VIEW_STEP) + 1, discs.circle(len(changed), view.reach - BEYOND_RAIL)
    many = cv2.boxFilter(cv2.bitwise_and(changed, board), cv2.CV_32F, (wide, wide), normalize=False)
    return many > SHARE * wide**2


def _about_hole(view: TopView) -> tuple[slice, slice]:
    """The part of a view that shows the hole's content; changes within `around` of it are `touched` too."""
    middle, half = len(view.image) // 2, math.ceil((REACH - AROUND) / VIEW_STEP)
    part = slice(middle - half, middle + half + 1)
    return part, part


def _among(places: Floats, others: Floats) -> Bools:
    """Which of the places (K, 2) are among the others."""
    return np.asarray((places[:, None] == others).all(-1).any(1), np.bool_)


def at(field: NDArray[Any], view: TopView, places: Floats) -> NDArray[Any]:
    """The values of a field (n, n) over the view at these places (K,)."""
    column, row = np.clip(np.rint(view.pixel(places)).astype(np.intp), 0, len(field) - 1).T
    return np.asarray(field[row, column])


def find_candidates(
    image: Image,
    view: TopView,
    calibration: Calibration,
    empty: Background | None,
    changed: Bools | None,
    known: Known | None = None,
) -> Candidates:
    """The candidates of a picture. `changed` (n, n): where the view differs from the empty board."""
    radius = calibration.disc.radius
    if known is None:
        score = discs.roundness(view, radius)
    else:
        score = discs.roundness(view, radius, known.touched, known.grain)
    places, roundness = discs.peaks(score, view.reach, radius, ROUND_ENOUGH, MOST_SEARCHED)
    if known is not None:
        fresh = ~known.kept(places)
        places, roundness = places[fresh], roundness[fresh]
    asked = Circles.seen(places, roundness, calibration)
    if known is not None:  # as many as a full reading: a smaller part must not admit weaker places
        asked = asked.plus(known.others).best(MOST_SEARCHED - len(known.discs.places))
    circles = asked.possible(view, empty, changed, radius).promising(image, calibration)
    if known is not None:
        held = known.discs.possible(view, empty, changed, radius)
        gone = known.discs.only(~_among(known.discs.places, held.places))
        circles, asked = circles.plus(held), asked.plus(gone.to_search(calibration))
    seen = Candidates.fitted(image, calibration, circles, asked)
    return _seen_again(image, calibration, seen, score, view)


def plainness(fits: Outlines) -> Floats:
    """The evidence of the outlines (K,) for discs at their fitted places."""
    much = np.maximum(np.abs(fits.excess) - FAIR_EXCESS, 0)
    return fits.support + fits.visible - SCATTER_WEIGHT * fits.scatter - EXCESS_WEIGHT * much


def beside_hole(calibration: Calibration, candidates: Candidates) -> Bools:
    """Which of the candidates (K,) are on the surface and not in the hole. An empty hole of bare wood looks like a disc
    over it, so a disc over the hole is accepted only by a plain outline, or if the empty board is known and the place
    has changed. Possible discs flat in the hole are left to `hole`.
    """
    centres = candidates.fits.centres
    plain = (candidates.circles.new > CHANGED_SHARE) | (plainness(candidates.fits) > PLAIN_OUTLINE)
    least = np.where(plain, hole.tipping_radius(calibration), calibration.hole_radius)
    return np.asarray((np.hypot(*centres.T) > least) & ~hole.may_be_flat(calibration, centres), np.bool_)


def share(mask: Bools, view: TopView, centres: Floats, spots: Floats) -> Floats:
    """The mean (K,) of `mask` (n, n) over `spots` (M, 2), mm, relative to each of the places (K, 2)."""
    places = np.rint(view.pixel(centres[:, None] + spots))
    places = np.clip(places, 0, len(mask) - 1, out=places)  # a ditch's disc may overlap the view's border
    index = (places @ (1, len(mask))).astype(np.intp)
    return np.asarray(np.count_nonzero(mask.take(index), axis=1) / index.shape[1], np.float64)


def _seen_again(image: Image, calibration: Calibration, seen: Candidates, score: Field, view: TopView) -> Candidates:
    """The candidates after a second search around the doubtful ones, each with its best fit: the first may follow an
    edge within the disc, of a raised ring or a print; a vague one may follow the disc's shadow, so the search also
    starts at the roundest places beside it. `score`: the roundness of the view.
    """
    which = np.flatnonzero(_doubtful(calibration, seen))
    if not len(which):
        return seen
    circles, there = seen.circles, seen.fits.centres[which]
    vague = plainness(seen.fits.only(which)) < VAGUE_OUTLINE
    starts = np.concatenate([there + AROUND_FIT[:, None], discs.beside(score, view.reach, there)])
    around = np.arange(len(starts))[:, None] < len(AROUND_FIT)
    worth, of = (around | vague).ravel(), np.tile(which, len(starts))
    tried = Solids.flat(starts.reshape(-1, 2)[worth], circles.z[of[worth]], calibration)
    ends = tried.moved(outline.search(image, calibration, tried)[0]).centres
    place = np.column_stack([of[worth], np.rint(ends / SAME_OUTLINE)])  # one place is one outline, and fitted once
    _, first, found = np.unique(place, axis=0, return_index=True, return_inverse=True)
    again = Candidates.fitted(
        image, calibration, replace(circles.only(of[worth][first]), starts=ends[first]), seen.asked
    )
    fit = np.zeros(len(of), np.intp)
    fit[worth] = found.ravel()
    evidence = np.append(seen.evidence[which], again.evidence[fit]).reshape(-1, len(which))
    centres = np.concatenate([there, again.fits.centres[fit]]).reshape(*evidence.shape, 2)
    shifted = np.linalg.norm(centres - there, axis=-1)
    around = np.concatenate([around[:1], around])  # and the first fit
    evidence[~np.where(around, shifted < WITHIN, vague & (shifted >= ITSELF))] = -np.inf
    best, each = evidence.argmax(0), np.arange(len(which))
    off, weight = centres - centres[best, each], np.exp((evidence - evidence.max(0)) / RIVAL)
    weight[np.linalg.norm(off, axis=-1) > WITHIN] = 0
    rivals, luck, kept = circles.rivals.copy(), circles.luck.copy(), np.arange(len(circles.z))
    luck[which] = LUCK * ((best > 0) & (seen.evidence[which] < SURE_EVIDENCE))
    rivals[which] = np.einsum("tk,tki,tkj->kij", weight / weight.sum(0), off, off)
    kept[which] = np.append(which, len(kept) + fit).reshape(evidence.shape)[best, each]
    labs = np.concatenate([seen.labs, again.labs])[kept]
    return Candidates(
        replace(circles, rivals=rivals, luck=luck), seen.fits.plus(again.fits).only(kept), labs, seen.asked
    )


def _doubtful(calibration: Calibration, seen: Candidates) -> Bools:
    """Which of the candidates (K,) need a second search that they have not had."""
    evidence = seen.evidence
    changed = seen.circles.new > CHANGED_SHARE
    least = np.where(changed, SHADOW_EVIDENCE, DOUBTFUL_EVIDENCE)
    doubtful = (evidence > least) & (plainness(seen.fits) < PLAIN_OUTLINE)
    doubtful &= beside_hole(calibration, seen) & np.isnan(seen.circles.rivals[:, 0, 0])
    sure = evidence > SURE_EVIDENCE
    apart = np.linalg.norm(seen.fits.centres[:, None] - seen.fits.centres[sure], axis=-1)
    doubtful &= (apart > OVERLAP * calibration.disc.radius).all(1) | sure
    return doubtful


def _heights(calibration: Calibration, places: Floats) -> tuple[Indices, Floats]:
    """The possible heights of each candidate's bottom, from the place of its top in the view: indices (M,) of
    candidates and their heights (M,). A candidate may be in the ditch if it is beyond the surface's edge, or would be
    clear of the edge when in the ditch: a camera beside the table sees a disc in the far ditch as if over the edge.
    Ditches differ in depth: one clear of the edge only in a deep ditch may be there or on the surface.
    """
    board = calibration.board
    low, lowest = (np.full(len(places), -depth - DITCH_LIFT) for depth in (board.surface_height, DEEP))
    clear = board.surface_radius + CLEAR_OF_EDGE * board.disc.radius
    sunk, deep = (np.hypot(*_moved_to(calibration, places, z).T) > clear for z in (low, lowest))
    beyond = np.hypot(*places.T) > board.surface_radius + ON_EDGE
    either = np.flatnonzero(deep & ~sunk & ~beyond)
    which = np.append(np.arange(len(places)), either)
    return which, np.append(np.where(sunk | beyond, low, 0.0), lowest[either])


def _moved_to(calibration: Calibration, places: Floats, z: Floats) -> Floats:
    """The places of discs with bottoms at heights `z` (K,) and tops seen at `places` (K, 2) in the view."""
    thickness = calibration.disc.thickness
    return calibration.camera.along_sight(places, thickness, thickness + z)
