"""The OpenAPI 3.1 document of `/api/v1`. A view that is routed by `look` describes its address with its docstring; the
schemas come from the types of commands and documents."""

import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from typing import Any, TypeVar

from flask import Blueprint

from controller.api import command_schema, schema
from web_ui.languages import LANGUAGES
from web_ui.limits import LARGEST_BODY, LONGEST_NAME

View = TypeVar("View", bound=Callable[..., Any])
Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer", "minimum": 0}
DAY: Schema = {"type": "string", "format": "date"}
Error = tuple[int, str]


def ref(name: str) -> Schema:
    """A schema of the document's components."""
    return {"$ref": f"#/components/schemas/{name}"}


def parameter(name: str, schema: Schema, place: str = "query", **more: object) -> Schema:
    """A parameter of an address."""
    return {"name": name, "in": place, "schema": schema, **more}


def step(name: str, description: str) -> Schema:
    """The parameter for the next part of a list."""
    return parameter(name, {**NUMBER, "maximum": 999_999_999}, description=description)


LANGUAGE = parameter(
    "language", {"enum": list(LANGUAGES)}, description="of the sentences in the answer; else as Accept-Language says"
)
SPAN = (
    parameter("player", {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}),
    parameter("since", DAY),
    parameter("until", DAY),
)
UNREAD = (400, "An invalid parameter")
NO_MATCH = (404, "There is no such match, or it can't be read")
NOT_NOW = (503, "Not now: the answer says why, Retry-After when to try again")
PATHS: Schema = {}  # those of `look`


def answers(answer: Schema, *errors: Error) -> Schema:
    """The answers of an address."""
    found: Schema = {"200": {"description": "The answer", "content": answer}}
    for status, when in errors:
        found[str(status)] = {"description": when, "content": _json(ref("Error"))}
    return found


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def look(
    part: Blueprint, address: str, shown: str, *errors: Error, asks: tuple[Schema, ...] = ()
) -> Callable[[View], View]:
    """Route a view of `part` at an address that anybody may read, and describe it: by the first paragraph of its
    docstring and the rest. `shown`: the name of its document, or the type of a file; `asks`: the parameters that it
    reads."""
    path = re.sub(r"<(?:int:)?(\w+)>", r"{\1}", address)
    content = {shown: {"schema": TEXT}} if "/" in shown else _json(ref(shown))
    places = [
        parameter(name, NUMBER if whole else TEXT, "path", required=True)
        for whole, name in re.findall(r"<(int:)?(\w+)>", address)
    ]

    def route(view: View) -> View:
        paragraphs = [" ".join(one.split()) for one in (view.__doc__ or "").split("\n\n", 1)]
        PATHS[path] = {
            "get": {
                **dict(zip(("summary", "description"), paragraphs, strict=False)),
                "parameters": [*places, *asks, LANGUAGE],
                "responses": answers(content, *[UNREAD][: len(asks)], *errors),
            }
        }
        part.add_url_rule(address, view_func=view)
        return view

    return route


def _command() -> Schema:
    errors = (
        (400, "A command that can't be understood: the answer names the member and what would be right"),
        (401, "The token is missing"),
        (403, "A token that was revoked, or never made here"),
        (409, "A command that does not fit the match as it stands"),
        (413, f"More than {LARGEST_BODY} bytes"),
        (415, "Not JSON"),
    )
    given = answers(_json(ref("State")), *errors)
    given["409"]["content"] = _json({"anyOf": [ref(name) for name in ("Changed", "Taken", "Error")]})
    return {
        "summary": "Carry out one command; the answer is the state that contains its effect",
        "security": [{"token": []}],
        "parameters": [LANGUAGE],
        "requestBody": {"required": True, "content": _json(ref("Command"))},
        "responses": given,
    }


def _webhook() -> Schema:
    return {
        "summary": "Posted to each address that is set in the configuration, whenever something happened",
        "parameters": [
            parameter(
                "X-Crokinole-Signature",
                TEXT,
                "header",
                description="Where a secret is set: sha256= and the HMAC-SHA256 of the body in hexadecimal",
            )
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
        "paths": {**PATHS, "/commands": {"post": _command()}},
        "webhooks": {"happened": {"post": _webhook()}},
        "components": {
            "schemas": {**schema.components(*schema.FOR_PROGRAMS), **models, "Command": command},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "The set-up page makes and revokes tokens"}
            },
        },
    }
