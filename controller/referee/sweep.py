"""Whether people have cleared the board of a complete round.

A complete round's result is final once it was read at rest, whatever hands do until the board is clear.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice

from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee.association import Association, InferredShot, Outcome, course
from controller.referee.close_calls import ask_about, off_the_hole
from controller.referee.evidence import ANYWHERE, cost_of
from controller.referee.questions import question, unseen
from controller.referee.situation import Situation, cost_of_shots
from controller.referee.transitions import Transition, shot_discs, shot_seen
from controller.vision.readings import SeenDisc

SHORT = 2
"""The most shots that may be missing when the board is swept, taken unseen. If more are missing, people must end the
round. Judged."""


def cleared(state: MatchState, association: Association) -> bool:
    """Whether the board of a complete round was cleared.

    | discs in play at its end | cleared if no disc is at its old place, and |
    | --- | --- |
    | two or more | at most one other disc counts: the next round's first shot |
    | one | the ditch was emptied, or a hand was seen and there is no other disc |
    | none | the ditch was emptied and a hand was seen, or a disc counts |
    """
    seen, other = association.seen, _other(association)
    if seen.reading.obstructed or association.still or state.end_undone or not state.round_proposed:
        return False
    in_play = len(state.measured.keys() - state.to_remove.keys())
    inside, hand = _inside(other), seen.watching.hand
    if in_play > 1:
        return inside <= 1
    if in_play:
        return seen.emptied or (hand and not other)
    return inside > 0 or (seen.emptied and hand)


def ended_as_shown(before: MatchState, state: MatchState) -> bool:
    """Whether people ended the round that ran in the state `before` with the totals that it had."""
    was = before.game.round
    ended = state.game.all_rounds[was.number - 1]
    return ended.awarded_by_hand is None and ended.totals == was.totals


def ended_short(before: MatchState, state: MatchState) -> Iterator[ev.Event]:
    """Ask about a round that people ended with its totals as they were: by the state `before`, shots were left, which
    the table may have missed; and each disc too near a line, since nobody was asked about it yet.
    """
    was, asked = before.game.round, any(q.asked.what == "swept" for q in before.open_now)
    timed_out = state.game.all_rounds[was.number - 1].time_out is not None
    if was.complete or not was.shots or timed_out or not ended_as_shown(before, state):
        return
    if not asked:
        yield question(before, "ended_short", {"agree": ()}, count=sum(was.shots_left.values()))
    yield from ask_about(before, off_the_hole(before), ended=True)


def sweeping(state: MatchState, association: Association, already: bool) -> bool:
    """Whether people are clearing the board: several discs in play are gone, or one with a hand beside the board."""
    gone = [n for n in association.became("taken", "overlooked", "lifted") if n not in state.to_remove]
    return bool(gone) and (already or len(gone) > 1 or association.seen.watching.beside)


def emptied(state: MatchState, association: Association) -> bool:
    """Whether all discs in play, at least two, are gone at once, and no disc counts."""
    known, seen = association.known, association.seen
    gone = [n for n in state.on_board if n in known and known[n].became != "stays"]
    return 2 <= len(gone) == len(state.on_board) and not _inside(seen.discs) and not seen.reading.obstructed


def _inside(discs: Iterable[SeenDisc]) -> int:
    """The number of these discs that count."""
    return sum(d.zone != 0 for d in discs)


def _other(association: Association) -> list[SeenDisc]:
    """The seen discs except those that did not move."""
    still = [*association.still.values()]
    return [d for d in association.seen.discs if d not in still]


def swept_early(situation: Situation, association: Association) -> Iterator[Transition]:
    """People cleared the board although some shots were left, which then nobody saw. There is no evidence of them: they
    are assumed valid, as most are, and their discs count nothing until people say where they ended.
    """
    state, current = situation.state, situation.state.game.round
    left = sum(current.shots_left.values())
    if current.complete or left > SHORT or not emptied(state, association):
        return
    other = _other(association)
    cost = cost_of("swept early") + cost_of_shots(situation, 0) + situation.unreached
    cost += len(other) * (cost_of("ready") + ANYWHERE)
    shots, off = tuple(islice(course(current), left)), Outcome("off", 0.0, seen=False)
    blank = replace(association, shots=shots, known={}, shot=(off,) * left, ready=(), strange=())
    missing = tuple(
        InferredShot(str(before.to_shoot), disc, {disc: None}, _hit(state, str(before.to_shoot), disc))
        for before, disc in zip(shots, shot_discs(situation, blank), strict=True)
    )
    swept = Transition(blank, cost, shots=missing, left_open=tuple(partial(unseen, disc=shot.disc) for shot in missing))
    yield replace(swept, events=tuple(shot_seen(situation, swept, shot, state.measured) for shot in missing))


def _hit(state: MatchState, side: str, disc: str) -> tuple[tuple[str, str], ...]:
    """The assumed contact that made an unseen shot valid; none without an opponent's disc."""
    opponents = [name for name in state.on_board if state.side_of(name) != side]
    return ((disc, min(opponents)),) if opponents else ()
