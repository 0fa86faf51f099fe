"""The options for starting a match: a part of the state."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from controller import rules
from controller.messages import Message, say
from controller.rules import RuleSet
from controller.rules.choices import FEWEST_DISCS, MOST_DISCS
from controller.rules.formats import Kind
from controller.views.common import Format, Sentence, Swatch
from controller.views.phrases import COLOURS

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
