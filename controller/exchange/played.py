"""A match as other programs see one: two sides, rounds with totals, and who won."""

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.errors import BadInput
from controller.messages import say
from controller.views.schema import MatchInShort

IDS = uuid.UUID("0d5c3a52-4f0e-5e4b-9a53-3c1f9f1f6f0a")
"""The namespace (RFC 9562, version 5) of the ids of our matches."""


class NotExpressible(BadInput):
    """The other format has no place for this match; the message says why."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round. Pairs are in the order of the match's sides."""

    first: int
    """The side that shot first: 0 or 1."""
    totals: tuple[int, int]
    """What each side counted, twenties included."""
    twenties: tuple[int, int]
    points: tuple[int, int]
    """What the round gave each side in the match's score."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """One match of two sides."""

    id: uuid.UUID
    """The same at every export of this match."""
    began: dt.datetime
    """With its time zone."""
    rules: str
    format: Mapping[str, Any]
    """As in a match record: `kind`, and `rounds` and `games`, or `target`."""
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    """The players of each side."""
    rounds: tuple[PlayedRound, ...]
    over: bool
    winner: int | None
    """The side that won: 0 or 1; None while it is not over, and for a tie."""

    @property
    def doubles(self) -> bool:
        """Whether two players made a side."""
        return max(map(len, self.sides)) > 1


@dataclass(frozen=True, slots=True)
class Occasion:
    """The event at which matches were played, as far as somebody said. An empty text says nothing."""

    name: str = ""
    day: str = ""
    """When it began, ISO 8601, for all its matches: one that goes on after midnight belongs to the evening."""
    kind: str = ""
    """`tournament`, `league`, `club`, ...: free text."""
    round: int | None = None
    venue: str = ""
    division: str = ""
    """As Crokinole Reference writes it, such as `Competitive-Fingers`: one hyphen, no blank."""
    stage: str = ""
    pool: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a ranking."""

    rank: int
    players: tuple[str, ...]
    games: int
    points: int
    twenties: int
    comment: str = ""


def from_history(match: MatchInShort, journal: str) -> PlayedMatch:
    """A match of a table's history; `journal` is the id of its journal.

    Raises `NotExpressible` unless it was played by two sides.
    """
    letters = [side["id"] for side in match["sides"]]
    if len(letters) != 2:
        raise NotExpressible(
            say(
                "Match {number} had {n} sides. The other program knows matches of two: save it as a table or a record.",
                number=match["id"],
                n=len(letters),
            )
        )
    one, two = letters

    def pair(figures: Mapping[str, int]) -> tuple[int, int]:
        return figures.get(one, 0), figures.get(two, 0)

    winner = match["winner"]
    return PlayedMatch(
        id=uuid.uuid5(IDS, f"{journal}/{match['id']}"),
        began=dt.datetime.fromisoformat(match["started"].replace("Z", "+00:00")),
        rules=match["rules"],
        format=match["format"],
        sides=(_players(match, 0), _players(match, 1)),
        rounds=tuple(
            PlayedRound(letters.index(r["starter"]), pair(r["totals"]), pair(r["twenties"]), pair(r["awarded"]))
            for r in match["rounds"]
        ),
        over=match["over"],
        winner=None if winner is None else letters.index(winner),
    )


def _players(match: MatchInShort, side: int) -> tuple[str, ...]:
    return tuple(match["sides"][side]["players"])
