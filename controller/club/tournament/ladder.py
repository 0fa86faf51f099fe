"""A ladder night: two at every table, the tables in an order; the winner moves up a table, the loser down.

At the top table the winner stays, at the last one the loser. With an odd number the lowest on the ladder has a bye, of
those who have had the fewest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from controller.club.tournament.formats import Count, in_form
from controller.club.tournament.rounds import RoundPaired
from controller.club.tournament.stages import Draw, StageKind, check_round_left, check_two, with_starters
from controller.club.tournament.state import TournamentMatch, TournamentState
from controller.messages import marked


@dataclass(frozen=True, slots=True)
class Ladder(StageKind):
    """The tables stand in an order; `rounds` None: until the organiser ends it. A level match leaves both in the order
    in which they arrived."""

    title: ClassVar[str] = marked("Ladder")
    on_boards: ClassVar[bool] = True
    shoot_outs: ClassVar[bool] = False
    rounds: Count | None = field(default=None, metadata=in_form(marked("Rounds; empty until it is ended")))
    type: Literal["ladder"] = "ladder"

    def draw(self, state: TournamentState) -> Draw:
        """Neighbours on the ladder meet, the first table first."""
        stage = state.stage.number
        check_round_left(state, self.rounds)
        order = [entrant for entrant in ladder(state, stage) if state.entrants[entrant].here]
        check_two(order)
        byes: list[str] = []
        if len(order) % 2:
            had = state.byes_of(stage)
            byes = [min(reversed(order), key=lambda entrant: had[entrant])]
            order.remove(byes[0])
        return RoundPaired(with_starters(state, zip(order[::2], order[1::2], strict=True)), tuple(byes)), ()

    def own_ranking(self, state: TournamentState, stage: int) -> Mapping[str, Mapping[str, int]]:
        return {"ladder": {entrant: -k for k, entrant in enumerate(ladder(state, stage))}}

    def may_meet(self, state: TournamentState, stage: int, entrant: str, other: str) -> bool:
        return True


def ladder(state: TournamentState, stage: int) -> list[str]:
    """The stage's entrants after the last match with a result, the top of the ladder first."""
    order = list(state.stages[stage].entrants)
    for round in state.rounds_of(stage):
        tables = [match for match in state.matches_of(stage, round.id) if match.over and {*match.sides} <= {*order}]
        order = _moved(order, tables)
    return order


def _moved(order: list[str], tables: list[TournamentMatch]) -> list[str]:
    """The ladder after a round. The loser of each table swaps places with the winner of the next one. In a level match
    the one who stood higher counts as the winner. Entrants who did not play keep their place."""
    place = {entrant: k for k, entrant in enumerate(order)}
    results = []
    for match in tables:
        upper, lower = sorted(match.sides, key=place.__getitem__)
        results.append((match.winner or upper, match.loser or lower))
    results.sort(key=lambda result: min(map(place.__getitem__, result)))
    taken = sorted(place[entrant] for result in results for entrant in result)
    moved = [entrant for result in results for entrant in result]
    for k in range(1, len(moved) - 1, 2):
        moved[k], moved[k + 1] = moved[k + 1], moved[k]
    changed = list(order)
    for k, entrant in zip(taken, moved, strict=True):
        changed[k] = entrant
    return changed
