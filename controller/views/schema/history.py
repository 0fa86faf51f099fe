"""The history: `matches/1`, `match/1` and `players/1`."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller.match.cases import What
from controller.match.shot_kinds import Kind
from controller.rules.judge import PlayedAs, Why
from controller.views.audit import Change
from controller.views.board import Disc
from controller.views.common import (
    BySide,
    Day,
    FinishedRound,
    Format,
    Seat,
    Sentence,
    SideLetter,
    Time,
    shown_as,
)
from controller.views.film import ShotFilm

Point = Annotated[list[float], Field(min_length=2, max_length=2)]
"""x and y in people's board frame, mm."""


class SideInShort(TypedDict):
    """A side in the list of matches."""

    id: SideLetter  #: Its letter.
    name: str  #: Its name.
    players: list[str]  #: Its players.
    colour: str  #: The colour of its discs; empty if nobody chose one.
    discs: int  #: The number of discs that it shot in a round.
    score: int  #: Of the match, in confirmed rounds.
    twenties: int | None  #: Of the match, in confirmed rounds; null if nobody recorded those of some round.


@dataclass
class RoundInShort(FinishedRound):
    """A finished round in the list of matches."""

    hammer: SideLetter  #: The side that shot last.


class MatchInShort(TypedDict):
    """A match in the list of matches."""

    id: int  #: Its number in the journal.
    last_event: int  #: The number of its last event in the journal.
    day: Day  #: When it began, as a local date.
    started: Time  #: When it began.
    ended: Time  #: When its last event happened.
    rules: str  #: Its rule set.
    rules_name: Sentence  #: The rule set's name for people.
    format: Format  #: How it was counted.
    over: bool  #: Whether it was played to its end.
    winner: SideLetter | None  #: The winner; null until it is over, and for a tie.
    doubles: bool  #: Whether two partners made a side.
    sides: list[SideInShort]  #: In the order in which they were named.
    rounds: list[RoundInShort]  #: The finished ones.
    noted: int  #: How many `notes` the match has.


class Unreadable(TypedDict):
    """A match that is set aside because it can't be read."""

    match: int  #: Its number in the journal.
    text: str  #: Why.


class Progress(TypedDict):
    """Progress while many matches are summed up again."""

    done: int  #: Matches.
    of: int  #: Matches.


class Matches(TypedDict):
    """Matches in short, the newest first, some fifty at a time."""

    schema: Literal["matches/1"]  #: Which document this is.
    matches: list[MatchInShort]  #: The newest first.
    next: int | None  #: The next value of `before`; null if these are the last.
    deleted: list[int]  #: Matches that people deleted: in no list and no figure, the newest first.
    unreadable: list[Unreadable]  #: Matches that are set aside.
    progress: Progress | None  #: Progress while many matches are summed up again, else null.


class KnownPlayer(TypedDict):
    """A player known to the table."""

    player: str  #: The player's present name.
    matches: int  #: The number of matches, finished or not.
    days: int  #: The number of days.
    first: Day  #: The first of these days.
    last: Day  #: The last one.


class RuleApplied(TypedDict):
    """The choice of the rule set that decided."""

    choice: Annotated[str, shown_as(Literal["opponent_contact", "open_board"])]  #: Its name in `rules/1`.
    title: Sentence  #: What is chosen.
    text: Sentence  #: The rule set's choice.
    source: str  #: The source's words.


class Removed(TypedDict):
    """A disc that came off by a shot."""

    disc: str  #: Its id.
    why: Why  #: Why it came off.


_Path = TypedDict("_Path", {"from": Annotated[Point | None, Field(description="Null: from the shooter's line.")]})


class Path(_Path):
    """A disc's path."""

    disc: str  #: Its id.
    to: Point | Literal["hole", "ditch"]  #: Where it came to rest.


class Pictured(TypedDict):
    """The picture and clip of a shot or question."""

    picture: str | None  #: The name of its picture, if there is one.
    picture_gone: bool  #: Whether its picture was deleted.
    clip: str | None  #: The name of the clip of the motion before it, if one is kept; its address is /clip/NAME.


class QuestionAsked(Pictured):
    """A question that was asked after a shot."""

    id: int  #: Its event in the journal.
    after: int  #: The event of the shot after which it was asked; 0 before the first.
    round: int  #: The number of its round.
    kind: What  #: Its topic.
    text: Sentence  #: The question.
    discs: list[str]  #: The discs that it is about.
    clearance: float | None  #: mm, of a close call at a line: below 0 the disc touches the line.
    sigma: float | None  #: mm, its standard error.
    answer: Sentence | None  #: People's answer.
    note: Sentence | None  #: Why it was closed without an answer; null while it is open.


class ShotPlayed(Pictured):
    """A shot as it counts after all corrections."""

    id: int  #: Its event in the journal.
    at: Time  #: When the table saw it.
    t: float  #: Seconds on the camera's clock.
    frame: str  #: The picture of the recording that showed it; empty if there is none.
    round: int  #: The number of its round.
    number: int  #: Its number in the round, from 1.
    side: SideLetter  #: The side that shot.
    seat: Seat  #: The seat that shot.
    player: str  #: The player there.
    disc: str  #: The disc that was shot.
    names: dict[str, Sentence]  #: The names of the round's discs.
    valid: bool  #: Whether it counted as valid, by agreement or else by the rules.
    by_rules: bool  #: Whether it was valid by the rules.
    played_as: PlayedAs | None  #: The agreed verdict, if it overruled the rules; null otherwise.
    call: Sentence  #: The table's call.
    why: list[Sentence]  #: The reasons, by the rules that were played.
    named: list[str]  #: The discs that the reasons name, in that order.
    conduct: list[Sentence]  #: Calls for conduct during it, with their penalties.
    rule: RuleApplied | None  #: The rule that decided; null for an annulled shot.
    removed: list[Removed]  #: The discs that came off by it.
    twenties: list[str]  #: The discs that were banked.
    contacts: list[Annotated[list[str], Field(min_length=2, max_length=2)]]
    """Pairs of discs that touched, in order of time."""
    doubt: Sentence | None  #: Why this explanation may be wrong.
    annulled: bool  #: Whether people annulled it.
    corrected: bool  #: Whether people corrected its verdict, or the places of discs after it.
    amended: list[Sentence]  #: The table's revisions of it, with their reasons.
    before: list[Disc]  #: The discs on the board before it.
    after: list[Disc]  #: The discs on the board after it.
    paths: list[Path]  #: The paths of the discs that it moved.
    film: ShotFilm | None  #: Its film; null if it was not filmed.
    kinds: list[Annotated[str, shown_as(Kind)]]
    """Its kinds of shot, as `controller.match.shot_kinds` defines them."""
    totals: BySide  #: The round's totals after it.
    score: BySide  #: The match score after it.
    questions: list[QuestionAsked]  #: The questions asked after it.


class Players(TypedDict):
    """Everybody who has played: one person under every spelling of a name, and every name given."""

    schema: Literal["players/1"]  #: Which document this is.
    players: list[str]  #: Their names, in order.
    known: list[KnownPlayer]  #: Those first who played most recently and most often.
    changes: list[Change]  #: Renamings, the newest last; `undo_naming` takes an `id` of these.
    last_change: int
    """The number of the last of these events or of one that undid one, for a command's `seen`; 0 before the first."""


class Note(TypedDict):
    """A remark on the score sheet."""

    round: int  #: The number of the round.
    shot: int | None  #: Its shot's number in the round; null if it is not about a shot.
    text: Sentence  #: A shot that was played as something else than the rules' verdict, or a call for conduct.


class Match(MatchInShort):
    """One match to step through, some seventy shots at a time."""

    schema: Literal["match/1"]  #: Which document this is.
    format_text: Sentence  #: Its format for people.
    shots: list[ShotPlayed]  #: In order.
    deleted: bool  #: Whether people took it out of lists and figures.
    notes: list[Note]  #: The remarks on the score sheet of the whole match.
    next: int | None  #: The next value of `after`; null if these are the last.
    changes: list[Change]  #: Changes by people and revisions by the table, the newest last.
