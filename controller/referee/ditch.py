"""What lies in the ditch: dark discs on dark felt, seen in one picture and missed in the next.

A disc has come there only if it lies where none was seen before and the side has more discs there than ever seen in
this round. A gain that is missed is made up for by the next shot; one that is invented would be a shot that never was.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.referee.differences import distance
from controller.vision.readings import SeenDisc

SAME_PLACE = 25.0  # mm: discs in the ditch lie side by side, 32 mm apart at least


@dataclass(slots=True)
class Ditch:
    """The places in the ditch where discs were seen to lie in this round, by side; None before the first reading."""

    known: dict[str, list[SeenDisc]] | None = field(default=None)

    def gained(self, seen: Iterable[SeenDisc], side: str, expected: int) -> int:
        """How many discs of a side came into the ditch beyond the `expected` ones; below 0 when fewer came."""
        if self.known is None:
            return -expected
        here = [d for d in seen if d.side == side]
        fresh = [d for d in here if all(distance(d, k) > SAME_PLACE for k in self.known[side])]
        return min(len(fresh), max(len(here) - len(self.known[side]), 0)) - expected

    def remember(self, seen: Iterable[SeenDisc]) -> None:
        """These discs lie there now."""
        if self.known is None:
            self.known = {"A": [], "B": []}
        for disc in seen:
            if disc.side in self.known:
                places = self.known[disc.side]
                if all(distance(disc, k) > SAME_PLACE for k in places):
                    places.append(disc)

    def clear(self) -> None:
        """A new round: what is seen next is what lies there from the beginning."""
        self.known = None
