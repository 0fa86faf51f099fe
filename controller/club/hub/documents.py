"""The documents that the club's pages show, by type. Names are people's; texts are messages, said in each language."""

from typing import Annotated, Any, Literal

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from controller.messages import Message

Sentence = Annotated[Message, WithJsonSchema({"type": "string"})]
"""A message as whoever reads it gets it: in the reader's language."""

Word = Literal["waiting", "going_on", "reopened", "contradicted", "walkover", "over"]


class BoardMatch(TypedDict):
    """A match at a board: who plays, and the score as far as its table has told it.

    `score` of the match, `twenties` of all rounds, each by side; `round` from 1, of `of` where that is fixed.
    `event`: the number of the table's last event. `assignment`: what the table calls it.
    """

    match: str
    assignment: str
    names: list[str]
    entrants: list[str]
    started: bool
    over: bool
    score: list[int]
    twenties: list[int]
    round: int
    of: int | None
    event: int
    rounds: list[list[int]]


class BoardDocument(TypedDict):
    """A board. `online`: whether its table is connected; None where it has no hardware. `waiting`: who plays after.

    `last`: the match that was over last, at a board without hardware, where nothing has begun since.
    """

    id: str
    name: str
    by_hand: bool
    works: bool
    online: bool | None
    troubles: list[Sentence]
    now: BoardMatch | None
    last: BoardMatch | None
    waiting: list[list[str]]


class MatchDocument(TypedDict):
    """A match; `word` says how it stands. `reopened`: its end, which counts, was taken back at its table."""

    id: str
    names: list[str]
    entrants: list[str]
    board: str | None
    turn: int
    word: Word
    points: list[int] | None
    twenties: list[int] | None


class RowDocument(TypedDict):
    """One line of the standings. `twenties_missing`: in how many matches nobody counted them."""

    place: int
    id: str
    name: str
    here: bool
    matches: int
    points: int
    twenties: int
    twenties_missing: int


class PlayerDocument(TypedDict):
    """An entrant; `here` until it drops out."""

    id: str
    name: str
    here: bool


class LeftOutDocument(TypedDict):
    """What a table told and what counts nowhere, with the reason."""

    table: str
    names: list[str]
    figures: list[int]
    why: Sentence


class EveningDocument(TypedDict):
    """The evening for all pages. `round`: how many were paired; `open`: matches without a result."""

    schema: str
    version: int
    title: str
    round: int
    open: int
    boards: list[BoardDocument]
    matches: list[MatchDocument]
    byes: list[str]
    players: list[PlayerDocument]
    standings: list[RowDocument]
    warnings: list[Sentence]
    left_out: list[LeftOutDocument]


class EveningChanges(TypedDict):
    """From one evening document to the next. `members`: those that replace its own; `rows`: by member, the lines that
    replace those of the same `id`, whose order stays."""

    schema: str
    members: dict[str, Any]
    rows: dict[str, list[dict[str, Any]]]


class ChangeDocument(TypedDict):
    """One thing that a plan changes; `kind` and `id` as in `controller.club.tournament.Change`."""

    kind: str
    id: str
    words: Sentence


class PlanDocument(TypedDict):
    """What actions would bring about. Whoever confirms it sends its `token`."""

    token: str
    changes: list[ChangeDocument]
    notes: list[Sentence]


class LogDocument(TypedDict):
    """One action of the evening: who made it, when (s since 1970, UTC), what it changed, and whether it was undone."""

    number: int
    who: str
    at: float
    undone: bool
    changes: list[Sentence]


class PlanOffered(PlanDocument):
    """A plan with the `actions` that it is of, for whoever confirms it."""

    actions: list[dict[str, Any]]


class PlanRefused(TypedDict):
    """Why nothing was done, and the plan as it would be now."""

    error: str
    plan: PlanOffered


class MatchesDocument(TypedDict):
    """The matches of one entrant."""

    matches: list[MatchDocument]


class ClubTable(TypedDict):
    """A table of the club; `code` of the page where phones keep its score, where it has no hardware."""

    id: str
    name: str
    by_hand: bool
    code: str | None


class DeskDocument(TypedDict):
    """What the organiser alone sees. `people`: names from earlier evenings; `password`: whether one is set."""

    log: list[LogDocument]
    tables: list[ClubTable]
    people: list[str]
    password: bool


class TableAdded(TypedDict):
    """The id of a new table."""

    id: str


class JoinCode(TypedDict):
    """By which a table may join."""

    code: str


ALL = (EveningDocument, EveningChanges, PlanOffered, PlanRefused, MatchesDocument, DeskDocument, TableAdded, JoinCode)
