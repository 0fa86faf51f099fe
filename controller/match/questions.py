"""The table's questions to people: asked, answered, closed."""

from dataclasses import replace
from typing import Literal

from pydantic import Field

from controller.errors import Refused
from controller.match.base import At, BaseCommand, BaseEvent, Events, InnerEvent, UndoableEvent
from controller.match.model import FrozenModel, Number
from controller.match.parts import Choice, OpenQuestion, Question
from controller.match.state import MatchState
from controller.messages import marked, say

UNKNOWN = "unknown"  # the answer "we don't know": nothing changes, and the possible results are still shown as a range
LASTING = ("close_call", "contact", "order", "lost", "twenty", "check")
"""Topics of questions that stay open after their round."""


class Answer(Choice):
    """One possible answer to a question, with its events."""

    events: tuple[InnerEvent, ...] = ()


class QuestionAsked(BaseEvent, Question):
    """The table asks people about a doubt."""

    webhook = "question"
    answers: tuple[Answer, ...]

    def events_of(self, answer: str) -> tuple[BaseEvent, ...]:
        """The events of an answer; none if it changes nothing."""
        return next((one.events for one in self.answers if one.id == answer), ())

    def apply(self, state: MatchState) -> MatchState:
        if self.round > state.game.round.number:
            return state  # its round has not begun, because the end of the one before was undone
        if self.disc and self.round == state.game.round.number and self.disc not in state.game.round.owners:
            return state  # its disc's shot was undone
        if self.shot is not None and state.place_of(self.shot) is None:
            return state  # its shot was undone
        if self.case == "ended_short" and self.round > state.confirmed:
            return state  # the round's end was undone
        return replace(state, questions={**state.questions, state.last_id: OpenQuestion(state.last_id, self)})


class GivenAnswer(FrozenModel):
    """An answer to an open question, and to others in `also` that have the same answers."""

    question: int
    answer: str
    also: tuple[Number, ...] = Field(default=(), max_length=100)

    @property
    def questions(self) -> tuple[int, ...]:
        return (self.question, *self.also)


class QuestionAnswered(UndoableEvent, GivenAnswer):
    """A person's answer to questions."""

    words = marked("A question answered")
    undo_words = marked("the last answer")
    revises = True

    def apply(self, state: MatchState) -> MatchState:
        rest = state.questions_without(lambda q: q.id in self.questions)
        asked = [state.questions[one] for one in self.questions if one in state.questions]
        if self.answer == UNKNOWN:
            return replace(state, questions={**rest, **{one.id: replace(one, aside=True) for one in asked}})
        felt = any(one.asked.only_felt for one in asked)
        return replace(state, questions=rest, hole=() if felt else state.hole)  # it explains the sensor's signal


class QuestionClosed(BaseEvent):
    """A question became irrelevant, because later readings answered it."""

    question: int

    def apply(self, state: MatchState) -> MatchState:
        return replace(state, questions=state.questions_without(lambda q: q.id == self.question))


class AnswerQuestion(BaseCommand, GivenAnswer):
    """Answer an open question, and `also` others that have the same answers, in the same way."""

    rereads = True
    do: Literal["answer"]

    def at_stake(self, at: At) -> object:
        return [one for one in self.questions if one <= at.state.last_id and one not in at.state.questions]

    def events(self, at: At) -> Events:
        for number in self.questions:
            question = at.state.questions.get(number)
            if question is None:
                raise Refused(say("That question is not open any more."), "shot")
            known = [answer.id for answer in question.asked.answers]
            if not question.aside:
                known.append(UNKNOWN)
            if self.answer not in known:
                raise Refused(say("answer: one of {answers}.", answers=", ".join(known)))
        return [QuestionAnswered(question=self.question, answer=self.answer, also=self.also)]


class CheckBoard(BaseCommand):
    """Ask people whether the board is as the table shows it: a spot check at the end of a round."""

    only_running = True
    do: Literal["check_board"]

    def events(self, at: At) -> Events:
        if not at.state.round_proposed:
            raise Refused(say("You can check the board once all discs of the round have been shot."))
        number = at.state.game.round.number
        if any(checks(q, number) for q in at.state.questions.values()):
            raise Refused(say("This board is being checked already."))
        answers = (Answer(id="right"), Answer(id="wrong"))
        discs = tuple(at.state.measured)
        return [QuestionAsked(what="check", case="board", round=number, discs=discs, answers=answers)]


def checks(question: OpenQuestion, number: int) -> bool:
    """Whether it is the spot check of this round."""
    return question.asked.what == "check" and question.asked.round == number
