"""The table's questions, in `table-state/1`."""

from typing_extensions import TypedDict

from controller.match.cases import What
from controller.views.schema.common import Sentence


class PossibleAnswer(TypedDict):
    """A possible answer to a question."""

    id: str  #: Its id for commands; "unknown" for "we don't know".
    text: Sentence  #: The answer.
    effect: Sentence  #: Its effect now.


class Question(TypedDict):
    """A doubt about which the table asks people."""

    id: int  #: Its id for commands.
    kind: What  #: Its topic.
    round: int  #: The number of its round.
    shot: int | None  #: The number of its shot in the round, from 1; null if it is not about a shot.
    pressing: bool  #: Whether its round still waits for the answer.
    text: Sentence  #: The question.
    clearance: float | None  #: mm, for a close call at a line: below 0 the disc touches the line.
    sigma: float | None  #: mm, its standard error.
    discs: list[str]  #: Its discs, which the picture marks.
    answers: list[PossibleAnswer]  #: The possible answers.
    picture: str | None  #: The name of its picture, if there is one.
    clip: str | None  #: The name of the clip of the movements before it, if one is stored: see /clip/NAME.
