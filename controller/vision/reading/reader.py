"""One still picture to one board reading: every disc, how it lies, where it counts, and how sure that is.

Circles of the discs' size are looked for from above (`discs`), each is fitted in the picture itself (`outline`), and
what the fits say together decides which of them are discs. The millimetres come from the fit alone.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from controller.errors import BadInput
from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.image_quality import unreadable
from controller.vision.reading import colours, discs, hole, outline
from controller.vision.reading.background import Background
from controller.vision.reading.discs import View
from controller.vision.reading.evenness import evened
from controller.vision.reading.hole import HoleDisc
from controller.vision.reading.hole_look import Others, Patch
from controller.vision.reading.light import LEARNT, borne
from controller.vision.reading.obstruction import hidden_parts, hides_surface, something_reaches_in
from controller.vision.reading.outline import Outlines
from controller.vision.reading.rays import Solids
from controller.vision.reading.settings import READER
from controller.vision.readings import AT_HOLE, BoardReading, Call, Pose, SeenDisc, Zone
from controller.vision.side_colours import Palette
from hardware.devices import Image

__all__ = ["Background", "read_board"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Candidates:
    """What may be discs outside the hole, K of them, fitted."""

    fits: Outlines
    z: Floats
    labs: Floats  # colours of the tops
    roundness: Floats

    @property
    def evidence(self) -> Floats:
        """How much (K,) speaks for a disc, by its shape alone."""
        return self.roundness + _plainness(self.fits)


@dataclass(frozen=True, slots=True)
class _Found:
    """Accepted discs, K of them."""

    fits: Outlines
    z: Floats
    labs: Floats  # colours of the tops
    certain: NDArray[np.bool_]  # that it is a disc, lying so
    leaning: NDArray[np.bool_]
    hole_unclear: bool = False  # a disc may lie in the hole that is none of these

    def plus(self, sunk: HoleDisc) -> "_Found":
        """With the disc in the hole, first."""
        return _Found(
            sunk.fit.plus(self.fits),
            np.append(sunk.z, self.z),
            np.concatenate([sunk.lab[None], self.labs]),
            np.append(sunk.sure, self.certain),
            np.append(sunk.leaning, self.leaning),
        )


def read_board(
    image: Image,
    calibration: Calibration,
    *,
    empty: Background | None = None,
    empty_hole: Patch | None = None,
    palette: Palette | None = None,
    t: float = 0.0,
    frame: str = "",
) -> BoardReading:
    """Read a picture (H, W, 3) of a still board.

    `empty` is the same camera's view of the empty board, `empty_hole` that of the empty 20 hole, for where only that
    is known, `palette` the sides' colours; all help and none is needed. Where the light differs from that of `empty` by
    more than readings bear, nothing is sure. Raises `BadInput` when the picture does not belong to the calibration, or
    is too dark, blown out or blurred for discs to be told.
    """
    started = time.perf_counter()
    view = _view(image, calibration)
    changed = None if empty is None else empty.changed(view)
    found = _find(image, view, calibration, empty, changed, empty_hole if empty is None else empty.hole)
    seen = _seen(found, view, calibration, empty, palette)
    places = [(disc.x, disc.y) for disc in seen]
    hidden = () if changed is None else hidden_parts(calibration, places, changed)
    if hidden:
        obstructed = hides_surface(calibration, hidden)
    else:
        obstructed = something_reaches_in(view, calibration, places, changed)
    if obstructed:  # what lies at the hole may be a part of it
        seen = tuple(replace(disc, call="close") if disc.pose in AT_HOLE else disc for disc in seen)
    light = 1.0 if empty is None else _light(view, calibration, empty)
    milliseconds = (time.perf_counter() - started) * 1e3
    reading = BoardReading(seen, obstructed, milliseconds, t, frame, hidden, light, found.hole_unclear)
    return reading if borne(light, LEARNT) else reading.doubted()


def _view(image: Image, calibration: Calibration) -> View:
    """The picture as the playing area is seen in it. Raises `BadInput` when discs can't be told in it."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise BadInput("the picture is not a colour picture of 8 bits: give it as height x width x 3")
    calibration.require(image.shape[1], image.shape[0])
    view = discs.playing_area(calibration).view(image)
    words = unreadable(view.within(calibration.board.surface_radius))
    if words is not None:
        raise BadInput(words)
    return view


def _seen(
    found: _Found, view: View, calibration: Calibration, empty: Background | None, palette: Palette | None
) -> tuple[SeenDisc, ...]:
    """What was found, each with its side's colour, its ring and how sure that is."""
    if not len(found.z):
        return ()
    labs = _under_known_light(found.labs, view, calibration, empty, palette)
    alike = palette is None and not colours.plainly_two(labs, colours.group(labs))
    even = evened(labs, found.fits.centres, view, calibration) if alike else None
    return tuple(_describe(calibration, palette, found, labs, even))


def _light(view: View, calibration: Calibration, empty: Background) -> float:
    """The light on the wood, relative to that in which the empty board was learnt: of the middle channel of colour."""
    now, then = (colours.linear(colours.wood_of(v, calibration)) for v in (view, empty.view))
    return float(np.median(now / np.maximum(then, 1e-4)))


def _find(
    image: Image,
    view: View,
    calibration: Calibration,
    empty: Background | None,
    changed: NDArray[np.bool_] | None,
    empty_hole: Patch | None,
) -> _Found:
    """The discs; `changed` (n, n) is where the view differs from the empty board, where that is known."""
    radius = calibration.disc.radius
    score = discs.roundness(view.image, radius)
    places, roundness = discs.peaks(score, view.reach, radius, READER.round_enough, READER.most_searched)
    new = np.zeros(len(places))
    if empty is not None and changed is not None:
        within = READER.changed_within * radius
        new, unknown = (_share(mask, view, places, within) for mask in (changed, empty.blown_out))
        possible = new + unknown > READER.changed_share
        places, roundness, new = places[possible], roundness[possible], new[possible]
    z = _heights(calibration, places)
    solids = Solids.flat(_moved_to(calibration, places, z), z, calibration).plus(hole.guesses(calibration))
    shift, support = outline.search(image, calibration, solids)
    in_hole = np.arange(len(solids.z)) >= len(z)
    promising = in_hole | (np.append(roundness, np.zeros(in_hole.sum())) + support > READER.promising)
    roundness, new = roundness[promising[: len(z)]], new[promising[: len(z)]]
    solids, in_hole = solids.moved(shift).only(promising), in_hole[promising]
    fits = outline.refine(image, calibration, solids)
    labs = colours.tops(image, calibration, fits.centres, solids.z)
    on_board = _Candidates(fits.only(~in_hole), solids.z[~in_hole], labs[~in_hole], roundness)
    found = _discs(calibration, _seen_again(image, calibration, on_board, new, score, view), new)
    if (np.hypot(found.fits.centres[:, 0], found.fits.centres[:, 1]) < READER.overlap * radius).any():
        return found  # a disc that overhangs the hole leaves no room in it
    flat = hole.Flat(fits.only(in_hole), solids.z[in_hole], labs[in_hole])
    others = Others(found.fits.centres, found.labs)
    sunk = hole.seen_at_hole(image, calibration, flat, others, empty_hole)
    return replace(found, hole_unclear=sunk.unclear) if sunk.disc is None else found.plus(sunk.disc)


def _discs(calibration: Calibration, candidates: _Candidates, new: Floats) -> _Found:
    """Those of the candidates (K,) that are discs outside the hole; `new` is how much of each has changed."""
    fits, z, labs, evidence = candidates.fits, candidates.z, candidates.labs, candidates.evidence
    evidence[(labs[:, 0] > READER.blown_out) & (fits.visible < READER.blown_out_visible)] = 0
    usual = _usual_colour(labs, evidence)
    least = np.where(z == 0, READER.disc_evidence, READER.ditch_evidence)
    least[~usual] = READER.sure_evidence if usual.any() else READER.lone_evidence
    least[~usual & (new > READER.changed_share)] = READER.lone_evidence
    enough = evidence > least
    enough |= (z == 0) & (new > READER.changed_share) & usual & (evidence > READER.changed_evidence)
    enough &= fits.visible > np.where(z == 0, READER.flat_visible, READER.ditch_visible)
    enough &= _beside_hole(calibration, fits, new)
    keep = _not_overlapping(fits, evidence, enough, READER.overlap * calibration.disc.radius)
    keep = [k for k in keep if _can_lie(calibration, fits.centres[k], float(z[k]))]
    certain, leaning = np.ones(len(keep), np.bool_), np.zeros(len(keep), np.bool_)
    return _Found(fits.only(keep), z[keep], labs[keep], certain, leaning)


def _plainness(fits: Outlines) -> Floats:
    """How much the outlines (K,) speak for discs that lie where they were fitted."""
    much = np.maximum(np.abs(fits.excess) - READER.fair_excess, 0)
    return fits.support + fits.visible - READER.scatter_weight * fits.scatter - READER.excess_weight * much


def _seen_again(
    image: Image, calibration: Calibration, seen: _Candidates, new: Floats, score: discs.Field, view: View
) -> _Candidates:
    """The candidates, of which the doubtful ones are looked for a second time; of two fits the better is kept.

    The second search begins where the first fit ended, and once more at the roundest place beside: where the first fit
    was the disc's shadow, the disc lies there. `score` is the roundness of the view.
    """
    evidence = seen.evidence
    usual = _usual_colour(seen.labs, evidence)
    least = np.where(new > READER.changed_share, READER.shadow_evidence, READER.doubtful_evidence)
    doubtful = (evidence > least) & (_plainness(seen.fits) < READER.plain_outline)
    doubtful &= _beside_hole(calibration, seen.fits, new)
    if usual.any():
        doubtful &= usual | (evidence > READER.strange_evidence)
        sure = seen.fits.centres[evidence > READER.sure_evidence]
        apart = np.linalg.norm(seen.fits.centres[:, None] - sure, axis=-1)
        doubtful &= (apart > READER.overlap * calibration.disc.radius).all(1) | (evidence > READER.sure_evidence)
    which = np.flatnonzero(doubtful)
    there = Solids.flat(seen.fits.centres[which], seen.z[which], calibration)
    vague = _plainness(seen.fits.only(which)) < READER.vague_outline
    worth = np.append(np.ones(len(which), np.bool_), vague)
    tried = outline.both_ways(image, calibration, there).only(worth)
    lit = Solids.flat(discs.beside(score, view.reach, there.centres), there.z, calibration)
    tried = tried.plus(lit.moved(outline.search(image, calibration, lit)[0]))
    away = np.repeat((0.0, READER.itself), (len(tried.z) - len(which), len(which)))
    which = np.append(np.tile(which, 2)[worth], which)
    fits = outline.refine(image, calibration, tried)
    labs = colours.tops(image, calibration, fits.centres, tried.z)
    again = _Candidates(fits, tried.z, labs, seen.roundness[which])
    elsewhere = np.linalg.norm(fits.centres - seen.fits.centres[which], axis=-1) >= away
    kept = np.arange(len(evidence))
    for k, (place, found) in enumerate(zip(which, again.evidence, strict=True)):
        if found > evidence[place] and elsewhere[k]:
            evidence[place], kept[place] = found, len(evidence) + k
    labs = np.concatenate([seen.labs, again.labs])[kept]
    return _Candidates(seen.fits.plus(again.fits).only(kept), seen.z, labs, seen.roundness)


def _beside_hole(calibration: Calibration, fits: Outlines, new: Floats) -> NDArray[np.bool_]:
    """Which of the fits (K,) lie on the surface and not in or over the hole.

    An empty hole of bare wood looks like a disc over it. So a disc over the hole is accepted only where the empty board
    is known and the place has changed.
    """
    least = np.where(new > READER.changed_share, _tipping_radius(calibration), calibration.hole_radius)
    return np.asarray(np.hypot(fits.centres[:, 0], fits.centres[:, 1]) > least, np.bool_)


def _tipping_radius(calibration: Calibration) -> float:
    """How near to the hole's middle a disc's centre loses its support: the rim's two last points pass under it."""
    return float(np.sqrt(max(calibration.hole_radius**2 - calibration.disc.radius**2, 0.0)))


def _usual_colour(labs: Floats, evidence: Floats) -> NDArray[np.bool_]:
    """Which candidates (K,) have the colour of a sure disc."""
    sure = labs[evidence > READER.sure_evidence]
    if not len(sure):
        return np.zeros(len(labs), np.bool_)
    return np.asarray(colours.distance(labs[:, None], sure[None]).min(1) < READER.same_colour, np.bool_)


def _heights(calibration: Calibration, centres: Floats) -> Floats:
    """The height of each candidate's bottom, told by where its top is seen."""
    board = calibration.board
    from_hole = np.hypot(centres[:, 0], centres[:, 1])
    z = np.zeros(len(centres))
    z[from_hole > board.surface_radius + READER.on_edge] = -board.surface_height - READER.ditch_lift
    return z


def _moved_to(calibration: Calibration, centres: Floats, z: Floats) -> Floats:
    """Where discs with bottoms at `z` are whose tops are seen at `centres` in the view."""
    thickness = calibration.disc.thickness
    pixels = calibration.project(np.concatenate([centres, np.full((len(centres), 1), thickness)], axis=1))
    places = centres.copy()
    for height in np.unique(z[z != 0]):
        at = z == height
        places[at] = calibration.to_board(pixels[at], float(height) + thickness)
    return places


def _share(mask: NDArray[np.bool_], view: View, centres: Floats, radius: float) -> Floats:
    """The mean of `mask` within `radius` mm of each place."""
    places = np.rint(view.pixel(centres[:, None] + radius * colours.SPOTS)).astype(np.intp)
    column, row = np.moveaxis(np.clip(places, 0, len(mask) - 1), -1, 0)  # a ditch's disc may overlap the view's border
    return np.asarray(mask[row, column].mean(1), np.float64)


def _not_overlapping(fits: Outlines, evidence: Floats, enough: NDArray[np.bool_], apart: float) -> list[int]:
    keep: list[int] = []
    for k in np.argsort(-evidence):
        if enough[k] and all(np.hypot(*(fits.centres[k] - fits.centres[j])) > apart for j in keep):
            keep.append(int(k))
    return keep


def _can_lie(calibration: Calibration, centre: Floats, z: float) -> bool:
    board = calibration.board
    from_hole = float(np.hypot(*centre))
    if z != 0:
        return from_hole < board.rail_radius + READER.on_edge
    return from_hole < board.surface_radius + READER.on_edge


def _under_known_light(
    labs: Floats, view: View, calibration: Calibration, empty: Background | None, palette: Palette | None
) -> Floats:
    """The colours (K, 3) as they would be in the light in which the wood was learnt; unchanged where it was not."""
    if palette is not None and palette.wood is not None:
        known = np.array(palette.wood)
    elif empty is not None:
        known = colours.wood_of(empty.view, calibration)
    else:
        return labs
    now = colours.wood_of(view, calibration)
    return colours.lab_of(colours.under_light_of(colours.bgr_of(labs), now, known))


def _describe(
    calibration: Calibration, palette: Palette | None, found: _Found, labs: Floats, even: Floats | None
) -> Iterator[SeenDisc]:
    fits = found.fits
    names = colours.names(labs, even)
    sigmas = _sigmas(calibration, fits)
    for k, (x, y) in enumerate(fits.centres.tolist()):
        from_hole, sigma = math.hypot(x, y), float(sigmas[k])
        pose = "leaning" if found.leaning[k] else _pose(calibration, from_hole, float(found.z[k]))
        zone, clearance = _zone(calibration, from_hole, pose)
        call: Call = "sure"
        if not found.certain[k]:
            call = "close"
        if pose == "flat" and (abs(clearance) < READER.close_sigmas * sigma or fits.visible[k] < READER.least_visible):
            call = "close"
        side = palette.side_of(labs[k])[0] if palette is not None else None
        lab = (float(labs[k, 0]), float(labs[k, 1]), float(labs[k, 2]))
        visible = float(min(1.0, fits.visible[k]))
        yield SeenDisc(x, y, names[k], lab, pose, zone, clearance, sigma, call, side, visible)


def _sigmas(calibration: Calibration, fits: Outlines) -> Floats:
    """The standard errors (K,) of the discs' distances from the hole, mm."""
    x, y = fits.centres.T
    outward = fits.centres / np.maximum(np.hypot(x, y), 1e-9)[:, None]
    fitted = READER.spread * np.sqrt(np.einsum("ki,kij,kj->k", outward, fits.covariance, outward))
    mistaken = READER.wall_doubt * (outward * fits.doubt).sum(1)
    vague = READER.vague_doubt * np.maximum(READER.plain_outline - _plainness(fits), 0)
    parts = (np.full_like(x, READER.floor_sigma), fitted, mistaken, vague, calibration.sigma_radial(x, y))
    return np.asarray(np.sqrt(sum(part * part for part in parts)), np.float64)


def _pose(calibration: Calibration, from_hole: float, z: float) -> Pose:
    if z == 0:
        return "flat"
    return "ditch" if from_hole > calibration.board.surface_radius else "in_hole"


def _zone(calibration: Calibration, from_hole: float, pose: Pose) -> tuple[Zone, float]:
    """Zone, and clearance of the line that decides it."""
    outermost = from_hole + calibration.disc.radius
    lines = (calibration.fifteen, calibration.ten, calibration.outer)
    if pose == "in_hole":
        return 20, calibration.fifteen - outermost
    if pose == "ditch":
        return 0, calibration.outer - outermost
    zones: tuple[Zone, ...] = (15, 10, 5)
    zone: Zone = next((zone for zone, line in zip(zones, lines, strict=True) if outermost < line), 0)
    return zone, min((line - outermost for line in lines), key=abs)
