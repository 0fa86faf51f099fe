"""Classifies discs by side. The sides' colours are learnt from a match's first discs, and stored in the journal."""

import math
from dataclasses import replace

from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee.settings import COLOURS
from controller.vision.readings import BoardReading, SeenDisc
from controller.vision.side_colours import SetColours


def learn_colours(state: MatchState, reading: BoardReading) -> ev.ColoursLearnt | None:
    """Learn one more side's colour, from a disc that has no known side's colour. The disc's side:

        the sides said what they play             the side that said this colour
        one new colour lies there                 the next side in the order of play whose colour is not known
        several new colours, certified in set-up  the side for which set-up certified it
        several new colours, two sides            the next side in the order of play
        several new colours, more sides           nobody can tell which came first: nothing is learnt

    The order of play takes precedence over the certified side: another match may be played with the colours exchanged.
    The learnt colour is the certified one if the disc has one, else the disc's own.
    """
    unknown = _in_order_of_play(state)
    new = [d for d in reading.discs if d.pose != "ditch" and clearly_seen(d) and _is_new(d, state)]
    if not unknown or not new:
        return None
    shown = max(new, key=lambda d: _nearest(d, state) if state.colours else d.visible)
    side = _owner(shown, new, unknown, state)
    if side is None:
        return None
    return ev.ColoursLearnt(sides={side: _set(state).of(shown.lab)})


def clearly_seen(disc: SeenDisc) -> bool:
    """Whether it is certainly a disc with a readable colour, not part of a hand."""
    return disc.log_odds is None or disc.log_odds > COLOURS.log_odds


def is_foreign(disc: SeenDisc, state: MatchState) -> bool:
    """Whether a clearly seen disc has no side's colour."""
    return bool(state.colours) and disc.pose == "flat" and clearly_seen(disc) and _is_new(disc, state)


def _owner(shown: SeenDisc, new: list[SeenDisc], unknown: list[str], state: MatchState) -> str | None:
    """The side whose colour the disc `shown`, one of the `new` ones, has; None if uncertain."""
    said = [side for side in unknown if state.started.sides[state.sides.index(side)].colour == shown.colour]
    if len(said) == 1 or len(unknown) == 1:
        return said[0] if said else unknown[0]
    if not any(_set(state).differ(d.lab, shown.lab) for d in new):
        return unknown[0]
    certified = _set(state).side_of(shown.lab)
    if certified in unknown:
        return certified
    return unknown[0] if len(state.sides) == 2 else None


def _in_order_of_play(state: MatchState) -> list[str]:
    """The sides of unknown colour, the one to shoot first."""
    current = state.game.round
    seats = state.game.terms.clockwise_from(current.seat_to_shoot or current.starter_seat)
    return [side for side in dict.fromkeys(side for _, side in seats) if side not in state.colours]


def side_of(disc: SeenDisc, state: MatchState) -> str | None:
    """The side with the nearest colour; with one colour unknown, a distant colour is that side's. None if uncertain,
    and for a possible part of a hand without a side's colour: otherwise a finger on a disc would be a disc of the side
    whose colour is nearest to skin.
    """
    if not state.colours:
        return None
    if _is_new(disc, state):
        if not clearly_seen(disc):
            return None
        if unknown := [side for side in state.sides if side not in state.colours]:
            return unknown[0] if len(unknown) == 1 else None
    colours = _set(state)
    return min(state.colours, key=lambda side: colours.apart(disc.lab, state.colours[side]))


def sided(reading: BoardReading, state: MatchState) -> BoardReading:
    """The reading with its discs assigned to the sides of known colour."""
    return replace(reading, discs=tuple(d.of_side(side_of(d, state)) for d in reading.discs))


def _set(state: MatchState) -> SetColours:
    return SetColours(state.certified)


def _is_new(disc: SeenDisc, state: MatchState) -> bool:
    """Whether the disc's colour is no known side's."""
    return all(_set(state).differ(disc.lab, lab) for lab in state.colours.values())


def _nearest(disc: SeenDisc, state: MatchState) -> float:
    """The distance from the disc's colour to the nearest known one."""
    return min((_set(state).apart(disc.lab, lab) for lab in state.colours.values()), default=math.inf)
