"""Downloads: a table of rounds for a spreadsheet, and match records for other programs.

Matches are sent while they are read, one page in memory at a time. Each read waits for its turn on the readers'
threads, like every look-up."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain

from flask import Blueprint, Response, stream_with_context

from controller.api import Archive, MatchInShort, NotExpressible, Selection, cmn, spreadsheet
from controller.errors import Unreadable
from controller.messages import encoded
from web_ui.languages import error_text
from web_ui.limits import asked_matches, asked_number
from web_ui.openapi import NO_MATCH, NOT_NOW, NUMBER, SPAN, look, parameter
from web_ui.parts import look_up, or_not_found, parts

exports = Blueprint("exports", __name__, url_prefix="/api/v1")

COLUMNS = (
    "day",
    "match",
    "rules",
    "round",
    "hammer",
    "side",
    "name",
    "players",
    "total",
    "twenties",
    "points",
    "corrected",
    "score",
    "over",
    "winner",
)

Matches = Iterator[list[MatchInShort]]
ASKED = (parameter("match", NUMBER), *SPAN)


@look(exports, "/rounds.csv", "text/csv", NO_MATCH, NOT_NOW, asks=ASKED)
def rounds() -> Response:
    """The rounds of these matches, as a table for a spreadsheet.

    Those of one match, or of the matches of a player and a span of days, the newest match first."""
    name, found = _found()
    return _sent(_table(found), "text/csv", f"{name}.csv")


@look(exports, "/records", "application/x-ndjson", NO_MATCH, NOT_NOW, asks=ASKED)
def records() -> Response:
    """These matches as match records, one a line; for one that can't be read, why."""
    name, found = _found()
    return _sent(_records(parts().table.archive, found), "application/x-ndjson", f"{name}.jsonl")


@look(exports, "/cmn", "NotationBatch", NO_MATCH, NOT_NOW, asks=ASKED)
def crokinole_match_notation() -> Response:
    """The finished matches of two sides among these, in Crokinole Match Notation 1.0."""
    name, found = _found()
    return _sent(_notation(parts().table.archive, found), "application/json", f"{name}.cmn.json")


def _found() -> tuple[str, Matches]:
    """A name for the requested matches, and these page by page. The first page is read at once, because it may be
    refused."""
    archive, number, asked = parts().table.archive, asked_number("match"), asked_matches()
    if number is not None:
        with or_not_found():
            return f"match-{number}", iter([[look_up(lambda: archive.match(number))]])
    pages = _pages(archive, asked)
    days = (day for day in (asked.since, asked.until) if day is not None)
    return "-".join(("matches", *days)), chain([next(pages)], pages)


def _pages(archive: Archive, asked: Selection) -> Matches:
    while True:
        look_up(archive.check_complete)  # some of the matches would look like all of them
        page = look_up(partial(archive.matches, asked))
        yield page.matches
        if page.next is None:
            return
        asked = replace(asked, before=page.next)


def _table(pages: Matches) -> Iterator[str]:
    """Comma-separated values as RFC 4180 has them: a line for each side of each round."""
    yield spreadsheet.MARK + spreadsheet.lines([COLUMNS])
    for matches in pages:
        yield spreadsheet.lines(row for match in matches for row in _rows(match))


def _rows(match: MatchInShort) -> Iterator[tuple[object, ...]]:
    for played in match.rounds:
        for side in match.sides:
            id_ = side.id
            yield (
                match.day,
                match.id,
                match.rules,
                played.number,
                played.hammer == id_,
                id_,
                side.name,
                " & ".join(side.players),
                played.totals[id_],
                played.twenties[id_],
                played.awarded.get(id_, ""),
                played.corrected,
                side.score,
                match.over,
                match.winner == id_,
            )


def _records(archive: Archive, pages: Matches) -> Iterator[str]:
    for matches in pages:
        for match in matches:
            number = match.id
            try:
                record = look_up(partial(archive.record, number))
            except Unreadable as error:  # the error takes its place, and the others follow
                record = {"match": number, "unreadable": error_text(error)}
            yield json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def _notation(archive: Archive, pages: Matches) -> Iterator[str]:
    """A batch, written as its matches are read, without those that the notation can't express: it is for two sides."""
    yield encoded(cmn.batch([]))[: -len("]}")]
    between = ""
    for match in chain.from_iterable(pages):
        if len(match.sides) == 2 and match.over:
            try:
                entry = cmn.entry(look_up(partial(archive.played, match.id)))
            except (NotExpressible, Unreadable):  # it was changed since the list was made
                continue
            yield between + encoded(entry)
            between = ","
    yield "]}\n"


def _sent(content: Iterator[str], mimetype: str, name: str) -> Response:
    response = Response(stream_with_context(content), mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
