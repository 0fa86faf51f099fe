"""The rule sets: `rules/1` with their choices and sources, and the options for starting a match, a part of the state.

>>> from controller.rules import rule_set
>>> discs = Rules.of(rule_set("nca")).rule_sets[0].choices["discs"]
>>> str(discs.title), discs.value, discs.source
('Discs a side, two players', 8, 'Singles: 8 discs each.')
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller import rules
from controller.messages import Message, say
from controller.rules import RuleSet, choice_title, choice_words, forbids, format_words, written_format
from controller.rules.choices import CHOICES, FEWEST_DISCS, MOST_DISCS
from controller.rules.conduct import CONDUCTS, Conduct
from controller.rules.formats import KINDS, PRACTICE_KINDS, TIES, Kind, Tie
from controller.rules.formats import Format as MatchFormat
from controller.rules.texts import text
from controller.views.common import Format, Sentence, Swatch, WrittenFormat, shown_as
from controller.views.phrases import COLOURS

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
    def of(cls, rules: RuleSet, name: str) -> "ChoiceMade":
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
    def of(cls, rules: RuleSet) -> "ExplainedRuleSet":
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
    def of(cls, *known: RuleSet) -> "Rules":
        """These rule sets, and every format."""
        return cls(
            rule_sets=[ExplainedRuleSet.of(one) for one in known], formats=[FormatKind.of(kind) for kind in KINDS]
        )


DiscsASide = TypedDict(
    "DiscsASide",
    {
        "1": Annotated[int, Field(description="One player, who practises.")],
        "2": Annotated[int, Field(description="Two players.")],
        "doubles": Annotated[int, Field(description="Two pairs of partners.")],
        "3": Annotated[int, Field(description="Three players, each for themselves.")],
        "4": Annotated[int, Field(description="Four players, each for themselves.")],
    },
)
"""The discs per side and round, by number of sides."""


@dataclass
class RuleSetChoice:
    """A rule set to play by."""

    id: str  #: Its name in commands.
    name: Sentence  #: Its name for people.
    practice: bool  #: Whether it is for one player alone; all others are for two sides or more.
    format: Format  #: Its usual format.
    discs: DiscsASide  #: The discs per side and round, by number of sides.

    @classmethod
    def of(cls, rule_set: RuleSet) -> "RuleSetChoice":
        """One rule set."""
        discs: DiscsASide = {
            "1": rule_set.discs_a_side("each", 1),
            "2": rule_set.discs_a_side("singles"),
            "doubles": rule_set.discs_a_side("doubles"),
            "3": rule_set.discs_a_side("each", 3),
            "4": rule_set.discs_a_side("each", 4),
        }
        usual = rules.written_format(rule_set.formats[0])
        return cls(rule_set.id, Message(rule_set.name), rule_set.practice, usual, discs)


@dataclass
class FormatChoice:
    """A format to play in."""

    kind: Kind  #: Its name in commands.
    text: Sentence  #: Its description.
    default: dict[str, int]  #: The usual values of its members: `target`, or `rounds` and `games`.

    @classmethod
    def of(cls, kind: Kind, text: Message) -> "FormatChoice":
        """A kind with the rules' usual values."""
        usual = rules.written_format(rules.Format(kind))
        return cls(kind, text, {name: value for name, value in usual.items() if name not in ("kind", "tie")})


FORMATS = [
    FormatChoice.of("points", say("First to a number of points")),
    FormatChoice.of("rounds", say("A number of rounds")),
    FormatChoice.of("race", say("First to a number by 2 / 1 / 0")),
    FormatChoice.of("twenties", say("Count the twenties")),
    FormatChoice.of("series", say("Count the points")),
]


@dataclass
class ColourChoice:
    """A colour of discs."""

    id: str  #: Its name in commands.
    name: Sentence  #: Its name for people.
    swatch: Swatch  #: Its colour on the page.


@dataclass
class DiscsToChoose:
    """The numbers of discs that people may choose, per side and round."""

    fewest: int  #: Of two sides.
    most: int  #: The same.
    practice: list[int]  #: What is offered to one player alone.


@dataclass
class FormOptions:
    """The options of the form that starts a match."""

    rules: list[RuleSetChoice]  #: The rule sets of this table.
    formats: list[FormatChoice]  #: The kinds of format.
    discs: DiscsToChoose  #: The numbers of discs to choose from.
    colours: list[ColourChoice]  #: The colours of discs; the first ones are the sides' defaults.

    @classmethod
    def of(cls, known: Sequence[RuleSet]) -> "FormOptions":
        """All options, with the rule sets that the table knows."""
        colours = [ColourChoice(id_, *colour) for id_, colour in COLOURS.items()]
        discs = DiscsToChoose(FEWEST_DISCS, MOST_DISCS, [8, 12, 2 * MOST_DISCS])
        return cls([RuleSetChoice.of(one) for one in known], FORMATS, discs, colours)
