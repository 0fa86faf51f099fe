"""A match step by step: each shot with the board before and after it, as it counts after all corrections."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller import events as ev
from controller import rules
from controller.fold import apply, begin
from controller.match import MatchState, Stamped
from controller.timeline import counting


@dataclass(frozen=True, slots=True)
class Step:
    """One shot that the table saw."""

    id: int  # of the event in the journal
    at: float  # seconds since 1970, UTC
    seen: ev.ShotSeen
    before: MatchState
    after: MatchState

    @property
    def played(self) -> rules.Played:
        """The shot with its judgement, as it was judged then."""
        return self.after.game.round.shots[-1]

    @property
    def round(self) -> int:
        """The number of its round."""
        return self.after.game.round.number

    @property
    def number(self) -> int:
        """Its number in the round."""
        return len(self.after.game.round.shots)


def steps(number: int, history: Sequence[Stamped]) -> Iterator[Step]:
    """The shots of a match in order."""
    first, *rest = counting(history)
    state = begin(number, first)
    for stamped in rest:
        before, state = state, apply(state, stamped)
        if isinstance(stamped.event, ev.ShotSeen):
            yield Step(stamped.id, stamped.at, stamped.event, before, state)
