"""Crokinole Match Notation 1.0-draft, of the Crokinole Open Data Alliance.

Its terms differ from ours:

| in CMN | here |
| --- | --- |
| game | round |
| hammer | by its written definition the team that shot first; commonly, and here, the hammer is the last shot |
| team 0, 1 | the first and the second side |

CMN allows additional members: `first_shooter` and `last_shooter` complement `hammer`, and `crokinole_table` holds what
CMN lacks."""

import datetime as dt
from collections.abc import Iterable
from typing import Any, Literal, NotRequired, Required

from typing_extensions import TypedDict

from controller.exchange import NotExpressible, PlayedMatch, PlayedRound, ahead
from controller.messages import say

VERSION: Literal["1.0"] = "1.0"
Team = Literal[0, 1]


class CmnSource(TypedDict):
    """The program that wrote it."""

    app: str  #: its name


class CmnEvent(TypedDict, total=False):
    """The event at which matches were played."""

    name: str  #: its name
    type: str  #: `tournament`, `league`, `club` ..
    venue: str  #: its place


class PlayerNotation(TypedDict):
    """A player."""

    name: str  #: the player's name


class TeamNotation(TypedDict):
    """A side."""

    players: list[PlayerNotation]  #: one, or two partners


class GameFormat(TypedDict, total=False):
    """The intended length of the match."""

    type: Required[Literal["fixed", "first_to"]]  #: a fixed number of games, or first to a number of points
    count: int  #: the number of games
    target: int  #: the number of points


class Game(TypedDict):
    """A round, which the notation calls a game."""

    winner: Team | None  #: null for a tie
    hammer: Team  #: by the notation's definition the team that shot first
    first_shooter: Team  #: the team that shot first; our own member, which is unambiguous
    last_shooter: Team  #: the team that shot last; our own member
    scores: NotRequired[list[int]]  #: each team's total, twenties included; omitted if not recorded
    twenties: NotRequired[list[int]]  #: each team's number of twenties; omitted if not recorded


class OwnMembers(TypedDict):
    """What the notation can't express."""

    rules: str  #: the rule set
    format: dict[str, Any]  #: as in a match record


class MatchNotation(TypedDict):
    """A match that is over."""

    date: str  #: when it began, in UTC
    format: Literal["singles", "doubles"]  #: `doubles` if each side was two partners
    teams: list[TeamNotation]  #: two
    gameFormat: NotRequired[GameFormat]  #: omitted if neither of the notation's formats fits
    games: list[Game]  #: one for each round
    winner: Team | None  #: null for a tie
    crokinole_table: OwnMembers  #: our own members


class NotationEntry(TypedDict):
    """A match with its id."""

    id: str  #: a UUID that never changes
    match: MatchNotation  #: the match


class NotationBatch(TypedDict):
    """Matches in Crokinole Match Notation 1.0."""

    cmn: Literal["1.0"]  #: the notation's version
    batch: Literal[True]  #: several matches
    event: NotRequired[CmnEvent]  #: if it is known
    source: CmnSource  #: this program
    matches: list[NotationEntry]  #: the matches


class Notation(NotationEntry):
    """One match in Crokinole Match Notation 1.0."""

    cmn: Literal["1.0"]  #: the notation's version
    event: NotRequired[CmnEvent]  #: if it is known
    source: CmnSource  #: this program


SOURCE: CmnSource = {"app": "crokinole-table"}


def single(match: PlayedMatch, event: CmnEvent | None = None) -> Notation:
    """One match. Raises `NotExpressible` while it is not over: CMN holds results of matches that are."""
    one = entry(match)
    written: Notation = {"cmn": VERSION, "id": one["id"], "match": one["match"], "source": SOURCE}
    if event is not None:
        written["event"] = event
    return written


def batch(matches: Iterable[PlayedMatch], event: CmnEvent | None = None) -> NotationBatch:
    """The matches of one event. Raises `NotExpressible` as `single` does."""
    written: NotationBatch = {"cmn": VERSION, "batch": True, "source": SOURCE, "matches": [*map(entry, matches)]}
    if event is not None:
        written["event"] = event
    return written


def entry(match: PlayedMatch) -> NotationEntry:
    """One match of a batch. Raises `NotExpressible` as `single` does."""
    if not match.over:
        raise NotExpressible(say("The match is not over yet: Crokinole Match Notation holds results only."))
    written: MatchNotation = {
        "date": match.began.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "format": "doubles" if match.doubles else "singles",
        "teams": [{"players": [{"name": name} for name in side]} for side in match.sides],
        "games": [_game(played) for played in match.rounds],
        "winner": match.winner,
        "crokinole_table": {"rules": match.rules, "format": dict(match.format)},
    }
    if (length := _game_format(match)) is not None:
        written["gameFormat"] = length
    return {"id": str(match.id), "match": written}


def _game(played: PlayedRound) -> Game:
    game: Game = {
        "winner": ahead(played.points),
        "hammer": played.first,
        "first_shooter": played.first,
        "last_shooter": 0 if played.first else 1,
    }
    if played.totals is not None:
        game["scores"] = list(played.totals)
    if played.twenties is not None:
        game["twenties"] = list(played.twenties)
    return game


def _game_format(match: PlayedMatch) -> GameFormat | None:
    """The length of the match; None if CMN can't express it: 100 points by difference, or a further round after a
    tie, which `fixed` ("exactly N games") rules out."""
    match match.format:
        case {"kind": "race", "target": target}:
            return {"type": "first_to", "target": target}
        case {"kind": "rounds", "rounds": rounds, **more} if len(match.rounds) == rounds * more.get("games", 1):
            return {"type": "fixed", "count": len(match.rounds)}
    return None
