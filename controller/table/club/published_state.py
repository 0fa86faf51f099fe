"""The state that the table publishes to its club: the score in short, from the state that people see."""

import unicodedata
from typing import Any, get_args

from controller import link
from controller.match.base import LONGEST_NAME
from controller.views.schema.table_state import State

AND = " & "  # between partners


def printable(name: str) -> str:
    """A side's name on one line, without unprintable letters; each partner's name is cut to the maximum."""
    shown = "".join(" " if unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") else letter for letter in name)
    return AND.join(player[:LONGEST_NAME].strip() or "?" for player in shown.split(AND, 1))


def published_state(document: State, lamps: str | None) -> link.State:
    """The score in short. `lamps`: their signal, None without lamps."""
    match = document["match"]
    return link.State(
        name=printable(document["table"]["name"])[:LONGEST_NAME],
        word=document["status"]["word"],
        problems=tuple(notice["kind"] for notice in document["notices"]),
        lamps=lamps,
        match=_scored(match, document["id"]) if match else None,
    )


def _scored(match: Any, event: int) -> link.ScoredMatch:
    round_, shown = match["round"], link.ScoredSide.model_fields
    sides = [{**{name: side[name] for name in shown}, "name": printable(side["name"])} for side in match["sides"]]
    return link.ScoredMatch(
        number=match["id"],
        event=event,
        assignment=match["assignment"],
        rules=match["rules"],
        over=match["over"],
        winner=_side(match["winner"]),
        round=round_["number"],
        of=round_["of"],
        shots=round_["shots"],
        shoots=_side(round_["to_shoot"]),
        questions=len(match["questions"]),
        sides=tuple(map(link.ScoredSide.model_validate, sides)),
    )


def _side(letter: str | None) -> Any:
    return letter if letter in get_args(link.SideLetter) else None
