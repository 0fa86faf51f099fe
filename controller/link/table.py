"""What a table says of itself, and what a scorer's button says to it."""

from typing import Literal

from pydantic import Field

from controller.link.messages import Document, Part
from controller.link.text import (
    LARGEST_NUMBER,
    Count,
    JournalId,
    Name,
    Number,
    OpaqueId,
    Score,
    Sentence,
    SideName,
    Time,
    Word,
)

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
    """A match as it stands after the journal's event `event`; `assignment` is the id of what was assigned, if it was.

    `round` from 1, `of` how many, None when it goes to a target. `winner` is None while it is not over, and for a tie.
    `questions`: how many are open; then the figures may still change.
    """

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
    """Retained: the score in short. `word`: what the table is doing, as in `table-state/1`; so are `problems`.

    `lamps`: what they show; None where none are wired.
    """

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
    """The journal that is sent: from which number on, up to which it was acknowledged, and its newest event.

    `begins` is the first number that this club gets: what was before the table joined is not the club's. `sent` is
    `begins` - 1 before the first batch, `last` 0 in an empty journal.
    """

    journal: JournalId
    begins: Number
    sent: int = Field(ge=0, le=LARGEST_NUMBER)
    last: int = Field(ge=0, le=LARGEST_NUMBER)


class Answer(Part):
    """What the table did with the assignment of this id.

    `shown`: people see it and have not begun; `begun`, `over`: as the journal's match `match`; `refused`: it can't be
    played here, and `why` says what would have to change.
    """

    id: OpaqueId
    answer: Literal["shown", "begun", "over", "refused"]
    match: Number | None = None
    why: Sentence | None = None


class Status(Document):
    """Retained. The last will is `{"schema": "club-status/1", "online": false}`: then all else is None.

    `clock`: what the table's clock said when this was sent.
    """

    schema_: Literal["club-status/1"] = Field(default="club-status/1", alias="schema")
    online: bool
    program: str | None = Field(default=None, max_length=40)
    schemas: Schemas | None = None
    outbox: Outbox | None = None
    assignment: Answer | None = None
    clock: Time | None = None


CommandWord = Literal["start", "confirm", "end_round", "undo", "redo", "pause", "resume"]


class Command(Document):
    """What a scorer's button wants: not retained, QoS 0, since one that comes twice would be done twice.

    `start` begins the assigned match, all else is as in `crokinole-table`'s own commands.
    """

    schema_: Literal["club-command/1"] = Field(default="club-command/1", alias="schema")
    do: CommandWord
