"""How the table is set up: `setup/1`."""

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from controller.views.schema.common import Sentence, shown_as

StepId = Literal[
    "camera", "board", "colours", "proof", "hole_sensor", "lamps", "buttons", "name", "pin", "network", "clips", "club"
]
StepState = Literal["good", "bad", "missing", "optional"]


class StepFigure(TypedDict):
    """A figure of a step."""

    name: Sentence
    """What it is."""
    value: float
    """In its unit."""
    unit: Annotated[str, shown_as(Literal["mm", "deg", "px/mm", "%", "dE", ""])]
    """`dE`: a distance of colours in CIE L*a*b*; empty for a plain number."""
    good: bool
    """Whether it is good enough."""
    wanted: Sentence
    """What would be good enough."""


class Step(TypedDict):
    """One part of the table."""

    id: StepId
    """Which part."""
    title: Sentence
    """What people call it."""
    state: StepState
    """`optional`: the table plays without it."""
    text: Sentence
    """What it says of itself, or what to do."""
    figures: list[StepFigure]
    """What was measured."""
    waits: NotRequired[bool]
    """Of the hole sensor: its lesson goes on, ask again."""
    pictured: NotRequired[bool]
    """Of the colours: whether /api/setup/picture?of=disc shows a disc that was laid, as it was seen."""
    joined: NotRequired[bool]
    """Of the club: whether the table is in one."""
    fixed: NotRequired[bool]
    """Of the club: whether the configuration names it, so that it can't be changed here."""


class Setup(TypedDict):
    """How the table is set up, step by step."""

    schema: Literal["setup/1"]
    """Which document this is."""
    table: str
    """What people call the table."""
    steps: list[Step]
    """In the order in which a table is set up."""
