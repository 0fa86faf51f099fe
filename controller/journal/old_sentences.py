"""Converts events of earlier versions, which contain sentences, into today's form with codes and values. Until schema 5
the journal stored questions as sentences. The sentences of that time are listed here and never change. A question or
doubt with another sentence keeps it, as the case `told`."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from pydantic_core import from_json, to_json

from controller.match.cases import FORMER, Doubt
from controller.match.events import QuestionAsked

Body = dict[str, Any]
NOTHING = "Nothing changes."
TOTALS = frozenset({NOTHING, "{totals} in round {round}.", "{name} {total} in round {round}."})
"""Effects of answers on totals, which are computed today."""
Figures = Callable[[Mapping[str, Any]], Body]  # maps a sentence's values to members of the question


def _none(values: Mapping[str, Any]) -> Body:
    return {}


def _counted(values: Mapping[str, Any]) -> Body:
    return {"count": values["n"]}


QUESTIONS: Mapping[str, tuple[str, Figures]] = {
    "{side}: {high} or {low}? Measured {gap}.": ("line", lambda v: {"zones": [v["high"], v["low"]]}),
    "{name}'s disc is not seen well. What does it count?": ("badly_seen", _none),
    "Does {name}'s disc lie flat in the hole? The camera is not sure.": ("hole_camera", _none),
    "Does {name}'s disc lie flat in the hole? Camera and hole sensor disagree.": ("hole_sensor", _none),
    "Did {name}'s shot touch one of {other}'s discs? Two shots came at once.": ("two_shots", _none),
    "Did {name}'s shot touch {other}'s disc? It moved {mm} mm, ± {sigma}.": ("moved", _none),
    "Did {name}'s shot touch {other}'s disc? They lie {mm} mm apart, ± {sigma}.": ("apart", _none),
    "Was {name}'s shot a foul? It ended outside the 15, but another came at once.": ("foul", _none),
    "Discs that had to come off were knocked about. What does {name}'s last disc count?": ("mixed", _none),
    "{name}'s disc, a {zone}, was taken off and nobody had to. Does it count?": (
        "taken_off",
        lambda v: {"zones": [v["zone"]]},
    ),
    "{name}'s disc #{number} was not seen after its shot. Where did it end?": (
        "shot_unseen",
        lambda v: {"count": v["number"]},
    ),
    "{name}'s disc was pushed from {was} to {now}. Which counts?": (
        "pushed",
        lambda v: {"zones": [v["was"], v["now"]]},
    ),
    "A disc came onto the board that no shot explains. Take it off, or correct the board.": ("strange", _counted),
    "Is {name}'s disc in the hole? The sensor says so; the camera does not see it.": ("felt", _none),
    "{name}'s disc seemed to lean across the hole, and was taken out. Was it a twenty?": ("lifted", _none),
    "Whose twenty was it?": ("whose", _none),
    "A disc lay in the hole. Whose twenty is it?": ("whose_unseen", _none),
    "The board was swept with {n} shot left. Is the round over?": ("swept", _counted),
    "The hole's sensor lost some of what it saw. Do the twenties on the page agree with those set aside?": (
        "gap",
        _none,
    ),
    "Who sits here, at the side that the arrow shows?": ("seats", _none),
}
"""A question's case, by its sentence."""

TOUCHED = {"touched": "They touched", "clear": "They did not"}
TWENTY = {"20": "A twenty", "off": "No twenty"}

ANSWERS: Mapping[str, Mapping[str, str]] = {
    "two_shots": TOUCHED,
    "moved": TOUCHED,
    "apart": TOUCHED,
    "foul": {"foul": "A foul", "valid": "Valid"},
    "taken_off": {"off": "It is off", "counts": "It counts"},
    "shot_unseen": {"off": "Off the board", "20": "In the hole"},
    "strange": {"seen": "Seen to", "later": "Not now"},
    "felt": TWENTY,
    "lifted": TWENTY,
    "whose_unseen": {"nobody": "No twenty"},
    "swept": {"over": "Round over", "goes_on": "It goes on"},
    "gap": {"agree": "They agree"},
    "seats": {"nobody": "Nobody"},
}
"""The texts of a case's answers; other answers were a zone, or the name of a side or player."""

EFFECTS: Mapping[tuple[str, str], str] = {
    ("strange", "seen"): "The marked discs stay out of the score.",
    ("swept", "over"): "The round counts as it stood.",
    ("swept", "goes_on"): "Nothing is counted yet.",
    ("gap", "agree"): "Nothing changes; else correct the twenties",
}
SEATS_EFFECT = "The drawn board is turned to it."
NAMED = ("whose", "whose_unseen", "seats")  # the cases whose other answers are names of sides or players


def with_codes(kind: str, body: Body) -> Body:
    """Convert an event's body into today's form; a modern or unreadable body stays as it is."""
    if kind == "question_asked" and isinstance(body.get("text"), str | dict):
        return _question(body)
    if kind == "shot_seen" and _is_sentence(body.get("doubt")):
        return {**body, "doubt": _doubt(body["doubt"])}
    return body


def rewritten(kind: str, text: bytes) -> bytes | None:
    """`with_codes` for a stored body; None if it stays as it is."""
    with suppress(ValueError):
        body = from_json(text, allow_inf_nan=False)
        if isinstance(body, dict) and (fresh := with_codes(kind, body)) is not body:
            return to_json(fresh)
    return None


def _is_sentence(doubt: object) -> bool:
    return isinstance(doubt, str) or (isinstance(doubt, dict) and "template" in doubt)


def _question(body: Body) -> Body:
    answers = body.get("answers")
    if not isinstance(answers, list) or not all(_is_answer(answer) for answer in answers):
        return body  # not a valid question
    facts = {name: value for name, value in body.items() if name != "text"}
    facts["answers"] = [{name: a[name] for name in ("id", "does") if name in a} for a in answers]
    with suppress(LookupError, TypeError, ValueError):
        coded = {**facts, **_coded(body, answers)}
        QuestionAsked.model_validate({**coded, "kind": "question_asked"})
        return coded
    answer_texts = {
        a["id"]: {"text": a["text"], **({} if a.get("change") else {"effect": a["effect"]})} for a in answers
    }
    return {**facts, "case": FORMER, "told": {"text": body["text"], "answers": answer_texts}}


def _is_answer(answer: object) -> bool:
    return isinstance(answer, dict) and isinstance(answer.get("id"), str) and {"text", "effect"} <= set(answer)


def _coded(body: Body, answers: list[Body]) -> Body:
    """The case and its values. Raises `LookupError`, `TypeError` or `ValueError` for an unknown sentence."""
    text = body["text"]
    case, figures = QUESTIONS[text["template"]]
    for answer in answers:
        _check_answer(case, answer)
    discs = body.get("discs") or [disc for disc in (body.get("disc"),) if disc is not None]
    sides = [disc[0].upper() for disc in discs]  # the first disc of side A is a1
    return {"case": case, **({"sides": sides} if sides else {}), **figures(text.get("values", {}))}


def _check_answer(case: str, answer: Body) -> None:
    """Raise `LookupError`, `TypeError` or `ValueError` if an answer differs from today's answer of its id."""
    id_, text, effect = answer["id"], answer["text"]["template"], answer["effect"]["template"]
    called = ANSWERS.get(case, {}).get(id_)
    if called is None and case not in NAMED:
        called = id_  # a zone
    if called is not None and text != called:
        raise ValueError(text)
    does = SEATS_EFFECT if case == "seats" else EFFECTS.get((case, id_))
    if effect not in (TOTALS if does is None else {does}):
        raise ValueError(effect)


def _doubt(text: str | Body) -> Body:
    coded: Body = {}
    if isinstance(text, dict):
        match text:
            case {"template": "One shot was seen.", "values": {"n": int(n)}}:
                coded = {"case": "several_shots", "count": n}
            case {"template": "The shot disc was not seen after the shot."}:
                coded = {"case": "disc_unseen"}
    with suppress(ValueError):
        Doubt.model_validate(coded)
        return coded
    return {"case": FORMER, "told": text}
