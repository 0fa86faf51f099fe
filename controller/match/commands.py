"""The commands of people: a closed set of frozen pydantic models without unknown members, each defined beside the event
that carries it out. Every command may name the state that its sender saw (`seen`) and its match (`match`); its receiver
adds `by` and `who`."""

from functools import reduce
from operator import or_
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from controller import validation
from controller.match.base_command import BaseCommand
from controller.match.events import COMMAND_TYPES

Command = BaseCommand
_COMMAND: TypeAdapter[Command] = TypeAdapter(
    Annotated[reduce(or_, (COMMAND_TYPES[do] for do in sorted(COMMAND_TYPES))), Field(discriminator="do")]  # type: ignore[arg-type]
)


def parse_command(document: Any) -> Command:
    """Parse a command from a page, a button or a recording. Raises `BadInput`, which names the first wrong member."""
    return validation.parse_command(_COMMAND, document)


def command_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of all commands, without `by` and `who`, which the receiver adds."""
    schema = _COMMAND.json_schema(ref_template="#/components/schemas/{model}")
    for model in schema["$defs"].values():
        for name in ("by", "who"):
            model.get("properties", {}).pop(name, None)
    return schema
