"""An open club night: whoever is free plays. Whoever has waited longest goes first, and ratings keep the balance."""

from controller.club.tournament.boards import free_boards
from controller.club.tournament.drawn import Draw, Pair
from controller.club.tournament.errors import NotNow, say
from controller.club.tournament.formats import OpenNight
from controller.club.tournament.matching import cheapest_pairs
from controller.club.tournament.ratings import ratings
from controller.club.tournament.state import State

MEETING = 100
"""Rating points. A pair that has met n times costs as much more as n times this difference of ratings would. Chosen: at
100 points apart the better one is expected to get 64 % (`ratings.expected`), which is worth it for a new opponent."""

LEFT_OUT = 10**12
"""Cost of leaving somebody out, for each place in the queue: more than all pairs of 400 entrants together, if each two
are 3000 rating points apart."""

AGAIN = 10**18
"""Cost of a pair that has just played each other: more than leaving anybody out."""


def draw(state: State, form: OpenNight) -> Draw:
    """As many pairs as there are free boards, of those who have waited longest; those with the nearest ratings meet.

    Two who have just played each other are not paired as long as other matches go on: they wait for other opponents.
    Raises `NotNow` where no pair is possible.
    """
    busy = {side for match in state.open_matches for side in match.sides}
    waiting = [each for each in waiting_order(state) if each not in busy]
    most = min(len(waiting) // 2, _free_boards(state))
    if not most:
        raise NotNow(
            say("No board is free; enter a result, or add a board.")
            if len(waiting) > 1
            else say("Fewer than two are free; wait for a match to end.")
        )
    for number in range(most, 0, -1):
        pairs = _pairs(state, waiting, number, wait=bool(busy))
        if pairs:
            return Draw(tuple(pairs))
    raise NotNow(say("The two who are free have just played each other; wait for a match to end."))


def _pairs(state: State, waiting: list[str], number: int, wait: bool) -> list[Pair]:
    """So many pairs, if possible of the first in the queue.

    None at all where two who have just played each other would have to meet, and the draw is to `wait` for others.
    """
    rated, met, last = ratings(state), state.meetings(state.stage.number), _last_opponents(state)

    def cost(a: str, b: str) -> int | None:
        again = last.get(a) == b and last.get(b) == a
        if again and wait:
            return None
        return round(abs(rated[a] - rated[b])) ** 2 + (MEETING * met[frozenset((a, b))]) ** 2 + AGAIN * again

    out = len(waiting) - 2 * number
    costs = [[None if a == b else cost(a, b) for b in waiting] for a in waiting]
    for k, row in enumerate(costs):
        row += [LEFT_OUT * (len(waiting) - k)] * out
    costs += [[LEFT_OUT * (len(waiting) - k) for k in range(len(waiting))] + [None] * out for _ in range(out)]
    found = cheapest_pairs(costs) or []
    return [Pair(waiting[u], waiting[v]) for u, v in found if v < len(waiting)]


def waiting_order(state: State) -> list[str]:
    """All who are here: first those who have not played yet, then whoever has waited longest since the last match."""
    last = dict.fromkeys(state.stage.entrants, -1)
    played = dict.fromkeys(state.stage.entrants, 0)
    for number, match in enumerate(state.matches_of(state.stage.number)):
        for side in match.sides:
            last[side] = number
            played[side] = played.get(side, 0) + 1
    return sorted(state.here(state.stage.entrants), key=lambda entrant: (last[entrant], played[entrant]))


def _free_boards(state: State) -> int:
    """How many boards are free; where no boards are listed, as many as are wanted."""
    return len(free_boards(state)) if state.boards else len(state.entrants)


def _last_opponents(state: State) -> dict[str, str]:
    last: dict[str, str] = {}
    for match in state.matches_of(state.stage.number):
        a, b = match.sides
        last[a], last[b] = b, a
    return last
