"""Play-offs: the bracket that follows from the seeds and the results, and the matches that can be drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from controller.club.errors import StageOver, TournamentError
from controller.club.tournament.formats import in_form
from controller.club.tournament.rounds import RoundPaired
from controller.club.tournament.stages import Draw, Faults, StageKind, min_cost_assignment
from controller.club.tournament.state import Pairing, TournamentMatch, TournamentState
from controller.messages import Message, marked, say

THIRD = "third"
UNKNOWN = ""  # in the place of a side, while nobody knows who it will be
LEFT_IN_QUARTER_FINALS = 2  # rounds still to come


@dataclass(frozen=True, slots=True)
class Playoffs(StageKind):
    """The loser is out. The first seed meets the last, byes go to the first seeds, and in the first round entrants of
    one pool are kept `apart` if possible."""

    title: ClassVar[str] = marked("Play-offs")
    knock_out: ClassVar[bool] = True
    third_place: bool = field(default=True, metadata=in_form(marked("A match for third place")))
    apart: bool = field(default=True, metadata=in_form(marked("In the first round those of one pool are kept apart")))
    type: Literal["playoffs"] = "playoffs"

    def draw(self, state: TournamentState) -> Draw:
        """All matches whose two sides are known by now. Raises `TournamentError` if there is none, `StageOver` after
        the final. The lower seed starts, so that the higher one has the hammer in a fifth round (WCC at 4-4:
        CrokinoleCentre 2012-2018)."""
        stage = state.stage
        seeds = {entrant: k for k, entrant in enumerate(stage.entrants)}
        slots = [slot for slots in bracket(state, stage.number) for slot in slots]
        pairings = []
        for slot in slots:
            if slot.to_pair is not None:
                lower, higher = sorted(slot.to_pair, key=seeds.__getitem__, reverse=True)
                pairings.append(Pairing((lower, higher), slot=slot.name))
        if not pairings and all(slot.decided for slot in slots):
            raise StageOver(say("The play-offs are over."))
        if not pairings:
            raise TournamentError(say("Nobody is free for the next match; wait for results."))
        return RoundPaired(tuple(pairings)), ()

    def groups(self, state: TournamentState, order: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        pools = state.stages[-1].groups if state.stages else ()
        if self.apart and len(pools) > 1:
            return (seeded_apart(order, {each: k for k, pool in enumerate(pools) for each in pool}),)
        return (tuple(order),)

    def own_ranking(self, state: TournamentState, stage: int) -> Mapping[str, Mapping[str, int]]:
        return {"bracket": rounds_reached(state, stage)}

    def displaced(self, state: TournamentState, stage: int) -> list[TournamentMatch]:
        """Matches of the bracket whose sides no longer belong there."""
        fitting = {slot.match.id for slots in bracket(state, stage) for slot in slots if slot.match is not None}
        return [match for match in state.matches_of(stage) if match.id not in fitting]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in the bracket. A side is None for a bye, and may be `UNKNOWN`."""

    name: str
    sides: tuple[str | None, str | None]
    match: TournamentMatch | None = None

    @property
    def decided(self) -> bool:
        return self.match.over if self.match else None in self.sides and UNKNOWN not in self.sides

    @property
    def to_pair(self) -> tuple[str, str] | None:
        """The two whose match can be drawn; None once it was, and while a side is missing."""
        a, b = self.sides
        return (a, b) if a and b and not self.match else None

    @property
    def winner(self) -> str | None:
        """Who advances; None while open, and if nobody does."""
        if self.match:
            return self.match.winner
        return self.sides[0] or self.sides[1] if self.decided else None

    @property
    def loser(self) -> str | None:
        return self.match.loser if self.match else None


def places(size: int) -> list[int]:
    """The seeds from top to bottom of a bracket of this size, a power of two: the first two can meet in the final only.

    >>> places(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    seeds = [1]
    while len(seeds) < size:
        seeds = [each for seed in seeds for each in (seed, 2 * len(seeds) + 1 - seed)]
    return seeds


def bracket(state: TournamentState, stage: int) -> list[list[Slot]]:
    """Every round of a play-off stage with its slots; the match for third place is the last of the last round."""
    form = state.known_format.stages[stage]
    seeds = state.stages[stage].entrants
    matches = {match.slot: match for match in state.matches_of(stage)}
    order = places(bracket_size(len(seeds)))
    rounds = _rounds([seeds[place - 1] if place <= len(seeds) else None for place in order], matches)
    if isinstance(form, Playoffs) and form.third_place and len(seeds) > 3:
        sides = (slot.loser if slot.decided else UNKNOWN for slot in rounds[-2])
        rounds[-1].append(_slot(matches, THIRD, *sides))
    return rounds


def bracket_size(entrants: int) -> int:
    """How many places the first round has: the least power of two, from 2 on, that holds all entrants."""
    size = 2
    while size < entrants:
        size *= 2
    return size


def _rounds(sides: Sequence[str | None], matches: Mapping[str, TournamentMatch]) -> list[list[Slot]]:
    """Every round, from the sides of the first one; without the match for third place."""
    rounds: list[list[Slot]] = []
    while len(sides) > 1:
        pairs = zip(sides[::2], sides[1::2], strict=True)
        rounds.append([_slot(matches, f"{len(rounds) + 1}.{k}", *pair) for k, pair in enumerate(pairs, 1)])
        sides = [slot.winner if slot.decided else UNKNOWN for slot in rounds[-1]]
    return rounds


def _slot(matches: Mapping[str, TournamentMatch], name: str, one: str | None, other: str | None) -> Slot:
    match = matches.get(name)
    return Slot(name, (one, other), match if match and {*match.sides} == {one, other} else None)


def slot_name(slot: str, rounds: int) -> Message:
    """The name of a slot, in a bracket of this many rounds.

    >>> [str(slot_name(slot, 4)) for slot in ("1.1", "2.3", "3.1", "4.1", THIRD)]
    ['Round of 16', 'Quarter-final', 'Semi-final', 'Final', 'Third place']
    """
    if slot == THIRD:
        return say("Third place")
    left = rounds - int(slot.partition(".")[0])
    if left == 0:
        return say("Final")
    if left == 1:
        return say("Semi-final")
    return say("Quarter-final") if left == LEFT_IN_QUARTER_FINALS else say("Round of {n}", n=2 ** (left + 1))


def rounds_reached(state: TournamentState, stage: int) -> dict[str, int]:
    """How far everybody came, as a number: the same for the losers of one round, higher for those still in."""
    rounds = bracket(state, stage)
    far = dict.fromkeys(state.stages[stage].entrants, 0)
    for number, slots in enumerate(rounds):
        for slot in slots:
            for side in slot.sides:
                if side and slot.name != THIRD:
                    far[side] = 3 * number + (0 if slot.decided and slot.winner != side else 2)
    final = rounds[-1][0]
    if final.winner:
        far[final.winner] = 3 * len(rounds)
    third = rounds[-1][-1]
    if third.name == THIRD and third.winner:
        far[third.winner] += 1
    return far


def seeded_apart(order: Sequence[str], pool_of: Mapping[str, int]) -> tuple[str, ...]:
    """The seeds of a bracket, changed as little as possible so that nobody meets an entrant of the same pool at once.

    Only the lower half changes; the sum of the squares of the places moved is minimal.

    >>> seeded_apart("abcd", {"a": 0, "b": 1, "c": 1, "d": 0})
    ('a', 'b', 'd', 'c')
    """
    half = bracket_size(len(order)) // 2
    upper, lower = order[:half], order[half:]
    free = half - len(lower)  # how many first seeds have a bye
    opponents = upper[free:]
    count = len(lower)

    def cost(u: int, v: int) -> Faults:
        return pool_of[opponents[u]] == pool_of[lower[v]], (count - 1 - u - v) ** 2

    return (*upper, *(lower[v] for v in reversed(min_cost_assignment(count, cost))))
