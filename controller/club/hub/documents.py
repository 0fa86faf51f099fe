"""The documents that the club's pages show, by type. Names are people's; texts are messages, said in each language."""

from typing import Any, Literal

from typing_extensions import TypedDict

from controller.club.hub.board_documents import BoardDocument as BoardDocument
from controller.club.hub.board_documents import BoardMatch as BoardMatch
from controller.club.hub.board_documents import BoardScore as BoardScore
from controller.club.hub.board_documents import Pads as Pads
from controller.club.hub.board_documents import PadSide as PadSide
from controller.club.hub.board_documents import PadTimer as PadTimer
from controller.club.hub.board_documents import Sentence

Word = Literal["waiting", "going_on", "reopened", "contradicted", "walkover", "over"]


class ClaimDocument(TypedDict):
    """What one of the two, the entrant `by`, says of the end of a match; the other one has not agreed yet."""

    by: str
    points: list[int]
    twenties: list[int] | None


class MatchDocument(TypedDict):
    """A match; `word` says how it stands. `reopened`: its end, which counts, was taken back at its table.

    `name`: what a match of play-offs is called. `won`: the place of the side that won, also by a shoot-out or a
    walkover; None for a tie, and while it is open. `total`: what the points of both add up to, where that is fixed.
    """

    id: str
    names: list[str]
    entrants: list[str]
    board: str | None
    turn: int
    word: Word
    points: list[int] | None
    twenties: list[int] | None
    name: Sentence | None
    won: int | None
    total: int | None
    claim: ClaimDocument | None


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
    """What a table told and what counts nowhere, with the reason. `source`: its name, by which it can be counted;
    `instead`: whether it can be, for the match that the two have to play now."""

    source: str
    table: str
    names: list[str]
    figures: list[int]
    why: Sentence
    instead: bool


class SlotDocument(TypedDict):
    """A place in the bracket. A name is None while nobody is known who plays there, and where nobody does."""

    name: Sentence
    names: list[str | None]
    points: list[int] | None
    won: int | None
    board: str | None


class PlacedDocument(TypedDict):
    """One of the first three, with what it has from all stages."""

    place: int
    entrant: str
    name: str
    won: int
    matches: int
    twenties: int
    twenties_missing: int


class EveningDocument(TypedDict):
    """The evening for all pages. `round`: how many were paired; `open`: matches without a result.

    `round_names`: what the latest round of play-offs is called. `finished`: all is played; `closed`: the organiser
    closed the evening; in both cases `podium` has the first three. `bracket`: the rounds of the play-offs.
    """

    schema: str
    version: int
    title: str
    round: int
    open: int
    round_names: list[Sentence]
    finished: bool
    closed: bool
    podium: list[PlacedDocument]
    bracket: list[list[SlotDocument]]
    boards: list[BoardDocument]
    matches: list[MatchDocument]
    byes: list[str]
    players: list[PlayerDocument]
    standings: list[RowDocument]
    warnings: list[Sentence]
    left_out: list[LeftOutDocument]


class EveningChanges(TypedDict):
    """From one evening document to the next. `members`: those that replace its own. `rows`: by member, the lines that
    are another one or new, by their `id`. `order`: by member, the ids of all its lines in their order, where that is
    another one. A line has its `id` and those of its members that changed; all of them where it is new.
    """

    schema: str
    members: dict[str, Any]
    rows: dict[str, list[dict[str, Any]]]
    order: dict[str, list[str]]


class ChangeDocument(TypedDict):
    """One thing that a plan changes; `kind` and `id` as in `controller.club.tournament.Change`."""

    kind: str
    id: str
    words: Sentence


class NamedPlace(TypedDict):
    """An entrant's name and place."""

    name: str
    place: int


class PlanDocument(TypedDict):
    """What actions would bring about. Whoever confirms it sends its `token`. `places`: those of the entrants whose
    results change, as they would be."""

    token: str
    places: list[NamedPlace]
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


class RoundFigures(TypedDict):
    """One round of a match, for its sides in their order; `first`: the side that shot first, by its place from 0."""

    first: int
    totals: list[int]
    twenties: list[int]
    points: list[int]


class ReportedMatch(MatchDocument):
    """A match of a report. `rounds` as its table told them; None where what counts was entered as a result only."""

    rounds: list[RoundFigures] | None


class ReportedRound(TypedDict):
    """A round of the evening, with `number` from 1; `stage` from 1; `names` where it is one of play-offs."""

    id: str
    number: int
    names: list[Sentence]
    stage: int
    matches: list[ReportedMatch]
    byes: list[str]


class EveningInShort(TypedDict):
    """An evening of the club; `at` is when it began, in s since 1970, UTC. `open`: whether it is the present one."""

    id: str
    title: str
    at: float
    open: bool


class EveningReport(EveningInShort):
    """A whole evening: everything that counts. `format` as the log of a tournament has it."""

    schema: str
    club: str
    format: dict[str, Any] | None
    players: list[PlayerDocument]
    standings: list[RowDocument]
    rounds: list[ReportedRound]
    podium: list[PlacedDocument]
    bracket: list[list[SlotDocument]]


class EveningsDocument(TypedDict):
    """All evenings of the club, the newest first."""

    evenings: list[EveningInShort]


class MatchesDocument(TypedDict):
    """The matches of one entrant."""

    matches: list[MatchDocument]


class ClubTable(TypedDict):
    """A table of the club; `code` of the page where phones keep its score, where it has no hardware."""

    id: str
    name: str
    by_hand: bool
    code: str | None


class SetAsideDocument(TypedDict):
    """An entry of the log that does not count as things stand. `names` and `figures` are those of a result, else empty.

    `instead`: whether the two play another match now for which the result can count.
    """

    number: int
    names: list[str]
    figures: list[int]
    why: Sentence
    instead: bool


class TiedDocument(TypedDict):
    """Entrants who share a place that a shoot-out can decide."""

    place: int
    entrants: list[PlayerDocument]


class Criterion(TypedDict):
    """One way to rank: what its column is called, and what it counts."""

    name: str
    title: Sentence
    meaning: Sentence


class FormatsDocument(TypedDict):
    """Formats to begin with, by name. `present` is that of the evening, None where none is chosen.

    `begun`: how many of its stages have begun; they stay what they are. `rankings`: lists of criteria that are in use
    somewhere, as `docs/club.md` says.
    """

    known: dict[str, dict[str, Any]]
    present: dict[str, Any] | None
    begun: int
    rankings: list[list[str]]
    criteria: list[Criterion]


class WaitingDocument(TypedDict):
    """What waits for the organiser. `seeding`: all entrants, the first seed first. `again`: the id of the round that
    can be paired again, None where none can."""

    seeding: list[PlayerDocument]
    tied: list[TiedDocument]
    set_aside: list[SetAsideDocument]
    again: str | None


class OrganiserDocument(WaitingDocument):
    """What the organiser alone sees of the evening. `people`: names from earlier evenings; `evening`: the id of the
    present one; `broker`: why no table with hardware can be heard, where that is so."""

    log: list[LogDocument]
    people: list[str]
    evening: str | None
    broker: Sentence | None
    evenings: list[EveningInShort]
    formats: FormatsDocument


class DeskDocument(OrganiserDocument):
    """The organiser's desk. `password`: whether one is set."""

    tables: list[ClubTable]
    password: bool


class TableAdded(TypedDict):
    """The id of a new table."""

    id: str


class JoinCode(TypedDict):
    """By which a table may join."""

    code: str


ALL = (
    EveningDocument,
    EveningChanges,
    PlanOffered,
    PlanRefused,
    MatchesDocument,
    DeskDocument,
    TableAdded,
    JoinCode,
    EveningsDocument,
    EveningReport,
)
