"""The table's documents, from which the OpenAPI document and the tests' checks follow. Each part of a document is one
class, a dataclass (a `TypedDict` where members are optional or other rooms fill it), and stands beside the code that
fills it. `components` makes JSON Schemas of them; a member's description is the comment `#:` behind it or, if it is
long, the text below it."""

import inspect
import re
from contextlib import suppress
from dataclasses import is_dataclass
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import TypedDict, get_original_bases, is_typeddict

from controller.errors import Offer
from controller.exchange.cmn import NotationBatch
from controller.match.base import Happening
from controller.match.cases import What
from controller.views.audit import Change
from controller.views.common import Sentence, SideId, shown_as
from controller.views.history.accuracy import TableAccuracy
from controller.views.history.archive import Matches, Players
from controller.views.history.queries import Figures, Shots
from controller.views.history.review import ReviewedMatch
from controller.views.rule_sets import Rules
from controller.views.state import State
from controller.vision.readings import Call, Doubt, Pose, Zone


class ReadDisc(TypedDict):
    """A disc as measured in one picture. Its place is in the frame of the calibration."""

    x: float  #: mm
    y: float  #: mm
    side: SideId | None  #: Its side; null until the colours are assigned to sides.
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


class Error(TypedDict):
    """An error."""

    error: str  #: What is wrong and what to do, in the reader's language.
    offer: NotRequired[Offer]  #: A tool of the scorer's pages that leads on; missing if there is none.


class Changed(Error):
    """A command was refused because it would overwrite changes by others."""

    changes: list[Change]  #: The changes since the state on which it was based.


class Taken(Error):
    """A player can't have a name because another player has it."""

    player: str  #: The other player: the two may be merged instead.


class Session(TypedDict):
    """The rights of this browser."""

    token: str | None  #: A token to send with every command; null without a session.
    pin: bool  #: Whether it needs the table's PIN to open a session.


class LetIn(TypedDict):
    """An entry code, which lets one phone in without the PIN."""

    link: str  #: The address to open on that phone, valid once and for a minute.
    wanted: bool  #: Whether the table's screen shows it now.


class Program(TypedDict):
    """A program with a token."""

    id: str  #: By which it is revoked.
    name: str  #: Its name.


class Programs(TypedDict):
    """The programs that may send commands."""

    programs: list[Program]  #: Those with a token.
    token: str | None  #: The token that was made by this request, shown this once.


class SessionClosed(TypedDict):
    """A closed session."""

    token: None  #: No token.


class Watching(TypedDict):
    """Figures of watching the camera's pictures."""

    frames: int  #: Pictures since the start.
    dropped: int  #: Lost pictures, by the gaps in their numbers.
    readings: int  #: Boards read.
    gate_seconds: float  #: s spent on checking whether the board is still.
    film_seconds: float  #: s spent on filming.
    read_seconds: float  #: s spent on reading boards.
    frozen_seconds: float  #: s since any pixel changed.


class Web(TypedDict):
    """Figures of the pages."""

    pages_open: int  #: Pages and programs that follow a stream.
    wrong_pins: int  #: Wrong PINs since the start.
    malformed: int  #: Invalid requests since the start.


class TableHealth(TypedDict):
    """Diagnostic figures of the table."""

    watcher: Annotated[dict[str, Any], shown_as(Watching)]  #: The camera's pictures.
    hole: bool | None  #: The hole's sensor: whether there is a disc in the hole; null if it does not report.
    unit: dict[str, Any] | None  #: The hole unit's counts, if there is one.
    waiting: int  #: Inputs that wait for the engine.
    journal_bytes: int  #: Size of the journal's file.


class Health(TableHealth):
    """Diagnostic figures."""

    web: Web  #: The pages.


class Beat(TypedDict):
    """A stream's sign of life: the data of its event `beat`."""

    clock: float  #: The table's steady clock in s, by which the clocks of a match run; it can't be set.


class Webhook(TypedDict):
    """The body of a webhook."""

    schema: Literal["webhook/1"]  #: The document's type.
    sequence: int  #: A counter per address, so that gaps are noticed.
    happened: list[Happening]  #: The event.
    state: State  #: The state with its effect.


FOR_PROGRAMS = (
    *(State, Reading, Rules, Matches, Players, ReviewedMatch, Review, Figures, Shots, TableAccuracy, NotationBatch),
    *(Error, Changed, Taken, Webhook, Beat),
)
"""The documents of `/api/v1`, and what programs are sent."""

FOR_PAGES = (Setup, Session, LetIn, SessionClosed, Programs, Health)
"""The documents for pages only."""
PLACE = "#/components/schemas/"
DESCRIBED = re.compile(r"^    (\w+): .*  #: (.+)$", re.MULTILINE)  # a member with its description


class _Described(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False  # a title would only repeat the member's name

    def typed_dict_schema(self, schema: Any) -> dict[str, Any]:
        return self._described(super().typed_dict_schema(schema), schema["cls"])

    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        found = self._described(super().dataclass_schema(schema), schema["cls"])
        for member in found["properties"].values():
            member.pop("default", None)  # every member is in every document
        return {**found, "required": [*found["properties"]]}

    def _described(self, found: dict[str, Any], part: type) -> dict[str, Any]:
        """With the descriptions that pydantic does not find: in comments, and of inherited members."""
        members = found["properties"]
        with suppress(OSError):  # a type without a class statement has its descriptions in its fields
            for name, description in DESCRIBED.findall(inspect.getsource(part)):
                members[name]["description"] = description
        for base in get_original_bases(part):
            if is_typeddict(base) or is_dataclass(base):
                for name, member in components(base)[base.__name__]["properties"].items():
                    if "description" in member:
                        members[name].setdefault("description", member["description"])
        return found


def components(*documents: Any) -> dict[str, Any]:
    """JSON Schemas (draft 2020-12) of documents and all that they consist of, by name, for `#/components/schemas/`."""
    config = ConfigDict(use_attribute_docstrings=True)
    every: Any = TypeAdapter(tuple[documents], config=config)  # type: ignore[valid-type]
    found = every.json_schema(mode="serialization", ref_template=PLACE + "{model}", schema_generator=_Described)
    schemas: dict[str, Any] = found["$defs"]
    return schemas
