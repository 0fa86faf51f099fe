"""The result of a draw: pairs and byes; and who starts in each pair, fairly."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from controller.club.tournament.errors import Message


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entrants who are to meet. With `sides_fixed` the first starts."""

    a: str
    b: str
    slot: str = ""
    sides_fixed: bool = False

    @property
    def sides(self) -> tuple[str, str]:
        return self.a, self.b


@dataclass(frozen=True, slots=True)
class Draw:
    """The pairs of a round, the most important first, the entrants with a bye, and notes for the organiser."""

    pairs: tuple[Pair, ...]
    byes: tuple[str, ...] = ()
    notes: tuple[Message, ...] = ()
    on_boards: bool = False  # whether the pairs belong on the boards in their order, as the tables of a ladder do


def assign_starters(pairs: Iterable[Pair], starts: Mapping[str, Sequence[int]]) -> list[Pair]:
    """The pairs with the starter first; `starts` has 1 for each match that an entrant started, else -1.

    The first of these that decides:

    1. who has started less often;
    2. who did not start when, counting back, the two last differed;
    3. in the first, third, fifth pair the first, in the others the second, has the choice: to start if it did not start
       its last match or has played none.

    Source: FIDE Handbook C.04.3, Dutch System, on the allocation of colours."""
    return [
        pair
        if pair.sides_fixed or _first_starts(starts[pair.a], starts[pair.b], k)
        else replace(pair, a=pair.b, b=pair.a)
        for k, pair in enumerate(pairs)
    ]


def _first_starts(a: Sequence[int], b: Sequence[int], k: int) -> bool:
    if sum(a) != sum(b):
        return sum(a) < sum(b)
    for own, other in zip(reversed(a), reversed(b), strict=False):
        if own != other:
            return own < other
    if a and b:
        return a[-1] < 0 if k % 2 == 0 else a[-1] > 0
    return k % 2 == 0
