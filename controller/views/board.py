"""The drawn board: the discs on it, those of the round that are off it, and strangers; and the film of a shot over it:
tracks of discs and contacts. All in the players' board frame."""

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from controller import rules
from controller.match import events as ev
from controller.match.discs import disc_name
from controller.match.filmed import Began, Ended, FilmOfShot, TrackPoint
from controller.match.seating import Seating
from controller.match.shot_kinds import Notable, notable, played_shot
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.views.common import Place, Sentence, SideId
from controller.vision.readings import Call, Zone

BETWEEN: Mapping[int, tuple[rules.Line | None, rules.Line]] = {
    15: (None, "fifteen"),
    10: ("fifteen", "ten"),
    5: ("ten", "outer"),
}
"""The inner and outer line of each zone."""
JUST_INSIDE = 0.1  # mm between a drawn disc and a line: invisible
REMOVALS: Mapping[str, Message] = {
    "foul": say("take it off (foul)"),
    "outer_line": say("take it off (outer line)"),
    "left_surface": say("take it off (left the surface)"),
    "returned": say("take it off (left the surface and bounced back)"),
    "twenty": say("lift it out (twenty)"),
}
"""What to do with a disc that has to come off, by the reason."""


@dataclass
class DrawnDisc(Place):
    """A disc on the drawn board."""

    id: str  #: Its id: its side's letter in lower case and its number in the round, such as a1.
    side: SideId  #: Its side.
    name: Sentence  #: Its name.
    zone: Zone
    """Its points, by the lower-ring rule; people's corrections override the camera."""
    pose: Literal["flat", "leaning", "in_hole"]
    """`flat` on the surface, `leaning` into the 20 hole, or `in_hole`, flat in it."""
    call: Call  #: `close`: too near a line to be certain.
    clearance: float
    """mm from the disc's outermost point to the inner edge of the deciding line; above 0 it is clear of the line."""
    sigma: float  #: mm, the standard error of the clearance.
    at_line: bool  #: Whether a close call is one because the disc lies near a line; else it is not seen well.
    remove: Literal["foul", "outer_line", "returned", "twenty"] | None
    """Why it has to come off; null if it is in play."""
    removal: Sentence | None  #: The same for people, with what to do.

    @classmethod
    def drawn(cls, state: MatchState, id_: str, measured: ev.Measured) -> "DrawnDisc":
        """One disc; `measured`: where, as `drawn_discs` says."""
        ruled, side, why = state.ruled.get(id_), state.side_of(id_), state.to_remove.get(id_)
        return cls.of(
            state.seating,
            measured,
            id=id_,
            side=side,
            name=disc_name(id_, state.name_of(side)),
            zone=measured.zone if ruled is None else ruled,
            pose=measured.pose,
            call="sure" if ruled is not None else measured.call,
            clearance=round(measured.clearance, 2),
            sigma=round(measured.sigma, 2),
            at_line=measured.pose == "flat" and not measured.poorly_visible,
            remove=why,
            removal=REMOVALS[why] if why else None,
        )


@dataclass
class DiscOff:
    """A disc of the round that is off the board."""

    id: str  #: Its id.
    side: SideId  #: Its side.
    name: Sentence  #: Its name.

    @classmethod
    def all_of(cls, state: MatchState, there: Container[str]) -> "list[DiscOff]":
        """Those of the running round; `there`: the discs on the board."""
        return [
            cls(id_, side, disc_name(id_, state.name_of(side)))
            for id_, side in state.game.round.owners.items()
            if id_ not in there
        ]


@dataclass
class DrawnStranger(Place):
    """A disc on the board that is not in play."""

    side: SideId | None  #: Its side, if it is known.


def drawn_discs(state: MatchState) -> dict[str, ev.Measured]:
    """The discs on the board as drawn: a corrected disc is drawn where it counts."""
    discs = dict(state.measured)
    for name in state.ruled:
        disc = state.game.round.board.discs.get(name)
        if disc is not None:
            drawn = ev.Measured.at(*_where_it_counts(disc.x, disc.y, disc.zone), disc.zone)
            discs[name] = drawn if disc.pose == "flat" else drawn.model_copy(update={"pose": "leaning"})
    return discs


def _where_it_counts(x: float, y: float, zone: int | None) -> tuple[float, float]:
    """The nearest place, in mm, at which a disc is drawn inside its zone."""
    if zone is None or rules.zone(x, y) == zone:
        return x, y
    inner, outer = BETWEEN[zone]
    innermost = rules.reach(inner) + JUST_INSIDE if inner else 0.0
    outermost = rules.reach(outer) - JUST_INSIDE
    r, angle = min(max(math.hypot(x, y), innermost), outermost), math.atan2(y, x)
    return r * math.cos(angle), r * math.sin(angle)


TimedPlace = Annotated[list[float], Field(min_length=3, max_length=3)]
"""Seconds, and x and y in mm in the players' board frame."""


@dataclass
class FilmedTrack:
    """The track of a disc that moved, straight and at constant speed between two points."""

    disc: str  #: Its id.
    side: SideId  #: Its side.
    began: Began  #: `flicked` by a hand, `struck` by another disc, or `unknown`.
    ended: Ended
    """At `rest`, in the `hole`, `left` the surface, under a `hand`, or `lost`: its end was not seen."""
    speed: float | None  #: mm/s at its beginning; null if that was not seen.
    points: Annotated[list[TimedPlace], Field(min_length=1)]
    """In order of time. Interpolated places are within 2 mm of the measured ones."""


@dataclass
class FilmedContact:
    """Two discs touched."""

    t: float  #: Seconds.
    discs: Annotated[list[str], Field(min_length=2, max_length=2)]  #: Their ids; the first struck the other.
    closing: float  #: Their closing speed in mm/s; if it was not seen, the struck disc's speed afterwards.
    probability: float  #: The probability of the contact, 0 to 1.


@dataclass
class ShotFilm:
    """The film of a shot. Seconds count from the flick if it was seen."""

    tracks: list[FilmedTrack]  #: The tracks of the discs that moved.
    contacts: list[FilmedContact]  #: In order of time.
    hidden: float  #: Share of the pictures in which hands were over the board, 0 to 1.
    unseen: list[SideId]  #: Sides whose discs look like the wood in these pictures, so that they have no tracks.

    @classmethod
    def of(cls, film: FilmOfShot, owners: Mapping[str, str], seating: Seating, **more: Any) -> Self:
        """A film without discs unknown to the match; `owners`: the side of every disc of its round."""

        def shown(point: TrackPoint) -> list[float]:
            t, x, y = point
            shown_x, shown_y = seating.shown(x, y)
            return [t, round(shown_x, 1), round(shown_y, 1)]

        return cls(
            tracks=[
                FilmedTrack(
                    one.disc, owners[one.disc], one.began, one.ended, one.speed, [shown(point) for point in one.points]
                )
                for one in film.tracks
                if one.disc in owners
            ],
            contacts=[
                FilmedContact(one.t, list(one.discs), one.closing, one.probability)
                for one in film.contacts
                if set(one.discs) <= set(owners)
            ],
            hidden=film.watched.hidden,
            unseen=list(film.watched.unseen),
            **more,
        )


@dataclass
class NewestFilm(ShotFilm):
    """The film of the newest shot."""

    shot: int  #: The number of its event in the journal: it rises from shot to shot.
    notable: Notable | None
    """Why it is worth a replay: a `twenty`, a `foul`, or a `takeout` of two discs or more."""


def newest_film(state: MatchState) -> NewestFilm | None:
    """The film of the last called shot; None if it was not filmed or annulled."""
    last = state.last_call
    if last is None or last.film is None:
        return None
    shot = played_shot(state, last.id, last.film)
    if shot is None or shot.played.annulled:
        return None
    return NewestFilm.of(last.film, shot.owners, state.seating, shot=last.id, notable=notable(shot))
