"""The table's documents as types, from which the views, the OpenAPI document and the tests' checks follow. Each
document is a `TypedDict`: a view builds it as a plain dict, and mypy checks that against its type. `components` makes
JSON Schemas of them; a member's description is the comment `#:` behind it or, if it is long, the text below it."""

import inspect
import re
from contextlib import suppress
from typing import Any

from pydantic import ConfigDict, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import get_original_bases, is_typeddict

from controller.exchange.cmn import NotationBatch
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
from controller.views.schema.figures import Figures, Shots, TableAccuracy
from controller.views.schema.history import Match, Matches, Players
from controller.views.schema.reading import Reading, Review
from controller.views.schema.rule_sets import Rules
from controller.views.schema.setup import Setup
from controller.views.schema.table_state import State

FOR_PROGRAMS = (
    *(State, Reading, Rules, Matches, Players, Match, Review, Figures, Shots, TableAccuracy, NotationBatch),
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
        """With the descriptions that pydantic does not find: in comments, and of inherited members."""
        found = super().typed_dict_schema(schema)
        with suppress(OSError):  # a type without a class statement has its descriptions in its fields
            for name, description in DESCRIBED.findall(inspect.getsource(schema["cls"])):
                found["properties"][name]["description"] = description
        for base in filter(is_typeddict, get_original_bases(schema["cls"])):
            for name, member in components(base)[base.__name__]["properties"].items():
                found["properties"][name].setdefault("description", member.get("description"))
        return found


def components(*documents: Any) -> dict[str, Any]:
    """JSON Schemas (draft 2020-12) of documents and all that they consist of, by name, for `#/components/schemas/`."""
    config = ConfigDict(use_attribute_docstrings=True)
    every: Any = TypeAdapter(tuple[documents], config=config)  # type: ignore[valid-type]
    found = every.json_schema(mode="serialization", ref_template=PLACE + "{model}", schema_generator=_Described)
    schemas: dict[str, Any] = found["$defs"]
    return schemas
