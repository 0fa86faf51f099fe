"""The journal's events for other programs: codes and values, with the sentences for people."""

from contextlib import suppress
from functools import lru_cache
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
from controller.messages import Message
from controller.views.questions import answer_text, doubt_text, question_text

Document = dict[str, Any]


class Events:
    """Events of one journal as documents; sentences are templates with values, see `Message.to_json`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._names = journal.players.names()
        self._started_match = lru_cache(maxsize=1)(self._begin)

    def document(self, entry: ev.Entry) -> Document:
        """One event; without sentences if its match can't be read."""
        found = {"id": entry.id, "match": entry.match, "at": entry.at, "kind": entry.kind, **entry.body}
        with suppress(Unreadable), set_aside(entry.match):
            match entry.kind:
                case "question_asked":
                    found |= self._question(entry)
                case "amended":
                    found["text"] = self._amended(entry).to_json()
                case "shot_seen" if "doubt" in entry.body:
                    found["doubt"] = doubt_text(ev.Doubt.model_validate(entry.body["doubt"])).to_json()
        return found

    def _amended(self, entry: ev.Entry) -> Message:
        amended, state = parse(entry).event, self._started_match(entry.match)
        assert isinstance(amended, ev.Amended)
        return amendment_text(amended, state.names)

    def _question(self, entry: ev.Entry) -> Document:
        if (names := self._journal.players.names()) is not self._names:
            self._names = names
            self._started_match.cache_clear()
        asked, state = parse(entry).event, self._started_match(entry.match)
        assert isinstance(asked, ev.QuestionAsked)
        answers = [
            {**answer, "text": answer_text(asked, answer["id"], state).to_json()} for answer in entry.body["answers"]
        ]
        return {"text": question_text(asked, state).to_json(), "answers": answers}

    def _begin(self, number: int) -> MatchState:
        """The match at its start, with the players' present names."""
        return begin(number, *with_names([parse(next(self._journal.events(number)))], self._names.shown))
