"""Parsing and serializing messages, and the sizes and texts that every reader, database and page can handle."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import from_json

LARGEST = 262_144  # bytes of a message, such as a batch of events with films; brokers refuse larger ones unread
DEEPEST = 20  # levels of nested lists and objects; a question's answers with their events reach 9
LONGEST_TEXT = 4_000  # characters of one text in an event: five times the longest sentence that was ever stored
LARGEST_NUMBER = 2**53  # JavaScript, and JSON readers like it, change larger whole numbers
LATEST = 253_402_300_799.0  # s since 1970: the end of the year 9999, the last that Python can represent
LONGEST_ERROR = 200  # characters of an error: it is logged, and the message may be an attempt to fill the log
ROOT = "crokinole/1"
ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")  # of a club or a table: safe in a topic, a list of users and an address
Kind = Literal["state", "events", "status", "assignment", "resend", "command"]
"""A table publishes the first three: its score, retained; its journal, QoS 1; whether it is connected, retained and its
last will. The hub publishes what to play next, retained, and which events are missing; home automation commands."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one club."""

    club: str

    def __post_init__(self) -> None:
        """Raises `ValueError` for an id that can't stand in a topic."""
        if not ID.fullmatch(self.club):
            raise ValueError(f"{self.club!r} is not a club's id: use 1 to 32 small letters, digits and hyphens")

    def of(self, table: str, kind: Kind) -> str:
        """The topic of a table, or "+" for all. Raises `ValueError` for an id that can't stand in a topic."""
        if table != "+" and not ID.fullmatch(table):
            raise ValueError(f"{table!r} is not a table's id: use 1 to 32 small letters, digits and hyphens")
        return f"{ROOT}/{self.club}/table/{table}/{kind}"


def discovery_topic(club: str, table: str) -> str:
    """Where a table announces itself to Home Assistant, whose node is the club: a level of its own for each."""
    return f"homeassistant/device/crokinole-{club}/{table}/config"


class TopicParts(NamedTuple):
    """The club, the table and the kind that a topic names."""

    club: str
    table: str
    kind: Kind


_TOPIC = re.compile(rf"{ROOT}/({ID.pattern})/table/({ID.pattern})/({'|'.join(get_args(Kind))})")


def parse_topic(topic: str) -> TopicParts | None:
    """The parts of a topic; None if it does not belong to this protocol."""
    found = _TOPIC.fullmatch(topic)
    return TopicParts(found[1], found[2], found[3]) if found else None  # type: ignore[arg-type]


def _one_line(text: str) -> str:
    """The text, if it can be shown in one line. Raises `ValueError`."""
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text):
        raise ValueError("it holds control characters")
    return text


def _name(longest: int) -> Any:
    return Annotated[str, StringConstraints(min_length=1, max_length=longest), AfterValidator(_one_line)]


Name = _name(40)  # of a player or a table: the limit of a match's own names
SideName = _name(83)  # a player's, or two partners' with " & " between them
Sentence = _name(300)
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.-]{0,39}$")]
"""A word for programs: a rule set's id, an event's kind, a state."""
TableId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
OpaqueId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,64}$")]
"""Meaningful only to the program that made it: the id of an assignment or a player."""
JournalId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Number = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]  # an event's, from 1
Count = Annotated[int, Field(ge=0, le=10_000)]
Score = Annotated[int, Field(ge=-10_000, le=100_000)]
Time = Annotated[float, Field(ge=0, le=LATEST)]
"""The sender's clock in s since 1970, UTC: for display, never for ordering."""


class BadMessage(ValueError):
    """An invalid message; the text says why, in one line of at most 200 characters."""


class Part(BaseModel):
    """Frozen. Unknown members are ignored: a newer sender may add some within one version."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, allow_inf_nan=False)


class Document(Part):
    """One message; each names its `schema` with the version."""


Model = TypeVar("Model", bound=Document)


def parse(model: type[Model], payload: bytes) -> Model:
    """The document in a payload of at most `LARGEST` bytes. Raises `BadMessage`, and nothing else."""
    if len(payload) > LARGEST:
        raise BadMessage(f"it has {len(payload)} bytes, the limit is {LARGEST}")
    try:
        value: Any = from_json(payload, allow_inf_nan=False)
    except (ValueError, RecursionError) as error:
        raise BadMessage(_shortened(f"it is not JSON: {error}")) from error
    if (problem := storage_problem(value)) is not None:
        raise BadMessage(problem)
    if not isinstance(value, dict) or "schema" not in value:
        raise BadMessage("it is not an object with a schema")
    try:
        return model.model_validate_json(payload)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the document"
        raise BadMessage(_shortened(f"{place}: {first['msg']}")) from error


def serialize(document: Document) -> bytes:
    """The payload."""
    return document.model_dump_json(by_alias=True).encode()


def _shortened(text: str) -> str:
    return " ".join(text.encode("ascii", "backslashreplace").decode().split())[:LONGEST_ERROR]


def storage_problem(value: Any, depth: int = 0) -> str | None:
    """Why some database or JSON reader could not handle a JSON value; None if all can. PostgreSQL refuses the character
    0, and half a surrogate pair is not valid UTF-8."""
    if value is None:
        return None
    if isinstance(value, str):
        return _text_problem(value)
    if isinstance(value, int | float):  # the comparison also refuses what is not finite
        return None if -LARGEST_NUMBER <= value <= LARGEST_NUMBER else "a number is too large"
    if not isinstance(value, dict | list):
        return f"a {type(value).__name__} is not JSON"
    if depth == DEEPEST:
        return f"it is nested more than {DEEPEST} deep"
    parts: Iterable[Any] = (*value, *value.values()) if isinstance(value, dict) else value
    return next(filter(None, (storage_problem(part, depth + 1) for part in parts)), None)


def _text_problem(text: str) -> str | None:
    if len(text) > LONGEST_TEXT:
        return f"a text has {len(text)} characters, the limit is {LONGEST_TEXT}"
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        return "a text holds an invalid character"
    return None
