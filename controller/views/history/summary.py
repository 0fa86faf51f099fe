"""A match in short: its line in the list of matches, and its rounds of practice."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from controller import rules
from controller.journal.events import MatchSpan
from controller.match.base import Stamped
from controller.match.state import MatchState
from controller.views.common import AnyMatch, Day, FinishedRound, SideLetter, Time


@dataclass
class SideInShort:
    """A side in the list of matches."""

    id: SideLetter  #: Its letter.
    name: str  #: Its name.
    players: list[str]  #: Its players.
    colour: str  #: The colour of its discs; empty if nobody chose one.
    discs: int  #: The number of discs that it shot in a round.
    score: int  #: Of the match, in confirmed rounds.
    twenties: int | None  #: Of the match, in confirmed rounds; null if nobody recorded those of some round.

    @classmethod
    def of(cls, state: MatchState, id_: str) -> "SideInShort":
        """One side."""
        return cls(
            id=id_,
            name=state.name_of(id_),
            players=state.started.players_of(id_),
            colour=state.started.by_id[id_].colour,
            discs=state.game.terms.discs,
            score=state.score[id_],
            twenties=rules.known_sum(r.known_twenties[id_] for r in state.finished),
        )


@dataclass
class RoundInShort(FinishedRound):
    """A finished round in the list of matches."""

    hammer: SideLetter  #: The side that shot last.


@dataclass
class MatchInShort(AnyMatch):
    """A match in the list of matches."""

    last_event: int  #: The number of its last event in the journal.
    day: Day  #: When it began, as a local date.
    started: Time  #: When it began.
    ended: Time  #: When its last event happened.
    sides: list[SideInShort]  #: In the order in which they were named.
    rounds: list[RoundInShort]  #: The finished ones.
    noted: int  #: How many `notes` the match has.

    @classmethod
    def of(cls, state: MatchState, history: Sequence[Stamped], span: MatchSpan, **more: Any) -> Self:
        """A match; `history`: with corrected times, see `history.steps`; `more`: the members that a subclass adds."""
        started = history[0].at
        return cls.said(
            state,
            last_event=span.last,
            day=dt.datetime.fromtimestamp(started).astimezone().date().isoformat(),
            started=utc(started),
            ended=utc(span.last_at),
            sides=[SideInShort.of(state, id_) for id_ in state.sides],
            rounds=[RoundInShort.of(one, hammer=one.hammer) for one in state.finished],
            noted=len(state.conduct)
            + sum(shot.judgement.played_as is not None for one in state.game.all_rounds for shot in one.shots),
            **more,
        )


def utc(at: float) -> str:
    """A time of the journal as ISO 8601."""
    return dt.datetime.fromtimestamp(at, dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def practised(state: MatchState) -> list[tuple[int, str, str, int, int | None, int]]:
    """(number, player, what is counted, discs, twenties, total) of the finished rounds of practice. Those that ended
    before every disc was shot are left out, unless people entered their totals. `twenties`: None if nobody recorded
    them."""
    terms = state.game.terms
    ((seat, side),) = terms.seats
    player, kind = state.player_of(seat), terms.format.kind
    return [
        (
            played.number,
            player,
            kind,
            terms.discs,
            (given if kind == "twenties" else played.known_twenties)[side],
            played.totals[side],
        )
        for played in state.finished
        if (given := played.awarded) is not None
        and (len(played.owners) == terms.discs or played.totals_by_hand is not None)
    ]
