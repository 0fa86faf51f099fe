"""What it costs a hypothesis that discs lie where they lay: nobody struck them, took them off, or took them back."""

import math
from collections.abc import Sequence

from controller import rules
from controller.referee.association import STRUCK
from controller.referee.evidence import TABLE, cost_of, cost_of_absence
from controller.referee.situation import Situation, is_still_ready
from controller.vision.readings import SeenDisc


def untouched(shots: int) -> float:
    """What it costs that none of so many shots moved a disc."""
    struck = sum(TABLE[f"struck {how}"].value for how in STRUCK)
    return -shots * math.log1p(-struck)


def cost_of_still(situation: Situation, shots: int) -> float:
    """That discs lie where they were: how they are measured there, that none was taken off, and none struck."""
    marked = [name for name in situation.still if name in situation.state.to_remove]
    lay_flat = [n for n in situation.still if situation.state.measured[n].pose == "in_hole"]
    cost = situation.as_measured + (cost_of("sensor tells late") if situation.seen.on_late and lay_flat else 0.0)
    cost += sum(situation.stays(name, shot=bool(shots)) for name in marked)
    return cost + (len(situation.still) - len(marked)) * untouched(shots)


def cost_of_ready(situation: Situation, first: Sequence[rules.Round], placed: Sequence[SeenDisc]) -> float:
    """Of the discs that lay ready: who shoots flicks that disc; others are left, shifted or taken back.

    `first`: the round before the first shot, if there was one. `placed`: the discs that lie ready now and did not
    at the board before.
    """
    cost = 0.0
    for lay in situation.ready:
        stays = next((d for d in situation.kept if is_still_ready(lay, d)), None)
        cost += situation.jitter(lay, stays) if stays is not None else 0.0
        if any(before.to_shoot == lay.side for before in first):
            cost += cost_of("shot another disc") if stays is not None else cost_of_absence("shot another disc")
        elif stays is not None:
            cost += cost_of_absence("taken back")
        else:
            cost += cost_of("shifted" if any(d.side == lay.side for d in placed) else "taken back")
    return cost
