"""What a table and its club's hub say to each other over HTTP: docs/club-protocol.md.

The limits are sizes and texts that every reader, database and page can handle."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import from_json

from controller.errors import BadInput
from controller.match.model import AND, LONGEST_NAME
from controller.validation import first_wrong_member

JOIN = "/api/v1/club/join"
EVENTS = "/api/v1/club/events"
ASSIGNMENT = "/api/v1/club/assignment"
BEAT = 10.0  # s between two signs of life in the stream of assignments
LARGEST = 262_144  # bytes of a batch of events with films
LARGEST_EVENT = LARGEST // 2  # bytes of one event's body as JSON; a shot with its film has some 10,000
MOST_EVENTS = 100  # in one batch
DEEPEST = 20  # levels of nested lists and objects; a question's answers with their events reach 9
LONGEST_TEXT = 4_000  # characters of one text in an event: five times the longest sentence that was ever stored
LARGEST_NUMBER = 2**53  # JavaScript, and JSON readers like it, change larger whole numbers
LATEST = 253_402_300_799.0  # s since 1970: the end of the year 9999, the last that Python can represent
ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")  # of a club or a table
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # of a join code, which has 8: none that can be confused with another


def _one_line(text: str) -> str:
    """The text, if it can be shown in one line. Raises `ValueError`."""
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text):
        raise ValueError("it holds control characters")
    return text


_ONE_LINE = AfterValidator(_one_line)
Name = Annotated[str, StringConstraints(min_length=1, max_length=40), _ONE_LINE]  # the limit of a match's own names
Sentence = Annotated[str, StringConstraints(min_length=1, max_length=300), _ONE_LINE]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.-]{0,39}$")]  # a rule set, an event's kind
TableId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
OpaqueId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,64}$")]  # means something to its maker alone
JournalId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Number = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]  # an event's, from 1
Code = Annotated[str, StringConstraints(pattern=f"^[{CODE_LETTERS}]{{8}}$")]


class HubMessage(BaseModel):
    """Frozen. Unknown members are ignored: a newer sender may add some."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, allow_inf_nan=False)


Model = TypeVar("Model", bound=HubMessage)


def parse(model: type[Model], payload: bytes) -> Model:
    """The document in a payload. Raises `BadInput`, and nothing else."""
    if len(payload) > LARGEST:
        raise BadInput(f"it has {len(payload)} bytes, the limit is {LARGEST}")
    try:
        value: Any = from_json(payload, allow_inf_nan=False)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"it is not JSON: {error}") from error
    if (problem := storage_problem(value)) is not None:
        raise BadInput(problem)
    with first_wrong_member():
        return model.model_validate_json(payload)


def serialize(document: HubMessage) -> bytes:
    """The payload."""
    return document.model_dump_json().encode()


def storage_problem(value: Any, depth: int = 0) -> str | None:
    """Why some database or JSON reader could not handle a value of `from_json`; None if all can. PostgreSQL refuses the
    character 0."""
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            return f"a text has {len(value)} characters, the limit is {LONGEST_TEXT}"
        return "a text holds an invalid character" if "\0" in value else None
    if isinstance(value, int | float):
        return None if -LARGEST_NUMBER <= value <= LARGEST_NUMBER else "a number is too large"
    if value is None:
        return None
    if depth == DEEPEST:
        return f"it is nested more than {DEEPEST} deep"
    parts: Iterable[Any] = (*value, *value.values()) if isinstance(value, dict) else value
    return next(filter(None, (storage_problem(part, depth + 1) for part in parts)), None)


# --- joining


def normalize_code(typed: str) -> str:
    """A code as people type it, in capitals and without blanks and hyphens."""
    return re.sub(r"[\s-]", "", typed).upper()


class Join(HubMessage):
    """A table asks to be let in, with the code that the organiser shows."""

    code: Code


class Joined(HubMessage):
    """The answer: the club's name, the table's id in it, and its token."""

    club: Name
    table: TableId
    token: str = Field(pattern=r"^[A-Za-z0-9_-]{20,64}$")


# --- assignments


Players = Annotated[tuple[Name, ...], Field(min_length=1, max_length=2)]
"""One side: a player, or two partners, who choose their order at the board themselves."""


class Assigned(HubMessage):
    """One match. `sides` become A and B of the table's match, in this order, and A starts. This club never uses an `id`
    twice; the table's `match_started` carries it as `assignment`. `format` as in a match record, None for the rule
    set's usual one."""

    id: OpaqueId
    round: int = Field(ge=1, le=10_000)
    sides: tuple[Players, Players]
    rules: Word
    format: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _two_sides(self) -> Self:
        first, second = self.sides
        if len(first) != len(second):
            raise ValueError("one side has a player and the other has two")
        if len(set(self.names)) == 1:
            raise ValueError("both sides have one name")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """Of sides A and B."""
        return tuple(AND.join(side).strip() for side in self.sides)

    @property
    def doubles(self) -> bool:
        return len(self.sides[0]) == 2

    @property
    def start(self) -> dict[str, Any]:
        """The members of the command `start` for it. Partners face each other."""
        names = [name for partners in zip(*self.sides, strict=True) for name in partners]
        return {
            "assignment": self.id,
            "rules": self.rules,
            "format": self.format,
            "doubles": self.doubles,
            "sides": [{"name": name} for name in self.names],
            "seats": dict(zip("1234" if self.doubles else "13", names, strict=True)),
            "starter": "A",
        }


class Assignment(HubMessage):
    """What a table plays next; `match` None: nothing."""

    match: Assigned | None


class AssignmentAnswer(HubMessage):
    """What the table did with the assignment of this id. `shown`: on the screen, not begun; `begun`, `over`: as the
    journal's match `match`; `refused`: it can't be played here, and `why` says what would have to change."""

    id: OpaqueId
    answer: Literal["shown", "begun", "over", "refused"]
    match: Number | None = None
    why: Sentence | None = None


# --- a table's journal


class Event(HubMessage):
    """An event in its stored form. `match` 0: it belongs to none. `at`: the table's clock, s since 1970, UTC, for
    people and never for ordering. `body` is None if the table can't send what its journal holds: it is damaged, too
    large, or has a `storage_problem`."""

    id: Number
    match: int = Field(ge=0, le=LARGEST_NUMBER)
    at: Annotated[float, Field(ge=0, le=LATEST)]
    kind: Word
    body: dict[str, Any] | None


class Batch(HubMessage):
    """Every event that a table's journal has from the number `first` to `last`, in order; none if `last` is before
    `first`. `begins`: the first number that concerns this club. `journal_schema`: the version of the stored form."""

    journal: JournalId
    journal_schema: int = Field(ge=1, le=10_000)
    begins: Number
    first: Number
    last: int = Field(ge=0, le=LARGEST_NUMBER)
    events: tuple[Event, ...] = Field(max_length=MOST_EVENTS)
    answer: AssignmentAnswer | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.last < self.first - 1 or self.first < self.begins:
            raise ValueError("first is before begins, or last before first")
        numbers = [self.first - 1, *(event.id for event in self.events)]
        if numbers[-1] > self.last or any(later <= earlier for earlier, later in pairwise(numbers)):
            raise ValueError("the numbers do not rise from first to last")
        return self


class Have(HubMessage):
    """The hub has this journal up to the number `have`. `renew`: it has other events under its numbers, so the journal
    was set back. The table then gives it a new id and sends it again."""

    have: int = Field(ge=0, le=LARGEST_NUMBER)
    renew: bool = False


def table_name(name: str, players: int = 1) -> str:
    """A side's name as a table shows it: on one line, and at most 40 characters for each of its players."""
    shown = "".join(" " if unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") else letter for letter in name)
    return AND.join(_cut(player.strip() or "?") for player in shown.split(AND, players - 1))


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def table_names(a: str, b: str, players: int) -> tuple[str, str]:
    """The names of both sides as a table shows them, never the same."""
    one, other = table_name(a, players), table_name(b, players)
    return (one, other) if one != other else (table_name(f"1 {one}", players), table_name(f"2 {other}", players))
