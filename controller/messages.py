"""Translatable messages: an English template with separate values, which a page renders in its reader's language.
Imports none of our modules, so that every room can use it.

>>> str(say("{name} to shoot.", name="Player 1"))
'Player 1 to shoot.'
>>> str(counted("{n} shot left", "{n} shots left", 3))
'3 shots left'
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Self

from pydantic import GetPydanticSchema

PLACEHOLDERS = re.compile(r"\{(\w+)\}")  # the values in a text
Value = Any
"""A value in a message: a number, a name, another `Message`, or a sequence of these, which is rendered as a list."""


@dataclass(frozen=True)
class Message:
    """A sentence: its English template, which is also its key in the catalogues, and its values."""

    template: str
    values: Mapping[str, Value] = field(default_factory=dict)
    many: str | None = None  # the template for the plural, chosen by the value `n`

    def __str__(self) -> str:
        return self.in_language(ENGLISH)

    def in_language(self, language: "Language") -> str:
        """The sentence in `language`."""
        template = language.template(self.template, self.many, self.values.get("n"))
        if not self.values:
            return template
        return language.filled(template, {name: _render(value, language) for name, value in self.values.items()})

    def to_json(self) -> dict[str, Any]:
        """As JSON for the journal, without empty members."""
        document: dict[str, Any] = {"template": self.template}
        if self.values:
            document["values"] = {name: _to_plain(value) for name, value in self.values.items()}
        if self.many is not None:
            document["many"] = self.many
        return document

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`."""
        values = {name: _from_plain(value) for name, value in document.get("values", {}).items()}
        return cls(document["template"], values, document.get("many"))


@dataclass(frozen=True)
class Language:
    """How one language renders templates, numbers and lists."""

    template: Callable[[str, str | None, Any], str]
    """(template, its plural or None, the deciding number) to the template in this language."""
    number: Callable[[float], str]
    listed: Callable[[Sequence[str]], str]
    filled: Callable[[str, Mapping[str, str]], str] = str.format_map
    """Fills a template with values; a language may contract a word with the value after it."""
    named: Callable[[str], str] = str  # translates the `DEFAULT_NAMES` in a text


Sentence = Annotated[Message, GetPydanticSchema(lambda _source, schema_of: schema_of(str))]
"""A sentence for people: in JSON a text in the reader's language."""


def say(template: str, /, **values: Value) -> Message:
    """A sentence with its values."""
    return Message(template, values)


def counted(one: str, many: str, n: int, /, **values: Value) -> Message:
    """A sentence with a singular and a plural; `n` is a value of both."""
    return Message(one, {"n": n, **values}, many)


def wording(text: Message | str) -> Message:
    """A message unchanged; a bare text, such as a driver's, as an untranslated message."""
    return text if isinstance(text, Message) else Message(text)


def marked(template: str, /) -> str:
    """Mark a template in a table for extraction into the catalogues."""
    return template


DEFAULT_NAMES = (marked("Player {number}"), marked("Table {number}"))
"""The default names, stored in English and shown in the reader's language."""


def encoded(document: Any, language: "Language | None" = None) -> str:
    """A document of dicts and dataclasses as JSON, with its messages rendered in `language` (default: English)."""
    spoken = language or ENGLISH

    def said(value: object) -> Any:
        if isinstance(value, Message):
            return value.in_language(spoken)
        if hasattr(value, "__dataclass_fields__"):
            return vars(value)
        raise TypeError(f"{value!r} is not JSON")

    return spoken.named(json.dumps(document, separators=(",", ":"), allow_nan=False, default=said))


def _render(value: Value, language: Language) -> str:
    if isinstance(value, Message):
        return value.in_language(language)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return language.number(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return language.listed([_render(part, language) for part in value])
    return language.named(str(value))


def _to_plain(value: Value) -> Any:
    if isinstance(value, Message):
        return value.to_json()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_to_plain(part) for part in value]
    return value


def _from_plain(value: Any) -> Value:
    if isinstance(value, Mapping):
        return Message.from_json(value)
    if isinstance(value, list):
        return tuple(_from_plain(part) for part in value)
    return value


def _join(words: Sequence[str]) -> str:
    *first, last = words or ("",)
    return f"{', '.join(first)} and {last}" if first else last


ENGLISH = Language(
    template=lambda one, many, n: one if many is None or n == 1 else many,
    number=str,
    listed=_join,
)
