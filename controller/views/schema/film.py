"""The film of a shot: which discs went where, when, and what touched what."""

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
"""Seconds, and x and y in people's board frame, mm."""


class FilmedTrack(TypedDict):
    """The way of one disc that moved. Between two points it went straight, at one speed."""

    disc: str
    """Its id."""
    side: SideLetter
    """Whose it is."""
    began: Annotated[str, shown_as(Began)]
    """`flicked` by a hand, `struck` by another disc, or `unknown`."""
    ended: Annotated[str, shown_as(Ended)]
    """At `rest`, in the `hole`, `left` the surface, under a `hand`, or `lost`: what became of it was not seen."""
    speed: float | None
    """mm/s when it began; null where that was not seen."""
    points: Annotated[list[TimedPlace], Field(min_length=1)]
    """In order of time. Its place at any time is within 2 mm of where it was seen."""


class FilmedContact(TypedDict):
    """Two discs touched."""

    t: float
    """Seconds."""
    discs: Annotated[list[str], Field(min_length=2, max_length=2)]
    """Their ids; the first brought it about."""
    closing: float
    """mm/s at which they met; where that was not seen, the struck disc's speed after it."""
    probability: float
    """That they touched, 0 to 1."""


class ShotFilm(TypedDict):
    """What the camera saw of a shot. Seconds count from the flick, where that was seen."""

    tracks: list[FilmedTrack]
    """Of the discs that moved."""
    contacts: list[FilmedContact]
    """In order of time."""
    hidden: float
    """Share of the pictures in which hands were over the board, 0 to 1."""
    unseen: list[SideLetter]
    """Sides whose discs can't be told from the wood in these pictures, so that none has a track."""


class NewestFilm(ShotFilm):
    """The film of the newest shot."""

    shot: int
    """The number of its event in the journal: it rises from shot to shot."""
    notable: Annotated[str, shown_as(Notable)] | None
    """Why it is worth a replay: a `twenty`, a `foul`, or a `takeout` of two discs or more."""
