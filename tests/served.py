"""Every JSON answer and every message of an event stream that a scoreboard gives in a test, held against the schema.

The schema is the OpenAPI document as programs get it, and beside it the schemas of what the pages alone get. Another
library than the one that made it checks, and takes it as closed: a member that it does not name is wrong too.
"""

import gzip
import json
import re
from functools import cache

import jsonschema_rs
from flask import Flask, request

from controller.club.hub.evening import EveningChanges, EveningDocument, MatchesDocument
from controller.club.hub.organiser import DeskDocument, JoinCode, PlanDocument, PlanRefused, TableAdded
from controller.club.hub.report import EveningReport, EveningsDocument
from controller.match.club import Assignment, Have, Joined
from controller.match.events import Entry, parse
from controller.views.schema import FOR_PAGES, components
from web_ui.openapi import document

OF_PAGES = {
    "routes.state": "State",
    "routes.command": "State",
    "sessions.state": "Session",
    "sessions.open_session": "Session",
    "routes.let_in": "LetIn",
    "sessions.close": "SessionClosed",
    "routes.programs": "Programs",
    "routes.change_programs": "Programs",
    "routes.setup": "Setup",
    "routes.health": "Health",
    "club_routes.evening": "EveningDocument",
    "club_routes.begin": "EveningDocument",
    "club_routes.confirm": "EveningDocument",
    "club_routes.at_board": "EveningDocument",
    "club_routes.claim": "EveningDocument",
    "club_routes.activate_evening": "EveningDocument",
    "club_routes.evenings": "EveningsDocument",
    "club_routes.whole_evening": "EveningReport",
    "club_routes.plan": "PlanDocument",
    "club_routes.matches": "MatchesDocument",
    "club_routes.organiser_document": "DeskDocument",
    "club_routes.add_table": "TableAdded",
    "club_routes.join_code": "JoinCode",
    "club_routes.join": "Joined",
    "club_routes.table_events": "Have",
    "club_routes.password": "Session",
    "club_routes.revoke": "DeskDocument",
}
"""The document that each address for the pages gives; those for programs are in the OpenAPI document."""

OF_CLUB = (
    EveningDocument,
    EveningChanges,
    MatchesDocument,
    DeskDocument,
    PlanDocument,
    PlanRefused,
    TableAdded,
    JoinCode,
    EveningsDocument,
    EveningReport,
)
wrong = []
"""What was served and is not as the schema says, since somebody looked last."""


@cache
def schemas():
    """Every schema by name, closed."""
    found = {
        **components(*OF_CLUB, Joined, Have, Assignment),
        **components(*FOR_PAGES),
        **document()["components"]["schemas"],
    }
    return {name: _closed(schema) for name, schema in found.items()}


def _closed(schema):
    """The schema with no members but those that it names."""
    if isinstance(schema, list):
        return [_closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    members = {name: _closed(part) for name, part in schema.items()}
    return {"additionalProperties": False, **members} if "properties" in schema else members


@cache
def _validator(*names):
    any_of = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    whole = {"anyOf": any_of} if len(names) > 1 else any_of[0]
    return jsonschema_rs.Draft202012Validator({**whole, "components": {"schemas": schemas()}}, validate_formats=True)


def faults(served, *names):
    """What is wrong with a document that has to be one of these."""
    return [
        f"{'/'.join(map(str, error.instance_path)) or 'the document'}: {error.message[:300]}"
        for error in _innermost(_validator(*names).iter_errors(served))
    ]


def _innermost(errors):
    """The errors; of what fits none of several schemas, those by which it misses the one that it is nearest to."""
    for error in errors:
        branches = getattr(error.kind, "context", None) or []
        meant = [branch for branch in branches if not any(_of_another_kind(part, error) for part in branch)]
        if meant:
            yield from _innermost(max(meant, key=lambda branch: max(len(part.instance_path) for part in branch)))
        else:
            yield error


def _of_another_kind(part, error):
    """Whether it is a text, say, where this schema wants an object."""
    return isinstance(part.kind, jsonschema_rs.ValidationErrorKind.Type) and part.instance_path == error.instance_path


def expected(endpoint, rule, method, status):
    """The names of the documents that an address may give with this status."""
    if status >= 400:
        if endpoint == "club_routes.confirm" and status == 409:
            return ("Error", "PlanRefused")
        if endpoint == "club_routes.table_events" and status == 409:
            return ("Have",)
        commands = ("routes.command", "programs.command")
        return ("Error", "Changed", "Taken") if endpoint in commands and status == 409 else ("Error",)
    if endpoint in OF_PAGES:
        return (OF_PAGES[endpoint],)
    if endpoint == "club_pages.file":
        return ("EveningReport", "NotationBatch")
    path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.removeprefix("/api/v1"))
    answer = document()["paths"][path][method.lower()]["responses"][str(status)]
    return (answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2],)


def _check(response):
    endpoint, rule = request.endpoint, request.url_rule.rule if request.url_rule else request.path
    if response.mimetype == "text/event-stream":
        club = {"club_routes.events": "EveningDocument", "club_routes.table_assignment": "Assignment"}
        response.response = _stream_checked(response.response, rule, club.get(endpoint or "", "State"))
    elif response.mimetype == "application/json" and response.data and endpoint != "programs.openapi":
        body = response.data
        if response.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        _take(
            json.loads(body),
            f"{request.method} {request.path} {response.status_code}",
            *expected(endpoint, rule, request.method, response.status_code),
        )


def _take(served, where, *names):
    wrong.extend(f"{where}: {fault}" for fault in faults(served, *names))


def _stream_checked(stream, rule, state):
    """The same stream; it ends when this one is closed."""
    known = None
    try:
        for chunk in stream:
            for name, data in _events(chunk.decode()):
                if name == "changes":  # what comes of them must be a whole state
                    _take(json.loads(data), rule, "EveningChanges")
                    if known is None:  # the page has it
                        continue
                    name, data = "message", json.dumps(changed(known, json.loads(data)))
                if name == "message":
                    known = json.loads(data)
                _check_event(name, data, rule, state)
            yield chunk
    finally:
        stream.close()


def changed(known, changes):
    """An evening after these changes, applied as docs/club-scale.md describes."""
    after = {**known, **changes["members"]}
    for member, lines in changes["rows"].items():
        for line in lines:
            old = [each for each in after[member] if each["id"] == line["id"]]
            if old:
                after[member] = [{**each, **line} if each in old else each for each in after[member]]
            else:
                after[member] = [*after[member], line]
    for member, ids in changes["order"].items():
        after[member] = [next(line for line in after[member] if line["id"] == id) for id in ids]
    return after


def _events(chunk):
    for block in chunk.split("\n\n"):
        fields = [line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":")]
        data = [value for name, value in fields if name == "data"]
        if data:
            yield dict(fields).get("event", "message"), "\n".join(data)


def _check_event(name, data, rule, state):
    if name in ("message", "state"):
        _state(data, rule, state)
    elif name == "beat":
        _take(json.loads(data), rule, "Beat")
    elif name not in ("version", "unchanged"):
        body = json.loads(data)
        entry = Entry(**{member: body.pop(member) for member in ("id", "match", "at", "kind")}, body=body)
        for asked in (body, *body.get("answers", ())) if name == "question_asked" else ():
            asked.pop("text")  # the question in words
        if entry.kind != name or parse(entry).event.kind != name:
            wrong.append(f"{rule}: the event {name} is {data}")


@cache
def _state(data, rule, name):
    """Once for each state, however many listen."""
    _take(json.loads(data), rule, name)


def check_all_that_is_served():
    """From now on, whatever a scoreboard of this process answers is checked, and what is `wrong` is kept."""
    process = Flask.process_response

    def checked(app, response):
        answered = process(app, response)
        try:
            _check(answered)
        except Exception as error:  # on whatever thread: the test has to see it
            wrong.append(f"{request.method} {request.path}: {error!r}")
        return answered

    Flask.process_response = checked
