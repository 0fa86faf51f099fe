"""What a test set holds and what a program answers, as types: docs/test-set.schema.json follows from them.

python -m tests.bench.testset.documents > docs/test-set.schema.json
"""

import json
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict

SideId = Literal["A", "B", "C", "D"]
Figure = Annotated[float, Field(allow_inf_nan=False)]


class DiscTruth(TypedDict):
    """A disc at rest. Millimetres in the board frame: origin at the hole, x right, y away from seat 1."""

    x: Figure
    y: Figure
    side: SideId
    status: Literal["flat", "leaning", "in_hole", "ditch"]
    zone: Literal[20, 15, 10, 5, 0]
    clearance: Figure | None
    """Of the line that decides: its inner edge less the disc's outermost point."""
    occluded: Annotated[float, Field(ge=0, le=1)]
    """The share of it that hands or other discs hide."""


class BoardTruth(TypedDict):
    """A board at rest."""

    picture: str
    """The file that shows it; of a film `t=SECONDS`."""
    discs: list[DiscTruth]


class Removed(TypedDict):
    """A disc that the verdict took off."""

    side: SideId
    why: Literal["foul", "outer_line", "left_surface", "returned", "twenty"]


class ShotTruth(TypedDict):
    """A shot with its verdict."""

    end: Figure | None
    """When everything rested, seconds; null in stills."""
    side: SideId
    valid: bool
    reason: Literal["no_opponent_contact", "not_in_fifteen"] | None
    contacts: list[tuple[SideId, SideId]]
    """The sides of the discs that touched, in order of time."""
    removed: list[Removed]
    twenties: int


class Visible(TypedDict):
    """The score that a board shows after a shot, without banked twenties, where nothing else is known."""

    end: Figure
    totals: dict[SideId, int]
    asked: bool
    """A scorer should not decide this by itself."""


class Camera(TypedDict):
    """OpenCV's convention; pixel centres at whole numbers."""

    matrix: Annotated[list[list[Figure]], Field(min_length=3, max_length=3)]
    distortion: list[Figure]
    rotation: Annotated[list[list[Figure]], Field(min_length=3, max_length=3)]
    translation: Annotated[list[Figure], Field(min_length=3, max_length=3)]


class Lines(TypedDict):
    """The board: inner edges of its lines and the disc's radius, mm."""

    fifteen: Figure
    ten: Figure
    outer: Figure
    disc: Figure


class Item(TypedDict):
    """A still, the stills of a round, or a filmed round. The discs of one item are not independent."""

    id: str
    kind: Literal["still", "sequence", "film"]
    source: str
    """Where it comes from, and under which licence."""
    film: str | None
    """A video, or the folder of a recording."""
    empty: str | None
    """A picture of the board without discs, from the same place."""
    camera: Camera | None
    landmarks: dict[str, list[Figure] | list[list[Figure]]] | None
    lines: Lines | None
    boards: list[BoardTruth]
    shots: list[ShotTruth]
    visible: list[Visible]
    totals: dict[SideId, int] | None
    """Of the whole round, twenties included."""


class SetOfItems(TypedDict):
    """A test set; file names are relative to it."""

    schema: Literal["crokinole-test-set/1"]
    name: str
    items: list[Item]


class ReadDisc(TypedDict):
    """A disc as a program reads it; more members, as `board-reading/1` has them, do no harm."""

    x: Figure
    y: Figure
    colour: str
    """A name of the program's own: discs of one side have one."""
    zone: Literal[20, 15, 10, 5, 0]
    call: Literal["sure", "close"]


class ReadBoard(TypedDict):
    """What a program reads of a board."""

    picture: str
    discs: list[ReadDisc]
    asks: bool
    """Whether it wants a person to look, for any reason."""


class ReportedShot(TypedDict):
    """A shot as a program reports it."""

    side: SideId
    valid: bool
    removed: list[Removed]
    twenties: int
    asked: bool
    """Whether it asks about this shot."""


class AnswerItem(TypedDict):
    """What a program says of one item."""

    id: str
    boards: list[ReadBoard]
    shots: list[ReportedShot]
    visible: list[Visible]
    totals: dict[SideId, int] | None


class Answers(TypedDict):
    """What a program says of a test set."""

    schema: Literal["crokinole-answers/1"]
    program: str
    items: list[AnswerItem]


TEST_SET = TypeAdapter(SetOfItems)
ANSWERS = TypeAdapter(Answers)


def schema() -> str:
    """The JSON Schema of both documents."""
    both: TypeAdapter[SetOfItems | Answers] = TypeAdapter(SetOfItems | Answers)
    document = {"$schema": "https://json-schema.org/draft/2020-12/schema", **both.json_schema()}
    return json.dumps(document, indent=1) + "\n"


if __name__ == "__main__":
    print(schema(), end="")
