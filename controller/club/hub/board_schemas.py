"""The types of a board's part of the club's documents: who plays there, the score, and the pads without hardware."""

from typing import Annotated

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from controller.messages import Message
from controller.views.schema.table_state import SideNow, Timer

Sentence = Annotated[Message, WithJsonSchema({"type": "string"})]  # a message, in the reader's language


class RoundFigures(TypedDict):
    """One round of a match, for its sides in their order; `first`: the side that shot first, by its place from 0.
    Totals are None if people entered only who won it, twenties if nobody recorded them."""

    first: int
    totals: list[int | None]
    twenties: list[int | None]
    points: list[int]


class BoardScore(TypedDict):
    """The score of a match at a board, as far as its table has reported it. `score` of the match, `twenties` of all
    rounds (None if nobody recorded those of some round), each by side; `round` from 1, of `of` where that is fixed.
    `event`: the number of the table's last event."""

    started: bool
    over: bool
    score: list[int]
    twenties: list[int | None]
    round: int
    of: int | None
    event: int
    rounds: list[RoundFigures]


class PadFormat(TypedDict):
    """The format of the match."""

    kind: str


class PadRound(TypedDict):
    """The running round. `shots`: none, because nothing referees it."""

    number: int
    shots: int


class Pads(TypedDict):
    """The document for the pads of a board without hardware: the part of a table's state that they need."""

    id: int
    over: bool
    manual: bool
    format: PadFormat
    round: PadRound
    timers: list[Timer]
    sides: list[SideNow]


class BoardMatch(BoardScore):
    """A match at a board: who plays, and its score. `name`: of a play-off match. `assignment`: its id at the table."""

    match: str
    name: Sentence | None
    pads: Pads | None
    assignment: str
    names: list[str]
    entrants: list[str]


class MatchesAtBoard(TypedDict):
    """The match that is played or comes next, the last finished one of a board without hardware, and who plays
    after."""

    now: BoardMatch | None
    last: BoardMatch | None
    waiting: list[list[str]]


class BoardDocument(MatchesAtBoard):
    """A board. `online`: whether its table is connected; None without hardware."""

    id: str
    name: str
    by_hand: bool
    works: bool
    online: bool | None
    troubles: list[Sentence]
