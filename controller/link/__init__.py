"""What a club's tables and its hub say to each other over MQTT: topics, and one JSON document for each.

docs/club-protocol.md describes the documents with examples. The limits are sizes and texts that every reader, database
and page can handle. It imports no other room. Only `mqtt`, one session with a broker, does I/O."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
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


_ONE_LINE = AfterValidator(_one_line)
Name = Annotated[str, StringConstraints(min_length=1, max_length=40), _ONE_LINE]  # the limit of a match's own names
SideName = Annotated[str, StringConstraints(min_length=1, max_length=83), _ONE_LINE]  # two partners' with " & ", too
Sentence = Annotated[str, StringConstraints(min_length=1, max_length=300), _ONE_LINE]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.-]{0,39}$")]  # a rule set, an event's kind, a state
TableId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
OpaqueId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,64}$")]  # means something to its maker alone
JournalId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Number = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]  # an event's, from 1
Count = Annotated[int, Field(ge=0, le=10_000)]
Score = Annotated[int, Field(ge=-10_000, le=100_000)]
Time = Annotated[
    float, Field(ge=0, le=LATEST)
]  # the sender's clock, s since 1970, UTC: for display, never for ordering


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


# --- joining: over HTTP, because a new table has no account at the broker yet
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # of a join code, which has 8: none that can be confused with another
Code = Annotated[str, StringConstraints(pattern=f"^[{CODE_LETTERS}]{{8}}$")]
BROKER = r"^mqtts?://(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(:[0-9]{1,5})?$"
"""A broker's address; `mqtts` uses TLS. The default port is 1883, with TLS 8883."""


def normalize_code(typed: str) -> str:
    """A code as people type it, in capitals and without blanks and hyphens."""
    return re.sub(r"[\s-]", "", typed).upper()


class Join(Document):
    """`POST <hub>/api/v1/club/join`: a table asks for an account, with the code that the organiser shows."""

    schema_: Literal["club-join/1"] = Field(default="club-join/1", alias="schema")
    code: Code
    name: Name
    journal: JournalId


class Joined(Document):
    """The answer, with status 200; 403 for a code that is wrong, used or expired, 429 for too many guesses. The user at
    the broker is the table's id. `certificate`: PEM, of the authority that signed the broker's, if that is the club's
    own."""

    schema_: Literal["club-joined/1"] = Field(default="club-joined/1", alias="schema")
    club: TableId
    club_name: Name
    table: TableId
    broker: str = Field(pattern=BROKER, max_length=300)
    password: str = Field(min_length=16, max_length=200, pattern=r"^[!-~]+$")
    certificate: str | None = Field(default=None, max_length=20_000)


class Player(Part):
    """A player: the hub's id, and the name."""

    id: OpaqueId
    name: Name


class AssignedSide(Part):
    """One side: a player, or two partners, who choose their order at the board themselves."""

    name: SideName
    players: tuple[Player, ...] = Field(min_length=1, max_length=2)


class Assigned(Part):
    """One match. `sides` become A and B of the table's match, in this order. This club never uses an `id` twice; the
    table's `match_started` carries it as `assignment`. `format` as in a match record, None for the rule set's usual
    one; so is `discs`, a side."""

    id: OpaqueId
    round: int = Field(ge=1, le=10_000)
    sides: tuple[AssignedSide, AssignedSide]
    rules: Word
    format: dict[str, Any] | None = None
    discs: int | None = Field(default=None, ge=1, le=24)
    starter: Literal["A", "B"] = "A"

    @model_validator(mode="after")
    def _two_sides(self) -> Self:
        first, second = self.sides
        if len(first.players) != len(second.players):
            raise ValueError("one side has a player and the other has two")
        if first.name.strip() == second.name.strip():
            raise ValueError("both sides have one name")
        ids = [player.id for side in self.sides for player in side.players]
        if len(set(ids)) < len(ids):
            raise ValueError("somebody plays twice")
        return self

    @property
    def doubles(self) -> bool:
        return len(self.sides[0].players) == 2


class Assignment(Document):
    """Retained for a table; `match` None: nothing to play."""

    schema_: Literal["club-assignment/1"] = Field(default="club-assignment/1", alias="schema")
    match: Assigned | None


# --- a table's journal

MOST_EVENTS = 100  # in one batch
LARGEST_EVENT = LARGEST // 2  # bytes of one event's body as JSON; a shot with its film has some 10,000


class Event(Part):
    """An event in its stored form. `match` 0: it belongs to none. `body` is None if the table can't send what its
    journal holds: it is damaged, or has a `storage_problem`."""

    id: Number
    match: int = Field(ge=0, le=LARGEST_NUMBER)
    at: Time
    kind: Word
    body: dict[str, Any] | None


class Events(Document):
    """A batch: every event of the journal from number `first` to the last one here, in order. Missing numbers in
    between belong to no event. `journal_schema`: the version of the journal's stored form."""

    schema_: Literal["club-events/1"] = Field(default="club-events/1", alias="schema")
    journal: JournalId
    journal_schema: int = Field(ge=1, le=10_000)
    first: Number
    events: tuple[Event, ...] = Field(min_length=1, max_length=MOST_EVENTS)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        numbers = [self.first - 1, *(event.id for event in self.events)]
        if any(later <= earlier for earlier, later in pairwise(numbers)):
            raise ValueError("the numbers do not rise from first")
        return self


class Resend(Document):
    """The hub has this journal up to the number before `from`, and asks for the rest. `renew`: the hub has other events
    under the same numbers, so the journal was restored from an older copy. The table gives the journal a new id and
    sends all of it."""

    schema_: Literal["club-resend/1"] = Field(default="club-resend/1", alias="schema")
    journal: JournalId
    from_: Number = Field(alias="from")
    renew: bool = False


def make_event(id: int, match: int, at: float, kind: str, body: Mapping[str, Any] | None, size: int) -> Event:
    """An event of a journal for its batch; `size`: the bytes of its body as JSON. Raises `ValueError` if even its kind
    or time can't be sent."""
    fits = body is not None and size <= LARGEST_EVENT and storage_problem(body) is None
    return Event(id=id, match=match, at=float(at), kind=kind, body=dict(body) if fits and body is not None else None)


# --- the table's own state

SideLetter = Literal["A", "B", "C", "D"]


class ScoredSide(Part):
    """A side as it stands: `score` of the match in confirmed rounds, `total` of the running round, and its twenties;
    `match_twenties` is None if nobody recorded those of some round."""

    id: SideLetter
    name: SideName
    colour: str = Field(max_length=20)
    score: Score
    total: Score
    twenties: Count
    match_twenties: Count | None


class ScoredMatch(Part):
    """A match as it stands after the journal's event `event`; `assignment`: the id of its assignment, if it has one.
    `round` from 1, `of` how many, None when it goes to a target. `winner` is None while it is not over, and for a tie.
    `questions`: how many are open; while there are any, the figures may still change."""

    number: Number
    event: Number
    assignment: OpaqueId | None
    rules: Word
    over: bool
    winner: SideLetter | None
    round: Count
    of: Count | None
    shots: Count
    shoots: SideLetter | None
    questions: Count
    sides: tuple[ScoredSide, ...] = Field(min_length=2, max_length=4)


class State(Document):
    """Retained: the score in short. `word`: what the table is doing, as in `table-state/1`; so are `problems`. `lamps`:
    their signal, lit or not; None if none are wired."""

    schema_: Literal["club-state/1"] = Field(default="club-state/1", alias="schema")
    name: Name
    word: Word
    problems: tuple[Word, ...] = Field(max_length=40)
    lamps: Word | None = None
    match: ScoredMatch | None


class Schemas(Part):
    """Versions: of this protocol, and of the journal's stored form."""

    protocol: int = Field(ge=1, le=10_000)
    journal: int = Field(ge=1, le=10_000)


class Outbox(Part):
    """The journal that is sent, the last acknowledged event, and the newest one. `begins` is the first number that this
    club gets: earlier events predate the table's joining. `sent` is `begins` - 1 before the first batch, `last` 0 in an
    empty journal."""

    journal: JournalId
    begins: Number
    sent: int = Field(ge=0, le=LARGEST_NUMBER)
    last: int = Field(ge=0, le=LARGEST_NUMBER)


class Answer(Part):
    """What the table did with the assignment of this id. `shown`: on the screen, not begun; `begun`, `over`: as the
    journal's match `match`; `refused`: it can't be played here, and `why` says what would have to change."""

    id: OpaqueId
    answer: Literal["shown", "begun", "over", "refused"]
    match: Number | None = None
    why: Sentence | None = None


class Status(Document):
    """Retained. The last will is `{"schema": "club-status/1", "online": false}`: all other members are None in it.
    `clock`: the table's clock when this was sent."""

    schema_: Literal["club-status/1"] = Field(default="club-status/1", alias="schema")
    online: bool
    program: str | None = Field(default=None, max_length=40)
    schemas: Schemas | None = None
    outbox: Outbox | None = None
    assignment: Answer | None = None
    clock: Time | None = None


CommandWord = Literal["start", "confirm", "end_round", "undo", "redo", "pause", "resume"]


class Command(Document):
    """A scorer's button. Not retained and QoS 0: a command that arrives twice would be carried out twice. `start`
    begins the assigned match, the others are `crokinole-table`'s own commands."""

    schema_: Literal["club-command/1"] = Field(default="club-command/1", alias="schema")
    do: CommandWord
