"""What of a schema its documents have shown: every member, every value of an enumeration, every kind of value.

A member that no document ever has, and a word that is never sent, are promises that nobody keeps.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import jsonschema_rs

from controller.messages import encoded
from tests.served import faults, schemas


class Shown:
    """Holds every document against the schema, and remembers what they showed of it."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def take(self, document: Any, name: str) -> None:
        served = json.loads(encoded(document))
        assert faults(served, name) == []
        self.found.update(shown(served, name))

    def never(self, *names: str) -> set[str]:
        """What documents of these schemas may show and none has shown."""
        return possible(*names) - self.found


def possible(*names: str) -> set[str]:
    """All that documents of these schemas may show: `Disc.pose`, `Disc.remove: null`, `A, B, C or D = A` .."""
    found: set[str] = set()
    wanted = list(names)
    seen: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        for member, schema in schemas()[name].get("properties", {}).items():
            found.add(f"{name}.{member}")
            found.update(_possible(schema, f"{name}.{member}"))
        wanted.extend(_referred(schemas()[name]))
    return found


def _referred(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for part in schema:
            yield from _referred(part)
    elif isinstance(schema, dict):
        if "$ref" in schema:
            yield _name(schema)
        for part in schema.values():
            yield from _referred(part)


def _possible(schema: dict[str, Any], at: str) -> Iterator[str]:
    for branch in schema.get("anyOf", ()):
        yield f"{at}: {_kind(branch)}"
        yield from _possible(branch, at)
    yield from (f"{one_of(schema['enum'])} = {value}" for value in schema.get("enum", ()))
    if schema.get("type") == "boolean":
        yield from (f"{at} = {value}" for value in (True, False))
    if "items" in schema:
        yield f"{at}[]"
        yield from _possible(schema["items"], f"{at}[]")
    if isinstance(schema.get("additionalProperties"), dict):
        yield f"{at}{{}}"
        yield from _possible(schema.get("propertyNames", {}), f"{at}{{}} name")
        yield from _possible(schema["additionalProperties"], f"{at}{{}}")


def shown(document: Any, name: str) -> Iterator[str]:
    """What a document of this schema shows of it."""
    for member, schema in schemas()[name].get("properties", {}).items():
        if member in document:
            yield f"{name}.{member}"
            yield from _shown(document[member], schema, f"{name}.{member}")


def _shown(value: Any, schema: dict[str, Any], at: str) -> Iterator[str]:
    if "$ref" in schema:
        yield from shown(value, _name(schema))
    for branch in schema.get("anyOf", ()):
        if _fits(json.dumps(branch)).is_valid(value):
            yield f"{at}: {_kind(branch)}"
            yield from _shown(value, branch, at)
    if "enum" in schema:
        yield f"{one_of(schema['enum'])} = {value}"
    if schema.get("type") == "boolean":
        yield f"{at} = {value}"
    if "items" in schema:
        for item in value:
            yield f"{at}[]"
            yield from _shown(item, schema["items"], f"{at}[]")
    if isinstance(schema.get("additionalProperties"), dict):
        for key, item in value.items():
            yield f"{at}{{}}"
            yield from _shown(key, schema.get("propertyNames", {}), f"{at}{{}} name")
            yield from _shown(item, schema["additionalProperties"], f"{at}{{}}")


def _name(schema: dict[str, Any]) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def one_of(values: Iterable[Any]) -> str:
    """An enumeration by its values: it is the same wherever it stands."""
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}"


def _kind(schema: dict[str, Any]) -> str:
    return _name(schema) if "$ref" in schema else str(schema.get("type"))


@cache
def _fits(schema: str) -> Any:
    return jsonschema_rs.Draft202012Validator({**json.loads(schema), "components": {"schemas": schemas()}})
