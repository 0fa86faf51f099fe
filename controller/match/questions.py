"""The table's questions to people: asked, answered, closed."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, field_serializer, model_validator

from controller.match.base import BaseEvent, SideId, UndoableEvent
from controller.match.cases import CASES, FrozenModel, What
from controller.match.seating import Direction
from controller.messages import marked
from controller.vision.readings import Zone

if TYPE_CHECKING:
    from controller.match.events import Event
    from controller.match.state import MatchState

UNKNOWN = "unknown"  # the answer "we don't know": nothing changes, and the possible results are still shown as a range
LASTING = ("close_call", "contact", "order", "lost", "twenty", "check")
"""Topics of questions that stay open after their round."""


class Answer(FrozenModel):
    """One possible answer to a question, with its events. `id` is a zone, a seat, a side or a word, depending on the
    question's case."""

    id: str
    does: "tuple[Event, ...]" = ()

    @field_serializer("does")
    def _with_kinds(self, events: "tuple[Event, ...]") -> list[dict[str, Any]]:
        return [{"kind": event.kind, **body(event)} for event in events]


class QuestionAsked(BaseEvent):
    """The table asks people about a doubt. `disc`: that of a close call; `discs`: all that the picture marks; `sides`:
    their owners; `shot`: the `ShotSeen` in question; `toward`: the side of the board; `clearance`: the length in doubt,
    with standard error `sigma`, in mm. `CASES` defines `zones` and `count`."""

    webhook = "question"
    kind: Literal["question_asked"] = "question_asked"
    what: What
    case: str
    round: int
    disc: str | None = None
    discs: tuple[str, ...] = ()
    sides: tuple[SideId, ...] = ()
    zones: tuple[Zone, ...] = ()
    count: int | None = None
    colour: str | None = Field(default=None, max_length=20)
    shot: int | None = None
    toward: Direction | None = None
    clearance: float | None = None
    sigma: float | None = None
    answers: tuple[Answer, ...]
    picture: str | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        """Check that all members that the sentence needs are present."""
        if self.case not in CASES:
            raise ValueError(f"there is no case {self.case!r}")
        figure = self.clearance is not None and self.sigma is not None
        missing = CASES[self.case].missing(self.what, self.sides, self.zones, self.count, figure, self.colour)
        if missing:
            raise ValueError(f"a question of the case {self.case!r} needs {missing}")
        return self

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
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
    kind: Literal["question_answered"] = "question_answered"
    question: int
    answer: str
    also: tuple[int, ...] = ()

    @property
    def questions(self) -> tuple[int, ...]:
        return (self.question, *self.also)

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        rest = {k: q for k, q in state.questions.items() if k not in self.questions}
        asked = [state.questions[one] for one in self.questions if one in state.questions]
        if self.answer == UNKNOWN:
            return replace(state, questions={**rest, **{one.id: replace(one, aside=True) for one in asked}})
        whose = any(one.asked.what == "twenty" and not one.asked.discs for one in asked)
        return replace(state, questions=rest, hole=() if whose else state.hole)  # it explains the sensor's signal


class QuestionClosed(BaseEvent):
    """A question became irrelevant, because later readings answered it."""

    kind: Literal["question_closed"] = "question_closed"
    question: int

    def apply(self, state: "MatchState", id_: int) -> "MatchState":
        return replace(state, questions={k: q for k, q in state.questions.items() if k != self.question})


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An open question; `aside` if people answered that they don't know."""

    id: int
    asked: QuestionAsked
    aside: bool = False


def without(state: "MatchState", discs: Iterable[str], topics: Iterable[What]) -> dict[int, OpenQuestion]:
    """The open questions, except those of these topics about these discs in the running round."""
    number, gone = state.game.round.number, set(discs)
    return {
        q.id: q
        for q in state.questions.values()
        if q.asked.round != number or q.asked.what not in topics or not gone & {q.asked.disc, *q.asked.discs}
    }


def body(event: "Event") -> dict[str, Any]:
    """An event's body for the journal, without its kind: JSON, without members at their defaults."""
    return event.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True)
