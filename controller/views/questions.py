"""Open questions, and the texts of each case of `controller.match.cases`, its answers and their effects."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.match import events as ev
from controller.match.cases import CASES, NOTHING, What
from controller.match.parts import OpenQuestion
from controller.match.questions import LASTING, UNKNOWN
from controller.match.state import MatchState
from controller.messages import Message, counted, say
from controller.views.common import Sentence
from controller.views.phrases import colour_name

WE_DONT_KNOW = say("We don't know")


@dataclass
class PossibleAnswer:
    """A possible answer to a question."""

    id: str  #: Its id for commands; "unknown" for "we don't know".
    text: Sentence  #: The answer.
    effect: Sentence  #: Its effect now.


@dataclass
class ShownQuestion:
    """A doubt about which the table asks people."""

    id: int  #: Its id for commands.
    kind: What  #: Its topic.
    round: int  #: The number of its round.
    shot: int | None  #: The number of its shot in the round, from 1; null if it is not about a shot.
    pressing: bool  #: Whether its round still waits for the answer.
    text: Sentence  #: The question.
    clearance: float | None  #: mm, for a close call at a line: below 0 the disc touches the line.
    sigma: float | None  #: mm, its standard error.
    discs: list[str]  #: Its discs, which the picture marks.
    answers: list[PossibleAnswer]  #: The possible answers.
    picture: str | None  #: The name of its picture, if there is one.
    clip: str | None  #: The name of the clip of the movements before it, if one is stored: see /clip/NAME.

    @classmethod
    def of(cls, question: OpenQuestion, state: MatchState, clips: Mapping[int, str]) -> "ShownQuestion":
        """An open question. Effects of answers refer to the present totals, whenever it was asked. `clips`: names of
        stored clips by event."""
        asked = question.asked
        answers = [
            PossibleAnswer(one.id, answer_text(asked, one.id, state), _effect(question, one.id, state))
            for one in asked.answers
        ]
        if not question.aside:
            lasts, ends = say("The likeliest stands, and it stays open."), say("It stays open until the round ends.")
            answers.append(PossibleAnswer(UNKNOWN, WE_DONT_KNOW, lasts if asked.what in LASTING else ends))
        return cls(
            id=question.id,
            kind=asked.what,
            round=asked.round,
            shot=_shot(asked, state),
            pressing=question in state.pressing,
            text=question_text(asked, state),
            clearance=asked.clearance,
            sigma=asked.sigma,
            discs=discs_asked(asked),
            answers=answers,
            picture=asked.picture,
            clip=clip_of(clips, question.id, asked),
        )


def question_text(asked: ev.Question, state: MatchState) -> Message:
    """A question's text; `state`: any state of its match."""
    text, values = CASES[asked.case].text, asked.values
    values |= {who: state.name_of(values[who]) for who in ("name", "other") if values[who]}
    values["colour"] = colour_name(asked.colour or "")
    return Message(text.template, {name: values[name] for name in CASES[asked.case].said}, text.many)


def answer_text(asked: ev.Question, answer: str, state: MatchState) -> Message:
    """An answer's text; `state`: any state of its match."""
    if answer in CASES[asked.case].answers:
        return CASES[asked.case].answers[answer]
    match asked.case:
        case "whose" if answer in (others := _others(asked)):
            return Message(state.name_of(others[answer]))
        case "whose_unseen" if answer in state.sides:
            return say("{name}'s", name=state.name_of(answer))
        case "seats" if answer.isdecimal():
            return Message(state.player_of(int(answer)))
    return Message(answer)  # a zone


def _others(asked: ev.Question) -> dict[str, str]:
    """The answers to whose twenty it was, with their sides."""
    ids = ("this", "other", *(f"other{number}" for number in range(2, len(asked.sides))))
    return dict(zip(ids, asked.sides, strict=False))


def clip_of(clips: Mapping[int, str], id_: int, asked: ev.Question) -> str | None:
    """The clip of a question or of its shot; `clips`: names by event."""
    return clips.get(id_) or clips.get(asked.shot or 0)


def _shot(asked: ev.Question, state: MatchState) -> int | None:
    if asked.shot is not None:
        place = state.place_of(asked.shot)
        return place and place[1]
    shots = [played for r in state.game.all_rounds if r.number == asked.round for played in r.shots]
    return next((n for n, played in enumerate(shots, start=1) if played.shot.disc == asked.disc), None)


def discs_asked(asked: ev.Question) -> list[str]:
    """The discs that a question is about."""
    return list(asked.discs or ([asked.disc] if asked.disc else ()))


def _effect(question: OpenQuestion, answer: str, state: MatchState) -> Message:
    asked = question.asked
    if asked.case == "seats":
        return say("The drawn board is turned to it.")
    if answer in CASES[asked.case].effects:
        return CASES[asked.case].effects[answer]
    return _changed_totals(state, question.outcomes.get(answer, {}), asked.round)


def _changed_totals(state: MatchState, change: Mapping[str, int], number: int) -> Message:
    current = state.game.all_rounds[number - 1]
    parts = tuple(
        say("{name} {total}", name=state.name_of(side), total=current.totals[side] + by)
        for side, by in change.items()
        if by
    )
    return say("{totals} in round {round}.", totals=parts, round=number) if parts else NOTHING


def doubt_text(doubt: ev.Doubt) -> Message:
    """Why a shot's explanation may be wrong."""
    if doubt.count is not None:
        return counted("One shot was seen.", "{n} shots came between two still boards.", doubt.count)
    return say("The shot disc was not seen after the shot.")
