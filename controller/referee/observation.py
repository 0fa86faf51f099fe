"""The observations since the last board, as one value: the board at rest, films, the hole, hands."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product

from controller.match.state import MatchState
from controller.referee.read_board import distance, with_sensor
from controller.referee.sensor import SensorHealth, dwells
from controller.referee.settings import SEATED
from controller.vision.film.film import Film
from controller.vision.readings import AT_HOLE, BoardReading, SeenDisc
from hardware.board import TOURNAMENT

SAME_PLACE = 25.0
"""mm between two readings of one disc in the ditch: discs there are at least their diameter of 32 mm apart."""
PUSHED = 80.0
"""mm along the ditch by which a disc that falls in pushes one that is there. Judged."""
IN_HAND = 60.0
"""mm from an object that hides the ditch: a hand may be carrying a disc there. Judged: the length of fingers."""

EDGE = TOURNAMENT.surface_radius


@dataclass(frozen=True, slots=True)
class DitchSeen:
    """The discs seen in the ditch in this round; `known` is None before the first reading.

    They are dark on dark felt: the camera sees one in one picture and misses it in the next. So each seen disc is
    remembered. A disc at a new place is new, unless one nearby is missing: then that one was pushed along.
    """

    known: tuple[SeenDisc, ...] | None = None

    def arrived(self, seen: Iterable[SeenDisc]) -> tuple[SeenDisc, ...]:
        """The discs that came into the ditch since the last board."""
        return () if self.known is None else tuple(sorted(self._compare(seen)[1], key=lambda d: str(d.side)))

    def count(self, side: str) -> int:
        """The number of a side's discs that were ever seen there."""
        return sum(d.side == side for d in self.known or ())

    def after(self, seen: Iterable[SeenDisc]) -> "DitchSeen":
        """The ditch with these discs there now."""
        pushed, come = self._compare(seen)
        return DitchSeen((*(pushed.get(d, d) for d in self.known or ()), *come))

    def _compare(self, seen: Iterable[SeenDisc]) -> tuple[dict[SeenDisc, SeenDisc], list[SeenDisc]]:
        """The discs that were pushed along, as they lie now by as they lay before, and those that are new."""
        here, known = [d for d in seen if d.side is not None], self.known or ()
        come, missing = _apart_from(known, here), _apart_from(here, known)
        pushed: dict[SeenDisc, SeenDisc] = {}
        for was, now in sorted(product(missing, come), key=lambda pair: distance(*pair)):
            if was in missing and now in come and was.side == now.side and distance(was, now) < PUSHED:
                pushed[was] = now
                missing.remove(was)
                come.remove(now)
        return pushed, come


@dataclass(frozen=True, slots=True)
class BetweenBoards:
    """What was seen besides boards since the last board."""

    hand: bool = False
    hands_reported: bool | None = None  # None at the first board; False for single pictures, which may miss a hand
    beside: bool = False  # a hand is there now, beside the surface
    waited: tuple[float, ...] = ()  # the times of readings that were not weighed, since a hand may have hidden a disc
    unwatched: bool = False  # the camera saw nothing for a while
    films: tuple[Film, ...] = ()
    after: int = 0  # the journal's newest event when the board was read
    trust: SensorHealth = field(default_factory=SensorHealth)  # in camera and sensor at the hole

    def merged_with(self, later: "BetweenBoards") -> "BetweenBoards":
        """Everything seen in either period, if no board between them could be weighed."""
        return replace(
            later,
            hand=self.hand or later.hand,
            unwatched=self.unwatched or later.unwatched,
            films=(*self.films, *later.films),
        )


@dataclass(frozen=True, slots=True)
class Observation:
    """One board at rest, with everything seen since the previous one."""

    reading: BoardReading
    discs: tuple[SeenDisc, ...]  # on the surface and at the hole, without those of no known side
    in_ditch: tuple[SeenDisc, ...]  # including those that a hand may be carrying there
    ditch: tuple[SeenDisc, ...]  # without them
    arrived: tuple[SeenDisc, ...]  # those of `ditch` that are new
    owed: dict[str, int]  # by side, the number of discs that are off and were never seen in the ditch
    emptied: bool  # discs were in the ditch, and none is now
    dwelt: int  # the number of discs that by the sensor were in the hole and left it
    felt: bool  # by the sensor one is there now, but the camera sees none
    dwelt_side: str | None  # the side of the last of them, if the sensor measured its colour
    refilled: bool  # by the sensor a disc came into the hole after it was empty
    level: bool | None  # whether the sensor reports a disc in the hole; None without a trusted sensor
    shown_at_hole: SeenDisc | None  # by the camera alone
    on_late: bool  # by the sensor a disc came into the hole, and it was empty before
    hidden_share: float | None  # of the surface where discs count, what something hides; None if that is not known
    hidden_share_of_ditch: float | None  # the same of its inner half: a disc there is seen if the outer one is hidden
    watching: BetweenBoards

    @property
    def camera_sure_of_hole(self) -> bool:
        """Whether the camera by itself is sure of the pose of a disc at the hole."""
        return self.shown_at_hole is not None and self.shown_at_hole.call == "sure"

    @property
    def at_hole(self) -> str:
        """What camera and sensor report of a disc at the hole, by its name in the table of evidence; empty without
        one."""
        if (disc := self.shown_at_hole) is None:
            return ""
        felt = {None: "no sensor", True: "felt", False: "not felt"}[self.level]
        return f"in hole: {'flat' if disc.pose == 'in_hole' else 'leaning'} {disc.call}, {felt}"

    @property
    def waited(self) -> int:
        """The number of readings on which the same hand lay over the board, and which were not weighed."""
        return len(self.watching.waited) if self.reading.obstructed else 0


def observe(
    state: MatchState, reading: BoardReading, discs: Sequence[SeenDisc], ditch: DitchSeen, watching: BetweenBoards
) -> Observation:
    """The observation of this reading; `discs`: those of it, with their sides. `state.hole`: the sensor's changes, none
    if it is not trusted."""
    shown = _shown(state, discs, watching)
    on_surface = _on_surface(state, reading, shown)
    at_hole = _at_hole(on_surface) is not None
    in_ditch = tuple(d for d in shown if d.pose == "ditch")
    down = tuple(d for d in in_ditch if not reading.hides(d.x, d.y, IN_HAND))
    return Observation(
        reading,
        tuple(on_surface),
        in_ditch,
        down,
        arrived=ditch.arrived(down),
        owed={side: _owed(state, ditch, side) for side in state.sides},
        emptied=bool(ditch.known) and not in_ditch,
        dwelt=_dwelt(state, at_hole),
        felt=not at_hole and _felt(state, reading, watching),
        dwelt_side=next((change.side for change in reversed(state.hole) if change.side is not None), None),
        refilled=any(not earlier.occupied and later.occupied for earlier, later in pairwise(state.hole)),
        level=state.hole_level,
        shown_at_hole=_at_hole(shown),
        on_late=_begins_filled(state),
        hidden_share=reading.hidden_share(0.0, TOURNAMENT.outer_line - TOURNAMENT.disc.radius),
        hidden_share_of_ditch=reading.hidden_share(EDGE, EDGE + TOURNAMENT.ditch_width / 2),
        watching=watching,
    )


def _on_surface(state: MatchState, reading: BoardReading, shown: Iterable[SeenDisc]) -> list[SeenDisc]:
    """The discs of the match's sides that are not in the ditch."""
    stays = _stays_in_hole(state, reading)
    up = (d for d in shown if d.pose != "ditch" and d.side is not None)
    found = [with_sensor(d, state.hole_level, stays) for d in up]
    return [*found, *_felt_under_hand(state, reading, found)]


def _shown(state: MatchState, discs: Sequence[SeenDisc], watching: BetweenBoards) -> list[SeenDisc]:
    """The reading's discs; none at the hole if the camera mistakes it for a disc and the sensor has none.

    Without a sensor a disc that leans by a doubtful picture counts as flat: of simulated shots 13 in 100 end in the
    hole, and 1 in 600 leans. People leave one that leans, which is then asked about.
    """
    if state.hole_level is None:
        return [replace(d, pose="in_hole", zone=20) if (d.pose, d.call) == ("leaning", "close") else d for d in discs]
    empty = watching.trust.empty_unseen and not state.hole_level
    return [d for d in discs if not (empty and d.pose in AT_HOLE)]


def _at_hole(discs: Iterable[SeenDisc]) -> SeenDisc | None:
    return next((disc for disc in discs if disc.pose in AT_HOLE), None)


def _stays_in_hole(state: MatchState, reading: BoardReading) -> bool:
    """Whether people left a disc, a twenty by the sensor, in the hole and took the next shot."""
    if not state.hole_level or reading.obstructed or not state.game.round.shots:
        return False
    newest = state.game.round.shots[-1].shot.rest
    return any(m.pose == "in_hole" and name not in newest for name, m in state.measured.items())


def _felt_under_hand(state: MatchState, reading: BoardReading, up: Iterable[SeenDisc]) -> Iterator[SeenDisc]:
    """The disc known to be in the hole, if something hides it and the sensor reports it."""
    if not reading.obstructed or not state.hole_level or _at_hole(up):
        return
    for name, m in state.measured.items():
        if m.pose == "in_hole":
            side = state.side_of(name)
            yield SeenDisc(m.x, m.y, "", (0.0, 0.0, 0.0), m.pose, m.zone, m.clearance, m.sigma, m.call, side)


def _owed(state: MatchState, ditch: DitchSeen, side: str) -> int:
    """The number of the side's discs that are neither on the board nor banked, and were never seen in the ditch."""
    owners, banked = state.game.round.owners, state.game.round.twenties[side]
    gone = (name for name in owners if name not in state.measured and name not in banked)
    off = sum(owners[name] == side for name in gone)
    return max(off - ditch.count(side), 0)


def _dwelt(state: MatchState, at_hole: bool) -> int:
    """The number of discs that were in the hole long enough and left it, without one known there and reported late."""
    lifted = sum(span >= SEATED for span in dwells(state.hole))
    known = any(m.pose in AT_HOLE for m in state.measured.values())
    reported_late = known and not at_hole and _begins_filled(state)
    return max(lifted - reported_late, 0)


def sensor_alone(reading: BoardReading, watching: BetweenBoards) -> bool:
    """Whether the camera cannot tell the empty hole from a disc in it, so that the sensor counts at once."""
    return watching.trust.discs_unseen or reading.hole_unclear


def _felt(state: MatchState, reading: BoardReading, watching: BetweenBoards) -> bool:
    """Whether by the sensor a disc has been in the hole long enough, and a reading of the whole board shows none."""
    since = reading.t - (0.0 if sensor_alone(reading, watching) else SEATED)
    return not reading.obstructed and any(last.occupied and last.t <= since for last in state.hole[-1:])


def _begins_filled(state: MatchState) -> bool:
    """Whether the sensor's first change was that a disc came into the hole."""
    return bool(state.hole and state.hole[0].occupied)


def _apart_from(others: Sequence[SeenDisc], discs: Sequence[SeenDisc]) -> list[SeenDisc]:
    """Those of the discs that are at no place of one of their side's others."""
    return [d for d in discs if all(distance(d, it) > SAME_PLACE for it in others if it.side == d.side)]
