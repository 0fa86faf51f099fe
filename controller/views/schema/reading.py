"""What the camera read: `board-reading/1`, and a question's picture read again: `review/1`."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from controller.match.cases import What
from controller.views.schema.common import Place, SideLetter, shown_as
from controller.vision.readings import Call, Pose, Zone


class ReadDisc(Place):
    """A disc as measured in one picture. Its place is in the frame of the calibration."""

    side: SideLetter | None
    """Whose it is; null until the colours have been assigned to sides."""
    colour: str
    """A plain name: black, natural, red."""
    pose: Pose
    """How it lies: `leaning` into the 20 hole, `in_hole` flat in it, `ditch` beside the surface, else `flat` on it."""
    zone: Zone
    """What it counts, by the lower-ring rule."""
    clearance: float
    """mm from the disc's outermost point to the inner edge of the line that decides its zone; above 0 it is clear."""
    sigma: float
    """mm, the standard error of the clearance."""
    call: Call
    """`close`: too near a line to be sure."""
    visible: Annotated[float, Field(ge=0, le=1)]
    """The share of its outline that could be measured."""


class Reading(TypedDict):
    """One settled board, read from one picture."""

    schema: Literal["board-reading/1"]
    """Which document this is."""
    obstructed: bool
    """Whether discs may lie where nothing is seen: a hand, or something else that is no disc, hides part of the board,
    or the picture does not show all of the surface."""
    milliseconds: float
    """How long the reading took."""
    discs: list[ReadDisc]
    """What lay there."""


class AsAsked(TypedDict):
    """The figures of a question when it was asked; empty for a picture of no question."""

    what: NotRequired[What]
    """What it was about."""
    disc: NotRequired[str | None]
    """The disc of a close call."""
    clearance: NotRequired[float | None]
    """mm, of a close call at a line: below 0 the disc touches the line."""
    sigma: NotRequired[float | None]
    """mm, its standard error."""
    at: NotRequired[Annotated[list[float], Field(min_length=2, max_length=2)] | None]
    """Where its disc lay: x and y in the frame of the calibration, mm."""


class Review(TypedDict):
    """A question's picture read again by today's program, beside what was measured when it was asked."""

    schema: Literal["review/1"]
    """Which document this is."""
    picture: str
    """Its name."""
    then: AsAsked
    """The figures when it was asked."""
    now: Annotated[dict[str, Any], shown_as(ReadDisc)] | None
    """Today's figures of the same disc; null where none lies there."""
    reading: Annotated[dict[str, Any], shown_as(Reading)]
    """The whole board as read today."""
