"""The kinds of shots: defines in one place what the statistics count and the replays show.

A kind has a base (shots that could be of the kind) and hits (shots that were), so that a rate has its sample size.

| kind | base: shots .. | hit: shots .. |
| --- | --- | --- |
| `open_twenty` | with no disc of an opponent on the board | whose own disc was banked as a twenty |
| `contact` | with a disc of an opponent on the board | that touched a disc of an opponent, valid or not |
| `takeout` | as `contact` | by which a disc of an opponent came off the board |
| `double` | with two discs or more of opponents on the board | by which two of them or more came off |
| `follow_through` | as `contact` | that touched a disc of an opponent, and whose own disc was banked as a twenty |
| `promotion` | with another own disc on the board | by which one of those came to count more |
| `rebound` | that were filmed | in which the shot disc turned at a peg |

`contact` and `takeout` are also counted by distance from the place of the flick to the target. The target is the
opponent's disc that the shot touched first or, if it touched none, the one nearest to the shot disc's path. If the shot
was not filmed, the distance is unknown.

Annulled shots are of no kind."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Self, get_args

from controller import rules
from controller.match.filmed import FilmOfShot, FilmTrack, angle_between, distance_to_segment
from controller.match.seating import Point
from controller.match.state import MatchState
from hardware.board import TOURNAMENT

Kind = Literal["open_twenty", "contact", "takeout", "double", "follow_through", "promotion", "rebound"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Distance = Literal["near", "middle", "far", "unknown", "any"]  # `any`: for kinds that are not counted by distance
DISTANCES: tuple[Distance, ...] = get_args(Distance)
NEAR = 250.0  # mm: chosen, so that about a third of the 610 mm from line to line falls into each
FAR = 400.0
Notable = Literal["twenty", "foul", "takeout"]
MANY = 2  # opponents' discs: a takeout of so many is worth a replay
AT_PEG = TOURNAMENT.peg_radius + TOURNAMENT.disc.radius + 8.0
"""mm from a peg's axis within which a disc that turns has touched it: 2 mm for the track's simplification, the rest for
the distance between two pictures. Chosen."""
TURNED = 20.0  # degrees: chosen, ten times the noise of a track over 60 mm
SHORTEST = 12.0  # mm of path before and after a turn, for a meaningful angle
CONTACT_WINDOW = 0.06  # s: a contact this near in time explains a turn; two pictures at 30 a second


@dataclass(frozen=True, slots=True)
class PlayedShot:
    """One shot and the position before it."""

    played: rules.JudgedShot
    before: rules.Position  # the discs that were in play
    owners: Mapping[str, str]  # the side of every disc of the round
    film: FilmOfShot | None = None

    @classmethod
    def of(cls, round_: rules.Round, number: int, film: FilmOfShot | None) -> Self:
        """The shot of that number in its round, from 1."""
        before = round_.shots[number - 2].board if number > 1 else rules.Position()
        return cls(round_.shots[number - 1], before, round_.owners, film)

    @property
    def side(self) -> str:
        return self.played.shot.side

    def opponents(self) -> set[str]:
        return set(self.before.opponents_of(self.side))

    def taken_out(self) -> set[str]:
        gone = {removal.disc for removal in self.played.judgement.removed if removal.why != "twenty"}
        return gone & self.opponents()

    def touched(self) -> str | None:
        """The opponent's disc that was touched first; None if none was."""
        theirs = self.opponents()
        return next((disc for pair in self.played.shot.contacts for disc in pair if disc in theirs), None)

    @property
    def sunk(self) -> bool:
        return self.played.shot.disc in self.played.judgement.twenties

    @property
    def track(self) -> FilmTrack | None:
        """The shot disc's track; None if it was not filmed."""
        return self.film.of(self.played.shot.disc) if self.film else None

    @property
    def speed(self) -> float | None:
        """The flick's speed in mm/s; None if it was not filmed."""
        return self.track.speed if self.track is not None and self.track.began == "flicked" else None


def played_shot(state: MatchState, id_: int, film: FilmOfShot | None = None) -> PlayedShot | None:
    """The shot of this `ShotSeen` as it counts now; None if it no longer counts."""
    place = state.place_of(id_)
    return place and PlayedShot.of(state.game.all_rounds[place[0] - 1], place[1], film)


@dataclass(frozen=True, slots=True)
class KindCount:
    """A shot's entry in the base of a kind."""

    kind: Kind
    distance: Distance
    hit: bool


def kinds(shot: PlayedShot) -> Iterator[KindCount]:
    """All kinds whose base contains this shot."""
    if shot.played.annulled:
        return
    theirs = shot.opponents()
    if not theirs:
        yield KindCount("open_twenty", "any", shot.sunk)
    else:
        touched, out, far = shot.touched(), len(shot.taken_out()), distance(shot)
        yield KindCount("contact", far, touched is not None)
        yield KindCount("takeout", far, out > 0)
        yield KindCount("follow_through", "any", touched is not None and shot.sunk)
        if len(theirs) > 1:
            yield KindCount("double", "any", out > 1)
    if own := shot.before.of(shot.side):
        promoted = any(_points_after(shot, disc) > rules.zone_of(shot.before.discs[disc]) for disc in own)
        yield KindCount("promotion", "any", promoted)
    if shot.film is not None and shot.track is not None:
        yield KindCount("rebound", "any", rebounds(shot.track, shot.film))


def notable(shot: PlayedShot) -> Notable | None:
    """Why a replay of this shot is worth showing; None if it is not."""
    if shot.played.annulled:
        return None
    if not shot.played.judgement.valid:
        return "foul"
    if shot.played.judgement.twenties:
        return "twenty"
    return "takeout" if len(shot.taken_out()) >= MANY else None


def distance(shot: PlayedShot) -> Distance:
    """The class of the distance from the place of the flick to the target."""
    track = shot.track
    if track is None or track.began != "flicked":
        return "unknown"
    target = shot.touched() or _passed_nearest(track, {d: _place(shot.before.discs[d]) for d in shot.opponents()})
    far = math.dist(track.points[0][1:], _place(shot.before.discs[target]))
    return "near" if far < NEAR else "middle" if far < FAR else "far"


def rebounds(track: FilmTrack, film: FilmOfShot) -> bool:
    """Whether the disc turned at a peg without touching a disc."""
    met = [contact.t for contact in film.contacts if track.disc in contact.discs]
    return any(
        _turn(*(point[1:] for point in track.points[k - 1 : k + 2])) > TURNED
        and any(math.dist(peg, track.points[k][1:]) < AT_PEG for peg in TOURNAMENT.pegs)
        and not any(abs(t - track.points[k][0]) < CONTACT_WINDOW for t in met)
        for k in range(1, len(track.points) - 1)
    )


def _turn(a: Point, b: Point, c: Point) -> float:
    """The angle in degrees by which the path turns at b; 0 if it is too short."""
    return 0.0 if min(math.dist(a, b), math.dist(b, c)) < SHORTEST else angle_between(a, b, b, c)


def _passed_nearest(track: FilmTrack, places: Mapping[str, tuple[float, float]]) -> str:
    ways = [*zip(track.points, track.points[1:], strict=False)] or [(track.points[0], track.points[0])]
    return min(places, key=lambda disc: min(distance_to_segment(places[disc], a[1:], b[1:]) for a, b in ways))


def _points_after(shot: PlayedShot, disc: str) -> int:
    if disc in shot.played.judgement.twenties:
        return 20
    after = shot.played.board.discs.get(disc)
    return rules.zone_of(after) if after else 0


def _place(disc: rules.Disc) -> Point:
    return disc.x, disc.y
