"""The OpenAPI 3.1 document of `/api/v1`. Commands come from the models that read them; the rest is written here."""

from functools import cache
from importlib.metadata import version
from typing import Any

from controller.api import command_schema
from web_ui.limits import LARGEST_BODY, LONGEST_NAME

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
TRUTH: Schema = {"type": "boolean"}
SIDE: Schema = {"enum": ["A", "B", "C", "D"]}
MAYBE_SIDE: Schema = {"enum": ["A", "B", "C", "D", None]}
BY_SIDE: Schema = {"type": "object", "propertyNames": SIDE, "additionalProperties": WHOLE}
PLACE: Schema = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}


def either(*schemas: Schema) -> Schema:
    """One of these, or null."""
    return {"anyOf": [*schemas, {"type": "null"}]}


def thing(**members: Schema) -> Schema:
    """An object with at least these members; programs must not mind others."""
    return {"type": "object", "properties": members, "required": list(members)}


def listing(of: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": of}


def ref(name: str) -> Schema:
    """A schema of the document's components."""
    return {"$ref": f"#/components/schemas/{name}"}


DISC = thing(
    id=TEXT,
    side=SIDE,
    x=NUMBER,
    y=NUMBER,
    zone={"enum": [20, 15, 10, 5, 0]},
    pose={"enum": ["flat", "leaning", "in_hole", "ditch"]},
    call={"enum": ["sure", "close"]},
    clearance=NUMBER,
    sigma=NUMBER,
)

QUESTION = thing(
    id=WHOLE, kind=TEXT, text=TEXT, discs=listing(TEXT), answers=listing(thing(id=TEXT, text=TEXT, effect=TEXT))
)

STATE = thing(
    schema={"const": "table-state/1"},
    id=WHOLE,
    table=thing(name=TEXT, simulated=TRUTH),
    status=thing(word=TEXT, text=TEXT),
    notices=listing(thing(kind=TEXT, text=TEXT)),
    match=either(
        thing(
            id=WHOLE,
            rules=TEXT,
            over=TRUTH,
            winner=MAYBE_SIDE,
            sides=listing(thing(id=SIDE, name=TEXT, score=WHOLE, total=WHOLE, twenties=WHOLE, shots_left=WHOLE)),
            round=thing(number=WHOLE, starter=SIDE, to_shoot=MAYBE_SIDE, shots=WHOLE),
            discs=listing(ref("Disc")),
            questions=listing(ref("Question")),
        )
    ),
)

READING = thing(
    schema={"const": "board-reading/1"},
    obstructed=TRUTH,
    milliseconds=NUMBER,
    discs=listing(thing(x=NUMBER, y=NUMBER, side=MAYBE_SIDE, colour=TEXT, pose=TEXT, zone=WHOLE, clearance=NUMBER)),
)

IN_SHORT = {
    "id": WHOLE,
    "day": {"type": "string", "format": "date"},
    "started": {"type": "string", "format": "date-time"},
    "rules": TEXT,
    "over": TRUTH,
    "winner": MAYBE_SIDE,
    "sides": listing(thing(id=SIDE, name=TEXT, players=listing(TEXT), score=WHOLE, twenties=WHOLE)),
    "rounds": listing(thing(number=WHOLE, starter=SIDE, hammer=SIDE, totals=BY_SIDE, awarded=BY_SIDE)),
}

SHOT = thing(
    id=WHOLE,
    round=WHOLE,
    number=WHOLE,
    side=SIDE,
    player=TEXT,
    valid=TRUTH,
    call=TEXT,
    why=listing(TEXT),
    before=listing(ref("Disc")),
    after=listing(ref("Disc")),
    paths=listing(thing(disc=TEXT)),
    totals=BY_SIDE,
)

FIGURES = thing(
    schema={"const": "figures/1"},
    matches=WHOLE,
    players=listing(
        thing(player=TEXT, matches=WHOLE, won=WHOLE, lost=WHOLE, tied=WHOLE, rounds=WHOLE, twenties=WHOLE, fouls=WHOLE)
    ),
    head_to_head=listing(thing(players=listing(TEXT), matches=WHOLE, won=listing(WHOLE), tied=WHOLE)),
    places=listing(thing(x=NUMBER, y=NUMBER, zone=WHOLE, seat=WHOLE, player=TEXT)),
    near=listing(thing(match=WHOLE, round=WHOLE, number=WHOLE, player=TEXT, clearance=NUMBER)),
    next=either(WHOLE),
)

RULES = thing(schema={"const": "rules/1"}, rule_sets=listing(thing(id=TEXT, name=TEXT, choices={"type": "object"})))

SCHEMAS: dict[str, Schema] = {
    "Disc": DISC,
    "Question": QUESTION,
    "State": STATE,
    "Reading": READING,
    "Matches": thing(
        schema={"const": "matches/1"},
        matches=listing(thing(**IN_SHORT)),
        next=either(WHOLE),
        unreadable=listing(thing(match=WHOLE, text=TEXT)),
        progress=either(thing(done=WHOLE, of=WHOLE)),
    ),
    "Players": thing(schema={"const": "players/1"}, players=listing(TEXT)),
    "Match": thing(
        schema={"const": "match/1"},
        **IN_SHORT,
        shots=listing(SHOT),
        next=either(WHOLE),
        changes=listing(thing(at=NUMBER)),
    ),
    "Figures": FIGURES,
    "Rules": RULES,
    "Review": thing(schema={"const": "review/1"}, picture=TEXT, now=either({"type": "object"}), reading=ref("Reading")),
    "Error": thing(error=TEXT),
}

LANGUAGE: Schema = {
    "name": "language",
    "in": "query",
    "description": "of the sentences in the answer; else as Accept-Language says",
    "schema": {"enum": ["en", "fr", "pl"]},
}


def answers(schema: str, *errors: tuple[int, str]) -> Schema:
    """The answers of an address."""
    found: Schema = {"200": {"description": "The answer", "content": _json(ref(schema))}}
    for status, when in errors:
        found[str(status)] = {"description": when, "content": _json(ref("Error"))}
    return found


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def look(summary: str, schema: str, *errors: tuple[int, str], parameters: tuple[Schema, ...] = ()) -> Schema:
    """An address that anybody may read."""
    return {"get": {"summary": summary, "parameters": [*parameters, LANGUAGE], "responses": answers(schema, *errors)}}


def paths() -> Schema:
    """Every address."""
    number = {"name": "number", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
    name = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
    day = {"type": "string", "format": "date"}
    span = tuple({"name": n, "in": "query", "schema": s} for n, s in (("player", name), ("since", day), ("until", day)))
    whole = {"type": "integer", "minimum": 0, "maximum": 999_999_999}

    def step(name: str, description: str) -> Schema:
        return {"name": name, "in": "query", "description": description, "schema": whole}

    before = step("before", "only matches before this one: what the answer before this gave as next")
    after = step("after", "only shots after so many: what the answer before this gave as next")
    page = step("page", "of players and of head to head, from 1")
    unread = (400, "A parameter that can't be read")
    return {
        "/state": look("The newest state", "State"),
        "/reading": look("The newest board reading", "Reading", (404, "No board has been read yet")),
        "/rules": look("Every rule set with its choices and their sources", "Rules"),
        "/matches": look(
            "Matches in short, the newest first, fifty at a time", "Matches", unread, parameters=(before, *span)
        ),
        "/players": look("The names of all who have played", "Players"),
        "/matches/{number}": look(
            "One match, shot by shot, eighty shots at a time",
            "Match",
            unread,
            (404, "There is no such match, or it can't be read"),
            parameters=(number, after),
        ),
        "/pictures/{name}/reading": look(
            "A question's picture read again by today's program, beside what was measured when it was asked",
            "Review",
            (404, "There is no such picture"),
            parameters=({"name": "name", "in": "path", "required": True, "schema": {"type": "string"}},),
        ),
        "/figures": look(
            "Players' figures over a span of days, both included",
            "Figures",
            unread,
            parameters=(*span, page),
        ),
        "/commands": {"post": _command()},
        "/events": {"get": _events()},
    }


def _command() -> Schema:
    errors = (
        (400, "A command that can't be understood: the answer names the member and what would be right"),
        (401, "The table's PIN is missing"),
        (403, "A wrong PIN"),
        (409, "A command that does not fit the match as it stands"),
        (413, f"More than {LARGEST_BODY} bytes"),
        (415, "Not JSON"),
        (429, "Too many wrong PINs: wait as Retry-After says"),
    )
    return {
        "summary": "Carry out one command; the answer is the state that contains its effect",
        "security": [{"pin": []}],
        "parameters": [LANGUAGE],
        "requestBody": {"required": True, "content": _json(ref("Command"))},
        "responses": answers("State", *errors),
    }


def _events() -> Schema:
    return {
        "summary": "What happens, as server-sent events",
        "description": "Each event of the journal with its number as id and its kind as name, and after them an event "
        "`state`. A program that comes back sends the last id it saw and misses nothing. Without one it begins now. "
        "An event `beat` every 15 seconds says that the connection lives.",
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
        "components": {
            "schemas": {**SCHEMAS, **models, "Command": command},
            "securitySchemes": {
                "pin": {"type": "http", "scheme": "bearer", "description": "The PIN that the table's screen shows"}
            },
        },
    }
