"""How likely it is that a shot touched a disc that lies where it was: from how it lies, and from the film."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller.referee.evidence import cost_of, cost_of_absence, log_sum_exp, mm, odds, spread
from controller.referee.questions import Graze
from controller.referee.settings import FILMED
from controller.referee.situation import Situation
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT

TOUCHING = 0.5
"""mm between two discs' edges: nobody can see such a gap, and the camera cannot be sure of it. Judged."""
MOST = 0.999
"""Probability of a contact that the film may give at most: it rounds."""


@dataclass(frozen=True, slots=True)
class Grazed:
    """A disc that may have been touched, and the logarithm of the odds that it was."""

    graze: Graze
    odds: float


def grazed(
    situation: Situation, still: Mapping[str, SeenDisc], rest: Iterable[SeenDisc], others: Iterable[str]
) -> list[Grazed]:
    """Of these discs that lie still, the likeliest first; `rest` are the places of the discs that the shot moved."""
    known, places = situation.state.measured, [d for d in rest if d.pose == "flat"]
    flat = {name: (known[name], d) for name, d in still.items() if d.pose == "flat"}
    found = []
    for name in others:
        if name in flat:
            lay, d = flat[name]
            moved = situation.away(lay, d)
            gap = min(
                (math.dist((p.x, p.y), (d.x, d.y)) - 2 * TOURNAMENT.disc.radius for p in places), default=math.inf
            )
            graze = Graze(name, moved, gap if gap < TOUCHING else None)
            found.append(Grazed(graze, _odds(situation, name, d, gap < TOUCHING)))
    return sorted(found, key=lambda g: -g.odds)


def _odds(situation: Situation, name: str, d: SeenDisc, against: bool) -> float:
    known = situation.state.measured[name]
    lies = situation.jitter(known, d)
    traced = spread(situation.away(known, d), mm("softly touched"))
    filmed = None if situation.film is None else situation.film.touched(name, moved=False)
    if filmed is None or filmed <= FILMED.missed:
        chance = odds("touched, lies still") + (math.log(FILMED.missed) if filmed is not None else 0.0)
    else:
        chance = math.log(filmed / (1 - min(filmed, MOST)))
    chance += lies - log_sum_exp(math.log(2) + lies, math.log(2) + traced)  # a soft touch leaves a trace, or none
    touched, untouched = ("rests against, touched", "rests against, not")
    return chance + (
        cost_of(untouched) - cost_of(touched) if against else cost_of_absence(untouched) - cost_of_absence(touched)
    )
