"""Readings of the board: the discs with their doubts. Format: board-reading/1."""

import cmath
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Pose = Literal["flat", "leaning", "in_hole", "ditch"]
Zone = Literal[20, 15, 10, 5, 0]
Call = Literal["sure", "close"]
Doubt = Literal["near a line", "faint", "side", "hole", "half hidden", "light"]
"""Why a disc is in doubt: its zone, whether it is a disc, its side, its pose at the 20 hole; and two reasons that add
to the first two: most of its outline is hidden, or errors are unknown in this light."""

Outline = tuple[tuple[float, float], ...]  # a convex outline's corners (x, y) in the board frame, mm

AT_HOLE: tuple[Pose, ...] = ("in_hole", "leaning")  # the poses of a disc in the 20 hole or on its rim

SAME_SIGMAS = 4.0
"""Standard errors of the difference within which two readings have the same disc: 1 in 3,000 is farther off."""

SCHEMA = "board-reading/1"


@dataclass(frozen=True, slots=True)
class HoleOdds:
    """The probabilities of the 20 hole's content; the sum is 1."""

    empty: float = 1.0
    flat: float = 0.0
    leaning: float = 0.0

    def filled(self) -> "HoleOdds":
        """The odds given that the hole is not empty."""
        disc = self.flat + self.leaning
        return HoleOdds(0.0, self.flat / disc, self.leaning / disc)

    def likelier_empty(self, times: float) -> "HoleOdds":
        """The odds with a prior that favours an empty hole by this factor."""
        total = times * self.empty + self.flat + self.leaning
        return HoleOdds(times * self.empty / total, self.flat / total, self.leaning / total)

    def beside(self, then: "HoleOdds", alone: float) -> "HoleOdds":
        """The odds if it is uncertain that the hole was empty `then`, the picture of comparison; these odds assume that
        it was. A change may be a disc that came or one that went. `alone`: the probability that the hole is empty now,
        from the present picture alone.
        """
        if then.empty == 1.0:
            return self
        came, went = then.empty * (1 - alone), (1 - then.empty) * alone
        same, held = self.empty, (1 - self.empty) * came / (came + went)
        disc = self.flat + self.leaning
        flat = same * then.flat + held * self.flat / disc
        leaning = same * then.leaning + held * self.leaning / disc
        return HoleOdds(1 - flat - leaning, flat, leaning)

    def to_json(self) -> dict[str, float]:
        """The probabilities by name."""
        return {"empty": round(self.empty, 3), "flat": round(self.flat, 3), "leaning": round(self.leaning, 3)}


USUAL_SIDES = 2  # a set of discs has two colours; three and four players may bring more
EMPTY_HOLE = HoleOdds()
UNKNOWN_HOLE = HoleOdds(1 / 3, 1 / 3, 1 / 3)


@dataclass(frozen=True, slots=True)
class SeenDisc:
    """One disc as measured in one picture, in the board frame (millimetres)."""

    x: float  # centre of the disc's bottom
    y: float
    colour: str  # a plain name: black, natural, red ..
    lab: tuple[float, float, float]  # the top's mean colour, CIE L*a*b* (L 0..100), board wood as reference where known
    pose: Pose
    zone: Zone  # by the lower-ring rule
    clearance: float  # inner edge of the deciding line minus the disc's outermost point
    sigma: float  # standard error of `clearance`
    call: Call
    side: str | None = None  # "A" or "B", once colours are assigned to sides
    visible: float = 1.0  # share of the outline that could be measured
    colour_call: Call = "sure"  # close: the colour is between two groups', so the disc may be another's
    covariance: tuple[float, float, float] | None = None  # of the place: xx, xy, yy in mm^2; None if not measured
    log_odds: float | None = None  # of being a disc, natural logarithm; None at the hole and if not measured
    doubts: tuple[Doubt, ...] = ()  # why `call` is close

    def of_side(self, side: str | None) -> "SeenDisc":
        """The disc, assigned to a side."""
        return replace(self, side=side)

    @property
    def why(self) -> tuple[Doubt, ...]:
        """Why it is in doubt; empty for a certain disc."""
        unsided: tuple[Doubt, ...] = ("side",) if self.side is None and self.colour_call == "close" else ()
        return (*self.doubts, *unsided)

    def doubted(self, doubt: Doubt) -> "SeenDisc":
        """The disc with one more doubt."""
        return self if doubt in self.doubts else replace(self, call="close", doubts=(*self.doubts, doubt))

    @property
    def in_doubt(self) -> bool:
        """Whether its zone is in doubt, or its colour if only that shows its side."""
        return "close" in (self.call, self.colour_call if self.side is None else "sure")

    def to_json(self) -> dict[str, Any]:
        """The disc as JSON."""
        return {
            "x": round(self.x, 2),
            "y": round(self.y, 2),
            "side": self.side,
            "colour": self.colour,
            "pose": self.pose,
            "zone": self.zone,
            "clearance": round(self.clearance, 3),
            "sigma": round(self.sigma, 3),
            "call": "close" if self.in_doubt else "sure",
            "why": list(self.why),
            "visible": round(self.visible, 2),
        }


def as_outline(corners: NDArray[np.floating[Any]]) -> Outline:
    """The outline with these corners (n, 2), mm."""
    return tuple((float(x), float(y)) for x, y in corners)


def _near(outlines: Iterable[Outline], x: float, y: float, within: float) -> bool:
    return any(cv2.pointPolygonTest(np.array(outline, np.float32), (x, y), True) > -within for outline in outlines)


@lru_cache(maxsize=8)
def _area_within(outlines: tuple[Outline, ...], radius: float) -> float:
    """The area (mm2) of these outlines within a circle around the hole; where two overlap, both count."""
    corners = ([complex(*corner) for corner in outline] for outline in outlines)
    return sum(abs(sum(map(partial(_swept, radius), around, around[1:] + around[:1]))) for around in corners)


def _swept(radius: float, start: complex, end: complex) -> float:
    """The area (mm2) within a circle around the hole that the line from the hole sweeps along this edge, positive
    counterclockwise. Exact: OpenCV's clipping fails where an outline runs along the circle."""
    way = end - start or 1e-9  # a corner may stand twice
    nearest = -(start.conjugate() * way).real / abs(way) ** 2  # as a share of the edge
    half = math.sqrt(max(nearest**2 - (abs(start) ** 2 - radius**2) / abs(way) ** 2, 0.0))
    comes, goes = (start + way * min(max(share, 0.0), 1.0) for share in (nearest - half, nearest + half))
    outside = cmath.phase(comes * start.conjugate()) + cmath.phase(end * goes.conjugate())
    return (radius**2 * outside + (comes.conjugate() * goes).imag) / 2


@dataclass(frozen=True, slots=True)
class BoardReading:
    """One settled board, read from one picture."""

    discs: tuple[SeenDisc, ...]
    obstructed: bool = False  # a hand or another object hides part of the board
    milliseconds: float = 0.0
    t: float = 0.0
    frame: str = ""
    hidden: tuple[Outline, ...] = ()  # parts of surface and ditch under hands and objects, if known
    light: float = 1.0  # on the surface, relative to that in which the empty board was learnt; 1 if unknown
    hole_unclear: bool = False  # no disc was read at the 20 hole, but there may be one
    unseen: tuple[Outline, ...] = ()  # parts of surface and ditch outside the picture or overexposed
    surface_unseen: float = 0.0  # the share of `unseen` and `laid` within the outer line, where discs count
    hole: HoleOdds = EMPTY_HOLE
    hole_hidden: bool = False  # a hand or object may hide the 20 hole, or be what is seen in it
    laid: tuple[Outline, ...] = ()  # as `hidden`, under what is no hand, since it stays: an object, a reflection

    @property
    def partial(self) -> bool:
        """Whether discs that count may be unseen: obstructed, outside the picture, or overexposed."""
        return self.obstructed or self.surface_unseen > 0

    @property
    def behind(self) -> tuple[Outline, ...]:
        """All parts under hands and objects."""
        return self.hidden + self.laid

    def hides(self, x: float, y: float, within: float) -> bool:
        """Whether a hand or object hides this place (mm), or one up to `within` mm away."""
        return _near(self.behind, x, y, within)

    def hidden_area(self, x: float, y: float) -> float:
        """The area (mm2) of the outlines of hands and objects that hide this place (mm); 0 if none does."""
        over = (outline for outline in self.behind if _near([outline], x, y, 0.0))
        return sum(cv2.contourArea(np.array(outline, np.float32)) for outline in over)

    def hidden_share(self, inner: float, outer: float) -> float | None:
        """The share of a ring around the hole, between these radii (mm), that hands and objects hide; None if they hide
        parts that are not known.
        """
        if self.obstructed and not self.hidden:
            return None
        area = _area_within(self.behind, outer) - _area_within(self.behind, inner)
        return min(area / (math.pi * (outer**2 - inner**2)), 1.0)

    def same_discs(self, other: "BoardReading") -> bool:
        """Whether the other reading has the same discs, each within its standard errors."""
        left = list(other.discs)
        for disc in self.discs:
            near = [
                d
                for d in left
                if math.dist((d.x, d.y), (disc.x, disc.y)) < SAME_SIGMAS * math.hypot(d.sigma, disc.sigma)
            ]
            if not near:
                return False
            left.remove(near[0])
        return not left

    def shows(self, x: float, y: float) -> bool:
        """Whether this place (mm) is within the picture and not overexposed, apart from obstructions."""
        return not _near(self.unseen, x, y, 0.0)

    def doubted(self) -> "BoardReading":
        """The reading with every disc a close call: errors are unknown in its light."""
        return replace(self, discs=tuple(disc.doubted("light") for disc in self.discs))

    def to_json(self) -> dict[str, Any]:
        """The reading as JSON."""
        return {
            "schema": SCHEMA,
            "obstructed": self.partial,
            "milliseconds": round(self.milliseconds, 1),
            "hole": self.hole.to_json(),
            "discs": [disc.to_json() for disc in self.discs],
        }
