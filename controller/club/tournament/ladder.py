"""A ladder night: two at every table, the tables in an order; the winner moves up a table, the loser down.

At the top table the winner stays, at the last one the loser. With an odd number one is free: of those who have been
free least often, the lowest on the ladder.
"""

from controller.club.tournament.drawn import Draw, Pair
from controller.club.tournament.errors import NotNow, StageOver, counted, say
from controller.club.tournament.formats import Ladder
from controller.club.tournament.state import State


def ladder(state: State, stage: int) -> list[str]:
    """All who are in the stage, the top of the ladder first, after the last match that has a result."""
    order = list(state.stages[stage].entrants)
    for round in state.rounds_of(stage):
        tables = [match for match in state.matches_of(stage, round.id) if match.over and {*match.sides} <= {*order}]
        order = _moved(order, [(match.winner, match.loser, match.sides) for match in tables])
    return order


def _moved(order: list[str], tables: list[tuple[str | None, str | None, tuple[str, str]]]) -> list[str]:
    """The ladder after a round. `tables` are (winner, loser, both sides).

    The loser of each table changes places with the winner of the next one. Winner and loser are None where a match was
    level: then who stood higher counts as the winner. Who did not play keeps the same place.
    """
    place = {entrant: k for k, entrant in enumerate(order)}
    results = []
    for winner, loser, sides in tables:
        upper, lower = sorted(sides, key=place.__getitem__)
        results.append((winner or upper, loser or lower))
    results.sort(key=lambda result: min(place[result[0]], place[result[1]]))
    taken = sorted(place[entrant] for result in results for entrant in result)
    moved: list[str] = []
    for k, (winner, _) in enumerate(results):
        above = results[k - 1][1] if k else None
        moved += [winner] if above is None else [winner, above]
    if results:
        moved.append(results[-1][1])
    changed = list(order)
    for k, entrant in zip(taken, moved, strict=True):
        changed[k] = entrant
    return changed


def draw(state: State, form: Ladder) -> Draw:
    """The next round: neighbours on the ladder meet, the first table first."""
    stage = state.stage.number
    if form.rounds is not None and len(state.rounds_of(stage)) >= form.rounds:
        raise StageOver(counted("The only round is paired.", "All {n} rounds are paired.", form.rounds))
    order = [entrant for entrant in ladder(state, stage) if state.entrants[entrant].here]
    if len(order) < 2:
        raise NotNow(say("A match needs two entrants; add some."))
    byes: list[str] = []
    if len(order) % 2:
        had = state.byes_of(stage)
        byes = [min(reversed(order), key=lambda entrant: had[entrant])]
        order.remove(byes[0])
    pairs = tuple(Pair(a, b) for a, b in zip(order[::2], order[1::2], strict=True))
    return Draw(pairs, tuple(byes), on_boards=True)
