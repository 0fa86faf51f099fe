"""Reading what came, from whomever, and writing what is sent."""

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json

from controller.link.text import LARGEST, unfit

SHOWN = 200  # characters of what is wrong: it is logged, and it may be somebody's attempt to fill the log


class BadMessage(ValueError):
    """A message that can't be taken; the text says what is wrong with it, in one line and at most 200 characters."""


class Part(BaseModel):
    """Frozen. A member that a reader does not know is left out: a newer sender may say more within one version."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, allow_inf_nan=False)


class Document(Part):
    """One message; each names its `schema` with the version."""


Model = TypeVar("Model", bound=Document)


def read(model: type[Model], payload: bytes) -> Model:
    """The document in a payload of at most `LARGEST` bytes. Raises `BadMessage`, and nothing else."""
    if len(payload) > LARGEST:
        raise BadMessage(f"it has {len(payload)} bytes, at most {LARGEST} are taken")
    try:
        value: Any = from_json(payload, allow_inf_nan=False)
    except (ValueError, RecursionError) as error:
        raise BadMessage(_line(f"it is no JSON: {error}")) from error
    if (fault := unfit(value)) is not None:
        raise BadMessage(fault)
    if not isinstance(value, dict) or "schema" not in value:
        raise BadMessage("it is no object with a schema")
    try:
        return model.model_validate_json(payload)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the document"
        raise BadMessage(_line(f"{place}: {first['msg']}")) from error


def written(document: Document) -> bytes:
    """The payload."""
    return document.model_dump_json(by_alias=True).encode()


def _line(text: str) -> str:
    return " ".join(text.encode("ascii", "backslashreplace").decode().split())[:SHOWN]
