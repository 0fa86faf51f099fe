"""The OpenAPI 3.1 document of `/api/v1`: its addresses; the schemas come from the types of commands and documents."""

from functools import cache
from importlib.metadata import version
from typing import Any

from controller.api import command_schema, schema
from web_ui.languages import LANGUAGES
from web_ui.limits import LARGEST_BODY, LONGEST_NAME

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}


def ref(name: str) -> Schema:
    """A schema of the document's components."""
    return {"$ref": f"#/components/schemas/{name}"}


LANGUAGE: Schema = {
    "name": "language",
    "in": "query",
    "description": "of the sentences in the answer; else as Accept-Language says",
    "schema": {"enum": list(LANGUAGES)},
}

UNREAD = (400, "An invalid parameter")
NOT_NOW = (503, "Not now: the answer says why, Retry-After when to try again")
Errors = tuple[tuple[int, str], ...]
Parameters = tuple[Schema, ...]


def answers(document: str, errors: Errors) -> Schema:
    """The answers of an address."""
    found: Schema = {"200": {"description": "The answer", "content": _json(ref(document))}}
    for status, when in errors:
        found[str(status)] = {"description": when, "content": _json(ref("Error"))}
    return found


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def look(summary: str, document: str, errors: Errors = (), parameters: Parameters = ()) -> Schema:
    """An address that anybody may read."""
    return {"get": {"summary": summary, "parameters": [*parameters, LANGUAGE], "responses": answers(document, errors)}}


def paths() -> Schema:
    """Every address."""
    number = {"name": "number", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
    picture = {"name": "name", "in": "path", "required": True, "schema": TEXT}
    name = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
    day = {"type": "string", "format": "date"}
    span = tuple({"name": n, "in": "query", "schema": s} for n, s in (("player", name), ("since", day), ("until", day)))
    before = _step("before", "only matches before this one: `next` of the answer before")
    after = _step("after", "only the shots after this many: `next` of the answer before")
    page, flicks = (
        _step("page", "of players and of head to head, from 1"),
        _step("page", "of the players' flicks, from 1"),
    )
    seen: tuple[tuple[str, str, str, Errors, Parameters], ...] = (
        ("/state", "The newest state", "State", (), ()),
        ("/reading", "The newest board reading", "Reading", ((404, "No board has been read yet"),), ()),
        ("/rules", "Every rule set with its choices and their sources", "Rules", (), ()),
        ("/matches", "Matches in short, the newest first, fifty at a time", "Matches", (UNREAD, NOT_NOW),
         (before, *span)),
        ("/players", "All players, with their renamings", "Players", (NOT_NOW,), ()),
        ("/matches/{number}", "One match, shot by shot, some seventy shots at a time", "ReviewedMatch",
         (UNREAD, (404, "There is no such match, or it can't be read"), NOT_NOW), (number, after)),
        ("/pictures/{name}/reading", "A question's picture read again by today's program, beside what was measured "
         "when it was asked", "Review", ((404, "There is no such picture"), NOT_NOW), (picture,)),
        ("/figures", "Players' figures over a span of days, both included", "Figures", (UNREAD, NOT_NOW),
         (*span, page)),
        ("/shots", "Kinds of shots with their success rates, and the speed of flicks", "Shots", (UNREAD, NOT_NOW),
         (*span, flicks)),
        ("/accuracy", "The table's error rates, from people's corrections", "TableAccuracy", (NOT_NOW,), ()),
    )  # fmt: skip
    return {
        **{path: look(summary, document, errors, given) for path, summary, document, errors, given in seen},
        **_files(span),
        "/commands": {"post": _command()},
        "/events": {"get": _events()},
    }


def _step(name: str, description: str) -> Schema:
    whole = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
    return {"name": name, "in": "query", "description": description, "schema": whole}


def _files(span: Parameters) -> Schema:
    """The addresses of files: of one match, or of a player and a span of days, the newest first."""
    asked = ({"name": "match", "in": "query", "schema": {"type": "integer", "minimum": 0}}, *span)
    notation = "The finished matches of two sides among these, in Crokinole Match Notation 1.0"
    records = "These matches as match records, one a line; for one that can't be read, why"
    return {
        "/rounds.csv": _taken("The rounds of these matches, as a table for a spreadsheet", "text/csv", asked),
        "/records": _taken(records, "application/x-ndjson", asked),
        "/cmn": look(notation, "NotationBatch", (UNREAD, (404, "There is no such match"), NOT_NOW), asked),
    }


def _taken(summary: str, mimetype: str, asked: Parameters) -> Schema:
    """The address of a file that is not JSON."""
    found = look(summary, "Error", (UNREAD, (404, "There is no such match, or it can't be read"), NOT_NOW), asked)
    found["get"]["responses"]["200"]["content"] = {mimetype: {"schema": TEXT}}
    return found


def _command() -> Schema:
    errors = (
        (400, "A command that can't be understood: the answer names the member and what would be right"),
        (401, "The token is missing"),
        (403, "A token that was revoked, or never made here"),
        (409, "A command that does not fit the match as it stands"),
        (413, f"More than {LARGEST_BODY} bytes"),
        (415, "Not JSON"),
    )
    given = answers("State", errors)
    given["409"]["content"] = _json({"anyOf": [ref(name) for name in ("Changed", "Taken", "Error")]})
    return {
        "summary": "Carry out one command; the answer is the state that contains its effect",
        "security": [{"token": []}],
        "parameters": [LANGUAGE],
        "requestBody": {"required": True, "content": _json(ref("Command"))},
        "responses": given,
    }


def _events() -> Schema:
    return {
        "summary": "What happens, as server-sent events",
        "description": "Each event of the journal with its number as id and its kind as name, and after them an event "
        "`state`. A program that comes back sends the last id it saw and misses nothing. Without one it begins now. "
        "An event `beat` every 2 seconds says that the connection lives, and in `clock` what the table's steady clock "
        "shows.",
        "parameters": [
            {"name": "Last-Event-ID", "in": "header", "schema": {"type": "integer", "minimum": 0}},
            LANGUAGE,
        ],
        "responses": {
            "200": {"description": "The stream", "content": {"text/event-stream": {"schema": TEXT}}},
            "400": {"description": "An id that can't be read", "content": _json(ref("Error"))},
            "503": {"description": "Too many listeners", "content": _json(ref("Error"))},
        },
    }


def _webhook() -> Schema:
    return {
        "summary": "Posted to each address that is set in the configuration, whenever something happened",
        "parameters": [
            {
                "name": "X-Crokinole-Signature",
                "in": "header",
                "description": "Where a secret is set: sha256= and the HMAC-SHA256 of the body in hexadecimal",
                "schema": TEXT,
            }
        ],
        "requestBody": {"required": True, "content": _json(ref("Webhook"))},
        "responses": {"2XX": {"description": "Taken. After any other answer, and none, it is tried again"}},
    }


@cache
def document() -> Schema:
    """The whole document."""
    command = command_schema()
    models = command.pop("$defs")
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Crokinole table",
            "version": version("crokinole-table"),
            "description": "Numbers are millimetres in the board's frame (origin at the 20 hole, y away from seat 1), "
            "seconds and points. Members that are not described here may come and go.",
        },
        "servers": [{"url": "/api/v1"}],
        "paths": paths(),
        "webhooks": {"happened": {"post": _webhook()}},
        "components": {
            "schemas": {**schema.components(*schema.FOR_PROGRAMS), **models, "Command": command},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "The set-up page makes and revokes tokens"}
            },
        },
    }
