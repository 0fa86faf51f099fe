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
    """The places in the ditch where discs were seen to lie in this round; None before the first reading."""

    known: list[SeenDisc] | None = field(default=None)

    def gained(self, seen: Iterable[SeenDisc], side: str) -> int:
        """How many discs of a side came into the ditch since they were last remembered."""
        if self.known is None:
            return 0
        here = [d for d in seen if d.side == side]
        return min(sum(self._is_new(d) for d in here), max(len(here) - self.count(side), 0))

    def count(self, side: str) -> int:
        """How many discs of a side were ever seen there."""
        return sum(d.side == side for d in self.known or ())

    def remember(self, seen: Iterable[SeenDisc]) -> None:
        """These discs lie there now."""
        self.known = self.known or []
        self.known += [d for d in seen if self._is_new(d)]

    def clear(self) -> None:
        """A new round: what is seen next is what lies there from the beginning."""
        self.known = None

    def _is_new(self, disc: SeenDisc) -> bool:
        return all(disc.side != k.side or distance(disc, k) > SAME_PLACE for k in self.known or ())
