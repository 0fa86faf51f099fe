"""What it costs a hypothesis that discs lie where they lay: nobody struck them, took them off, or took them back."""

import math
from collections.abc import Sequence

from controller import rules
from controller.referee.model.board import Board, lies_there
from controller.referee.model.evidence import TABLE, nats, nats_not
from controller.referee.model.explanation import STRUCK
from controller.vision.readings import SeenDisc


def untouched(shots: int) -> float:
    """What it costs that none of so many shots moved a disc."""
    struck = sum(TABLE[f"struck {how}"].value for how in STRUCK)
    return -shots * math.log1p(-struck)


def cost_of_still(board: Board, shots: int) -> float:
    """That discs lie where they were: how they are measured there, that none was taken off, and none struck."""
    marked = [name for name in board.still if name in board.state.to_remove]
    lay_flat = [n for n in board.still if board.state.measured[n].pose == "in_hole"]
    cost = board.as_measured + (nats("sensor tells late") if board.seen.on_late and lay_flat else 0.0)
    cost += sum(board.stays(name, shot=bool(shots)) for name in marked)
    return cost + (len(board.still) - len(marked)) * untouched(shots)


def cost_of_ready(board: Board, first: Sequence[rules.Round], placed: Sequence[SeenDisc]) -> float:
    """Of the discs that lay ready: who shoots flicks that disc; others are left, shifted or taken back.

    `first`: the round before the first shot, if there was one. `placed`: the discs that lie ready now and did not
    at the board before.
    """
    cost = 0.0
    for lay in board.ready:
        stays = next((d for d in board.kept if lies_there(lay, d)), None)
        cost += board.jitter(lay, stays) if stays is not None else 0.0
        if any(before.to_shoot == lay.side for before in first):
            cost += nats("shot another disc") if stays is not None else nats_not("shot another disc")
        elif stays is not None:
            cost += nats_not("taken back")
        else:
            cost += nats("shifted" if any(d.side == lay.side for d in placed) else "taken back")
    return cost
