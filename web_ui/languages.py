"""The languages of the pages: English is in the sources, the others in `translations/`, read uncompiled.

A text is looked up by its English wording. Texts of the server are in the request's language; the browser's scripts are
sent with their texts translated. {braces} in a text are filled in after translation."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale
from babel.lists import format_list
from babel.messages.jslexer import unquote_string
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from flask import Flask, request

from controller.messages import DEFAULT_NAMES, ENGLISH, Language, Message, encoded, say

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français", "nl": "Nederlands", "pl": "Polski"}
COOKIE = "language"
ELIDED = re.compile(r"\b([Dd]e|[Qq]ue) \{(\w+)\}")
VOWEL = re.compile("[aeiouyàâäéèêëîïôöùûüœæ]", re.IGNORECASE)
DEFAULT_NAME = re.compile(rf"\b({'|'.join(name.split()[0] for name in DEFAULT_NAMES)}) (\d{{1,3}})\b")
TRANSLATIONS = Path(__file__).parent / "translations"
LITERAL = r"""('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")"""
SAID = re.compile(rf"\b(say(?:Many)?\(\s*){LITERAL}(?:(,\s*){LITERAL})?")
"""How scripts say a text, or one in two forms by number."""
FORMS = {"one": 0, "few": 1}
"""The place of a number's form among a text's; every other form is its last. `words.js` does the same."""
Texts = Mapping[str, tuple[str, ...]]  # the forms of each text in one language, by its English


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One language, for the server and for the scripts in the browser."""

    language: Language
    texts: Texts

    def script(self, source: str) -> str:
        """A script with its texts in this language."""
        return SAID.sub(self._translated, source)

    def _translated(self, said: re.Match[str]) -> str:
        call, one, comma, _ = said.groups()
        first, *others = self.texts.get(unquote_string(one), ("",))
        if not first:
            return said[0]
        return call + _literal(first) + (comma + _literal(others) if comma else "")


def path_of(language: str) -> Path:
    """The file with the texts of a language."""
    return TRANSLATIONS / language / "LC_MESSAGES" / "messages.po"


@cache
def catalogue(language: str) -> Catalogue:
    """The texts of one of `LANGUAGES`."""
    if language == "en":
        return Catalogue(ENGLISH, {})
    with path_of(language).open("rb") as file:
        found: Any = read_po(file, locale=language)
    texts = {
        text.id[0] if text.pluralizable else text.id: text.string if text.pluralizable else (text.string,)
        for text in found
        if text.string and all(text.string)
    }
    return Catalogue(_spoken(language, texts), texts)


def _literal(words: str | list[str]) -> str:
    """As the scripts write it."""
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


def _spoken(code: str, texts: Texts) -> Language:
    form = Locale.parse(code).plural_form

    def template(one: str, many: str | None, n: Any) -> str:
        return texts.get(one, (one, many or one))[FORMS.get(form(n), -1) if many else 0]

    def named(text: str) -> str:
        return DEFAULT_NAME.sub(lambda name: template(f"{name[1]} {{number}}", None, 1).format(number=name[2]), text)

    return Language(
        template=template,
        number=lambda value: format_decimal(value, locale=code, decimal_quantization=False),
        listed=lambda words: format_list(list(words), locale=code),
        filled=_elided if code == "fr" else str.format_map,
        named=named,
    )


@cache
def _default_names() -> dict[str, str]:
    """The default names' words in every language, with their English."""
    said = {name: [catalogue(code).language.template(name, None, 1) for code in LANGUAGES] for name in DEFAULT_NAMES}
    return {one.split()[0]: name.split()[0] for name in reversed(DEFAULT_NAMES) for one in said[name]}


def as_stored(text: str) -> str:
    """A text of a page's request as it is stored: default names in English."""
    parts = [part.split(" ") for part in text.split(" & ")]
    if all(len(part) == 2 and part[0] in _default_names() and part[1].isdecimal() for part in parts):
        return " & ".join(f"{_default_names()[word]} {number}" for word, number in parts)
    return text


def _elided(template: str, values: Mapping[str, str]) -> str:
    """French: de and que are elided before a vowel, but not before a name's h; `words.js` does the same."""

    def joined(found: re.Match[str]) -> str:
        word, name = found.groups()
        return f"{word[:-1]}'{{{name}}}" if VOWEL.match(values[name]) else found.group()

    return ELIDED.sub(joined, template).format_map(values)


def speak(app: Flask) -> None:
    """Have the templates of the application speak the client's language."""
    app.add_template_global(translated, "_")
    app.add_template_filter(lambda name: catalogue(chosen_language()).language.named(name), "named")


def chosen_language() -> str:
    """The language of this request: of its address, else of its cookie, else the browser's, else English."""
    for wanted in (request.args.get("language"), request.cookies.get(COOKIE)):
        if wanted in LANGUAGES:
            return wanted
    spoken = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0)
    return next((one for one in spoken if one in LANGUAGES), "en")


def translated(text: str, **values: Any) -> str:
    """A text in the client's language, its {braces} filled in."""
    return rendered(say(text, **values))


def rendered(words: Message) -> str:
    """A message in the client's language."""
    return words.in_language(catalogue(chosen_language()).language)


def error_text(error: Exception) -> str:
    """An error's message in the client's language."""
    said = error.args[0] if error.args else None
    return rendered(said) if isinstance(said, Message) else str(error)


def document(shown: object, language: str | None = None) -> str:
    """A document that may hold `Message`, as JSON in one of `LANGUAGES`, by default the client's."""
    return encoded(shown, catalogue(language or chosen_language()).language)
