"""What the table says to people: an English sentence with its values still apart, so that a page can say it in its
reader's language. It imports nothing of ours, so that every part of the game can speak.

>>> str(say("{name} to shoot.", name="Player 1"))
'Player 1 to shoot.'
>>> str(counted("{n} shot left", "{n} shots left", 3))
'3 shots left'
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

Value = Any
"""A value in a sentence: a number, a name as people gave it, another `Message`, or a sequence of such, listed."""


@dataclass(frozen=True)
class Message:
    """A sentence: its English template, which is also its key in a translation, and what stands in its braces."""

    template: str
    values: Mapping[str, Value] = field(default_factory=dict)
    many: str | None = None
    """The template for another number than one, where the value `n` decides."""

    def __str__(self) -> str:
        return self.in_language(ENGLISH)

    def in_language(self, language: "Language") -> str:
        """The sentence as `language` says it."""
        template = language.template(self.template, self.many, self.values.get("n"))
        if not self.values:
            return template
        return language.filled(template, {name: _spoken(value, language) for name, value in self.values.items()})

    def to_json(self) -> dict[str, Any]:
        """As the journal keeps it: members that say nothing are left out."""
        document: dict[str, Any] = {"template": self.template}
        if self.values:
            document["values"] = {name: _plain(value) for name, value in self.values.items()}
        if self.many is not None:
            document["many"] = self.many
        return document

    @classmethod
    def from_json(cls, document: Any) -> Self:
        """From what `to_json` gave; a bare text is itself, words stay. Raises `ValueError` for anything else."""
        if isinstance(document, cls):
            return document
        if isinstance(document, str):
            return cls(document)
        if not isinstance(document, Mapping) or not isinstance(document.get("template"), str):
            raise ValueError("words are a text, or an object with a template and its values")
        values = {str(name): _from_plain(value) for name, value in document.get("values", {}).items()}
        many = document.get("many")
        return cls(document["template"], values, many if isinstance(many, str) else None)


@dataclass(frozen=True)
class Language:
    """How one language says templates, numbers and lists."""

    template: Callable[[str, str | None, Any], str]
    """(template, its plural or None, the number that decides) to the template in this language."""
    number: Callable[[float], str]
    listed: Callable[[Sequence[str]], str]
    filled: Callable[[str, Mapping[str, str]], str] = str.format_map
    """A template with its values; a language may join a word to the value that follows it."""


def say(template: str, /, **values: Value) -> Message:
    """A sentence with its values."""
    return Message(template, values)


def counted(one: str, many: str, n: int, /, **values: Value) -> Message:
    """A sentence that has a singular and a plural; both know `n`."""
    return Message(one, {"n": n, **values}, many)


def wording(text: Message | str) -> Message:
    """A message as it is; a bare text, such as a driver's, as a message without a translation."""
    return text if isinstance(text, Message) else Message(text)


def marked(template: str, /) -> str:
    """A template that stands in a table of such, for whoever gathers the sentences to translate."""
    return template


def encoded(document: Any, language: "Language | None" = None) -> str:
    """A document with words in it as JSON, each said in `language` (else English)."""
    spoken = language or ENGLISH

    def said(value: object) -> str:
        if isinstance(value, Message):
            return value.in_language(spoken)
        raise TypeError(f"{value!r} is not JSON")

    return json.dumps(document, separators=(",", ":"), allow_nan=False, default=said)


def _spoken(value: Value, language: Language) -> str:
    if isinstance(value, Message):
        return value.in_language(language)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return language.number(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return language.listed([_spoken(part, language) for part in value])
    return str(value)


def _plain(value: Value) -> Any:
    if isinstance(value, Message):
        return value.to_json()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    return value


def _from_plain(value: Any) -> Value:
    if isinstance(value, Mapping):
        return Message.from_json(value)
    if isinstance(value, list):
        return tuple(_from_plain(part) for part in value)
    return value


def _and(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


ENGLISH = Language(
    template=lambda one, many, n: one if many is None or n == 1 else many,
    number=str,
    listed=lambda words: _and(words) if words else "",
)
