"""The table's documents, from which the OpenAPI document and the tests' checks follow. Each part of a document is one
class, a dataclass (a `TypedDict` where members are optional or other rooms fill it), and stands beside the code that
fills it. `components` makes JSON Schemas of them; a member's description is the comment `#:` behind it or, if it is
long, the text below it."""

import inspect
import re
from contextlib import suppress
from dataclasses import is_dataclass
from typing import Any

from pydantic import ConfigDict, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import get_original_bases, is_typeddict

from controller.exchange.cmn import NotationBatch
from controller.views.history.accuracy import TableAccuracy
from controller.views.history.archive import Matches, Players
from controller.views.history.queries import Figures, Shots
from controller.views.history.review import ReviewedMatch
from controller.views.rule_sets import Rules
from controller.views.schema.answers import (
    Beat,
    Changed,
    Error,
    Health,
    LetIn,
    Programs,
    Session,
    SessionClosed,
    Taken,
    Webhook,
)
from controller.views.schema.reading import Reading, Review
from controller.views.schema.setup import Setup
from controller.views.state import State

FOR_PROGRAMS = (
    *(State, Reading, Rules, Matches, Players, ReviewedMatch, Review, Figures, Shots, TableAccuracy, NotationBatch),
    *(Error, Changed, Taken, Webhook, Beat),
)
"""The documents of `/api/v1`, and what programs are sent."""

FOR_PAGES = (Setup, Session, LetIn, SessionClosed, Programs, Health)
"""The documents for pages only."""
PLACE = "#/components/schemas/"
DESCRIBED = re.compile(r"^    (\w+): .*  #: (.+)$", re.MULTILINE)  # a member with its description


class _Described(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False  # a title would only repeat the member's name

    def typed_dict_schema(self, schema: Any) -> dict[str, Any]:
        return self._described(super().typed_dict_schema(schema), schema["cls"])

    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        found = self._described(super().dataclass_schema(schema), schema["cls"])
        for member in found["properties"].values():
            member.pop("default", None)  # every member is in every document
        return {**found, "required": [*found["properties"]]}

    def _described(self, found: dict[str, Any], part: type) -> dict[str, Any]:
        """With the descriptions that pydantic does not find: in comments, and of inherited members."""
        members = found["properties"]
        with suppress(OSError):  # a type without a class statement has its descriptions in its fields
            for name, description in DESCRIBED.findall(inspect.getsource(part)):
                members[name]["description"] = description
        for base in get_original_bases(part):
            if is_typeddict(base) or is_dataclass(base):
                for name, member in components(base)[base.__name__]["properties"].items():
                    if "description" in member:
                        members[name].setdefault("description", member["description"])
        return found


def components(*documents: Any) -> dict[str, Any]:
    """JSON Schemas (draft 2020-12) of documents and all that they consist of, by name, for `#/components/schemas/`."""
    config = ConfigDict(use_attribute_docstrings=True)
    every: Any = TypeAdapter(tuple[documents], config=config)  # type: ignore[valid-type]
    found = every.json_schema(mode="serialization", ref_template=PLACE + "{model}", schema_generator=_Described)
    schemas: dict[str, Any] = found["$defs"]
    return schemas
