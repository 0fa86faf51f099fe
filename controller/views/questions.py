"""Texts of questions: each case of `controller.match.cases`, its answers and their effects."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from controller.match import events as ev
from controller.match.questions import LASTING, UNKNOWN, OpenQuestion
from controller.match.state import MatchState
from controller.messages import Message, counted, marked, say
from controller.views.phrases import PLACEHOLDERS, colour_name
from controller.views.schema.table_state import PossibleAnswer, Question

NOTHING = say("Nothing changes.")
WE_DONT_KNOW = say("We don't know")

NO_CLIPS: Mapping[int, str] = MappingProxyType({})

Names = Sequence[str]  # the names of the sides whose discs a question is about


def question_text(asked: ev.QuestionAsked, state: MatchState) -> Message:
    """A question's text; `state`: any state of its match."""
    if asked.told is not None:
        return asked.told.text
    names = [state.name_of(side) for side in asked.sides]
    if asked.case == "line":
        return _at_line(asked, names[0])
    if asked.case not in _TEXTS:
        return _counted_text(asked.case, asked.count or 0)
    text, values = _TEXTS[asked.case], _values(asked, names)
    return Message(text, {name: values[name] for name in PLACEHOLDERS.findall(text)})


def answer_text(asked: ev.QuestionAsked, answer: str, state: MatchState) -> Message:
    """An answer's text; `state`: any state of its match."""
    if asked.told is not None and answer in asked.told.answers:
        return asked.told.answers[answer].text
    if (asked.case, answer) in _ANSWERS:
        return _ANSWERS[asked.case, answer]
    match asked.case:
        case "whose" if answer in (others := _others(asked)):
            return Message(state.name_of(others[answer]))
        case "whose_unseen" if answer in state.sides:
            return say("{name}'s", name=state.name_of(answer))
        case "seats" if answer.isdecimal():
            return Message(state.player_of(int(answer)))
    return Message(answer)  # a zone


def _others(asked: ev.QuestionAsked) -> dict[str, str]:
    """The answers to whose twenty it was, with their sides."""
    ids = ("this", "other", *(f"other{number}" for number in range(2, len(asked.sides))))
    return dict(zip(ids, asked.sides, strict=False))


def clip_of(clips: Mapping[int, str], id_: int, asked: ev.QuestionAsked) -> str | None:
    """The clip of a question or of its shot; `clips`: names by event."""
    return clips.get(id_) or clips.get(asked.shot or 0)


def question_view(question: OpenQuestion, state: MatchState, clips: Mapping[int, str] = NO_CLIPS) -> Question:
    """The view of an open question. Effects of answers refer to the present totals, whenever it was asked.

    `clips`: names of stored clips by event.
    """
    asked = question.asked
    answers: list[PossibleAnswer] = [
        {"id": answer.id, "text": answer_text(asked, answer.id, state), "effect": _effect(question, answer.id, state)}
        for answer in asked.answers
    ]
    if not question.aside:
        answers.append({"id": UNKNOWN, "text": WE_DONT_KNOW, "effect": _left_open(asked)})
    return {
        "id": question.id,
        "kind": asked.what,
        "round": asked.round,
        "shot": _shot(asked, state),
        "pressing": question in state.pressing,
        "text": question_text(asked, state),
        "clearance": asked.clearance,
        "sigma": asked.sigma,
        "discs": discs_asked(asked),
        "answers": answers,
        "picture": asked.picture,
        "clip": clip_of(clips, question.id, asked),
    }


def _shot(asked: ev.QuestionAsked, state: MatchState) -> int | None:
    if asked.shot is not None:
        return next((shot for (_, shot), id_ in state.shots.items() if id_ == asked.shot), None)
    shots = [played for r in state.game.all_rounds if r.number == asked.round for played in r.shots]
    return next((n for n, played in enumerate(shots, start=1) if played.shot.disc == asked.disc), None)


def _left_open(asked: ev.QuestionAsked) -> Message:
    """The effect of the answer "we don't know"."""
    if asked.what in LASTING:
        return say("The likeliest stands, and it stays open.")
    return say("It stays open until the round ends.")


def discs_asked(asked: ev.QuestionAsked) -> list[str]:
    """The discs that a question is about."""
    return list(asked.discs or ([asked.disc] if asked.disc else ()))


def _effect(question: OpenQuestion, answer: str, state: MatchState) -> Message:
    asked = question.asked
    former = asked.told.answers[answer].effect if asked.told is not None else None
    if former is not None:
        return former
    if asked.case == "seats":
        return say("The drawn board is turned to it.")
    if (asked.case, answer) in _EFFECTS:
        return _EFFECTS[asked.case, answer]
    return _changed_totals(state, state.outcomes.get((question.id, answer), {}), asked.round)


def _changed_totals(state: MatchState, change: Mapping[str, int], number: int) -> Message:
    """The text of a change of a round's totals."""
    current = state.game.all_rounds[number - 1]
    parts = tuple(
        say("{name} {total}", name=state.name_of(side), total=current.totals[side] + by)
        for side, by in change.items()
        if by
    )
    return say("{totals} in round {round}.", totals=parts, round=number) if parts else NOTHING


def doubt_text(doubt: ev.Doubt) -> Message:
    """Why a shot's explanation may be wrong."""
    if doubt.told is not None:
        return doubt.told
    if doubt.count is not None:
        return counted("One shot was seen.", "{n} shots came between two still boards.", doubt.count)
    return say("The shot disc was not seen after the shot.")


def _at_line(asked: ev.QuestionAsked, name: str) -> Message:
    figures = _figures(asked)
    clear = (asked.clearance or 0.0) > 0
    gap = say("{mm} mm clear, ± {sigma}", **figures) if clear else say("{mm} mm over, ± {sigma}", **figures)
    high, low = asked.zones
    return say("{side}: {high} or {low}? Measured {gap}.", side=name, high=high, low=low, gap=gap)


def _figures(asked: ev.QuestionAsked) -> dict[str, float]:
    """The length in doubt and its standard error, in mm; empty without."""
    if asked.clearance is None or asked.sigma is None:
        return {}
    return {"mm": round(abs(asked.clearance), 1), "sigma": round(asked.sigma, 1)}


def _values(asked: ev.QuestionAsked, names: Names) -> dict[str, Any]:
    """All values that a question's text may contain."""
    return {
        **dict(zip(("name", "other"), names, strict=False)),
        **dict(zip(("was", "now"), asked.zones, strict=False)),
        **dict(zip(("zone",), asked.zones, strict=False)),
        **_figures(asked),
        "number": asked.count,
        "round": asked.round,
        "colour": colour_name(asked.colour or ""),
    }


_TEXTS: Mapping[str, str] = {
    "badly_seen": marked("{name}'s disc is not seen well. What does it count?"),
    "hole_camera": marked("Does {name}'s disc lie flat in the hole? The camera is not sure."),
    "hole_sensor": marked("Does {name}'s disc lie flat in the hole? Camera and hole sensor disagree."),
    "two_shots": marked("Did {name}'s shot touch one of {other}'s discs? Two shots came at once."),
    "moved": marked("Did {name}'s shot touch {other}'s disc? It moved {mm} mm, ± {sigma}."),
    "apart": marked("Did {name}'s shot touch {other}'s disc? They lie {mm} mm apart, ± {sigma}."),
    "foul": marked("Was {name}'s shot a foul? It ended outside the 15, but another came at once."),
    "mixed": marked("Discs that had to come off were knocked about. What does {name}'s last disc count?"),
    "taken_off": marked("{name}'s disc, a {zone}, was taken off and nobody had to. Does it count?"),
    "returned": marked("Did {name}'s disc leave the surface and bounce back? Then it has to come off."),
    "shot_unseen": marked("{name}'s disc #{number} was not seen after its shot. Where did it end?"),
    "pushed": marked("{name}'s disc was pushed from {was} to {now}. Which counts?"),
    "felt": marked("Is {name}'s disc in the hole? The sensor says so; the camera does not see it."),
    "lifted": marked("{name}'s disc seemed to lean across the hole, and was taken out. Was it a twenty?"),
    "whose": marked("Whose twenty was it?"),
    "whose_unseen": marked("A disc lay in the hole. Whose twenty is it?"),
    "gap": marked(
        "The hole's sensor lost some of what it saw. Do the twenties on the page agree with those set aside?"
    ),
    "board": marked(
        "A spot check of round {round}, chosen by lot: is every disc where the table has it, and are the totals right?"
    ),
    "seats": marked("Who sits here, at the side that the arrow shows?"),
    "colours": marked("Does {name} play {colour}?"),
}


def _counted_text(case: str, n: int) -> Message:
    """The text of a question about a number of discs or shots."""
    if case == "swept":
        return counted(
            "The board was swept with {n} shot left. Is the round over?",
            "The board was swept with {n} shots left. Is the round over?",
            n,
        )
    return counted(
        "A disc came onto the board that no shot explains. Take it off, or correct the board.",
        "{n} discs came onto the board that no shot explains. Take them off, or correct the board.",
        n,
    )


_TOUCHED = {"touched": say("They touched"), "clear": say("They did not")}
_TWENTY = {"20": say("A twenty"), "off": say("No twenty")}

_ANSWERS: Mapping[tuple[str, str], Message] = {
    (case, id_): text
    for case, texts in {
        **{case: {"off": _TWENTY["off"]} for case in ("badly_seen", "hole_camera", "hole_sensor")},
        "two_shots": _TOUCHED,
        "moved": _TOUCHED,
        "apart": _TOUCHED,
        "foul": {"foul": say("A foul"), "valid": say("Valid")},
        "taken_off": {"off": say("It is off"), "counts": say("It counts")},
        "returned": {"back": say("It bounced back"), "stayed": say("It stayed on")},
        "shot_unseen": {"off": say("Off the board"), "20": say("In the hole")},
        "strange": {"seen": say("Seen to"), "later": say("Not now")},
        "felt": _TWENTY,
        "lifted": _TWENTY,
        "whose_unseen": {"nobody": say("No twenty")},
        "swept": {"over": say("Round over"), "goes_on": say("It goes on")},
        "gap": {"agree": say("They agree")},
        "board": {"right": say("Everything is right"), "wrong": say("Something is wrong")},
        "seats": {"nobody": say("Nobody")},
        "colours": {"yes": say("Yes"), "no": say("No")},
    }.items()
    for id_, text in texts.items()
}
"""Texts of answers by case and id, except zones, sides and players."""

_EFFECTS: Mapping[tuple[str, str], Message] = {
    ("strange", "seen"): say("The marked discs stay out of the score."),
    ("swept", "over"): say("The round counts as it stood."),
    ("swept", "goes_on"): say("Nothing is counted yet."),
    ("board", "right"): say("It counts in this table's record of its own errors."),
    ("board", "wrong"): say("It is counted as an error of the table. Correct the board or the totals too."),
    ("gap", "agree"): say("Nothing changes; else correct the twenties"),
    ("colours", "yes"): NOTHING,
    ("colours", "no"): say("The round is judged again with the colours exchanged."),
}
"""Effects of answers by case and id, except changes of totals."""
