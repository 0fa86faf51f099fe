"""The rule sets with their choices and sources: `rules/1`.

>>> from controller.rules import rule_set
>>> discs = Rules.of(rule_set("nca")).rule_sets[0].choices["discs"]
>>> str(discs.title), discs.value, discs.source
('Discs a side, two players', 8, 'Singles: 8 discs each.')
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from controller.rules import choice_title, choice_words, forbids, format_words, written_format
from controller.rules import choices as of_rules
from controller.rules.choices import CHOICES
from controller.rules.conduct import CONDUCTS, Conduct
from controller.rules.formats import KINDS, PRACTICE_KINDS, TIES, Kind, Tie
from controller.rules.formats import Format as MatchFormat
from controller.rules.texts import text
from controller.views.common import Format, Sentence, WrittenFormat, shown_as

ChoiceName = Annotated[str, Field(json_schema_extra={"enum": [*CHOICES]})]


@dataclass
class ChoiceMade:
    """One choice of a rule set."""

    title: Sentence  #: The choice.
    value: int | str | list[str]  #: The value, for programs.
    text: Sentence  #: The text for people.
    source: str  #: The source's words, or that it is silent.
    people: bool  #: Whether only people can call it: the table does not decide it.

    @classmethod
    def of(cls, rules: of_rules.RuleSet, name: str) -> "ChoiceMade":
        """The choice of this name."""
        value: Any = getattr(rules, name)
        shown = list(value) if isinstance(value, tuple) else value
        return cls(choice_title(name), shown, choice_words(name, value), rules.source(name), CHOICES[name].people)


class FormatInWords(WrittenFormat):
    """A format of a rule set."""

    text: Sentence  #: The text for people.


@dataclass
class Forbidden:
    """A possible conduct call."""

    id: Conduct  #: Its name in commands.
    text: Sentence  #: The breach, as words that follow the player's name.
    says: str | None  #: The source's words; null if it does not forbid it.


@dataclass
class ExplainedRuleSet:
    """A rule set."""

    id: str  #: Its name in commands.
    name: str  #: Its name for people.
    base: str | None  #: The rule set that a club's own one is based on.
    practice: bool  #: Whether it is for one player alone.
    origin: str  #: Its source.
    choices: dict[ChoiceName, ChoiceMade]  #: Its choices.
    conduct: list[Forbidden]  #: All conduct calls, with the source's words.
    formats: list[Annotated[dict[str, Any], shown_as(FormatInWords)]]  #: Its formats, the usual one first.
    formats_source: str  #: The source's words on formats.

    @classmethod
    def of(cls, rules: of_rules.RuleSet) -> "ExplainedRuleSet":
        """One rule set."""
        forbidden = forbids(rules)
        return cls(
            id=rules.id,
            name=rules.name,
            base=rules.base,
            practice=rules.practice,
            origin=rules.origin,
            choices={name: ChoiceMade.of(rules, name) for name in CHOICES},
            conduct=[Forbidden(one, text(f"conduct.{one}"), forbidden.get(one)) for one in CONDUCTS],
            formats=[{**written_format(one), "text": format_words(one)} for one in rules.formats],
            formats_source=rules.source("formats"),
        )


@dataclass
class FormatKind:
    """A kind of format."""

    kind: Kind  #: Its name in commands.
    usual: Format  #: Its usual values.
    text: Sentence  #: The text for people.
    ties: dict[Tie, Sentence]  #: All tie rules, as texts for people.

    @classmethod
    def of(cls, kind: Kind) -> "FormatKind":
        """One kind."""
        usual = MatchFormat(kind)
        ties: dict[Tie, Sentence] = {
            tie: text(f"tie.{tie}") for tie in TIES if tie == "stands" or kind not in PRACTICE_KINDS
        }
        return cls(kind, written_format(usual), format_words(usual), ties)


@dataclass(kw_only=True)
class Rules:
    """The rule sets of the table, and the formats."""

    schema: Literal["rules/1"] = "rules/1"  #: The document's type.
    rule_sets: list[ExplainedRuleSet]  #: The rule sets, including a club's own.
    formats: list[FormatKind]  #: The formats.

    @classmethod
    def of(cls, *known: of_rules.RuleSet) -> "Rules":
        """These rule sets, and every format."""
        return cls(
            rule_sets=[ExplainedRuleSet.of(one) for one in known], formats=[FormatKind.of(kind) for kind in KINDS]
        )
