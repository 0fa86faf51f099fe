"""The film of a shot as stored in the journal: tracks of discs, contacts, and what was watched. Times are seconds since
the film's first sample, which is the flick if it was seen; places are mm in the board frame, as in `Measured`; speeds
are mm/s. Discs have the match's ids."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from controller.match.model import FrozenModel
from controller.match.seating import Point

Began = Literal["flicked", "struck", "unknown"]
Ended = Literal["rest", "hole", "left", "hand", "lost"]
TrackPoint = tuple[float, float, float]  # t, x, y
WITHIN_MM = 2.0
"""The largest error of a place that is interpolated between a track's points: half of what counts as a move, see
`FilmSettings.moved_mm`, and invisible on a drawn board."""
ROUNDED_MM = 0.25  # the rounding's part of that: 0.05 mm in x and y, and 0.05 ms of the fastest flick, 3.2 m/s
DIGITS = 4, 1, 1  # of t, x, y


class FilmTrack(FrozenModel):
    """The track of a disc that moved: straight and at constant speed between two points.

    | `ended` | the last point is where |
    | --- | --- |
    | `rest` | it came to rest |
    | `hole` | it was seen last before it fell |
    | `left` | it went over the surface's edge |
    | `hand` | it was last seen, or expected, before a hand hid it |
    | `lost` | it was last seen, or expected; its end was not seen |
    """

    disc: str
    began: Began
    ended: Ended
    points: tuple[TrackPoint, ...] = Field(min_length=1)
    speed: Annotated[float, Field(ge=0)] | None = None  # at its beginning; None if that was not seen

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        times = [t for t, _, _ in self.points]
        if any(later <= earlier for earlier, later in pairwise(times)):
            raise ValueError("a track's points are in order of time, no two at once")
        return self


class FilmContact(FrozenModel):
    """A contact of two discs; the first of `discs` struck the other. `closing`: their closing speed along the line of
    centres; if it was not seen, the struck disc's speed afterwards. `probability`: of the contact."""

    t: float
    discs: tuple[str, str]
    closing: float = Field(ge=0)
    probability: float = Field(ge=0, le=1)


class FilmWatched(FrozenModel):
    """What was watched: spans of time (begin, end) without gaps, except the share `hidden` of pictures with hands.
    `unseen`: the sides whose discs look like the wood in the small pictures, so that they have no tracks."""

    spans: tuple[tuple[float, float], ...] = ()
    hidden: float = Field(default=0.0, ge=0, le=1)
    unseen: tuple[str, ...] = ()


class FilmOfShot(FrozenModel):
    """The film of one shot. Anything may have happened at times, or to sides, that it did not watch."""

    tracks: tuple[FilmTrack, ...] = ()
    contacts: tuple[FilmContact, ...] = ()  # in order of time
    watched: FilmWatched = FilmWatched()

    def of(self, disc: str) -> FilmTrack | None:
        return next((track for track in self.tracks if track.disc == disc), None)


def simplify(samples: Sequence[TrackPoint]) -> tuple[TrackPoint, ...]:
    """Reduce samples to the points needed to interpolate every place within `WITHIN_MM`. The Douglas-Peucker algorithm,
    with the distance between places at the same time. `samples`: at least one, in order of time; of several with the
    same rounded time, the first is used."""
    rounded: list[TrackPoint] = []
    for t, x, y in samples:
        point = round(t, DIGITS[0]), round(x, DIGITS[1]), round(y, DIGITS[2])
        if not rounded or point[0] > rounded[-1][0]:
            rounded.append(point)
    kept, open_ = {0, len(rounded) - 1}, [(0, len(rounded) - 1)]
    while open_:
        first, last = open_.pop()
        ends = rounded[first], rounded[last]
        off = [math.dist(_between(*ends, t), (x, y)) for t, x, y in rounded[first + 1 : last]]
        if off and max(off) > WITHIN_MM - ROUNDED_MM:
            worst = first + 1 + off.index(max(off))
            kept.add(worst)
            open_ += [(first, worst), (worst, last)]
    return tuple(rounded[k] for k in sorted(kept))


def _between(first: TrackPoint, last: TrackPoint, t: float) -> Point:
    """The interpolated place at a time between two points."""
    (t0, x0, y0), (t1, x1, y1) = first, last
    share = (t - t0) / (t1 - t0)
    return x0 + share * (x1 - x0), y0 + share * (y1 - y0)


def distance_to_segment(place: Point, a: Point, b: Point) -> float:
    """The distance of a place from the segment between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx**2 + dy**2
    share = ((place[0] - a[0]) * dx + (place[1] - a[1]) * dy) / length2 if length2 else 0.0
    share = min(max(share, 0.0), 1.0)
    return math.dist(place, (a[0] + share * dx, a[1] + share * dy))


def angle_between(a: Point, b: Point, c: Point, d: Point) -> float:
    """The angle between the directions from a to b and from c to d, degrees."""
    angle = math.atan2(d[1] - c[1], d[0] - c[0]) - math.atan2(b[1] - a[1], b[0] - a[0])
    return abs(math.degrees(math.remainder(angle, math.tau)))
