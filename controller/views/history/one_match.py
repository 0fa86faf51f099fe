"""One match of the history: in short, for the list of matches; its rounds of practice; and shot by shot, with the board
before and after each, after all corrections, also of the clock."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from controller import rules
from controller.journal.events import MatchSpan
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.fold import apply, begin, effective_events
from controller.match.shot_kinds import PlayedShot
from controller.match.state import MatchState
from controller.views.common import AnyMatch, Day, FinishedRound, SideId, Time


@dataclass
class SideInShort:
    """A side in the list of matches."""

    id: SideId  #: Its letter.
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

    hammer: SideId  #: The side that shot last.


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
        """A match; `history`: with `corrected_times`; `more`: the members that a subclass adds."""
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


@dataclass(frozen=True, slots=True)
class ReplayedShot:
    """One shot that the table saw."""

    id: int  # of the event in the journal
    at: float  # seconds since 1970, UTC
    seen: ev.ShotSeen
    before: MatchState
    after: MatchState

    @property
    def played(self) -> rules.JudgedShot:
        return self.after.game.round.shots[-1]

    @property
    def shot(self) -> PlayedShot:
        return PlayedShot.of(self.after.game.round, self.number, self.seen.film)

    @property
    def player(self) -> str:
        return self.after.player_of(self.played.seat)

    @property
    def resting(self) -> ev.Measured | None:
        """Its disc where it came to rest on the surface and stayed."""
        disc = self.played.shot.disc
        seen = self.after.measured.get(disc)
        return None if seen is None or seen.pose == "in_hole" or disc in self.after.to_remove else seen

    @property
    def round(self) -> int:
        return self.after.game.round.number

    @property
    def number(self) -> int:
        return len(self.after.game.round.shots)


def walk(number: int, history: Sequence[Stamped]) -> tuple[list[ReplayedShot], MatchState]:
    """The shots of a match in order, and its final state: `fold`, one step at a time."""
    first, *rest = effective_events(history)
    state = begin(number, first)
    steps = []
    for stamped in rest:
        before, state = state, apply(state, stamped)
        if isinstance(stamped.event, ev.ShotSeen):
            steps.append(ReplayedShot(stamped.id, stamped.at, stamped.event, before, state))
    return steps, replace(state, last_id=history[-1].id)


def corrected_times(history: Sequence[Stamped]) -> list[Stamped]:
    """A match's events with the right times, after all corrections of the table's clock."""
    corrections = [(s.event.after, s.id, s.event.ahead) for s in history if isinstance(s.event, ev.ClockSet)]

    def corrected(one: Stamped) -> Stamped:
        behind = sum(ahead for after, before, ahead in corrections if after < one.id < before)
        return replace(one, at=one.at + behind)

    return [corrected(one) for one in history] if corrections else list(history)
