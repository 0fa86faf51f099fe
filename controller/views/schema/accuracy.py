"""How often the table was wrong: `accuracy/1`."""

from typing import Literal

from typing_extensions import TypedDict

ErrorKind = Literal["verdict", "twenty", "ring", "missed", "extra", "side", "totals"]
"""What was wrong: a verdict, a twenty, a ring, a missed shot, a shot that nobody made, who sits where, or totals."""


class Share(TypedDict):
    """How often something happened, with the 95 % bounds of Clopper and Pearson."""

    count: int  #: How often it did.
    of: int  #: How often it could have.
    least: float  #: The lower bound of the true share, 0..1.
    most: float  #: The upper bound of the true share, 0..1.


class Accuracy(TypedDict):
    """The table's accuracy in one group of matches."""

    name: str  #: The month, the kind of table or the program's version; empty for all matches.
    matches: int  #: Those that the table refereed.
    shots: int  #: Shots that the table saw.
    questions: int  #: Questions to people.
    rounds_asked: Share  #: Rounds in which the table asked something, of all finished rounds.
    likelier_right: Share  #: Questions that people answered as the table had shown, of those that they could answer.
    rounds_silent: Share
    """Rounds with an error that was shown as sure and that somebody noticed. The true share is larger, unless people
    also correct what was right."""
    spot_checks: Share
    """Rounds found wrong though nothing was asked, of the rounds that were spot-checked: an estimate without bias."""
    silent: dict[ErrorKind, int]  #: The noticed silent errors by kind.
    corrected_asked: int  #: Corrections that the table had asked for, which are no silent errors.


class TableAccuracy(TypedDict):
    """The table's accuracy according to people's corrections and spot checks."""

    schema: Literal["accuracy/1"]  #: Which document this is.
    all: Accuracy  #: Every match.
    months: list[Accuracy]  #: By month, oldest first; the newest 24.
    kinds: list[Accuracy]  #: By the table's devices: `camera+hole`, `camera`, `hole`, `hand` or `simulated`.
    versions: list[Accuracy]  #: By the program's version, oldest first.
