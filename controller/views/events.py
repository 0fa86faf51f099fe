"""The journal's events for other programs: codes and values, with the sentences for people."""

from contextlib import suppress
from typing import Any

from controller.errors import Unreadable
from controller.journal import Journal
from controller.journal.match_log import set_aside
from controller.match import events as ev
from controller.match.amendments import amendment_text
from controller.match.events import parse
from controller.match.fold import begin
from controller.match.players import with_names
from controller.match.state import MatchState
from controller.views.questions import answer_text, doubt_text, question_text

Document = dict[str, Any]


def document(journal: Journal, entry: ev.Entry) -> Document:
    """One event of the journal; without sentences if its match can't be read. These are templates with values, see
    `Message.to_json`."""
    found = {"id": entry.id, "match": entry.match, "at": entry.at, "kind": entry.kind, **entry.body}
    with suppress(Unreadable), set_aside(entry.match):
        match entry.kind:
            case "question_asked":
                found |= _question(journal, entry)
            case "amended":
                amended = parse(entry).event
                assert isinstance(amended, ev.Amended)
                found["text"] = amendment_text(amended, _started(journal, entry.match).names).to_json()
            case "shot_seen" if "doubt" in entry.body:
                found["doubt"] = doubt_text(ev.Doubt.model_validate(entry.body["doubt"])).to_json()
    return found


def _question(journal: Journal, entry: ev.Entry) -> Document:
    asked, state = parse(entry).event, _started(journal, entry.match)
    assert isinstance(asked, ev.QuestionAsked)
    answers = [
        {**answer, "text": answer_text(asked, answer["id"], state).to_json()} for answer in entry.body["answers"]
    ]
    return {"text": question_text(asked, state).to_json(), "answers": answers}


def _started(journal: Journal, number: int) -> MatchState:
    """The match at its start, with the players' present names."""
    return begin(number, *with_names([parse(next(journal.events(number)))], journal.players.names().shown))
