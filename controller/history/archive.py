"""The matches of a journal, looked up by anybody on any thread while the table plays."""

import json
from typing import Any

from controller.errors import BadInput
from controller.history.figures import figures
from controller.history.review import review
from controller.history.summary import VERSION, summarise
from controller.journal import Journal
from controller.match import Stamped, parse

Document = dict[str, Any]

BATCH = 200  # events in one answer


class Archive:
    """What was played. A match is summed up once after its last event; the journal keeps the summary beside it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def matches(self) -> Document:
        """The document `matches/1`: every match in short, the newest first."""
        lines = [{key: value for key, value in m.items() if key != "shots"} for m in self._summaries()]
        return {"schema": "matches/1", "matches": lines[::-1]}

    def match(self, number: int) -> Document:
        """The document `match/1`: one match to step through. Raises `BadInput` when there is no such match."""
        return review(number, self._history(number), self._journal.pictures_of(number))

    def figures(self, *, player: str | None = None, since: str | None = None, until: str | None = None) -> Document:
        """The document `figures/1`."""
        return figures(self._summaries(), player=player, since=since, until=until)

    def events(self, after: int) -> list[Document]:
        """What happened after the event of this number, oldest first, at most `BATCH` at a time."""
        return [
            {"id": e.id, "match": e.match, "at": e.at, "kind": e.kind, **e.body}
            for e in self._journal.since(after, BATCH)
        ]

    def _history(self, number: int) -> list[Stamped]:
        history = [parse(entry) for entry in self._journal.events(number)] if number > 0 else []
        if not history:
            raise BadInput(f"There is no match {number}.")
        return history

    def _summaries(self) -> list[Document]:
        kept, numbers = self._journal.summaries(VERSION), self._journal.matches()
        return [kept[number] if number in kept else self._sum_up(number, numbers[-1]) for number in numbers]

    def _sum_up(self, number: int, newest: int) -> Document:
        summary = summarise(number, self._history(number))
        if summary["over"] or number != newest:  # the match that runs would be written anew with every shot
            self._journal.keep_summary(number, VERSION, summary["last_event"], json.dumps(summary))
        return summary
