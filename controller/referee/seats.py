"""Learns the seats from play: from discs that are ready to be shot, and from the places of flicks.

Every seating has a weight, in nats. Evidence that does not fit a seating reduces its weight:

| evidence | fits a seating if it is | otherwise it costs, of `SEATS` |
| --- | --- | --- |
| a disc placed ready | in the quarter of its player's seat | `beyond_line`; `other_seat` beyond `slack` |
| a filmed flick | in the quarter of the player whose turn it was | `other_flick` |
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.match import events as ev
from controller.match.seating import SIDES_OF_THE_BOARD, Direction, Directions, Seating, ways_to_sit
from controller.match.state import MatchState
from controller.referee.belief import Hypothesis
from controller.referee.questions import question
from controller.referee.settings import SEATS
from controller.referee.whose_disc import clearly_seen
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT

NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of evidence. A disc that is ready in several readings is one piece."""

    kind: str  # "flick", or the side whose disc is ready
    round: int
    shot: int
    direction: float  # degrees, the calibration's frame

    def cost(self, off: float) -> float:
        """Its cost for a seating that is off by this angle."""
        if off <= SEATS.quarter:
            return 0.0
        if self.kind == "flick":
            return SEATS.other_flick
        return SEATS.beyond_line if off <= SEATS.quarter + SEATS.slack else SEATS.other_seat

    def same_as(self, other: "Piece") -> bool:
        """Whether the other piece is another sighting of the same disc."""
        same = self.kind == other.kind and self.round == other.round
        if self.kind == "flick":
            return same and self.shot == other.shot
        return same and angle(self.direction, other.direction) < SEATS.same_place


@dataclass(frozen=True, slots=True)
class Seats:
    """The weights of all seatings in one match; after a restart they begin with what was learnt."""

    _ways: tuple[Directions, ...] = ()
    _weights: tuple[float, ...] = ()  # of each seating, 0 for the best
    _followed: Seating | None = None  # the match's seating at the last look
    _counted: tuple[Piece, ...] = ()
    _asked: bool = False

    def following(self, state: MatchState) -> "Seats":
        """With the match's seating if people entered it or a restart lost the weights."""
        seating = state.seating
        if seating == self._followed:
            return self
        if self._weights and self._best == seating.directions:
            return replace(self, _followed=seating)
        ways = self._ways or ways_to_sit(dict(state.game.terms.seats))
        known = SEATS.known if seating.sure else SEATS.seated_before if state.started.directions else 0.0
        return Seats(ways, tuple(0.0 if way == seating.directions else -known for way in ways), seating)

    def may_be_ready(self, disc: SeenDisc, seat: int) -> bool:
        """Whether somebody in this seat may have placed a disc here, in any plausible seating."""
        most = SEATS.quarter + SEATS.slack
        return _lies_out(disc) and any(angle(bearing(disc), way[seat]) <= most for way in self._plausible)

    def after(self, best: Hypothesis) -> tuple["Seats", ev.Event | None]:
        """The seats after one more board, and the event that sets them, or asks people for them; None if nothing is
        new. `best`: the best hypothesis, with its ready discs and the film of its newest shot.
        """
        seats, state, current = self, best.state, best.state.game.round
        for disc in filter(_lies_out, filter(clearly_seen, best.ready)):
            if (seat := _seat_of(state, disc)) is not None:
                piece = Piece(str(disc.side), current.number, len(current.shots), bearing(disc))
                seats = seats._counting(piece, seat)
        for newest in best.transitions[-1:]:
            film, shots = newest.film, newest.association.shots
            if film is not None and film.flicked and (shooter := shots[0].seat_to_shoot) is not None:
                piece = Piece("flick", current.number, len(current.shots), film.flicked_from)
                seats = seats._counting(piece, shooter)
        return seats._learnt(state)

    def _learnt(self, state: MatchState) -> tuple["Seats", ev.Event | None]:
        if self._probability >= SEATS.sure:
            known = state.seating.sure and state.seating.directions == self._best
            return self, None if known else ev.SeatsLearnt(directions=dict(self._best))
        placed = sum(piece.kind != "flick" for piece in self._counted)
        if self._asked or placed < len(self._best) or len(self._plausible) < 2:
            return self, None  # people are asked only after as many ready discs as there are players
        return replace(self, _asked=True), ask(state, self._plausible)

    def _counting(self, piece: Piece, seat: int) -> "Seats":
        """With the cost of a piece of evidence subtracted from each seating's weight, unless it was counted before."""
        if any(piece.same_as(other) for other in self._counted):
            return self
        costs = (piece.cost(angle(piece.direction, way[seat])) for way in self._ways)
        weights = [w - paid for w, paid in zip(self._weights, costs, strict=True)]
        likeliest = tuple(max(w - max(weights), -SEATS.known) for w in weights)
        return replace(self, _weights=likeliest, _counted=(*self._counted, piece))

    @property
    def _best(self) -> Directions:
        return self._ways[self._weights.index(0.0)]

    @property
    def _probability(self) -> float:
        return 1 / sum(map(math.exp, self._weights))

    @property
    def _plausible(self) -> list[Directions]:
        return [way for way, w in zip(self._ways, self._weights, strict=True) if w >= -SEATS.plausible]


def ask(state: MatchState, ways: Sequence[Directions]) -> ev.QuestionAsked:
    """Ask who sits at one side of the board: the side that separates most of these seatings."""
    here = min(SIDES_OF_THE_BOARD, key=lambda side: _most_alike(ways, side))
    does: dict[str, tuple[ev.Event, ...]] = {}
    for seat in (*sorted(ways[0]), None):
        way = next((way for way in ways if _who_is(way, here) == seat), None)
        if way is not None:
            does[NOBODY if seat is None else str(seat)] = (ev.SeatsLearnt(directions=dict(way)),)
    return question(state, "seats", does, toward=here)


def _most_alike(ways: Sequence[Directions], side: Direction) -> int:
    """The number of these seatings that share the commonest player (or nobody) at this side of the board."""
    who = [_who_is(way, side) for way in ways]
    return max(who.count(one) for one in who)


def _who_is(way: Directions, side: Direction) -> int | None:
    return next((seat for seat, direction in way.items() if direction == side), None)


def _seat_of(state: MatchState, disc: SeenDisc) -> int | None:
    """The seat from which a ready disc was placed: that of its side's next turn; None if the round is complete."""
    current = state.game.round
    if current.seat_to_shoot is None:
        return None
    seats = state.game.terms.clockwise_from(current.seat_to_shoot)
    return next((seat for seat, side in seats if side == disc.side), None)


def bearing(disc: SeenDisc) -> float:
    """The direction of a disc from the hole, in degrees."""
    return math.degrees(math.atan2(disc.y, disc.x))


def angle(direction: float, other: float) -> float:
    """The angle between two directions, 0 to 180 degrees."""
    return abs((direction - other + 180) % 360 - 180)


def _lies_out(disc: SeenDisc) -> bool:
    """Whether a disc is on the surface beyond the ring of five, where discs are placed to be shot."""
    return disc.zone == 0 and math.hypot(disc.x, disc.y) < TOURNAMENT.surface_radius
