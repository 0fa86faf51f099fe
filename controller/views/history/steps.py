"""A match shot by shot, with the board before and after each, after all corrections, also of the clock."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller import rules
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.fold import apply, begin, effective_events
from controller.match.shot_kinds import PlayedShot
from controller.match.state import MatchState


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
