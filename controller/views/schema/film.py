"""The film of a shot: tracks of discs and contacts."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from controller.match.filmed import FilmTrack
from controller.match.shot_kinds import Kind as Kind
from controller.match.shot_kinds import Notable
from controller.views.schema.common import SideLetter, shown_as

Began = FilmTrack.model_fields["began"].annotation
Ended = FilmTrack.model_fields["ended"].annotation
TimedPlace = Annotated[list[float], Field(min_length=3, max_length=3)]
"""Seconds, and x and y in mm in the players' board frame."""


class FilmedTrack(TypedDict):
    """The track of a disc that moved, straight and at constant speed between two points."""

    disc: str  #: Its id.
    side: SideLetter  #: Its side.
    began: Annotated[str, shown_as(Began)]  #: `flicked` by a hand, `struck` by another disc, or `unknown`.
    ended: Annotated[str, shown_as(Ended)]
    """At `rest`, in the `hole`, `left` the surface, under a `hand`, or `lost`: its end was not seen."""
    speed: float | None  #: mm/s at its beginning; null if that was not seen.
    points: Annotated[list[TimedPlace], Field(min_length=1)]
    """In order of time. Interpolated places are within 2 mm of the measured ones."""


class FilmedContact(TypedDict):
    """Two discs touched."""

    t: float  #: Seconds.
    discs: Annotated[list[str], Field(min_length=2, max_length=2)]  #: Their ids; the first struck the other.
    closing: float  #: Their closing speed in mm/s; if it was not seen, the struck disc's speed afterwards.
    probability: float  #: The probability of the contact, 0 to 1.


class ShotFilm(TypedDict):
    """The film of a shot. Seconds count from the flick if it was seen."""

    tracks: list[FilmedTrack]  #: The tracks of the discs that moved.
    contacts: list[FilmedContact]  #: In order of time.
    hidden: float  #: Share of the pictures in which hands were over the board, 0 to 1.
    unseen: list[SideLetter]  #: Sides whose discs look like the wood in these pictures, so that they have no tracks.


class NewestFilm(ShotFilm):
    """The film of the newest shot."""

    shot: int  #: The number of its event in the journal: it rises from shot to shot.
    notable: Annotated[str, shown_as(Notable)] | None
    """Why it is worth a replay: a `twenty`, a `foul`, or a `takeout` of two discs or more."""
