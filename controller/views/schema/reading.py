"""Readings: `board-reading/1`, and a question's picture read again: `review/1`."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from controller.match.cases import What
from controller.views.common import SideLetter, shown_as
from controller.vision.readings import Call, Doubt, Pose, Zone


class ReadDisc(TypedDict):
    """A disc as measured in one picture. Its place is in the frame of the calibration."""

    x: float  #: mm
    y: float  #: mm
    side: SideLetter | None  #: Its side; null until the colours are assigned to sides.
    colour: str  #: The colour's name, such as black, natural or red.
    pose: Pose
    """`leaning` into the 20 hole, `in_hole`, flat in it, `ditch` beside the surface, or `flat` on the surface."""
    zone: Zone  #: Its points, by the lower-ring rule.
    clearance: float
    """mm from the disc's outermost point to the inner edge of the deciding line; above 0 it is clear of the line."""
    sigma: float  #: mm, the standard error of the clearance.
    call: Call  #: `close`: in doubt, for the reasons that `why` gives.
    why: list[Doubt]
    """Why the call is close; empty for a certain one. `near a line`; `faint`, possibly not a disc; `side`, a colour
    between two sides'; `hole`, its pose at the 20 hole; `half hidden` and `light` add to the first two."""
    visible: Annotated[float, Field(ge=0, le=1)]  #: The share of its outline that was measured.


class HoleProbabilities(TypedDict):
    """The content of the 20 hole; the probabilities sum to 1."""

    empty: Annotated[float, Field(ge=0, le=1)]  #: The probability that it is empty.
    flat: Annotated[float, Field(ge=0, le=1)]  #: The probability of a flat disc.
    leaning: Annotated[float, Field(ge=0, le=1)]  #: The probability of a leaning disc.


class Reading(TypedDict):
    """One settled board, read from one picture."""

    schema: Literal["board-reading/1"]  #: The document's type.
    obstructed: bool
    """Whether discs may be hidden: a hand or another object covers part of the board, or the picture does not show the
    whole surface."""
    milliseconds: float  #: The duration of the reading.
    hole: HoleProbabilities  #: The probable contents of the 20 hole.
    discs: list[ReadDisc]  #: The discs.


class AsAsked(TypedDict):
    """The figures of a question when it was asked; empty for other pictures."""

    what: NotRequired[What]  #: Its topic.
    disc: NotRequired[str | None]  #: The disc of a close call.
    clearance: NotRequired[float | None]  #: mm, for a close call at a line: below 0 the disc touches the line.
    sigma: NotRequired[float | None]  #: mm, its standard error.
    at: NotRequired[Annotated[list[float], Field(min_length=2, max_length=2)] | None]
    """Its disc's place: x and y in the calibration's frame, mm."""


class Review(TypedDict):
    """A question's picture, read again by today's program, and its figures when it was asked."""

    schema: Literal["review/1"]  #: The document's type.
    picture: str  #: Its name.
    then: AsAsked  #: The figures when it was asked.
    now: Annotated[dict[str, Any], shown_as(ReadDisc)] | None
    """Today's figures of the same disc; null if there is none."""
    reading: Annotated[dict[str, Any], shown_as(Reading)]  #: The whole board as read today.
