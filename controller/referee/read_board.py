"""One reading held against what the match knows: which discs lie still, which left, which places are new."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee.differences import At, compare, distance
from controller.referee.ditch import Ditch
from controller.referee.settings import READ_BOARD
from controller.referee.whose_disc import side_of
from controller.vision.readings import AT_HOLE, BoardReading, SeenDisc

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """What changed, by side where it says so. Discs that were to be taken off are `marked`, the others in play."""

    side_of: Mapping[str, str]  # of every disc that the match knows to lie there
    known: Mapping[str, ev.Measured]
    still: Mapping[str, SeenDisc]
    left: Mapping[str, tuple[str, ...]]  # discs in play that are not where they were
    marked: Mapping[str, tuple[str, ...]]  # marked discs that are not where they were
    appeared: Mapping[str, tuple[SeenDisc, ...]]  # places where no disc of the side lay
    in_ditch: Mapping[str, int]  # discs that lie in the ditch and did not before
    owed: Mapping[str, int]  # discs that are off, and were never seen in the ditch
    ditch: tuple[SeenDisc, ...]
    ditch_emptied: bool  # discs lay in the ditch, and none does now
    in_play_still: bool  # some disc in play lies where it was
    strangers: tuple[ev.Stranger, ...]  # those of the match's strangers that still lie there
    obstructed: bool
    stayed: bool  # a disc that the sensor made a twenty was left in the hole while people played on

    @classmethod
    def of(cls, state: MatchState, reading: BoardReading, ditch: Ditch) -> "ReadBoard":
        """Hold a reading against the match; `ditch` is what was seen to lie there before."""
        sides = state.game.terms.ids
        stayed = _stayed_in_hole(state, reading)
        discs = [with_sensor(d.of_side(side_of(d, state)), state.hole_level, stayed) for d in reading.discs]
        owner = {name: state.side_of(name) for name in state.measured}
        down = _in_ditch(reading, discs)
        known = {n: (owner[n], m) for n, m in state.measured.items()}
        change = compare(known, _out_of_ditch(state, reading, discs), _refilled(state))
        left, marked = _in_play_and_marked(state, change.left)
        return cls(
            side_of=owner,
            known=state.measured,
            still=change.still,
            left=_by_side(left, owner.__getitem__, sides),
            marked=_by_side(marked, owner.__getitem__, sides),
            appeared=_by_side(change.appeared, lambda d: d.side, sides),
            in_ditch={side: ditch.gained(down, side) for side in sides},
            owed={side: max(_off(state, side) - ditch.count(side), 0) for side in sides},
            ditch=down,
            in_play_still=any(n not in state.to_remove for n in change.still),
            ditch_emptied=bool(ditch.known) and all(d.pose != "ditch" for d in discs),
            strangers=tuple(s for s in state.strangers if _is_at(s, discs)),
            obstructed=reading.obstructed,
            stayed=stayed,
        )

    @property
    def all_left(self) -> tuple[str, ...]:
        """The discs in play that are not where they were, of all sides."""
        return tuple(n for names in self.left.values() for n in names)

    @property
    def all_appeared(self) -> tuple[SeenDisc, ...]:
        """The new places of all sides."""
        return tuple(d for discs in self.appeared.values() for d in discs)


def _out_of_ditch(state: MatchState, reading: BoardReading, discs: list[SeenDisc]) -> list[SeenDisc]:
    """The discs on the surface and at the hole, without strangers.

    Where a hand hides the hole and the sensor still feels the disc that the match knows there, that disc is among them.
    """
    up = [d for d in discs if d.pose != "ditch" and not _is_at(d, state.strangers)]
    if reading.obstructed and state.hole_level and not any(d.pose in AT_HOLE for d in up):
        up += [_as_known(m, state.side_of(n)) for n, m in state.measured.items() if m.pose == "in_hole"]
    return up


def _in_ditch(reading: BoardReading, discs: list[SeenDisc]) -> tuple[SeenDisc, ...]:
    """The discs in the ditch, without those that a hand may carry over it."""
    return tuple(d for d in discs if d.pose == "ditch" and not reading.hides(d.x, d.y, READ_BOARD.in_hand_mm))


def _is_at(place: At, others: Iterable[At]) -> bool:
    """Whether one of the others lies so near that it is the same disc, where one of the two is a stranger."""
    return any(distance(place, other) < READ_BOARD.stranger_mm for other in others)


def _refilled(state: MatchState) -> bool:
    """Whether by the sensor a disc came into the hole after it was empty."""
    return any(not earlier.occupied and later.occupied for earlier, later in pairwise(state.hole))


def _in_play_and_marked(state: MatchState, left: Iterable[str]) -> tuple[list[str], list[str]]:
    """Of the discs that left their place those in play, and those that were to be taken off."""
    names = list(left)
    return [n for n in names if n not in state.to_remove], [n for n in names if n in state.to_remove]


def _by_side(things: Iterable[T], side_of: Callable[[T], str | None], sides: Iterable[str]) -> dict[str, tuple[T, ...]]:
    every = list(things)
    return {side: tuple(thing for thing in every if side_of(thing) == side) for side in sides}


def _off(state: MatchState, side: str) -> int:
    """How many of the side's discs are neither on the board nor banked."""
    current = state.game.round
    lying = sum(owner == side and name in state.measured for name, owner in current.owners.items())
    banked = sum(name not in state.measured for name in current.twenties[side])
    return sum(owner == side for owner in current.owners.values()) - lying - banked


def _stayed_in_hole(state: MatchState, reading: BoardReading) -> bool:
    """Whether a disc that the sensor made a twenty was left in the hole while people took the shot after it."""
    if not state.hole_level or reading.obstructed:
        return False
    shots = state.game.round.shots
    return any(m.pose == "in_hole" and shots and name not in shots[-1].shot.rest for name, m in state.measured.items())


def _as_known(measured: ev.Measured, side: str) -> SeenDisc:
    """A disc in the hole as the match knows it: a hand may hide it, and the sensor feels that it lies there."""
    m = measured
    return SeenDisc(m.x, m.y, "", (0.0, 0.0, 0.0), m.pose, m.zone, m.clearance, m.sigma, m.call, side)


def with_sensor(disc: SeenDisc, level: bool | None, stayed: bool) -> SeenDisc:
    """A disc at the hole as camera and sensor together have it, by the first row that fits.

    `level` is whether the sensor feels a disc; None where it has said nothing.

    | sensor | camera | pose | call |
    | --- | --- | --- | --- |
    | none | any | the camera's | the camera's |
    | any | not sure, and the disc `stayed` | in the hole | close |
    | differs | not sure | the sensor's | close |
    | agrees | any | the camera's | sure |
    | differs | sure | the camera's | close |

    A disc that `stayed` while people played on is not sure although the sensor feels it: people leave a disc there that
    leans, and a leaning disc may reach the sensor too.
    """
    if level is None or disc.pose not in AT_HOLE:
        return disc
    if disc.call == "close" and stayed:
        return replace(disc, pose="in_hole", zone=20)
    if disc.call == "close" and (disc.pose == "in_hole") != level:
        return replace(disc, pose="in_hole", zone=20) if level else replace(disc, pose="leaning", zone=15)
    return replace(disc, call="sure" if (disc.pose == "in_hole") == level else "close")


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


def lying_on(reading: BoardReading) -> tuple[ev.Stranger, ...]:
    """Every disc on the surface and in the hole, as one that is not the match's."""
    return tuple(stranger(d) for d in reading.discs if d.pose != "ditch")


def until_cleared(state: MatchState, reading: BoardReading) -> ev.BoardSeen | None:
    """The event that takes all discs for strangers, until the board was seen empty.

    No shot of the match that has begun brought them. None while a hand is in the way, or as long as the same strangers
    lie there.
    """
    lying = lying_on(reading)
    as_known = len(lying) == len(state.strangers) and all(_is_at(d, state.strangers) for d in lying)
    if reading.obstructed or (lying and as_known):
        return None
    return ev.BoardSeen(measured={}, strangers=lying)
