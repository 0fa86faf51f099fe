"""`/api/v1`: the table for other programs. Anybody in the room may look; a command carries the table's PIN.

The promises stand in the OpenAPI document that `/api/v1/openapi.json` gives, and tests hold the answers against it.
"""

import re
from collections.abc import Mapping

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import BadRequest, Conflict, NotFound, Unauthorized

from controller.api import BadInput, Refused, Unreadable, encoded
from web_ui.cached_answers import answer
from web_ui.languages import catalogue, chosen_language, in_words, state_in, told
from web_ui.limits import LARGEST_NUMBER, asked_day, asked_number, asked_player, read_json
from web_ui.off_thread import off_thread
from web_ui.openapi import document
from web_ui.parts import Parts, looked_up, parts, place_to_listen

programs = Blueprint("programs", __name__, url_prefix="/api/v1")


@programs.get("/openapi.json")
def openapi() -> Response:
    """What can be asked here, and what is answered."""
    return jsonify(off_thread(document))  # the first time, it is made from the types


@programs.get("/state")
def state() -> Response:
    """The newest state; the header `X-Steady-Clock` tells what the clock shows on which those of a match run down."""
    table = parts().table
    response = _json(state_in(table.snapshot(), chosen_language()))
    response.headers["X-Steady-Clock"] = f"{table.clock():.3f}"
    return response


@programs.get("/reading")
def reading() -> Response:
    """The newest board reading."""
    found = parts().table.reading()
    if found is None:
        raise NotFound(told("No board has been read yet."))
    return jsonify(found)


@programs.get("/rules")
def rules() -> Response:
    """The rule sets."""
    return _said(parts().table.rules())


@programs.get("/matches")
def matches() -> Response:
    """Every match in short."""
    archive = parts().table.archive
    before, player, since, until = asked_number("before"), asked_player(), asked_day("since"), asked_day("until")
    return answer(archive.stamp, lambda: archive.matches(before=before, player=player, since=since, until=until))


@programs.get("/players")
def players() -> Response:
    """The names of all who have played."""
    archive = parts().table.archive
    return answer(archive.stamp, archive.players)


@programs.get("/matches/<int:number>")
def match(number: int) -> Response:
    """One match to step through."""
    archive, after = parts().table.archive, asked_number("after") or 0
    number = min(number, LARGEST_NUMBER)
    try:
        return answer(lambda: archive.stamp(number), lambda: archive.match(number, after))
    except (BadInput, Unreadable) as error:
        raise NotFound(in_words(error)) from error


@programs.get("/pictures/<name>/reading")
def read_again(name: str) -> Response:
    """A question's picture read again by today's program."""
    table = parts().table
    try:
        return _said(looked_up(lambda: table.review(name)))
    except BadInput as error:
        raise NotFound(in_words(error)) from error


@programs.get("/figures")
def figures() -> Response:
    """Players' figures."""
    archive = parts().table.archive
    player, since, until, page = asked_player(), asked_day("since"), asked_day("until"), asked_number("page") or 1
    return answer(archive.stamp, lambda: archive.figures(player=player, since=since, until=until, page=page))


@programs.get("/shots")
def shots() -> Response:
    """Kinds of shots and flicks."""
    archive = parts().table.archive
    player, since, until, page = asked_player(), asked_day("since"), asked_day("until"), asked_number("page") or 1
    return answer(archive.stamp, lambda: archive.shots(player=player, since=since, until=until, page=page))


@programs.get("/accuracy")
def accuracy() -> Response:
    """How often the table was wrong."""
    archive = parts().table.archive
    return answer(archive.stamp, archive.accuracy)


@programs.post("/commands")
def command() -> Response:
    """Carry out one command and answer with the state that contains its effect."""
    here = parts()
    here.access.check_program(_pin(), request)
    given = {**read_json(request), "by": "program", "who": request.remote_addr or ""}
    try:
        snapshot = off_thread(here.table.command, given)
    except BadInput as error:
        raise BadRequest(in_words(error)) from error
    except Refused as error:
        raise Conflict(in_words(error)) from error
    return _json(state_in(snapshot, chosen_language()))


@programs.get("/events")
def events() -> Response:
    """What happens, as server-sent events; `Last-Event-ID` goes on from there."""
    here = parts()
    after = _last_seen(here)
    guest = place_to_listen()
    response = Response(here.event_feed.listen(after, chosen_language(), guest), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _last_seen(here: Parts) -> int:
    told_id = request.headers.get("Last-Event-ID") or request.args.get("after")
    if told_id is None:
        return here.table.snapshot().id
    if not re.fullmatch(r"[0-9]{1,16}", told_id):
        raise BadRequest(told("Last-Event-ID: the id of an event that was sent before, a whole number."))
    return int(told_id)


def _pin() -> str:
    """The PIN in the header `Authorization: Bearer 1234`."""
    scheme, _, pin = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not pin.strip():
        raise Unauthorized(told("Send the table's PIN in the header Authorization: Bearer PIN."))
    return pin.strip()


def _said(answer: Mapping[str, object]) -> Response:
    """A document with its sentences in the language of whoever asks."""
    return _json(encoded(answer, catalogue(chosen_language()).language))


def _json(text: str) -> Response:
    return Response(text, mimetype="application/json")
