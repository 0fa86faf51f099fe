"""What was asked in the running round, and what each hypothesis answers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.match import events as ev
from controller.match.cases import What
from controller.match.state import MatchState
from controller.referee.belief import Belief, visible_outcome

SETTLED = 0.001
"""Probability of another answer below which an open question is closed. Judged: a 20th of that at which it is asked."""
Asking = Literal["open", "settled", "answered"]
"""Whether a later board may answer a question, none can, or one did."""
QuestionKey = tuple[What, str | None, int | None]
"""A question's topic, disc and shot."""


def answer_of(state: MatchState, key: QuestionKey) -> object:
    """A match's answer to a question.

    | question | answer |
    | --- | --- |
    | `contact`, `order` | whether its shot was valid |
    | `lost`, in a shot | whether its disc is there, and whether it bounced back |
    | `lost`, without a disc | all that people see |
    | any other | whether its disc is a twenty, and whether it is there |
    """
    (what, disc, shot), played = key, state.game.round.shots
    if what in ("contact", "order"):
        return next((p.judgement.valid for p in played if p.shot.disc == disc), None)
    if what == "lost" and disc is None:
        return visible_outcome(state)
    if what == "lost" and shot is not None:
        return disc in state.measured, state.to_remove.get(str(disc)) == "returned"
    return any(disc in p.judgement.twenties for p in played), disc in state.measured


def agrees(
    hypothesis: MatchState, shown: MatchState, answered: Iterable[ev.Question], verdicts: Iterable[QuestionKey]
) -> bool:
    """Whether the hypothesis agrees with people's answers to these questions, and with these verdicts, which the shown
    match includes."""
    return all(_given_answer(hypothesis, one) == _given_answer(shown, one) for one in answered) and all(
        answer_of(hypothesis, one) == answer_of(shown, one) for one in verdicts
    )


def verdicts_corrected(before: MatchState, now: MatchState) -> list[QuestionKey]:
    """The shots of the running round whose verdict people corrected, if they left its board as it was. Both matches
    have the same shots."""
    if (before.measured, before.ruled, before.strangers) != (now.measured, now.ruled, now.strangers):
        return []
    pairs = zip(before.game.round.shots, now.game.round.shots, strict=True)
    return [("contact", p.shot.disc, None) for was, p in pairs if was.judgement.valid != p.judgement.valid]


def _given_answer(state: MatchState, asked: ev.Question) -> tuple[object, ...]:
    """A match's answer to a question; of one about a disc with its zone and the reason for its removal."""
    answer, disc = answer_of(state, key_of(asked)), str(asked.disc)
    if asked.what in ("contact", "order"):
        return (answer,)
    zone = state.measured[disc].zone if disc in state.measured else None
    return answer, zone, state.to_remove.get(disc)


def key_of(question: ev.Question) -> QuestionKey:
    """The question's key."""
    return question.what, question.disc, question.shot


def is_settled(belief: Belief, key: QuestionKey) -> bool:
    """Whether every other answer than the shown one is as good as ruled out."""
    shown = answer_of(belief.best.state, key)
    others = (one for one in belief.hypotheses if answer_of(one.state, key) != shown)
    return belief.probability(others) < SETTLED


@dataclass(frozen=True, slots=True)
class RoundQuestions:
    """The questions of a round."""

    asked: Mapping[QuestionKey, Asking] = field(default_factory=dict)

    def settled(self) -> "RoundQuestions":
        """When no later board can answer any of them."""
        return RoundQuestions(dict.fromkeys(self.asked, "settled"))

    def noted(self, now: Asking, belief: Belief) -> "RoundQuestions":
        """With this said of each that a later board could answer, and for which only one answer is left now."""
        asked = {k: now if was == "open" and is_settled(belief, k) else was for k, was in self.asked.items()}
        return RoundQuestions(asked)

    def having(self, question: ev.Question, belief: Belief) -> "RoundQuestions":
        """With one more."""
        key = key_of(question)
        return RoundQuestions({**self.asked, key: "settled" if is_settled(belief, key) else "open"})

    def without(self, topic: What) -> "RoundQuestions":
        """Without those of a topic, which may be asked again."""
        return RoundQuestions({key: how for key, how in self.asked.items() if key[0] != topic})

    def answered(self, question: ev.Question) -> bool:
        """Whether a later board has answered this one."""
        return self.asked.get(key_of(question)) == "answered"
