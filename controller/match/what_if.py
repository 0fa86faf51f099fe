"""What an answer to an open question would change now: the match is tried with it, from its round's beginning on."""

from collections.abc import Sequence

from controller import rules
from controller.match import events as ev
from controller.match.fold import apply, begin
from controller.match.state import MatchState, OpenQuestion, Stamped
from controller.match.timeline import amounts_to, counting

Change = dict[str, int]
"""By how many points sides' totals change."""

MOST_KEPT = 1000  # trials; more than a match has answers


class WhatIf:
    """Tries answers. One of an ended round is tried again only when the round is not what it was."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int, str], tuple[rules.Round, Change]] = {}

    def change(
        self, state: MatchState, history: Sequence[Stamped], question: OpenQuestion, answer: ev.Answer
    ) -> Change:
        """By how much the answer would change the totals of its round as they stand now, for sides that it changes.

        What the rules would refuse changes nothing.
        """
        if not amounts_to(question.asked, answer.id):
            return {}
        number = question.asked.round
        if number > state.confirmed:
            return _change(state, history, question, answer)
        round_, key = state.game.all_rounds[number - 1], (state.number, question.id, answer.id)
        kept = self._kept.get(key)
        if kept is None or kept[0] is not round_:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            kept = self._kept[key] = round_, _change(state, history, question, answer)
        return kept[1]

    def ranges(self, state: MatchState, history: Sequence[Stamped], number: int) -> dict[str, tuple[int, int]]:
        """The least and the most that a round may count for each side, whatever people answer to what is open."""
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


def _change(state: MatchState, history: Sequence[Stamped], question: OpenQuestion, answer: ev.Answer) -> Change:
    number = question.asked.round
    given = ev.QuestionAnswered(question=question.id, answer=answer.id)
    try:
        tried = _tried(state, history, Stamped(history[-1].id + 1, history[-1].at, given), number)
    except rules.RulesError:
        return {}
    now = state.game.all_rounds[number - 1].totals
    then = tried.game.all_rounds[number - 1].totals
    return {side: then[side] - now[side] for side in now if then[side] != now[side]}


def _tried(state: MatchState, history: Sequence[Stamped], trial: Stamped, number: int) -> MatchState:
    """The match with one more event, after all that matters to one round: what happened until the round ended, and
    what names it later.
    """
    begun = max((n for n in state.begun if n <= number), default=None)
    if begun is None:
        first, *live = counting([*history, trial])
        tried = begin(state.number, first)
    else:
        tried = state.begun[begun]
        live = counting([*(s for s in history if s.id > tried.last_id), trial])
    for s in live:
        past = tried.game.round.number > number
        if not past or s.id == trial.id or getattr(s.event, "round", None) == number:
            tried = apply(tried, s)
    return tried
