"""`/api/v1`: the table for other programs. Anybody in the room may look; a command needs a token, which
the set-up page makes.

`/api/v1/openapi.json` documents it, and tests validate the answers against that."""

import gzip
import re
import secrets
from collections.abc import Callable

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import BadRequest, NotFound

from controller.api import Archive
from web_ui.assets import unpacks
from web_ui.languages import chosen_language, document, translated
from web_ui.limits import LARGEST_NUMBER, asked_matches, asked_number, read_json
from web_ui.openapi import NO_MATCH, NOT_NOW, NUMBER, SPAN, look, parameter, step
from web_ui.openapi import document as specification
from web_ui.parts import Parts, event_stream, json_response, look_up, or_not_found, parts, place_to_listen
from web_ui.reader_pool import MOST_KEPT, off_thread

programs = Blueprint("programs", __name__, url_prefix="/api/v1")
PROGRAM = secrets.token_hex(4)
"""A random part of every tag, new at each start: after an update the same data may be answered differently."""


def answer(ask: Callable[[Archive], object], match: int | None = None) -> Response:
    """The document of `ask` in the requested language; 304 if the browser has it already. Computed on the readers'
    threads, and cached until something changes: in this match, or in any."""
    archive, kept = parts().table.archive, parts().readers.kept
    key = (request.full_path, chosen_language())
    known = request.if_none_match

    def work() -> tuple[str, bytes | None]:
        tag = f"{PROGRAM}-{archive.stamp(match)}-{key[1]}"
        if known.contains_weak(tag):
            return tag, None
        kept_as, body = kept.get(key, ("", b""))
        if kept_as != tag:
            body = gzip.compress(document(ask(archive), key[1]).encode(), compresslevel=4, mtime=0)
            if len(kept) >= MOST_KEPT:
                kept.clear()
            kept[key] = tag, body
        return tag, body

    tag, body = look_up(work)
    if body is None:
        response = Response(status=304)
    elif unpacks():
        response = Response(body, mimetype="application/json", headers={"Content-Encoding": "gzip"})
    else:
        response = Response(gzip.decompress(body), mimetype="application/json")
    response.set_etag(tag, weak=True)
    response.headers["Cache-Control"] = "private, no-cache"  # keep it, and ask each time whether it still holds
    response.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    return response


@programs.get("/openapi.json")
def openapi() -> Response:
    """The OpenAPI document."""
    return jsonify(off_thread(specification))  # the first call generates it from the types


@look(programs, "/state", "State")
def state() -> Response:
    """The newest state.

    The header `X-Steady-Clock` has the time of the monotonic clock that a match's clocks use."""
    table = parts().table
    response = json_response(table.snapshot())
    response.headers["X-Steady-Clock"] = f"{table.clock():.3f}"
    return response


@look(programs, "/reading", "Reading", (404, "No board has been read yet"))
def reading() -> Response:
    """The newest board reading."""
    found = parts().table.reading()
    if found is None:
        raise NotFound(translated("No board has been read yet."))
    return jsonify(found)


@look(programs, "/rules", "Rules")
def rules() -> Response:
    """Every rule set with its choices and their sources."""
    return json_response(parts().table.rules())


BEFORE = step("before", "only matches before this one: `next` of the answer before")


@look(programs, "/matches", "Matches", NOT_NOW, asks=(BEFORE, *SPAN))
def matches() -> Response:
    """Matches in short, the newest first, fifty at a time."""
    asked = asked_matches()
    return answer(lambda archive: archive.matches(asked))


@look(programs, "/players", "Players", NOT_NOW)
def players() -> Response:
    """All players, with their renamings."""
    return answer(lambda archive: archive.players())


AFTER = step("after", "only the shots after this many: `next` of the answer before")


@look(programs, "/matches/<int:number>", "ReviewedMatch", NO_MATCH, NOT_NOW, asks=(AFTER,))
def match(number: int) -> Response:
    """One match, shot by shot, some seventy shots at a time."""
    after, number = asked_number("after") or 0, min(number, LARGEST_NUMBER)
    with or_not_found():
        return answer(lambda archive: archive.match(number, after), number)


@look(programs, "/pictures/<name>/reading", "Review", (404, "There is no such picture"), NOT_NOW)
def read_again(name: str) -> Response:
    """A question's picture read again by today's program, beside what was measured when it was asked."""
    table = parts().table
    with or_not_found():
        return json_response(look_up(lambda: table.review(name)))


@look(programs, "/figures", "Figures", NOT_NOW, asks=(*SPAN, step("page", "of players and of head to head, from 1")))
def figures() -> Response:
    """Players' figures over a span of days, both included."""
    asked = asked_matches()
    return answer(lambda archive: archive.figures(asked))


@look(programs, "/shots", "Shots", NOT_NOW, asks=(*SPAN, step("page", "of the players' flicks, from 1")))
def shots() -> Response:
    """Kinds of shots with their success rates, and the speed of flicks."""
    asked = asked_matches()
    return answer(lambda archive: archive.shots(asked))


@look(programs, "/accuracy", "TableAccuracy", NOT_NOW)
def accuracy() -> Response:
    """The table's error rates, from people's corrections."""
    return answer(lambda archive: archive.accuracy())


@programs.post("/commands")
def command() -> Response:
    """Carry out one command; the answer is the state with its effect."""
    here = parts()
    who = here.access.bearer("program")
    given = {**read_json(), "by": "program", "who": who}
    return json_response(off_thread(here.table.command, given))


LAST = parameter("Last-Event-ID", NUMBER, "header")


@look(programs, "/events", "text/event-stream", (503, "Too many listeners"), asks=(LAST,))
def events() -> Response:
    """What happens, as server-sent events.

    Each event of the journal with its number as id and its kind as name, and after them an event `state`. A program
    that comes back sends the last id it saw and misses nothing. Without one it begins now. An event `beat` every 2
    seconds says that the connection lives, and in `clock` what the table's steady clock shows."""
    here = parts()
    after = _last_seen(here)
    guest = place_to_listen(here.stream, here.access)
    return event_stream(here.event_feed.listen(after, chosen_language(), guest))


def _last_seen(here: Parts) -> int:
    last_id, newest = request.headers.get("Last-Event-ID") or request.args.get("after"), here.table.archive.last_event
    if last_id is None:
        return newest
    if not re.fullmatch(r"[0-9]{1,16}", last_id):
        raise BadRequest(translated("Last-Event-ID: the id of an event that was sent before, a whole number."))
    return min(int(last_id), newest)  # a restored journal ends with a lower number than before
