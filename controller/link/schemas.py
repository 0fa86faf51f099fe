"""The documents that a table and its club exchange; docs/club-protocol.md describes them with examples."""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from controller.link.messages import (
    LARGEST,
    LARGEST_NUMBER,
    Count,
    Document,
    JournalId,
    Name,
    Number,
    OpaqueId,
    Part,
    Score,
    Sentence,
    SideName,
    TableId,
    Time,
    Word,
    storage_problem,
)

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


# --- the match that a table plays next


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
    """A side as it stands: `score` of the match in confirmed rounds, `total` of the running round, and its twenties."""

    id: SideLetter
    name: SideName
    colour: str = Field(max_length=20)
    score: Score
    total: Score
    twenties: Count
    match_twenties: Count


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
    what they show; None if none are wired."""

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
