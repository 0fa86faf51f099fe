"""Shots that the table did not see: one that people add, and all those of a round that it takes over."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from controller import rules
from controller.errors import Refused
from controller.match import events as ev
from controller.match.discs import SAME_PLACE
from controller.match.state import MatchState
from controller.messages import say
from controller.referee.read_board import distance, measure, stranger
from controller.referee.whose_disc import learn_colours, side_of
from controller.vision.readings import BoardReading, SeenDisc
from controller.vision.side_colours import SetColours

TAPPED = 25.0  # mm: a disc that the camera sees this near to people's tap is the one they mean


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """The newest `reading` of a match's board, for the commands of `controller.match` that need it."""

    state: MatchState
    reading: BoardReading | None

    def disc_at(self, x: float, y: float) -> ev.Measured:
        """The disc that people tapped, as the camera measured it; if it sees none, as they tapped it."""
        at, known = (x, y), [(m.x, m.y) for m in self.state.measured.values()]
        seen = [
            d
            for d in (self.reading.discs if self.reading else ())
            if math.dist((d.x, d.y), at) < TAPPED and all(math.dist((d.x, d.y), k) > SAME_PLACE for k in known)
        ]
        return measure(min(seen, key=lambda d: math.dist((d.x, d.y), at))) if seen else ev.Measured.at(x, y)

    def taken_over(self, left: Mapping[ev.SideId, int]) -> list[ev.Event]:
        """The events that adopt the read board as the round's. Raises `Refused` if `left` can't be right."""
        state, reading = self.state, self.reading
        if reading is None:
            raise Refused(say("The table has not seen the board yet: wait until it has, or go on without left."))
        learnt = _learnt(state, reading)
        for event in learnt:
            state = event.apply(state)
        shots = _unseen_shots(state, left)
        owners = {**state.game.round.owners, **{disc: side for side, disc in shots}}
        lying = (disc for disc in reading.discs if disc.pose != "ditch" and disc.zone)  # others are ready to be shot
        seen = [disc.of_side(side_of(disc, state)) for disc in lying]
        strangers = [stranger(disc) for disc in seen if disc.side is None]
        measured = _measured(seen, owners, state)
        return [*learnt, ev.BoardAdopted(shots=tuple(shots), measured=measured, strangers=tuple(strangers))]


def _measured(seen: list[SeenDisc], owners: Mapping[str, str], state: MatchState) -> dict[str, ev.Measured]:
    """The sides' discs on the board, by name. Raises `Refused` if a side has more there than it has shot."""
    measured: dict[str, ev.Measured] = {}
    for side in state.sides:
        mine = [disc for disc in seen if disc.side == side]
        free = [name for name, owner in owners.items() if owner == side]
        if len(mine) > len(free):
            raise Refused(
                say(
                    "left: {count} discs of {side} lie on the board, but only {shot} were shot.",
                    count=len(mine),
                    side=side,
                    shot=len(free),
                )
            )
        measured |= {name: measure(disc) for name, disc in _named(mine, free, state).items()}
    return measured


def _learnt(state: MatchState, reading: BoardReading) -> list[ev.ColoursLearnt]:
    """The sides' colours, by set-up or the sides' own choice. Raises `Refused` without either."""
    up = [disc for disc in reading.discs if disc.pose != "ditch"]
    said, certified = {side.colour for side in state.started.sides}, SetColours(state.certified)
    known = any(disc.colour in said or certified.side_of(disc.lab) for disc in up)
    if up and not state.colours and not known:
        raise Refused(say("The table does not know whose discs are whose: say the sides' colours when a match starts."))
    events: list[ev.ColoursLearnt] = []
    while learnt := learn_colours(state, reading):
        events.append(learnt)
        state = learnt.apply(state)
    return events


def _unseen_shots(state: MatchState, left: Mapping[ev.SideId, int]) -> list[tuple[str, str]]:
    """(side, disc) of each shot that must have happened, in order of turn."""
    left_now = state.game.round.shots_left
    missing = {side: left_now[side] - left.get(side, 0) for side in state.sides}
    shots: list[tuple[str, str]] = []
    while any(count > 0 for count in missing.values()):
        side = state.game.round.to_shoot
        if side is None or missing[side] <= 0:
            break
        missing[side] -= 1
        disc = state.next_disc(side)
        shots.append((side, disc))
        state = replace(state, game=state.game.play(rules.Shot(side, disc, (), {disc: rules.DITCH})))
    if any(missing.values()):
        known = ", ".join(f"{side} {count}" for side, count in left_now.items())
        raise Refused(say("left: that does not fit the order of turns; by the table's count it is {left}.", left=known))
    return shots


def _named(mine: list[SeenDisc], free: list[str], state: MatchState) -> dict[str, SeenDisc]:
    """The seen discs by name: a disc's own if it has not moved, else the latest free one."""
    named: dict[str, SeenDisc] = {}
    rest: list[SeenDisc] = []
    for disc in mine:
        near = [n for n in free if n in state.measured and distance(state.measured[n], disc) < SAME_PLACE]
        if near and near[0] not in named:
            named[near[0]] = disc
        else:
            rest.append(disc)
    spare = [name for name in reversed(free) if name not in named]
    return named | dict(zip(spare, rest, strict=False))
