"""An open club night: whoever is free plays. Whoever has waited longest goes first, and ratings keep the balance."""

from controller.club.tournament.boards import free_boards
from controller.club.tournament.drawn import Draw, Pair
from controller.club.tournament.errors import NotNow, say
from controller.club.tournament.formats import OpenNight
from controller.club.tournament.matching import cheapest_pairs
from controller.club.tournament.ratings import ratings
from controller.club.tournament.state import State

MEETING = 100
"""Rating points: two who have met once are paired as if they were so far apart, who met twice, doubly. Chosen: 100
points are 64 % of the points expected (`ratings.expected`), so that a new opponent is worth an uneven match."""

AGAIN = 10**12  # the same two at once: more than 400 entrants cost who are 3000 points apart


def draw(state: State, form: OpenNight) -> Draw:
    """As many pairs as there are free boards, of those who have waited longest; those least apart meet.

    Two who have just played each other wait for a third as long as matches go on that will free one. Raises `NotNow`.
    """
    busy = {side for match in state.open_matches for side in match.sides}
    waiting = [each for each in waiting_order(state) if each not in busy]
    pairs = min(len(waiting) // 2, _free_boards(state))
    if not pairs:
        raise NotNow(
            say("No board is free; enter a result, or add a board.")
            if len(waiting) > 1
            else say("Fewer than two are free; wait for a match to end.")
        )
    chosen = waiting[: 2 * pairs]
    rated, met = ratings(state), state.meetings(state.stage.number)
    last = _last_opponents(state)

    def cost(a: str, b: str) -> int:
        apart = round(abs(rated[a] - rated[b]))
        again = AGAIN if last.get(a) == b and last.get(b) == a else 0
        return apart**2 + (MEETING * met[frozenset((a, b))]) ** 2 + again

    found = cheapest_pairs([[None if a == b else cost(a, b) for b in chosen] for a in chosen]) or []
    drawn = [(chosen[u], chosen[v]) for u, v in found]
    if busy:
        drawn = [(a, b) for a, b in drawn if last.get(a) != b or last.get(b) != a]
    if not drawn:
        raise NotNow(say("The two who are free have just played each other; wait for a match to end."))
    return Draw(tuple(Pair(a, b) for a, b in drawn))


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
