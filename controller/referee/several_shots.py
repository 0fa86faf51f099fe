"""Several shots between two boards: assigns the moved discs to the shots.

The boards in between were not seen. A later shot may have struck an earlier shot's disc: then the later one was valid,
and the disc had first come to rest elsewhere.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from controller import rules
from controller.referee.association import Association, InferredShot, Outcome, cost_of_whole_shot
from controller.referee.evidence import cost_of, cost_of_absence
from controller.referee.situation import Situation
from controller.vision.readings import SeenDisc

MANY = 3
"""Shots: with more, the effect of each can't be known, and fewer splits are kept. Judged."""
MAX_SPLITS_OF_MANY = 2
"""The most splits kept for more than `MANY` shots."""
MAX_SPLITS = 16
"""The most splits kept: three shots that moved three discs have 27."""
UNSEEN = 100.0
"""mm: standard error of an unseen place."""
AROUND = 60.0
"""mm from the hole: within the 15 and clear of its line and of the pegs."""


Split = Mapping[str, int | None]
"""One split of the moved discs: for each the shot (from 0) that moved it; None for none."""


@dataclass(frozen=True)
class SeveralShots:
    """Several shots: their sides and discs in order, and the known discs that they moved."""

    situation: Situation
    association: Association
    sides: tuple[str, ...]
    discs: tuple[str, ...]
    moved: Mapping[str, SeenDisc | None]

    def ways(self) -> Iterator[tuple[float, tuple[InferredShot, ...]]]:
        """The likeliest splits, each with its cost and its shots."""
        ways: list[Split] = [{}]
        for disc in self.moved:
            ways = self._best({**way, disc: k} for way in ways for k in range(len(self.sides)))
        for number, disc in enumerate(self.discs[:-1]):
            ways = self._best({**way, disc: k} for way in ways for k in (None, *self._may_strike(number)))
        for way in ways:
            yield self._cost(way), tuple(self._shot(way, k) for k in range(len(self.sides)))

    def _best(self, ways: Iterable[Split]) -> list[Split]:
        return sorted(ways, key=self._cost)[: MAX_SPLITS if len(self.sides) <= MANY else MAX_SPLITS_OF_MANY]

    def _may_strike(self, number: int) -> list[int]:
        """The later shots of other sides that may have struck this shot's disc."""
        outcome = self.association.shot[number]
        if outcome.became not in ("off", "moved") or (outcome.place is not None and outcome.place.pose != "flat"):
            return []
        return [k for k in range(number + 1, len(self.sides)) if self.sides[k] != self.sides[number]]

    def _cost(self, way: Split) -> float:
        """The cost of a split, including each shot as a whole."""
        cost = 0.0
        for k, end in enumerate(self.association.shot):
            rested = end
            if way.get(self.discs[k]) is not None:
                rested = Outcome("moved", 0.0, self._unseen(self.discs[k]))
                off = cost_of("struck off") + cost_of("shot rests") - cost_of("shot off")
                cost += off if end.place is None else cost_of("struck moved")
            opponents, side = self._opponents(way, k), self.sides[k]
            strikes = any(self._owners[disc] != side for disc in _moved(way, k))
            cost += cost_of_whole_shot(opponents, strikes=strikes, end=rested)
            if opponents and not strikes and end.place is not None and k + 1 < len(self.sides):
                cost += cost_of_absence("marked taken before shot")  # a foul whose disc was not taken off
        later = sum(k for k in way.values() if k is not None)
        return cost - 0.01 * later  # an earlier move would more likely have been seen

    def _opponents(self, way: Split, shot: int) -> int:
        """The number of opponents' discs that this shot could strike."""
        gone = {disc for k in range(shot) for disc in _moved(way, k) if self._ends[disc] is None}
        lying = [*self.situation.state.on_board]
        lying += [disc for disc in self.discs[:shot] if self._ends[disc] or way.get(disc) is not None]
        return sum(self._owners[disc] != self.sides[shot] for disc in lying if disc not in gone)

    @cached_property
    def _ends(self) -> Mapping[str, SeenDisc | None]:
        """The present places of the discs that were shot or moved."""
        return {
            **self.moved,
            **{disc: outcome.place for disc, outcome in zip(self.discs, self.association.shot, strict=True)},
        }

    @cached_property
    def _owners(self) -> Mapping[str, str]:
        state = self.situation.state
        known = {disc: state.side_of(disc) for disc in (*state.on_board, *self.moved)}
        return {**known, **dict(zip(self.discs, self.sides, strict=True))}

    def _shot(self, way: Split, k: int) -> InferredShot:
        """One of the shots; the first resting place of a disc that a later one struck is unknown."""
        disc, moved = self.discs[k], _moved(way, k)
        own = self._ends[disc] if way.get(disc) is None else self._unseen(disc)
        rest = {disc: own, **{d: self._ends[d] for d in moved}}
        return InferredShot(self.sides[k], disc, rest, tuple((disc, d) for d in moved))

    def _unseen(self, disc: str) -> SeenDisc:
        return replace(self._anywhere, side=self._owners[disc])

    @cached_property
    def _anywhere(self) -> SeenDisc:
        """The place in the 15 that is farthest from all other discs."""
        lying = [(m.x, m.y) for m in self.situation.state.measured.values()]
        spots = [(AROUND * math.cos(k * math.pi / 8), AROUND * math.sin(k * math.pi / 8)) for k in range(16)]
        x, y = max(spots, key=lambda spot: min((math.dist(spot, p) for p in lying), default=0.0))
        zone, clearance = rules.zone(x, y), rules.nearest_line(x, y)[1]
        return SeenDisc(x, y, "", (0.0, 0.0, 0.0), "flat", zone, clearance, UNSEEN, "close")


def _moved(way: Split, shot: int) -> list[str]:
    """The discs that a shot moved."""
    return [disc for disc, by in way.items() if by == shot]
