"""Whether people have cleared the board of a complete round.

The result of a complete round stands once it was read at rest, whatever hands do until the board is clear.
"""

from collections.abc import Iterator
from dataclasses import replace

from controller.match.state import MatchState
from controller.referee.doubts import Unseen
from controller.referee.model.board import Board, cost_of_shots
from controller.referee.model.evidence import ANYWHERE, nats
from controller.referee.model.explanation import Explanation, Fate, OneShot, course
from controller.referee.model.steps import Step, ids, shot_seen
from controller.vision.readings import SeenDisc

SHORT = 2
"""Shots that may be missing when the board is swept: they were taken while nobody could see. When more are missing,
people tell that the round is over. Judged."""


def cleared(state: MatchState, told: Explanation) -> bool:
    """Whether the board of a complete round was cleared.

    | discs in play at its end | the board was cleared if no disc lies where it lay, and |
    | --- | --- |
    | two or more | at most one other disc lies where it counts: the next round's first shot |
    | one | the ditch was emptied, or a hand was seen and no other disc lies there |
    | none | the ditch was emptied and a hand was seen, or a disc lies where it counts |
    """
    seen = told.seen
    in_play = [n for n in state.measured if n not in state.to_remove]
    if seen.reading.obstructed or told.still or state.await_tap or not state.round_proposed:
        return False
    other = _other(told)
    inside = sum(d.zone != 0 for d in other)
    if len(in_play) > 1:
        return inside <= 1
    if in_play:
        return seen.emptied or (seen.watching.hand and not other)
    return inside > 0 or (seen.emptied and seen.watching.hand)


def sweeping(state: MatchState, told: Explanation, already: bool) -> bool:
    """Whether people are clearing the board: discs in play are gone, several or one while a hand is beside it."""
    gone = [n for n in told.became("taken", "overlooked", "lifted") if n not in state.to_remove]
    return bool(gone) and (already or len(gone) > 1 or told.seen.watching.beside)


def emptied(state: MatchState, told: Explanation) -> bool:
    """Whether all discs in play are gone, several at once, and none lies where it counts."""
    gone = [n for n in state.on_board if n in told.known and told.known[n].became != "stays"]
    inside = any(d.zone != 0 for d in told.seen.discs)
    return 2 <= len(gone) == len(state.on_board) and not inside and not told.seen.reading.obstructed


def _other(told: Explanation) -> list[SeenDisc]:
    """The discs that were seen, but for those that lie where they were."""
    lying = {id(d) for d in told.still.values()}
    return [d for d in told.seen.discs if id(d) not in lying]


def swept_early(board: Board, told: Explanation) -> Iterator[Step]:
    """The step by which people cleared the board although by the match some shots were left, which nobody saw then.

    What they did nobody can weigh, since the board that they left is gone: most shots are valid, and their discs count
    nothing until people say where they ended.
    """
    state, seen, current = board.state, board.seen, board.state.game.round
    left = sum(current.shots_left.values())
    if current.complete or left > SHORT or not emptied(state, told):
        return
    other = _other(told)
    cost = nats("swept early") + cost_of_shots(board, 0) + len(other) * (nats("ready") + ANYWHERE)
    cost += 0.0 if seen.watching.hand else nats("swept without hand")
    shots, fate = tuple(course(current, left)[:left]), Fate("off", 0.0, seen=False)
    blank = replace(told, shots=shots, known={}, shot=(fate,) * left, ready=(), strange=())
    missing = tuple(
        OneShot(str(before.to_shoot), disc, {disc: None}, _hit(state, str(before.to_shoot), disc))
        for before, disc in zip(shots, ids(board, blank), strict=True)
    )
    step = Step(blank, cost, shots=missing, left_open=tuple(Unseen(shot.disc) for shot in missing))
    yield replace(step, events=tuple(shot_seen(board, step, shot, state.measured) for shot in missing))


def _hit(state: MatchState, side: str, disc: str) -> tuple[tuple[str, str], ...]:
    """The contact that made a shot valid which nobody saw; none where no opponents' disc lay there."""
    opponents = [name for name in state.on_board if state.side_of(name) != side]
    return ((disc, min(opponents)),) if opponents else ()
