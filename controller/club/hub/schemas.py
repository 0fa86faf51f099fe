"""The types of the documents that the club's pages show. Names are people's; texts are translated for each reader."""

from typing import Any, Literal

from typing_extensions import TypedDict

from controller.club.hub.board_schemas import BoardDocument, RoundFigures, Sentence

Word = Literal["waiting", "going_on", "reopened", "contradicted", "walkover", "over"]


class ClaimDocument(TypedDict):
    """The end of a match as one of the two, the entrant `by`, entered it; the other has not agreed yet."""

    by: str
    points: list[int]
    twenties: list[int] | None


class MatchDocument(TypedDict):
    """A match; `word` is its status. `reopened`: its end was taken back at its table, and still counts. `name`: of a
    play-off match. `won`: the index of the side that won, also by a shoot-out or a walkover; None for a tie, and while
    it is open. `total`: the sum of both sides' points, if it is fixed."""

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
    """One line of the standings, with the figures of the last stage that the entrant has reached: `stage`, from 1.
    `points` and `twenties` count what `byes` give; `twenties` are None if none are on record.
    `twenties_missing`: in how many matches nobody counted them. `all_twenties`: those made in the matches of all
    stages, without byes; `all_twenties_missing`: in how many of these nobody counted them."""

    place: int
    id: str
    name: str
    here: bool
    stage: int
    matches: int
    byes: int
    points: int
    twenties: int | None
    twenties_missing: int
    all_twenties: int | None
    all_twenties_missing: int


class PlayerDocument(TypedDict):
    """An entrant; `here` until it drops out."""

    id: str
    name: str
    here: bool


class LeftOutDocument(TypedDict):
    """A table's report that does not count, and why. `source`: its unique name; `instead`: whether it can be counted
    for the match that the two have to play now."""

    source: str
    table: str
    names: list[str]
    figures: list[int]
    why: Sentence
    instead: bool


class SlotDocument(TypedDict):
    """A place in the bracket. A name is None for a bye, and while it is not known who plays there."""

    name: Sentence
    names: list[str | None]
    points: list[int] | None
    won: int | None
    board: str | None


class PlacedDocument(TypedDict):
    """One of the first three, with the figures of the last stage, which ranks them."""

    place: int
    entrant: str
    name: str
    won: int
    matches: int
    twenties: int | None
    twenties_missing: int


class EveningDocument(TypedDict):
    """The evening for all pages. `round`: how many were paired; `open`: matches without a result. `stages`: the names
    of those that have begun. `round_names`: of the latest round of play-offs. `finished`: all is played; `closed`: the
    organiser closed the evening; in both cases `podium` has the first three. `bracket`: the rounds of the play-offs."""

    schema: str
    version: int
    title: str
    round: int
    open: int
    stages: list[Sentence]
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
    """The difference between two evening documents. `members`: replaced whole. `rows`: by member, the new and changed
    rows, each with its `id` and its changed members. `order`: by member, the ids of all its rows, if their order
    changed."""

    schema: str
    members: dict[str, Any]
    rows: dict[str, list[dict[str, Any]]]
    order: dict[str, list[str]]


class ChangeDocument(TypedDict):
    """One change of a plan; `kind` and `id` as in `controller.club.tournament.Change`."""

    kind: str
    id: str
    words: Sentence


class NamedPlace(TypedDict):
    """An entrant's name and place."""

    name: str
    place: int


class PlanDocument(TypedDict):
    """The consequences of actions. Confirming it takes its `token`. `places`: the future ones of entrants whose results
    change."""

    token: str
    places: list[NamedPlace]
    changes: list[ChangeDocument]
    notes: list[Sentence]


class LogDocument(TypedDict):
    """One action of the evening: who took it, when (s since 1970, UTC), what it changed, and whether it was undone."""

    number: int
    who: str
    at: float
    undone: bool
    changes: list[Sentence]


class PlanOffered(PlanDocument):
    """A plan with its `actions`, for confirming it."""

    actions: list[dict[str, Any]]


class PlanRefused(TypedDict):
    """Why nothing was done, and the plan as it would be now."""

    error: str
    plan: PlanOffered


class ReportedMatch(MatchDocument):
    """A match of a report. `rounds` as its table reported them; None if only a result was entered."""

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
    """An evening of the club; `at`: when it began, in s since 1970, UTC. `open`: whether it is the active one."""

    id: str
    title: str
    at: float
    open: bool


class EveningReport(EveningInShort):
    """A whole evening: everything that counts. `format` as in the log of a tournament; `stages` as in an evening. A
    line of `standings` counts all stages, one of `podium` the last."""

    schema: str
    club: str
    format: dict[str, Any] | None
    stages: list[Sentence]
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
    """A table of the club. `joined`: whether it has a token; `code`: of the page where phones keep its score, if it has
    no hardware."""

    id: str
    name: str
    by_hand: bool
    joined: bool
    code: str | None


class SetAsideDocument(TypedDict):
    """An entry of the log that does not count at present. `names` and `figures`: of a result, else empty. `instead`:
    whether it can be counted for another match that the two play now."""

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
    """A ranking criterion: the title of its column, and what it counts."""

    name: str
    title: Sentence
    meaning: Sentence


class FormatsDocument(TypedDict):
    """Formats to begin with, by name. `stages`: every kind with the fields of its own, each a number, a checkbox or a
    choice with the `words` of its values. `present`: the evening's, None while none is chosen. `begun`: how many of its
    stages have begun; these can't change. `rankings`: lists of criteria in use somewhere, as `docs/club.md` says."""

    known: dict[str, dict[str, Any]]
    titles: dict[str, Sentence]
    stages: list[dict[str, Any]]
    present: dict[str, Any] | None
    begun: int
    rankings: list[list[str]]
    criteria: list[Criterion]


class WaitingDocument(TypedDict):
    """Decisions for the organiser. `seeding`: all entrants, the first seed first. `again`: the id of the round that can
    be paired again, if any."""

    seeding: list[PlayerDocument]
    tied: list[TiedDocument]
    set_aside: list[SetAsideDocument]
    again: str | None


class OrganiserDocument(WaitingDocument):
    """The organiser's view of the evening. `people`: names from earlier evenings; `evening`: the id of the active one;
    `stranger`: who sends results without a valid token, if somebody did."""

    log: list[LogDocument]
    people: list[str]
    evening: str | None
    stranger: Sentence | None
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
    """A code that lets a table join."""

    code: str


ALL = (
    EveningDocument, EveningChanges, PlanOffered, PlanRefused, MatchesDocument, DeskDocument, TableAdded, JoinCode,
    EveningsDocument, EveningReport,
)  # fmt: skip
