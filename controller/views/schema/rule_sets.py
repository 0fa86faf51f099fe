"""The rule sets with their choices and sources: `rules/1`."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller.rules.choices import CHOICES
from controller.rules.conduct import Conduct
from controller.rules.formats import Kind, Tie
from controller.views.schema.common import OfPractice, OfRounds, Sentence, ToTarget

ChoiceName = Annotated[str, Field(json_schema_extra={"enum": [*CHOICES]})]


class ChoiceMade(TypedDict):
    """One choice of a rule set."""

    title: Sentence
    """What is chosen."""
    value: int | str | list[str]
    """What the rule set chose, for programs."""
    text: Sentence
    """The same for people."""
    source: str
    """What its source says, or that it says nothing."""
    people: bool
    """Whether only people can call it: the table reminds them and decides nothing."""


class ToTargetInWords(ToTarget):
    """A format of a rule set, to a target."""

    text: Sentence
    """The same for people."""


class OfRoundsInWords(OfRounds):
    """A format of a rule set, of so many rounds."""

    text: Sentence
    """The same for people."""


class OfPracticeInWords(OfPractice):
    """A format of a rule set for one player alone."""

    text: Sentence
    """The same for people."""


class Forbidden(TypedDict):
    """What a player may be called for."""

    id: Conduct
    """Its name in commands."""
    text: Sentence
    """What the player did, after the player's name."""
    says: str | None
    """How the source forbids it; null where it does not."""


class RuleSet(TypedDict):
    """A rule set."""

    id: str
    """Its name in commands."""
    name: str
    """What people call it."""
    base: str | None
    """The rule set that a club's own one changes."""
    practice: bool
    """Whether it is for one player alone."""
    origin: str
    """Where it comes from."""
    choices: dict[ChoiceName, ChoiceMade]
    """What it chooses."""
    conduct: list[Forbidden]
    """All that a player can be called for, and what the source says of it."""
    formats: list[ToTargetInWords | OfRoundsInWords | OfPracticeInWords]
    """What is played by it, the usual format first."""
    formats_source: str
    """What its source says of the formats."""


class FormatKind(TypedDict):
    """A kind of format."""

    kind: Kind
    """Its name in commands."""
    usual: ToTarget | OfRounds | OfPractice
    """As it usually is."""
    text: Sentence
    """The same for people."""
    usual_tie: Tie
    """What usually decides a match that ends level."""
    ties: dict[Tie, Sentence]
    """All that can decide it, for people."""


class Rules(TypedDict):
    """The rule sets of the table, and the formats."""

    schema: Literal["rules/1"]
    """Which document this is."""
    rule_sets: list[RuleSet]
    """A club's own included."""
    formats: list[FormatKind]
    """What a match can be played in."""
