"""Matches in other programs' formats, and a match as those see one: two sides, rounds with totals, and who won.

Each module converts `PlayedMatch` to one format, as its owner documents it, and refuses what that can't express."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from controller.errors import BadInput, ControllerError
from controller.match.state import MatchState
from controller.messages import say
from controller.rules import written_format

__all__ = ["NoAnswer", "NotExpressible", "PlayedMatch", "PlayedRound", "Rejected", "ahead", "from_state"]


IDS = uuid.UUID("0d5c3a52-4f0e-5e4b-9a53-3c1f9f1f6f0a")  # the namespace (RFC 9562, version 5) of the ids of our matches
SideIndex = Literal[0, 1]  # the index of a side: 0 or 1


class NotExpressible(BadInput):
    """The other format has no place for this match; the message says why."""


class NoAnswer(ControllerError):
    """The organiser's program does not answer, or refuses a request; the message says why and what to do."""


class Rejected(NoAnswer):
    """It answers, and does not want this one body: others may be sent."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round. Pairs are in the order of the match's sides."""

    first: SideIndex  # the side that shot first
    totals: tuple[int, int] | None  # each side's total, twenties included; None if they are not known
    twenties: tuple[int, int] | None  # None if nobody recorded them
    points: tuple[int, int]  # each side's points in the match's score


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """One match of two sides."""

    id: uuid.UUID  # the same at every export of this match
    began: dt.datetime  # with its time zone
    rules: str
    format: Mapping[str, Any]  # as in a match record: `kind`, and `rounds` and `games`, or `target`
    sides: tuple[tuple[str, ...], tuple[str, ...]]  # the players of each side
    rounds: tuple[PlayedRound, ...]
    over: bool
    winner: SideIndex | None  # the side that won; None while it is not over, and for a tie

    @property
    def doubles(self) -> bool:
        return max(map(len, self.sides)) > 1


def ahead(figures: tuple[int, int]) -> SideIndex | None:
    """The side with more; None if they are level."""
    if figures[0] == figures[1]:
        return None
    return 0 if figures[0] > figures[1] else 1


def from_state(
    state: MatchState, first_at: float, began: float | None = None, sides: Sequence[str] | None = None
) -> PlayedMatch:
    """Convert a match, finished or not. `sides`: in another order than the table's.

    `first_at`: the time of its first event as recorded in the journal, in seconds since 1970. With the match's number
    it makes the id, which is the same from a table, its club and any backup. `began`: when it really began, if
    that is known more precisely.

    Raises `NotExpressible` unless it was played by two sides."""
    letters = sides or state.sides
    if len(letters) != 2:
        raise NotExpressible(
            say(
                "Match {number} was not played by two sides. The other program knows no other matches: save it as a "
                "table or a record.",
                number=state.number,
            )
        )
    one, two = letters
    terms = state.game.terms

    def pair(figures: Mapping[str, int | None]) -> tuple[int, int] | None:
        a, b = figures[one], figures[two]
        return None if a is None or b is None else (a, b)

    def place(side: str) -> SideIndex:
        return 0 if side == one else 1

    return PlayedMatch(
        id=uuid.uuid5(IDS, f"{state.number}/{first_at!r}"),
        began=dt.datetime.fromtimestamp(first_at if began is None else began, dt.UTC),
        rules=terms.rules.id,
        format=written_format(terms.format),
        sides=(tuple(state.started.players_of(one)), tuple(state.started.players_of(two))),
        rounds=tuple(
            PlayedRound(place(r.starter), pair(r.known_totals), pair(r.known_twenties), (points[one], points[two]))
            for r in state.finished
            if (points := r.awarded) is not None
        ),
        over=state.over,
        winner=place(state.game.winner) if state.over and state.game.winner else None,
    )
