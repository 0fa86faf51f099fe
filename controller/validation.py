"""Turns pydantic's errors into plain sentences that name the member and say what would be right; loads TOML files."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from controller.errors import BadInput
from controller.messages import Message, marked, say
from hardware.files import read_text

Settings = TypeVar("Settings", bound=BaseModel)
MAX_SHOWN = 40  # characters of the wrong value to show
_MISSING = marked("{place} is missing.")
_WHOLE = marked("{place} must be a whole number{given}.")
_NUMBER = marked("{place} must be a number{given}.")
_CHOICE = marked("{place} must be true or false{given}.")
_LIST = marked("{place} must be a list{given}.")
_UNKNOWN = marked("{place} is unknown: leave it out, or correct its name.")
_TEMPLATES: Mapping[str, str] = {
    "missing": _MISSING,
    "missing_argument": _MISSING,
    "extra_forbidden": _UNKNOWN,
    "unexpected_keyword_argument": _UNKNOWN,
    "union_tag_not_found": marked("{place} is missing: say which command this is."),
    "union_tag_invalid": marked("{place} must be one of {expected_tags}{given}."),
    "model_attributes_type": marked("{place} must be a command, an object with a member do{given}."),
    "literal_error": marked("{place} must be one of {expected}{given}."),
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": marked("{place} must be a finite number{given}."),
    "bool_type": _CHOICE,
    "bool_parsing": _CHOICE,
    "string_type": marked("{place} must be text{given}."),
    "path_type": marked("{place} must be the name of a file or folder{given}."),
    "string_too_short": marked("{place} needs at least {min_length} characters."),
    "string_too_long": marked("{place} is too long: at most {max_length} characters."),
    "too_short": marked("{place} needs at least {min_length} entries."),
    "too_long": marked("{place} has too many entries: at most {max_length}."),
    "greater_than": marked("{place} must be more than {gt}{given}."),
    "greater_than_equal": marked("{place} must be at least {ge}{given}."),
    "less_than": marked("{place} must be less than {lt}{given}."),
    "less_than_equal": marked("{place} must be at most {le}{given}."),
    "multiple_of": marked("{place} must be a multiple of {multiple_of}{given}."),
    "dict_type": marked("{place} must be an object with a member for each{given}."),
    "model_type": marked("{place} must be an object{given}."),
    "tuple_type": _LIST,
    "list_type": _LIST,
    "value_error": marked("{place}: {error}."),
}


class FrozenModel(BaseModel):
    """A frozen model without unknown members, as the configuration, the journal and commands have them."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


Port = Annotated[int, Field(ge=0, le=65535)]


class PagesSection(FrozenModel):
    """Where pages are served, over https too where there are PEM files, the certificate's with its intermediates."""

    host: str = "0.0.0.0"
    port: Port
    https_port: Port
    names: tuple[str, ...] = ()
    proxy: bool = False
    certificate: Path | None = None
    key: Path | None = None

    @model_validator(mode="after")
    def _both(self) -> Self:
        if (self.certificate is None) != (self.key is None):
            raise ValueError("certificate and key belong together: name both files, or none")
        return self


def in_words(error: ErrorDetails, place: Sequence[int | str]) -> Message:
    """One sentence: the member's place, what is wrong with it, and the given value if that helps. A `ValueError` with a
    `Message`, raised by our own validators, is used as it is."""
    context = dict(error.get("ctx", {}))
    ours = context.get("error")
    if isinstance(ours, ValueError) and ours.args and isinstance(ours.args[0], Message):
        return ours.args[0]
    given = context.get("tag", error.get("input"))
    shown = repr(given)
    simple = isinstance(given, str | int | float | bool) and len(shown) <= MAX_SHOWN
    values = {
        **{name: value if isinstance(value, int | float) else str(value) for name, value in context.items()},
        "place": ".".join(str(part) for part in place if part != "[key]"),
        "given": say(", not {value}", value=shown) if simple else "",
    }
    template = _TEMPLATES.get(error["type"])
    return Message(template, values) if template else say("{place}: {error}.", **{**values, "error": error["msg"]})


@contextmanager
def first_wrong_member(tag: str | None = None) -> Iterator[None]:
    """Raise `BadInput`, which names the first wrong member, for what pydantic refuses. `tag`: for a union, the member
    that selects the model; pydantic's places then begin with its value."""
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]
        place = first["loc"][1:] or (tag,) if tag else first["loc"] or ("the document",)
        raise BadInput(in_words(first, place)) from error


def load_toml(path: Path, model: type[Settings]) -> Settings:
    """Load the settings in a TOML file. Raises `BadFile`, and `BadInput` with every wrong key and its place."""
    text = read_text(path)
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits, and lists nested too deeply
        raise BadInput(f"{path} is not valid TOML: {error}.") from error
    try:
        return model.model_validate(document)
    except ValidationError as error:
        wrong = [str(in_words(e, e["loc"])) for e in error.errors()]
        raise BadInput(f"{path}: " + " ".join(wrong)) from error
