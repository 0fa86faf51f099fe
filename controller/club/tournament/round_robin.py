"""A round robin: Berger's tables while nobody has left or joined, else the matches that are still due.

FIDE Handbook C.05, Annex 1, "Details of Berger Table": the first named has white, which starts; with an odd number of
entrants whoever would meet the highest number has a bye.

>>> berger_round(6, 1), berger_round(6, 2)
([(1, 6), (2, 5), (3, 4)], [(6, 4), (5, 3), (1, 2)])
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar, Literal

from controller.club.errors import StageOver
from controller.club.tournament.formats import Count, in_form
from controller.club.tournament.rounds import RoundPaired
from controller.club.tournament.stages import Draw, Faults, StageKind, min_cost_pairs, with_starters
from controller.club.tournament.state import Pairing, TournamentState
from controller.messages import marked, say

Due = Callable[[str, str], int]  # how many matches two of a pool still have to play


@dataclass(frozen=True, slots=True)
class RoundRobin(StageKind):
    """Everybody meets everybody in the pool, `meetings` times, in the order of the Berger tables. `rounds` ends it
    early (WCC singles 1999-2023: ten games against opponents by lot, as a preliminary)."""

    title: ClassVar[str] = marked("Round robin")
    pools: Count = field(default=1, metadata=in_form(marked("Pools")))
    meetings: Count = field(default=1, metadata=in_form(marked("How often each two meet")))
    rounds: Count | None = field(default=None, metadata=in_form(marked("Rounds; empty for all")))
    type: Literal["round_robin"] = "round_robin"

    def draw(self, state: TournamentState) -> Draw:
        stage = state.stage
        number = len(state.rounds_of(stage.number)) + 1
        pairs: list[Pairing] = []
        byes: list[str] = []
        due = self._due(state, stage.number)
        if self.rounds is None or number <= self.rounds:
            for group in stage.groups:
                found, free = _group_round(state, group, self.meetings, number, due)
                pairs += found
                byes += free
        if not pairs:
            raise StageOver(say("All matches of this stage are paired."))
        return RoundPaired(tuple(pairs), tuple(byes)), ()

    def groups(self, state: TournamentState, order: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        return snake(order, self.pools)

    def may_meet(self, state: TournamentState, stage: int, entrant: str, other: str) -> bool:
        return self._due(state, stage)(entrant, other) > 0

    def _due(self, state: TournamentState, stage: int) -> Due:
        settled = state.meetings(stage, walkovers=True)
        return lambda one, other: self.meetings - settled[frozenset((one, other))]

    def leavers(self, state: TournamentState, stage: int) -> tuple[set[str], list[tuple[str, str]]]:
        """By how many of its matches an entrant completed before it left:

        | completed | matches played | matches not played |
        |---|---|---|
        | less than half | do not count | do not count |
        | at least half | count | are won by the opponents who are still here |

        Source: FIDE Handbook C.05, General Regulations for Competitions, on players who withdraw from a round robin."""
        due = self._due(state, stage)
        left_out: set[str] = set()
        forfeits: list[tuple[str, str]] = []
        for group in state.stages[stage].groups:
            everybody = self.meetings * (len(group) - 1)
            of_each = everybody if self.rounds is None else min(everybody, self.rounds)
            for leaver in (entrant for entrant in group if not state.entrants[entrant].here):
                own = [match for match in state.matches_of(stage) if leaver in match.sides]
                completed = sum(match.over and not match.walkover for match in own)
                if 2 * completed < of_each:
                    left_out.add(leaver)
                elif self.rounds is None:
                    forfeits += _forfeited(leaver, state.here(group), due)
        return left_out, forfeits


def _forfeited(leaver: str, here: Sequence[str], due: Due) -> list[tuple[str, str]]:
    """(winner, leaver) for each match that a leaver has not played against those still `here`."""
    return [(each, leaver) for each in here for _ in range(due(each, leaver))]


def snake(order: Sequence[str], pools: int) -> tuple[tuple[str, ...], ...]:
    """Pools of similar strength: the first seeds go to the pools in turn, the next ones in reverse order.

    >>> snake("abcdefg", 3)
    (('a', 'f', 'g'), ('b', 'e'), ('c', 'd'))
    """
    groups: list[list[str]] = [[] for _ in range(min(pools, max(1, len(order) // 2)))]
    for k, entrant in enumerate(order):
        row, column = divmod(k, len(groups))
        groups[column if row % 2 == 0 else -1 - column].append(entrant)
    return tuple(tuple(group) for group in groups)


def berger_round(size: int, number: int) -> list[tuple[int, int]]:
    """The pairs (starter, other) of a round, from 1, for positions 1 to `size`, an even number. The highest position
    stays and alternates the start; all others move by half the field from round to round."""
    ring, half = size - 1, size // 2
    first = ((number - 1) * half) % ring  # who meets the highest position, counted from 0
    pairs = [(first + 1, size) if number % 2 else (size, first + 1)]
    pairs += [((first + k) % ring + 1, (first - k) % ring + 1) for k in range(1, half)]
    return pairs


def berger_rounds(size: int, meetings: int = 1) -> list[list[tuple[int, int]]]:
    """All rounds for this many entrants; with an odd number, the one in no pair of a round has a bye. With several
    meetings, the starter alternates from cycle to cycle. In every cycle but the last the last two rounds are swapped,
    so that nobody starts, or does not start, three times in a row (the same annex)."""
    even = size + size % 2
    cycle = [[pair for pair in berger_round(even, r) if max(pair) <= size] for r in range(1, even)]
    rounds = []
    for meeting in range(meetings):
        turned = cycle if meeting % 2 == 0 else [[(b, a) for a, b in pairs] for pairs in cycle]
        last = meeting == meetings - 1
        rounds += turned if last or len(turned) < 2 else [*turned[:-2], turned[-1], turned[-2]]
    return rounds


def _group_round(
    state: TournamentState, group: tuple[str, ...], meetings: int, number: int, due: Due
) -> tuple[Iterable[Pairing], list[str]]:
    """The pairs of one pool, and the byes: those who still have matches to come."""
    here = state.here(group)
    table = _table_round(group, meetings, number, due) if len(here) == len(group) else None
    if table is not None and all(due(a, b) > 0 for a, b in table):
        busy = {entrant for pair in table for entrant in pair}
        return map(Pairing, table), [e for e in here if e not in busy]
    pairs, byes = _what_is_due(here, due)
    return with_starters(state, pairs), byes


def _table_round(group: Sequence[str], meetings: int, number: int, due: Due) -> list[tuple[str, str]] | None:
    """Berger's pairs (starter, other) of this round; None after the last, or if the matches so far are not its own."""
    rounds = berger_rounds(len(group), meetings)
    if number > len(rounds):
        return None
    so_far = sum(meetings - due(a, b) for a, b in combinations(group, 2))
    if so_far != sum(len(pairs) for pairs in rounds[: number - 1]):
        return None
    return [(group[a - 1], group[b - 1]) for a, b in rounds[number - 1]]


def _what_is_due(here: list[str], due: Due) -> tuple[list[tuple[str, str]], list[str]]:
    """As many of the matches still due as fit into one round, first of those who have most of them left; and the byes:
    everybody else who still has matches to come."""
    owed = {e: sum(max(0, due(e, other)) for other in here if other != e) for e in here}
    pairs = _most_due(here, due, owed)
    busy = {side for pair in pairs for side in pair}
    return pairs, [entrant for entrant in here if entrant not in busy and owed[entrant]]


def _most_due(here: list[str], due: Due, owed: Mapping[str, int]) -> list[tuple[str, str]]:
    """The pairs with the least faults. A pair has none if its match is due; else both are left out: as many entrants as
    possible play, preferably those with most matches left.

    With an odd number there is one place more than there are entrants: whoever is paired with it has a bye."""
    left = [owed[entrant] for entrant in here] + [0] * (len(here) % 2)

    def is_due(u: int, v: int) -> bool:
        return v < len(here) and due(here[u], here[v]) > 0

    def cost(u: int, v: int) -> Faults:
        return (0, 0) if is_due(u, v) else ((left[u] > 0) + (left[v] > 0), left[u] + left[v])

    found = min_cost_pairs(len(left), cost) or []
    return [(here[u], here[v]) for u, v in found if is_due(u, v)]
