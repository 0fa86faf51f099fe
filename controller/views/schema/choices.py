"""What a match can be started with: a part of the state."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller.views.schema.common import Format, Sentence, Swatch, shown_as

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
"""How many discs a side shoots in a round, by who plays."""


class RuleSetChoice(TypedDict):
    """A rule set to play by."""

    id: str
    """Its name in commands."""
    name: Sentence
    """What people call it."""
    practice: bool
    """Whether it is for one player alone; every other rule set is for two sides or more."""
    format: Format
    """Its usual format."""
    discs: DiscsASide
    """How many discs a side shoots in a round, by who plays."""


class FormatTarget(TypedDict):
    """The usual target of a format."""

    target: int
    """Points."""


class FormatRounds(TypedDict):
    """The usual length of a format of rounds."""

    rounds: int
    """Rounds of a game."""
    games: int
    """Games of the match."""


class FormatPractice(TypedDict):
    """The usual length of a practice."""

    rounds: int
    """Rounds of discs."""


class FormatChoice(TypedDict):
    """A format to play in."""

    kind: Annotated[str, shown_as(Literal["points", "rounds", "race", "twenties", "series"])]
    """Its name in commands."""
    text: Sentence
    """What it is."""
    default: Annotated[dict[str, int], shown_as(FormatTarget | FormatRounds | FormatPractice)]
    """Its members as they usually are."""


class ColourChoice(TypedDict):
    """A colour of discs."""

    id: str
    """Its name in commands."""
    name: Sentence
    """What people call it."""
    swatch: Swatch
    """How it is drawn."""


class Choices(TypedDict):
    """What the form that starts a match offers."""

    rules: list[RuleSetChoice]
    """The rule sets of this table."""
    formats: list[FormatChoice]
    """The kinds of format."""
    colours: list[ColourChoice]
    """The colours of discs; the first ones are the sides' unless people choose others."""
