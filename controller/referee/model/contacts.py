"""How likely it is that a shot touched a disc that lies where it was: from how it lies, and from the film."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller.referee.doubts import Graze
from controller.referee.model.board import Board
from controller.referee.model.evidence import either, mm, nats, nats_not, odds, spread
from controller.referee.settings import FILMED
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
    board: Board, still: Mapping[str, SeenDisc], rest: Iterable[SeenDisc], others: Iterable[str]
) -> list[Grazed]:
    """Of these discs that lie still, the likeliest first; `rest` are the places of the discs that the shot moved."""
    known, places = board.state.measured, [d for d in rest if d.pose == "flat"]
    flat = {name: (known[name], d) for name, d in still.items() if d.pose == "flat"}
    found = []
    for name in others:
        if name in flat:
            lay, d = flat[name]
            moved = board.away(lay, d)
            gap = min(
                (math.dist((p.x, p.y), (d.x, d.y)) - 2 * TOURNAMENT.disc.radius for p in places), default=math.inf
            )
            graze = Graze(name, moved, gap if gap < TOUCHING else None)
            found.append(Grazed(graze, _odds(board, name, d, gap < TOUCHING)))
    return sorted(found, key=lambda g: -g.odds)


def _odds(board: Board, name: str, d: SeenDisc, against: bool) -> float:
    known = board.state.measured[name]
    lies = board.jitter(known, d)
    traced = spread(board.away(known, d), mm("softly touched"))
    filmed = None if board.film is None else board.film.touched(name, moved=False)
    if filmed is None or filmed <= FILMED.missed:
        told = odds("touched, lies still") + (math.log(FILMED.missed) if filmed is not None else 0.0)
    else:
        told = math.log(filmed / (1 - min(filmed, MOST)))
    told += lies - either(math.log(2) + lies, math.log(2) + traced)  # a soft touch leaves a trace, or none
    touched, untouched = ("rests against, touched", "rests against, not")
    return told + (nats(untouched) - nats(touched) if against else nats_not(untouched) - nats_not(touched))
