"""The cases of doubt: the codes and values that `controller.views` turns into sentences."""

from collections.abc import Mapping, Sized
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator, model_validator

from controller.messages import Message

FormerText = Annotated[Message, PlainValidator(Message.from_json), PlainSerializer(Message.to_json)]
"""A sentence written by an earlier version of the program: template and values. New events contain none."""


CLOSED = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
"""The configuration of journalled models: frozen, without unknown members."""


class Doubt(BaseModel):
    """Why the explanation of a shot may be wrong.

    | case | meaning | `count` |
    | --- | --- | --- |
    | `several_shots` | several shots between two still boards | how many |
    | `disc_unseen` | the shot disc was not seen after the shot | |
    | `told` | of an earlier version; the member `told` has its text | |
    """

    model_config = CLOSED

    case: Literal["several_shots", "disc_unseen", "told"]
    count: int | None = None
    told: FormerText | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        required = {"several_shots": self.count, "told": self.told}.get(self.case, self.case)
        if required is None:
            raise ValueError("a doubt about several shots needs their count, and one of an earlier version its text")
        return self


What = Literal[
    "close_call", "unexplained", "swept", "gap", "contact", "lost", "twenty", "order", "seats", "colours", "check"
]


@dataclass(frozen=True, slots=True)
class Needs:
    """The topic of a case's questions, and the members that they must have."""

    what: What
    sides: int = 0
    zones: int = 0
    count: bool = False
    figure: bool = False  # `clearance` and `sigma`
    colour: bool = False

    def missing(
        self, what: str, sides: Sized, zones: Sized, count: int | None, figure: bool, colour: str | None = None
    ) -> str:
        """The missing members of a question, as text; empty if it is complete."""
        checks = {
            f"what={self.what}": what == self.what,
            f"{self.sides} sides": len(sides) >= self.sides,
            f"{self.zones} zones": len(zones) == self.zones,
            "a count": not self.count or count is not None,
            "clearance and sigma": not self.figure or figure,
            "a colour": not self.colour or bool(colour),
        }
        return ", ".join(name for name, present in checks.items() if not present)


CASES: Mapping[str, Needs] = {
    # a close call: which zone
    "line": Needs("close_call", sides=1, zones=2, figure=True),  # near a line; `zones` the higher and the lower
    "badly_seen": Needs("close_call", sides=1),
    "hole_camera": Needs("close_call", sides=1),  # flat in the hole or not: the camera is not sure
    "hole_sensor": Needs("close_call", sides=1),  # the same: camera and sensor disagree
    # whether the shot of the first disc touched the others
    "two_shots": Needs("contact", sides=2),  # two shots came at once
    "moved": Needs("contact", sides=2, figure=True),  # the other disc moved by `clearance` mm
    "apart": Needs("contact", sides=2, figure=True),  # they lie `clearance` mm apart
    # which shot did what
    "foul": Needs("order", sides=1),  # it ended outside the 15, but another shot came at once
    "mixed": Needs("order", sides=1),  # discs that had to come off were knocked about
    # what became of a disc
    "taken_off": Needs("lost", sides=1, zones=1),  # nobody had to; `zones` what it counted
    "returned": Needs("lost", sides=1),  # whether it left the surface and bounced back; it is still there
    "shot_unseen": Needs("lost", sides=1, count=True),  # not seen after its shot, its side's `count`th
    "pushed": Needs("unexplained", sides=1, zones=2),  # from the first of `zones` to the second, and nobody shot
    "strange": Needs("unexplained", count=True),  # `count` discs that no shot explains
    # whether there was a twenty, and whose
    "felt": Needs("twenty", sides=1),  # by the sensor; the camera does not see it
    "lifted": Needs("twenty", sides=1),  # it seemed to lean across the hole
    "whose": Needs("twenty", sides=2),  # of `discs`, the first is counted
    "whose_unseen": Needs("twenty"),  # the camera saw nothing; the answers are the sides
    # the rest
    "swept": Needs("swept", count=True),  # with `count` shots left: whether the round is over
    "gap": Needs("gap"),  # the hole's unit lost events
    "board": Needs("check"),  # whether the round's last board is as the table has it: a spot check
    "seats": Needs("seats"),  # who sits `toward` there; the answers are the seats
    "colours": Needs("colours", sides=1, colour=True),  # whether the side plays `colour`
}
"""What the table asks, case by case."""
FORMER = "told"  # the case of a question of an earlier version that fits none of `CASES`


class FormerAnswer(BaseModel):
    """An answer in the words of an earlier version. Without an `effect`, its effect is computed."""

    model_config = CLOSED

    text: FormerText
    effect: FormerText | None = None


class FormerQuestion(BaseModel):
    """A question in the words of an earlier version."""

    model_config = CLOSED

    text: FormerText
    answers: dict[str, FormerAnswer]
