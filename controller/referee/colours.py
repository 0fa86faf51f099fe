"""Whose disc it is, by its colour: learnt from the first discs of a match, kept in the journal."""

import math
from collections.abc import Mapping
from dataclasses import replace

from controller.match import events as ev
from controller.match.state import MatchState
from controller.vision.readings import BoardReading, SeenDisc

COLOUR_APART = 18.0  # CIE dE: less is the same side's colour in other light, more is another side's


def learn_colours(state: MatchState, reading: BoardReading) -> ev.ColoursLearnt | None:
    """One more side's colour, from a disc that looks like no side's whose colour is known.

    It is the side's that said it plays this colour, else the last one's whose colour is not known. Else sides show
    their colours in the order of play; of several new colours at once nobody could tell which came first, but for the
    first of a match between two.
    """
    unknown = _in_order_of_play(state)
    new = [d for d in reading.discs if d.pose != "ditch" and _far(d, state.colours)]
    if not unknown or not new:
        return None
    shown = max(new, key=lambda d: _nearest(d, state.colours) if state.colours else d.visible)
    said = [side for side in unknown if state.started.sides[state.sides.index(side)].colour == shown.colour]
    if len(said) == 1 and len(unknown) > 1:
        return ev.ColoursLearnt.model_validate({"sides": {said[0]: shown.lab}})
    if len(state.sides) > 2 and len(unknown) > 1 and any(_apart(d.lab, shown.lab) >= COLOUR_APART for d in new):
        return None
    return ev.ColoursLearnt.model_validate({"sides": {unknown[0]: shown.lab}})


def _in_order_of_play(state: MatchState) -> list[str]:
    """The sides whose colour is not known yet, the one to shoot first."""
    current = state.game.round
    seats = state.game.terms.clockwise_from(current.seat_to_shoot or current.starter_seat)
    return [side for side in dict.fromkeys(side for _, side in seats) if side not in state.colours]


def side_of(disc: SeenDisc, state: MatchState) -> str | None:
    """The side whose colour is nearest; with one colour unknown, a far one is that side's; None where nobody knows."""
    unknown = [side for side in state.sides if side not in state.colours]
    if not state.colours:
        return None
    if unknown and _far(disc, state.colours):
        return unknown[0] if len(unknown) == 1 else None
    return min(state.colours, key=lambda side: _apart(disc.lab, state.colours[side]))


def sided(reading: BoardReading, state: MatchState) -> BoardReading:
    """The reading with its discs given to the sides whose colours are known."""
    return replace(reading, discs=tuple(d.of_side(side_of(d, state)) for d in reading.discs))


def _far(disc: SeenDisc, colours: Mapping[str, ev.Lab]) -> bool:
    return _nearest(disc, colours) >= COLOUR_APART


def _nearest(disc: SeenDisc, colours: Mapping[str, ev.Lab]) -> float:
    """How far the disc's colour is from the nearest that is known."""
    return min((_apart(disc.lab, lab) for lab in colours.values()), default=math.inf)


def _apart(a: ev.Lab, b: ev.Lab) -> float:
    return math.dist(a, b)
