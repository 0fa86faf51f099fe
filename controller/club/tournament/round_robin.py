"""Draws of a round robin: Berger's tables as long as nobody has left or come, else the matches that are still due."""

from collections import Counter
from collections.abc import Sequence

from controller.club.tournament.berger import berger_rounds
from controller.club.tournament.drawn import Draw, Pair
from controller.club.tournament.errors import StageOver, say
from controller.club.tournament.formats import RoundRobin
from controller.club.tournament.matching import cheapest_pairs
from controller.club.tournament.state import State

Due = dict[tuple[str, str], int]
"""How many matches two of a pool still have to play; the later of the two in the pool is named first."""


def snake(order: Sequence[str], pools: int) -> tuple[tuple[str, ...], ...]:
    """Pools of like strength: the first seeds go to the pools in turn, the next ones back again.

    >>> snake("abcdefg", 3)
    (('a', 'f', 'g'), ('b', 'e'), ('c', 'd'))
    """
    groups: list[list[str]] = [[] for _ in range(min(pools, max(1, len(order) // 2)))]
    for k, entrant in enumerate(order):
        row, column = divmod(k, len(groups))
        groups[column if row % 2 == 0 else -1 - column].append(entrant)
    return tuple(tuple(group) for group in groups)


def draw(state: State, form: RoundRobin) -> Draw:
    """The next round of every pool. Raises `StageOver` when all is played."""
    stage = state.stage
    number = len(state.rounds_of(stage.number)) + 1
    pairs: list[Pair] = []
    byes: list[str] = []
    settled = state.settled(stage.number)
    if form.rounds is None or number <= form.rounds:
        for k, group in enumerate(stage.groups):
            found, free = _group_round(state.here(group), group, form.meetings, number, settled)
            pairs += [Pair(a, b, k, sides_fixed=fixed) for a, b, fixed in found]
            byes += free
    if not pairs:
        raise StageOver(say("All matches of this stage are paired."))
    return Draw(tuple(pairs), tuple(byes))


def _group_round(
    here: list[str], group: Sequence[str], meetings: int, number: int, settled: Counter[frozenset[str]]
) -> tuple[list[tuple[str, str, bool]], list[str]]:
    """Pairs (starter, other, whether that is fixed) of one pool, and those free who still have matches to come."""
    due = {(a, b): meetings - settled[frozenset((a, b))] for k, a in enumerate(here) for b in here[:k]}
    table = _table_round(group, meetings, number, settled) if len(here) == len(group) else None
    if table is not None and all(due.get((a, b), due.get((b, a), 0)) > 0 for a, b in table):
        busy = {entrant for pair in table for entrant in pair}
        return [(a, b, True) for a, b in table], [e for e in here if e not in busy]
    return _what_is_due(here, due)


def _table_round(
    group: Sequence[str], meetings: int, number: int, settled: Counter[frozenset[str]]
) -> list[tuple[str, str]] | None:
    """Berger's pairs (starter, other) of this round; None after the last one, or where the matches so far are not as
    many as the table has up to here."""
    rounds = berger_rounds(len(group), meetings)
    if number > len(rounds):
        return None
    so_far = sum(count for pair, count in settled.items() if pair <= set(group))
    if so_far != sum(len(pairs) for pairs in rounds[: number - 1]):
        return None
    return [(group[a - 1], group[b - 1]) for a, b in rounds[number - 1]]


def _what_is_due(here: list[str], due: Due) -> tuple[list[tuple[str, str, bool]], list[str]]:
    """As many of the matches still due as fit into one round. Who has most of them still to play goes first."""
    owed = Counter({e: sum(max(0, left) for pair, left in due.items() if e in pair) for e in here})
    pairs, busy = [], set()
    for u, v in cheapest_pairs(_costs(here, due, owed)) or []:
        if v < len(here) and due.get((here[v], here[u]), 0) > 0:
            pairs.append((here[u], here[v], False))
            busy |= {here[u], here[v]}
    return pairs, [entrant for entrant in here if entrant not in busy and owed[entrant]]


def _costs(here: list[str], due: Due, owed: Counter[str]) -> list[list[int | None]]:
    """What each pair costs: nothing where their match is due, else the price of leaving both of them out.

    | entrant | price |
    |---|---|
    | has no match still to play | 0 |
    | has n | `most` + n: first as many as possible play, and of those the ones who have most still to play |

    With an odd number there is one place more than there are entrants: who is paired with it is free.
    """
    most = 1 + sum(owed.values())
    out = [most + owed[entrant] if owed[entrant] else 0 for entrant in here]
    if len(here) % 2:
        out.append(0)

    def cost(u: int, v: int) -> int:
        a, b = (here[max(u, v)] if max(u, v) < len(here) else ""), here[min(u, v)]
        return 0 if due.get((a, b), 0) > 0 else out[u] + out[v]

    return [[None if u == v else cost(u, v) for v in range(len(out))] for u in range(len(out))]
