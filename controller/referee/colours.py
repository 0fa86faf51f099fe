"""Whose disc it is, by its colour: learnt from the first discs of a match, kept in the journal."""

import math
from collections.abc import Mapping

from controller import events as ev
from controller.match import MatchState
from controller.vision.readings import BoardReading, SeenDisc

COLOUR_APART = 18.0  # CIE dE: less is the same side's colour in other light, more is the other side's


def learn_colours(state: MatchState, reading: BoardReading) -> ev.ColoursLearnt | None:
    """The first disc on the board is the shooter's, or the side's that said it plays this colour.

    The first disc of another colour is the other side's.
    """
    up = [d for d in reading.discs if d.pose != "ditch"]
    if len(state.colours) == 2 or not up:
        return None
    if not state.colours:
        first = max(up, key=lambda d: d.visible)
        said = [side for side, info in zip("AB", state.started.sides, strict=True) if info.colour == first.colour]
        side = said[0] if len(said) == 1 else state.game.round.to_shoot
        return ev.ColoursLearnt.model_validate({"sides": {side or "A": first.lab}})
    ((side, lab),) = state.colours.items()
    far = max(up, key=lambda d: _apart(d.lab, lab))
    if _apart(far.lab, lab) < COLOUR_APART:
        return None
    return ev.ColoursLearnt.model_validate({"sides": {"B" if side == "A" else "A": far.lab}})


def side_of(disc: SeenDisc, colours: Mapping[str, ev.Lab]) -> str | None:
    """The side whose colour is nearest; with one colour known, a far one is the other side's; None with none."""
    if not colours:
        return None
    side = min(colours, key=lambda s: _apart(disc.lab, colours[s]))
    if len(colours) == 1 and _apart(disc.lab, colours[side]) >= COLOUR_APART:
        return "B" if side == "A" else "A"
    return side


def sided(reading: BoardReading, colours: Mapping[str, ev.Lab]) -> BoardReading:
    """The reading with its discs given to the sides whose colours are known."""
    return BoardReading(
        tuple(d.of_side(side_of(d, colours)) for d in reading.discs),
        reading.obstructed,
        reading.milliseconds,
        reading.t,
        reading.frame,
    )


def _apart(a: ev.Lab, b: ev.Lab) -> float:
    return math.dist(a, b)
