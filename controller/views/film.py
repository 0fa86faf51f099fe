"""The film of a shot, in the players' board frame: tracks of discs and contacts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import Field

from controller.match.filmed import Began, Ended, FilmOfShot, TrackPoint
from controller.match.seating import Seating
from controller.match.shot_kinds import Notable, notable, played_shot
from controller.match.state import MatchState
from controller.views.common import SideLetter

TimedPlace = Annotated[list[float], Field(min_length=3, max_length=3)]
"""Seconds, and x and y in mm in the players' board frame."""


@dataclass
class FilmedTrack:
    """The track of a disc that moved, straight and at constant speed between two points."""

    disc: str  #: Its id.
    side: SideLetter  #: Its side.
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
    unseen: list[SideLetter]  #: Sides whose discs look like the wood in these pictures, so that they have no tracks.

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
