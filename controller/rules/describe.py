"""All rule sets and formats as a document: every choice with its value, text and source.

>>> discs = describe("nca")["rule_sets"][0]["choices"]["discs"]
>>> str(discs["title"]), discs["value"], discs["source"]
('Discs a side, two players', 8, 'Singles: 8 discs each.')
"""

from collections.abc import Iterable
from typing import Any

from controller.rules.choices import CHOICES, RuleSet
from controller.rules.conduct import CONDUCTS, forbids
from controller.rules.explain import choice_title, choice_words, format_words
from controller.rules.formats import KINDS, PRACTICE_KINDS, TIES, USUAL_TIE, Format
from controller.rules.rule_sets import practices, rule_set, rule_sets
from controller.rules.texts import text
from controller.rules.written import written_format

SCHEMA = "rules/1"


def describe(id: str | None = None, known: Iterable[RuleSet] | None = None) -> dict[str, Any]:
    """The document `rules/1`: one rule set, or all of `known` (by default the built-in ones), and the formats. Its
    texts are messages, which a page can translate; in JSON they are English. Raises `UnknownRuleSet`."""
    sets = (*rule_sets(), *practices()) if known is None else tuple(known)
    chosen = sets if id is None else (rule_set(id, sets),)
    return {
        "schema": SCHEMA,
        "rule_sets": [_describe_rule_set(rules) for rules in chosen],
        "formats": [
            {
                "kind": kind,
                "usual": written_format(Format(kind)),
                "text": format_words(Format(kind)),
                "usual_tie": USUAL_TIE[kind],
                "ties": {tie: text(f"tie.{tie}") for tie in TIES if tie == "stands" or kind not in PRACTICE_KINDS},
            }
            for kind in KINDS
        ],
    }


def _describe_rule_set(rules: RuleSet) -> dict[str, Any]:
    return {
        "id": rules.id,
        "name": rules.name,
        "base": rules.base,
        "practice": rules.practice,
        "origin": rules.origin,
        "choices": {
            name: {
                "title": choice_title(name),
                "value": list(value) if isinstance(value, tuple) else value,
                "text": choice_words(name, value),
                "source": rules.source(name),
                "people": choice.people,
            }
            for name, choice in CHOICES.items()
            for value in (rules.value(name),)
        },
        "conduct": [{"id": id, "text": text(f"conduct.{id}"), "says": forbids(rules).get(id)} for id in CONDUCTS],
        "formats": [{**written_format(format), "text": format_words(format)} for format in rules.formats],
        "formats_source": rules.source("formats"),
    }
