"""The table's questions to people: asked, answered, closed."""

from collections.abc import Iterable
from dataclasses import replace

from controller.match.base import BaseEvent, InnerEvent, UndoableEvent
from controller.match.cases import What
from controller.match.parts import Choice, OpenQuestion, Question
from controller.match.state import MatchState
from controller.messages import marked

UNKNOWN = "unknown"  # the answer "we don't know": nothing changes, and the possible results are still shown as a range
LASTING = ("close_call", "contact", "order", "lost", "twenty", "check")
"""Topics of questions that stay open after their round."""


class Answer(Choice):
    """One possible answer to a question, with its events."""

    does: tuple[InnerEvent, ...] = ()

    @property
    def acts(self) -> bool:
        return bool(self.does)


class QuestionAsked(BaseEvent, Question):
    """The table asks people about a doubt."""

    webhook = "question"
    answers: tuple[Answer, ...]

    def apply(self, state: MatchState, id_: int) -> MatchState:
        if self.round > state.game.round.number:
            return state  # its round has not begun, because the end of the one before was undone
        if self.disc and self.round == state.game.round.number and self.disc not in state.game.round.owners:
            return state  # its disc's shot was undone
        if self.shot is not None and self.shot not in state.shots.values():
            return state  # its shot was undone
        return replace(state, questions={**state.questions, id_: OpenQuestion(id_, self)})


class QuestionAnswered(UndoableEvent):
    """A person's answer to a question, and to similar ones in `also`."""

    words = marked("A question answered")
    undo_words = marked("the last answer")
    revises = True
    question: int
    answer: str
    also: tuple[int, ...] = ()

    @property
    def questions(self) -> tuple[int, ...]:
        return (self.question, *self.also)

    def apply(self, state: MatchState, id_: int) -> MatchState:
        rest = {k: q for k, q in state.questions.items() if k not in self.questions}
        asked = [state.questions[one] for one in self.questions if one in state.questions]
        if self.answer == UNKNOWN:
            return replace(state, questions={**rest, **{one.id: replace(one, aside=True) for one in asked}})
        whose = any(one.asked.what == "twenty" and not one.asked.discs for one in asked)
        return replace(state, questions=rest, hole=() if whose else state.hole)  # it explains the sensor's signal


class QuestionClosed(BaseEvent):
    """A question became irrelevant, because later readings answered it."""

    question: int

    def apply(self, state: MatchState, id_: int) -> MatchState:
        return replace(state, questions={k: q for k, q in state.questions.items() if k != self.question})


def without(state: MatchState, discs: Iterable[str], topics: Iterable[What]) -> dict[int, OpenQuestion]:
    """The open questions, except those of these topics about these discs in the running round."""
    number, gone = state.game.round.number, set(discs)
    return {
        q.id: q
        for q in state.questions.values()
        if q.asked.round != number or q.asked.what not in topics or not gone & {q.asked.disc, *q.asked.discs}
    }
