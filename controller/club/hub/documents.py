"""The documents that the club's pages show, by type. Names are people's; texts are messages, said in each language."""

from typing import TypedDict

from controller.messages import Message


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
    """A board. `online`: whether its table is connected; None where it has no hardware. `waiting`: who plays after."""

    id: str
    name: str
    by_hand: bool
    works: bool
    online: bool | None
    troubles: list[Message]
    now: BoardMatch | None
    waiting: list[list[str]]


class MatchDocument(TypedDict):
    """A match of the round that is on. `word`: waiting, going_on, reopened, contradicted, walkover or over."""

    id: str
    names: list[str]
    entrants: list[str]
    board: str | None
    turn: int
    word: str
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


class LeftOutDocument(TypedDict):
    """What a table told and what counts nowhere, with the reason."""

    table: str
    names: list[str]
    figures: list[int]
    why: Message


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
    standings: list[RowDocument]
    warnings: list[Message]
    left_out: list[LeftOutDocument]


class ChangeDocument(TypedDict):
    """One thing that a plan changes; `kind` and `id` as in `controller.club.tournament.Change`."""

    kind: str
    id: str
    words: Message


class PlanDocument(TypedDict):
    """What actions would bring about. Whoever confirms it sends its `token`."""

    token: str
    changes: list[ChangeDocument]
    notes: list[Message]


class LogDocument(TypedDict):
    """One action of the evening: who made it, when (s since 1970, UTC), what it changed, and whether it was undone."""

    number: int
    who: str
    at: float
    undone: bool
    changes: list[Message]
