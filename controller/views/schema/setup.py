"""The state of set-up: `setup/1`."""

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from controller.views.common import Sentence, shown_as

StepId = Literal[
    "camera",
    "board",
    "colours",
    "proof",
    "hole_sensor",
    "lamps",
    "buttons",
    "name",
    "pin",
    "network",
    "clips",
    "club",
]
StepState = Literal["good", "bad", "missing", "optional"]


class StepFigure(TypedDict):
    """A figure of a step."""

    name: Sentence  #: Its name.
    value: float  #: Its value.
    unit: Annotated[str, shown_as(Literal["mm", "deg", "px/mm", "%", "dE", ""])]
    """`dE`: a distance of colours in CIE L*a*b*; empty for a plain number."""
    good: bool  #: Whether it is good enough.
    wanted: Sentence  #: The required value.
    limit: NotRequired[float]  #: The same as a number, if it is one: at most, at least, or within.


class Step(TypedDict):
    """One part of the table."""

    id: StepId  #: Which part.
    title: Sentence  #: Its name for people.
    state: StepState  #: `optional`: the table plays without it.
    text: Sentence  #: Its state, or what to do.
    figures: list[StepFigure]  #: Its figures.
    waits: NotRequired[bool]  #: For the hole sensor: its lesson is running, so ask again.
    pictured: NotRequired[bool]  #: For the colours: whether /api/setup/picture?of=disc shows the disc that was laid.
    joined: NotRequired[bool]  #: For the club: whether the table is in one.
    fixed: NotRequired[bool]  #: For the club: whether the configuration names it, so that it can't be changed here.


class Setup(TypedDict):
    """The steps of set-up."""

    schema: Literal["setup/1"]  #: The document's type.
    table: str  #: The table's name.
    steps: list[Step]  #: The steps in order.
