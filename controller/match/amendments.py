"""What the table tells otherwise than before, since a later board fits another telling better."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_serializer

from controller.match.boards import BoardSeen, DiscCorrected, ShotSeen
from controller.match.event_base import Closed, Said

Told = ShotSeen | BoardSeen | DiscCorrected
"""The events by which the table tells what happened between two boards."""

Change = Literal["valid", "foul", "twenty", "no_twenty", "added", "dropped", "otherwise"]
"""How a shot is told now: its verdict, its twenties, that there was one or none, or anything else of it."""

Why = Literal["taken_off", "left_lying", "lifted", "seen_again", "gone", "turn", "later_board"]


class Anew(Closed):
    """One event as it is told now, of the board that was read at `t`, after the event with the number `after`.

    A shot that is told anew keeps its `number`, so that questions about it, answers and corrections still mean it.
    """

    after: int
    t: float
    event: Annotated[Told, Field(discriminator="kind")]
    number: int | None = None

    @field_serializer("event")
    def _with_kind(self, event: Told) -> dict[str, Any]:
        return {"kind": event.kind, **event.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True)}


class ChangedShot(Closed):
    """What is told otherwise of a shot, by its number in the round."""

    shot: int
    change: Change


class Amended(Said):
    """The table tells anew what happened from one board on: the one read at `t`, after the event `after`.

    All that it had told by itself of that board and later ones no longer counts; `anew` does. An amendment never
    reaches back to before a person's word. New shots among `anew` have the numbers just before the amendment's own,
    which no other event has.

    | `why` | what a later board showed |
    | --- | --- |
    | `taken_off` | people took `disc` off, which was told to be in play |
    | `left_lying` | people left `disc` there, which was told to have to come off |
    | `lifted` | people lifted `disc` out of the hole, where it had seemed to lean |
    | `seen_again` | `disc` lies there, which was told to be off |
    | `gone` | `disc` is not there, which was told to lie still |
    | `turn` | somebody shot whose turn it was not, as it had been told |
    | `later_board` | it fits what is told now better |
    """

    kind: Literal["amended"] = "amended"
    round: int
    after: int
    t: float
    anew: tuple[Anew, ...] = ()
    shots: tuple[ChangedShot, ...] = ()
    why: Why
    disc: str | None = None

    @property
    def more(self) -> int:
        """How many shots are told that were not told before: each needs a number."""
        return sum(isinstance(one.event, ShotSeen) and one.number is None for one in self.anew)
