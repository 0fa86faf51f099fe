"""One reading held against what the match knows."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from controller import events as ev
from controller.match import MatchState
from controller.referee.colours import side_of
from controller.referee.differences import Difference, compare, distance, pair
from controller.vision.readings import BoardReading, SeenDisc

STRANGER = 8.0  # mm: a disc this near to a stranger's place is that stranger


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """One reading held against what the match knows."""

    sides: Mapping[str, str]
    known: Mapping[str, ev.Measured]
    difference: Difference
    ditch: tuple[SeenDisc, ...]
    left: tuple[str, ...]  # discs in play that are not where they were
    taken: tuple[str, ...]  # discs that had to come off, and did
    appeared: tuple[SeenDisc, ...]
    strangers: tuple[ev.Stranger, ...]  # those of the match's strangers that still lie there

    @classmethod
    def of(cls, state: MatchState, reading: BoardReading) -> "ReadBoard":
        seen = [d.of_side(side_of(d, state.colours)) for d in reading.discs]
        discs = [with_sensor(d, state.hole_level) for d in seen]
        sides = {name: state.side_of(name) for name in state.measured}
        up = [d for d in discs if d.pose != "ditch" and not _is_stranger(d, state.strangers)]
        refilled = any(not earlier.occupied and later.occupied for earlier, later in pairwise(state.hole))
        difference = compare({n: (sides[n], m) for n, m in state.measured.items()}, up, refilled)
        moved_off, appeared = _nudged_on_the_way_off(state, difference, sides)
        return cls(
            sides=sides,
            known=state.measured,
            difference=difference,
            ditch=tuple(d for d in discs if d.pose == "ditch"),
            left=tuple(n for n in difference.left if n not in state.to_remove),
            taken=tuple(n for n in difference.left if n in state.to_remove and n not in moved_off),
            appeared=appeared,
            strangers=tuple(s for s in state.strangers if any(distance(s, d) < STRANGER for d in discs)),
        )

    @property
    def measured_still(self) -> dict[str, ev.Measured]:
        return {name: measure(disc) for name, disc in self.difference.still.items()}

    def balance(self, side: str) -> int:
        """Places of this side that appeared, less those that were left: +1 is a shot that stayed on the board."""
        return sum(d.side == side for d in self.appeared) - sum(self.sides[n] == side for n in self.left)

    def expected_in_ditch(self, side: str) -> int:
        return sum(self.sides[n] == side for n in self.taken)

    def largest_move(self) -> float:
        moves = [0.0]
        for side in ("A", "B"):
            names = {n: self.known[n] for n in self.left if self.sides[n] == side}
            moved, _ = pair(names, [d for d in self.appeared if d.side == side])
            moves += [distance(self.known[n], d) for n, d in moved.items()]
        return max(moves)


def with_sensor(disc: SeenDisc, level: bool | None) -> SeenDisc:
    """A disc at the hole as camera and sensor together have it.

    A twenty needs both to agree. Where they differ the disc counts as leaning until somebody has looked.
    """
    if disc.pose == "in_hole" and level is False:
        return replace(disc, pose="leaning", zone=15, call="close")
    if disc.pose == "leaning" and level is True:
        return replace(disc, call="close")
    return disc


def measure(disc: SeenDisc) -> ev.Measured:
    """A seen disc as the journal keeps it."""
    return ev.Measured(
        x=round(disc.x, 3),
        y=round(disc.y, 3),
        pose=disc.pose,
        zone=disc.zone,
        clearance=round(disc.clearance, 3),
        sigma=round(disc.sigma, 3),
        call=disc.call,
    )


def stranger(disc: SeenDisc) -> ev.Stranger:
    """A seen disc that is not the match's."""
    return ev.Stranger.model_validate({**measure(disc).model_dump(), "side": disc.side})


def _is_stranger(disc: SeenDisc, strangers: tuple[ev.Stranger, ...]) -> bool:
    return any(distance(disc, s) < STRANGER for s in strangers)


def _nudged_on_the_way_off(
    state: MatchState, difference: Difference, sides: Mapping[str, str]
) -> tuple[set[str], tuple[SeenDisc, ...]]:
    """Discs to be taken off that were pushed aside instead: they are no new discs."""
    free = list(difference.appeared)
    moved: set[str] = set()
    for name in difference.left:
        side = sides[name]
        spare = sum(d.side == side for d in free) - sum(
            sides[n] == side and n not in state.to_remove for n in difference.left
        )
        due = 1 if state.game.round.to_shoot == side else 0
        near = [d for d in free if d.side == side]
        if name in state.to_remove and spare > due and near:
            free.remove(min(near, key=lambda d: distance(d, state.measured[name])))
            moved.add(name)
    return moved, tuple(free)
