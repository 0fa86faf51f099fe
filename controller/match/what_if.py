"""Computes what an answer to an open question would change, by folding the match with it from the round's beginning."""

from collections.abc import Sequence

from controller import rules
from controller.match import events as ev
from controller.match.fold import apply, begin
from controller.match.questions import OpenQuestion
from controller.match.state import MatchState, Stamped
from controller.match.timeline import answer_events, effective_events

PointsChange = dict[str, int]  # points by which sides' totals change

MAX_KEPT = 1000  # more than a match has answers


class WhatIf:
    """Tries answers. Results for an ended round are cached until the round changes."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int, str], tuple[rules.Round, PointsChange]] = {}

    def change(
        self, state: MatchState, history: Sequence[Stamped], question: OpenQuestion, answer: ev.Answer
    ) -> PointsChange:
        """The changes of the round's present totals by this answer, for the affected sides.

        An answer that the rules refuse changes nothing.
        """
        if not answer_events(question.asked, answer.id):
            return {}
        number = question.asked.round
        if number > state.confirmed:
            return _change(state, history, question, answer)
        round_, key = state.game.all_rounds[number - 1], (state.number, question.id, answer.id)
        kept = self._kept.get(key)
        if kept is None or kept[0] is not round_:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            kept = self._kept[key] = round_, _change(state, history, question, answer)
        return kept[1]

    def ranges(self, state: MatchState, history: Sequence[Stamped], number: int) -> dict[str, tuple[int, int]]:
        """The lowest and highest possible total of each side in a round, over all answers to its open questions."""
        totals = state.game.all_rounds[number - 1].totals
        low, high = dict(totals), dict(totals)
        for question in state.questions.values():
            if question.asked.round != number:
                continue
            changes = [self.change(state, history, question, answer) for answer in question.asked.answers]
            for side in totals:
                low[side] += min(0, *(change.get(side, 0) for change in changes))
                high[side] += max(0, *(change.get(side, 0) for change in changes))
        return {side: (max(0, low[side]), high[side]) for side in totals}


def _change(state: MatchState, history: Sequence[Stamped], question: OpenQuestion, answer: ev.Answer) -> PointsChange:
    number = question.asked.round
    given = ev.QuestionAnswered(question=question.id, answer=answer.id)
    try:
        trial_state = _try(state, history, Stamped(history[-1].id + 1, history[-1].at, given), number)
    except rules.RulesError:
        return {}
    now = state.game.all_rounds[number - 1].totals
    then = trial_state.game.all_rounds[number - 1].totals
    return {side: then[side] - now[side] for side in now if then[side] != now[side]}


def _try(state: MatchState, history: Sequence[Stamped], trial: Stamped, number: int) -> MatchState:
    """Fold the match with one more event, as far as it concerns one round: the events until the round's end, and later
    ones that name it.
    """
    begun = max((n for n in state.begun if n <= number), default=None)
    if begun is None:
        first, *live = effective_events([*history, trial])
        trial_state = begin(state.number, first)
    else:
        trial_state = state.begun[begun]
        live = effective_events([*(s for s in history if s.id > trial_state.last_id), trial])
    for s in live:
        past = trial_state.game.round.number > number
        if not past or s.id == trial.id or getattr(s.event, "round", None) == number:
            trial_state = apply(trial_state, s)
    return trial_state
