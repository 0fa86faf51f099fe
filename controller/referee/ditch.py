"""What lies in the ditch.

Discs there are dark on dark felt: the camera sees one in one picture and misses it in the next. So every disc that was
seen there is remembered. A disc at a new place came there, unless one nearby is missing: that one was pushed along.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.referee.read_board import distance
from controller.referee.settings import DITCH
from controller.vision.readings import SeenDisc


@dataclass(slots=True)
class Ditch:
    """The discs that were seen to lie in the ditch in this round; None before the first reading."""

    known: list[SeenDisc] | None = field(default=None)

    def copy(self) -> "Ditch":
        """The same, which remembers by itself."""
        return Ditch(None if self.known is None else [*self.known])

    def gained(self, seen: Iterable[SeenDisc], side: str) -> int:
        """How many discs of a side came into the ditch since they were last remembered."""
        return 0 if self.known is None else len(self._compare(seen, side)[1])

    def count(self, side: str) -> int:
        """How many discs of a side were ever seen there."""
        return sum(d.side == side for d in self.known or ())

    def remember(self, seen: Iterable[SeenDisc]) -> None:
        """These discs lie there now."""
        discs = list(seen)
        known = self.known = list(self.known or ())
        for side in {str(d.side) for d in discs}:
            pushed, come = self._compare(discs, side)
            for was, now in pushed:
                known[known.index(was)] = now
            known += come

    def clear(self) -> None:
        """A new round: what is seen next is what lies there from the beginning."""
        self.known = None

    def _compare(self, seen: Iterable[SeenDisc], side: str) -> tuple[list[tuple[SeenDisc, SeenDisc]], list[SeenDisc]]:
        """The discs of a side that were pushed along, each with its old and new place, and those that came there."""
        here, known = _of_side(seen, side), _of_side(self.known or (), side)
        come, missing = _apart_from(known, here), _apart_from(here, known)
        pushed: list[tuple[SeenDisc, SeenDisc]] = []
        for was, now in sorted(((k, d) for k in missing for d in come), key=lambda pair: distance(*pair)):
            if was in missing and now in come and distance(was, now) < DITCH.pushed_mm:
                pushed.append((was, now))
                missing.remove(was)
                come.remove(now)
        return pushed, come


def _of_side(discs: Iterable[SeenDisc], side: str) -> list[SeenDisc]:
    return [d for d in discs if d.side == side]


def _apart_from(others: list[SeenDisc], discs: list[SeenDisc]) -> list[SeenDisc]:
    """Those of the discs that lie at the place of none of the others."""
    return [d for d in discs if all(distance(d, other) > DITCH.same_place_mm for other in others)]
