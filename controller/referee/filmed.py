"""The film of a shot with the match's names for the discs: the end of each, and the contacts.

It is no evidence about a disc under a hand or one that looks like the wood, nor if its board is not the match's.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

from controller.match import events as ev
from controller.match.filmed import (
    FilmContact,
    FilmOfShot,
    FilmTrack,
    FilmWatched,
    angle_between,
    distance_to_segment,
    simplify,
)
from controller.match.seating import Point
from controller.match.state import MatchState
from controller.referee.read_board import distance
from controller.referee.settings import FILMED
from controller.rules import clearance
from controller.vision.film.film import SHOT, Contact, Film, Track
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT

FilmedEnd = Literal["surface", "hole", "ditch"]
ENDS: Mapping[str, FilmedEnd] = {"rest": "surface", "hole": "hole", "left": "ditch"}
"""The ends of tracks that show where the disc ended."""


@dataclass(frozen=True)
class Filmed:
    """A film that begins with the match's board. `names`: the match's, by the film's; without the shot disc."""

    film: Film
    names: Mapping[str, str]
    sides: Mapping[str, str]  # of these discs, by the match's names, and of the shot disc

    @classmethod
    def all_of(cls, state: MatchState, films: Sequence[Film]) -> "list[Filmed]":
        """Every film that begins with the match's board and has a new disc in it."""
        known = [(film, _names(state, film)) for film in films if film.of(SHOT) is not None]
        return [cls(film, names, _sides(state, names)) for film, names in known if names is not None]

    @staticmethod
    def of_flick(films: "Sequence[Filmed]") -> "Filmed | None":
        """The film in which the new disc goes farthest, except films that show it at a single moment; of equals the
        longest.

        If the new disc has another side's colour it is part of a hand, unless it was certainly flicked: the colour of a
        blurred disc is sometimes misread.
        """
        shown = (f for f in films if f.way and (f.could_be_shooters or f.flicked))
        return max(shown, key=lambda f: (f.way, f.film.watched.spans[-1].end), default=None)

    @property
    def could_be_shooters(self) -> bool:
        """Whether the apparent shot disc's colour allows it to be the shooter's; if not, it is part of a hand."""
        colours = {(self.sides[self.names[d.id]], d.colour) for d in self.film.settled if d.id in self.names}
        others = {colour for side, colour in colours if side != self.sides[SHOT]}
        return (self.sides[SHOT], self._shot.colour) in colours or self._shot.colour not in others

    @property
    def way(self) -> float:
        """The length of the shot disc's path, mm."""
        return self._shot.way

    @property
    def _shot(self) -> Track:
        track = self.film.of(SHOT)
        assert track is not None
        return track

    def tracks(self) -> dict[str, Track]:
        """The tracks of the discs that moved, by the match's names; the shot disc's by `SHOT`."""
        named = {**self.names, SHOT: SHOT}
        return {named[track.disc]: _until_lost(track) for track in self.film.tracks if track.disc in named}

    def swapped(self, disc: str) -> "Filmed":
        """The film if it confused this disc (the film's name) with the shot disc."""
        other = {disc: SHOT, SHOT: disc}
        tracks = tuple(replace(track, disc=other.get(track.disc, track.disc)) for track in self.film.tracks)
        return replace(self, film=replace(self.film, tracks=tracks))

    def ends(self) -> dict[str, FilmedEnd]:
        """The seen ends, by disc."""
        return {name: ENDS[track.ended] for name, track in self.tracks().items() if track.ended in ENDS}

    def agrees(self, name: str, place: SeenDisc | None) -> bool | None:
        """Whether a disc's filmed end agrees with `place`; None if its end was not seen.

        `place`: the disc now; None if it left the surface, into the ditch or the hole.
        """
        said = self.ends().get(name)
        if said is None:
            return None
        if place is None:
            return said != "surface"
        if place.pose != "flat" or said == "hole":
            return place.pose != "flat" and said == "hole"
        end = self.tracks()[name].end
        return said == "surface" and math.dist(end, (place.x, place.y)) < FILMED.same_place_mm

    def touched(self, name: str) -> float | None:
        """The probability that anything touched this disc, which lies still; None if that was not watched. Only soft
        contacts count, since any other would have sent it away.
        """
        if contacts := self._contacts(name):
            return max((c.probability for c in contacts if c.closing <= FILMED.soft), default=None)
        return FILMED.missed if self.passed_clear(name) else None

    def passed_clear(self, name: str) -> bool:
        """Whether every disc that moved was seen all the way, and none touched or came near this one."""
        home = next(((d.x, d.y) for d in self.film.settled if self.names.get(d.id) == name), None)
        if home is None or not self.whole or self._contacts(name):
            return False
        near = 2 * TOURNAMENT.disc.radius + FILMED.clear_mm
        ways = [track for other, track in self.tracks().items() if other != name]
        return all(gap >= near for track in ways for gap in _gaps(track, home))

    def met(self, name: str) -> list[float]:
        """The times (s) at which this disc probably touched another one."""
        return [contact.t for contact in self._contacts(name) if contact.probability > 0.5]

    def _contacts(self, name: str) -> list[Contact]:
        named = {**self.names, SHOT: SHOT}
        return [c for c in self.film.contacts if name in [named.get(d) for d in c.discs]]

    @property
    def flicked(self) -> bool:
        """Whether a disc was certainly shot: seen from the hand to its end, faster and farther than hands place one.

        Discs that look like the wood to the film make no difference to that.
        """
        speed = self._shot.speed
        fast = speed is not None and speed >= FILMED.fast and not self._sped_up
        return fast and self.way >= FILMED.far_mm and self._seen((self._shot,))

    @property
    def _sped_up(self) -> bool:
        """Whether it was out of sight while slower than a shot, and faster afterwards, as a hand moves."""
        steps = list(pairwise(self._shot.samples))
        fast = [distance(a, b) >= FILMED.fast * (b.t - a.t) for a, b in steps]
        lost = (k for k, (a, b) in enumerate(steps) if b.t - a.t > FILMED.lost_seconds and not fast[k])
        return any(fast[next(lost, len(fast)) :])

    @property
    def flicked_from(self) -> float:
        """The direction (degrees around the hole) of the point on the starting line from which the shot disc came."""
        first, second = ((s.x, s.y) for s in self._shot.samples[:2])
        along = math.atan2(first[1] - second[1], first[0] - second[0])
        x, y = math.cos(along), math.sin(along)
        aside = first[0] * y - first[1] * x
        back = math.sqrt(max(TOURNAMENT.outer_line**2 - aside**2, 0.0))
        return math.degrees(math.atan2(back * y - aside * x, back * x + aside * y))

    @property
    def hardly_moved(self) -> bool:
        """Whether the apparent shot disc moved too little, or too slowly, for a shot.

        One that was seen only briefly, or somewhat longer and then lost, is as often a hand.
        """
        track = self._shot
        slow = track.speed is not None and track.speed < FILMED.fast
        enough = FILMED.samples if track.ended in ENDS else 2 * FILMED.samples
        return slow or self._sped_up or len(track.samples) < enough or self.way < FILMED.near_mm

    @cached_property
    def whole(self) -> bool:
        """Whether the film shows the shot disc from the hand to its end, and all that it moved from contact to end."""
        return self._seen(self.film.tracks) and not self._alike

    def _seen(self, tracks: Sequence[Track]) -> bool:
        """Whether the board was watched from the hand to the ends of these discs, and all these ends are known."""
        first, last = self._shot.samples[0].t, max(track.samples[-1].t for track in tracks)
        seen = any(span.begin <= first and last <= span.end for span in self.film.watched.spans)
        known = all(track.began != "unknown" and track.ended in ENDS for track in tracks)
        return seen and known and len(self._shot.samples) >= FILMED.samples

    @property
    def _alike(self) -> set[str]:
        """The film's names of the discs that look like the wood to it."""
        return {disc.id for disc in self.film.settled if disc.colour in self.film.watched.unseen_colours}

    @property
    def unseen(self) -> frozenset[str]:
        """The discs that look like the wood to the film: they may have moved, and struck others."""
        return frozenset(self.names[id_] for id_ in self._alike if id_ in self.names)

    def of_shot(self, disc: str) -> FilmOfShot:
        """The film in the journal's form; `disc`: the shot's."""
        names = {**self.names, SHOT: disc}
        begin = self._shot.samples[0].t
        contacts = (
            FilmContact(
                t=round(c.t - begin, 3),
                discs=(names[c.discs[0]], names[c.discs[1]]),
                closing=round(c.closing, 1),
                probability=c.probability,
            )
            for c in self.film.contacts
            if c.discs[0] in names and c.discs[1] in names
        )
        watched = self.film.watched
        return FilmOfShot(
            tracks=tuple(_track(names[t.disc], t, begin) for t in self.film.tracks if t.disc in names),
            contacts=tuple(contacts),
            watched=FilmWatched(
                spans=tuple((round(s.begin - begin, 3), round(s.end - begin, 3)) for s in watched.spans),
                hidden=round(watched.hidden, 3),
                unseen=tuple(sorted({self.sides[name] for name in self.unseen})),
            ),
        )


def new_disc(state: MatchState, film: Filmed | None, films: Sequence[Film]) -> str | None:
    """What was filmed of a new disc, by its name in the table of evidence; None if one may have moved unseen.

    `film`: the one that shows it. Without one, it is certain that none moved only if the films have no gap and discs of
    the side to shoot do not look like the wood.
    """
    if film is not None:
        return "flick filmed" if film.flicked else "hardly moved" if film.hardly_moved else "motion filmed"
    new = [track for one in films if (track := one.of(SHOT)) is not None]
    if any(track.way for track in new):
        return None
    if new:
        return "hardly moved"  # each was seen at one moment only
    faint = all(_looks_like_wood(state, one) for one in films)
    return "nothing filmed" if _without_gap(films) and not faint else None


def unmoved(state: MatchState, films: Sequence[Film]) -> frozenset[str]:
    """The discs that never moved in these films; none if the films have a gap."""
    return frozenset.intersection(*(_unmoved(state, film) for film in films)) if _without_gap(films) else frozenset()


def _unmoved(state: MatchState, film: Film) -> frozenset[str]:
    moved, unseen = {track.disc for track in film.tracks}, film.watched.unseen_colours
    names = _lying(state, film)
    return frozenset(
        names[d.id] for d in film.settled if d.id in names and d.id not in moved and d.colour not in unseen
    )


def _without_gap(films: Sequence[Film]) -> bool:
    """Whether each film is one span of time: discs may slide in a gap between spans, or beside a single picture."""
    spans = [film.watched.spans for film in films]
    return bool(spans) and all(len(each) == 1 and each[0].begin < each[0].end for each in spans)


def _looks_like_wood(state: MatchState, film: Film) -> bool:
    """Whether a disc of the side to shoot looks like the wood in this film: one of theirs may have been shot unseen."""
    names, unseen = _lying(state, film), film.watched.unseen_colours
    alike = {names[d.id] for d in film.settled if d.id in names and d.colour in unseen} & state.measured.keys()
    return any(state.side_of(name) == state.game.round.to_shoot for name in alike)


def _names(state: MatchState, film: Film) -> dict[str, str] | None:
    """The match's names for the discs of a film, by the film's; None if its board is not the match's."""
    lying = _lying(state, film)
    missing = (lay for name, lay in state.measured.items() if name not in lying.values())
    if len(lying) < len(film.settled) or any(map(_would_be_filmed, missing)):
        return None
    return {id_: name for id_, name in lying.items() if name in state.measured}


def _lying(state: MatchState, film: Film) -> dict[str, str]:
    """The match's names for the discs of a film that were at a place of one of the match's; strangers included."""
    free = {**state.measured, **{f"stranger {k}": s for k, s in enumerate(state.strangers)}}
    names: dict[str, str] = {}
    for disc in film.settled:
        near = min(free, key=lambda n: distance(free[n], disc), default=None)
        if near is not None and distance(free[near], disc) <= FILMED.same_disc_mm:
            names[disc.id] = near
            del free[near]
    return names


def _would_be_filmed(disc: ev.Measured) -> bool:
    """Whether a film that begins with this disc on the board must have it: it is flat, within the lines.

    The film may take one that nearly touches the outermost line for a ready disc, and leave it out.
    """
    return disc.pose == "flat" and disc.zone != 0 and clearance(disc.x, disc.y, "outer") > FILMED.near_line_mm


def _sides(state: MatchState, names: Mapping[str, str]) -> dict[str, str]:
    return {SHOT: str(state.game.round.to_shoot), **{name: state.side_of(name) for name in names.values()}}


def _until_lost(track: Track) -> Track:
    """A struck disc's track until it was out of sight for too long. The shot disc may have been ready for as long."""
    if track.disc == SHOT or track.samples[-1].t - track.samples[0].t <= FILMED.slides_seconds:
        return track
    for k, (a, b) in enumerate(pairwise(track.samples), start=1):
        if b.t - a.t > FILMED.slides_seconds and distance(a, b) > FILMED.same_place_mm:
            return replace(track, samples=track.samples[:k], ended="lost", end=(a.x, a.y))
    return track


def _gaps(track: Track, home: Point) -> Iterator[float]:
    """The least possible distance (mm) of a place from the path between each sample and the next.

    At a turn the disc bounced somewhere between two samples, and may have left the straight line by half its length.
    """
    points = [*((s.x, s.y) for s in track.samples), track.end]
    legs = list(pairwise(points)) or [(points[0], points[0])]
    for k, (a, b) in enumerate(legs):
        (p, q), (r, s) = legs[max(k - 1, 0)], legs[min(k + 1, len(legs) - 1)]
        straight = max(angle_between(p, q, a, b), angle_between(a, b, r, s)) < FILMED.turned_degrees
        yield distance_to_segment(home, a, b) - (0.0 if straight else math.dist(a, b) / 2)


def _track(name: str, track: Track, begin: float) -> FilmTrack:
    """A track in the journal's form; its last point is the disc's end."""
    points = [(s.t - begin, s.x, s.y) for s in track.samples]
    if track.ended in ("rest", "left"):
        points[-1] = (points[-1][0], *track.end)
    return FilmTrack(
        disc=name,
        began=track.began,
        ended=track.ended,
        points=simplify(points),
        speed=None if track.speed is None else round(track.speed, 1),
    )
