"""What the table can be unsure of, case by case: the codes and values from which `controller.views` makes sentences."""

from collections.abc import Mapping, Sized
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator, model_validator

from controller.messages import Message

Text = Annotated[Message, PlainValidator(Message.from_json), PlainSerializer(Message.to_json)]
"""A sentence that an earlier version of the program wrote: its template and values. No event is written with one."""


CLOSED = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
"""Of the models that the journal keeps: frozen, and closed to unknown members."""


class Doubt(BaseModel):
    """Why the explanation of a shot may be wrong.

    | case | what happened | `count` |
    | --- | --- | --- |
    | `several_shots` | several shots came between two still boards | how many |
    | `disc_unseen` | the shot disc was not seen after the shot | |
    | `told` | what `told` says, in the words of an earlier version | |
    """

    model_config = CLOSED

    case: Literal["several_shots", "disc_unseen", "told"]
    count: int | None = None
    told: Text | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        told = {"several_shots": self.count, "told": self.told}.get(self.case, self.case)
        if told is None:
            raise ValueError("a doubt about several shots has their count, and a told one its text")
        return self


What = Literal["close_call", "unexplained", "swept", "gap", "contact", "lost", "twenty", "order", "seats"]


@dataclass(frozen=True, slots=True)
class Needs:
    """What a question of a case is about, and which of its members it must have."""

    what: What
    sides: int = 0
    zones: int = 0
    count: bool = False
    figure: bool = False  # `clearance` and `sigma`

    def missing(self, what: str, sides: Sized, zones: Sized, count: int | None, figure: bool) -> str:
        """Which of these a question lacks; empty when it has all."""
        there = {
            f"what={self.what}": what == self.what,
            f"{self.sides} sides": len(sides) >= self.sides,
            f"{self.zones} zones": len(zones) == self.zones,
            "a count": not self.count or count is not None,
            "clearance and sigma": not self.figure or figure,
        }
        return ", ".join(name for name, is_there in there.items() if not is_there)


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
    "seats": Needs("seats"),  # who sits `toward` there; the answers are the seats
}
"""What the table asks, case by case."""
TOLD = "told"  # the case of a question of an earlier version that fits none of `CASES`


class ToldAnswer(BaseModel):
    """An answer in the words of an earlier version; without an `effect`, what it changes is computed."""

    model_config = CLOSED

    text: Text
    effect: Text | None = None


class Told(BaseModel):
    """A question in the words of an earlier version."""

    model_config = CLOSED

    text: Text
    answers: dict[str, ToldAnswer]
