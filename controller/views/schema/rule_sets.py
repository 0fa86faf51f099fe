"""The rule sets with their choices and sources: `rules/1`."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller.rules.choices import CHOICES
from controller.rules.conduct import Conduct
from controller.rules.formats import Kind, Tie
from controller.views.common import OfPractice, OfRounds, Sentence, ToTarget

ChoiceName = Annotated[str, Field(json_schema_extra={"enum": [*CHOICES]})]


class ChoiceMade(TypedDict):
    """One choice of a rule set."""

    title: Sentence  #: The choice.
    value: int | str | list[str]  #: The value, for programs.
    text: Sentence  #: The text for people.
    source: str  #: The source's words, or that it is silent.
    people: bool  #: Whether only people can call it: the table does not decide it.


class ToTargetInWords(ToTarget):
    """A format of a rule set, to a target."""

    text: Sentence  #: The text for people.


class OfRoundsInWords(OfRounds):
    """A format of a rule set, of a number of rounds."""

    text: Sentence  #: The text for people.


class OfPracticeInWords(OfPractice):
    """A format of a rule set for one player alone."""

    text: Sentence  #: The text for people.


class Forbidden(TypedDict):
    """A possible conduct call."""

    id: Conduct  #: Its name in commands.
    text: Sentence  #: The breach, as words that follow the player's name.
    says: str | None  #: The source's words; null if it does not forbid it.


class RuleSet(TypedDict):
    """A rule set."""

    id: str  #: Its name in commands.
    name: str  #: Its name for people.
    base: str | None  #: The rule set that a club's own one is based on.
    practice: bool  #: Whether it is for one player alone.
    origin: str  #: Its source.
    choices: dict[ChoiceName, ChoiceMade]  #: Its choices.
    conduct: list[Forbidden]  #: All conduct calls, with the source's words.
    formats: list[ToTargetInWords | OfRoundsInWords | OfPracticeInWords]  #: Its formats, the usual one first.
    formats_source: str  #: The source's words on formats.


class FormatKind(TypedDict):
    """A kind of format."""

    kind: Kind  #: Its name in commands.
    usual: ToTarget | OfRounds | OfPractice  #: Its usual values.
    text: Sentence  #: The text for people.
    usual_tie: Tie  #: The usual tie rule.
    ties: dict[Tie, Sentence]  #: All tie rules, as texts for people.


class Rules(TypedDict):
    """The rule sets of the table, and the formats."""

    schema: Literal["rules/1"]  #: The document's type.
    rule_sets: list[RuleSet]  #: The rule sets, including a club's own.
    formats: list[FormatKind]  #: The formats.
