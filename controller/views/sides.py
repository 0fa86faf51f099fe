"""The sides of a match and their figures."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from controller.match.parts import Points
from controller.match.state import MatchState
from controller.views import phrases
from controller.views.common import Seat, SideLetter, Swatch

Range = Annotated[list[int], Field(min_length=2, max_length=2)]
"""The lowest and the highest, in points."""


@dataclass
class TakenSeat:
    """A seat of a side."""

    seat: Seat  #: Its number.
    player: str  #: The player there.


@dataclass
class HandCountedDisc:
    """A disc that people counted by hand."""

    id: int  #: The number of its event, for the command that undoes it.
    points: Points  #: Its points.


@dataclass
class SideNow:
    """The state of a side."""

    id: SideLetter  #: Its letter.
    name: str  #: Its name.
    seats: list[TakenSeat]  #: Its seat, or two seats in doubles.
    colour: str  #: The colour of its discs; empty if it is not known.
    swatch: Swatch  #: How its discs are drawn.
    score: int  #: Its score in the match, from confirmed rounds.
    total: int  #: Its total if the running round ended now, twenties included.
    total_range: Range  #: The lowest and highest possible total now, over all open questions and close calls.
    counted: list[HandCountedDisc]
    """The discs of the running round that people counted by hand, twenties included, the newest last."""
    by_hand: int  #: Their sum with all twenties of the round, on which both sides agree at its end.
    score_by_hand: int  #: Its score in the match if the running round ended with these sums.
    twenties: int  #: Its twenties in the running round.
    match_twenties: int | None  #: Its twenties in the whole match; null if nobody recorded those of some round.
    discs: int  #: The discs that it shoots in a round.
    shots_left: int  #: The discs that it still has to shoot in this round.
    shoots: bool  #: Whether it is its turn.
    hammer: bool  #: Whether it has the last shot of the round.

    @classmethod
    def all_of(cls, state: MatchState) -> "list[SideNow]":
        """Every side, in the order in which they were named."""
        return [cls.of(state, side, list(between)) for side, between in total_ranges(state).items()]

    @classmethod
    def of(cls, state: MatchState, id_: str, between: list[int]) -> "SideNow":
        """One side; `between`: its lowest and highest total of the round."""
        game, info = state.game, state.started.by_id[id_]
        round_ = game.round
        return cls(
            id=id_,
            name=info.name,
            seats=[TakenSeat(seat, state.player_of(seat)) for seat, side in game.terms.seats if side == id_],
            colour=info.colour,
            swatch=phrases.swatch(info.colour),
            score=state.score[id_],
            total=round_.totals[id_],
            total_range=between,
            counted=[HandCountedDisc(one.id, one.points) for one in state.counted_for(id_)],
            by_hand=state.by_hand[id_],
            score_by_hand=state.score[id_] + game.terms.format.award(state.by_hand)[id_],
            twenties=round_.twenty_counts[id_],
            match_twenties=game.match_twenties[id_],
            discs=game.terms.discs,
            shots_left=round_.shots_left[id_],
            shoots=round_.to_shoot == id_,
            hammer=round_.hammer == id_ and not game.terms.rules.practice,
        )


def total_ranges(state: MatchState) -> dict[str, tuple[int, int]]:
    """Each side's lowest and highest possible total of the running round, over all open questions and close calls."""
    number = state.game.round.number
    between = state.total_ranges(number)
    in_question = {q.asked.disc for q in state.decisive if q.asked.round == number}
    for name, disc in state.on_board.items():  # close calls without a question so far
        if disc.call == "close" and name not in state.ruled and name not in in_question:
            side, zones = state.side_of(name), disc.zones_in_doubt
            low, high = between[side]
            between[side] = low + min(zones) - disc.zone, high + max(zones) - disc.zone
    return between
