"""The options for starting a match: a part of the state."""

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
"""The discs per side and round, by number of sides."""


class RuleSetChoice(TypedDict):
    """A rule set to play by."""

    id: str  #: Its name in commands.
    name: Sentence  #: Its name for people.
    practice: bool  #: Whether it is for one player alone; all others are for two sides or more.
    format: Format  #: Its usual format.
    discs: DiscsASide  #: The discs per side and round, by number of sides.


class FormatTarget(TypedDict):
    """The usual target of a format."""

    target: int  #: Points.


class FormatRounds(TypedDict):
    """The usual length of a format of rounds."""

    rounds: int  #: Rounds of a game.
    games: int  #: Games of the match.


class FormatPractice(TypedDict):
    """The usual length of a practice."""

    rounds: int  #: Rounds of discs.


class FormatChoice(TypedDict):
    """A format to play in."""

    kind: Annotated[str, shown_as(Literal["points", "rounds", "race", "twenties", "series"])]  #: Its name in commands.
    text: Sentence  #: Its description.
    default: Annotated[dict[str, int], shown_as(FormatTarget | FormatRounds | FormatPractice)]
    """The usual values of its members."""


class ColourChoice(TypedDict):
    """A colour of discs."""

    id: str  #: Its name in commands.
    name: Sentence  #: Its name for people.
    swatch: Swatch  #: Its colour on the page.


class Choices(TypedDict):
    """The options of the form that starts a match."""

    rules: list[RuleSetChoice]  #: The rule sets of this table.
    formats: list[FormatChoice]  #: The kinds of format.
    colours: list[ColourChoice]  #: The colours of discs; the first ones are the sides' defaults.
