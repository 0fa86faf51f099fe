"""Revisions by the table of its own account, when a later board fits another explanation better."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_serializer

from controller.match.boards import BoardSeen, DiscCorrected, ShotSeen
from controller.match.event_base import FrozenModel, SentEvent

ObservedEvent = ShotSeen | BoardSeen | DiscCorrected
"""The events that describe what happened between two boards."""

Change = Literal["valid", "foul", "twenty", "no_twenty", "added", "dropped", "otherwise"]
"""What changed about a shot: its verdict, its twenties, its existence, or something else."""

Why = Literal["taken_off", "left_lying", "lifted", "seen_again", "gone", "turn", "later_board", "colours"]


class RevisedEvent(FrozenModel):
    """A revised event: it takes effect after event `after`, for the board read at `t`.

    A revised shot keeps its `number`, so that questions, answers and corrections still refer to it.
    """

    after: int
    t: float
    event: Annotated[ObservedEvent, Field(discriminator="kind")]
    number: int | None = None

    @field_serializer("event")
    def _with_kind(self, event: ObservedEvent) -> dict[str, Any]:
        return {"kind": event.kind, **event.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True)}


class ChangedShot(FrozenModel):
    """What changed about a shot, by its number in the round."""

    shot: int
    change: Change


class Amended(SentEvent):
    """The table revises its account from one board on: the one read at `t`, after the event `after`.

    Its own events about that board and later ones no longer count; those in `anew` replace them. An amendment never
    reaches back beyond a person's event. New shots in `anew` get the event numbers just before the amendment's own,
    which are reserved for them.

    | `why` | what a later board showed |
    | --- | --- |
    | `taken_off` | people took `disc` off, which had counted as in play |
    | `left_lying` | people left `disc` on the board, which was to come off |
    | `lifted` | people lifted `disc` out of the hole, where it had seemed to lean |
    | `seen_again` | `disc` is on the board, but had counted as off |
    | `gone` | `disc` is gone, but had counted as untouched |
    | `turn` | by the earlier account, somebody shot out of turn |
    | `later_board` | it fits the revised account better |
    | `colours` | the sides play other colours than assumed, as seen or as people said |
    """

    kind: Literal["amended"] = "amended"
    round: int
    after: int
    t: float
    anew: tuple[RevisedEvent, ...] = ()
    shots: tuple[ChangedShot, ...] = ()
    why: Why
    disc: str | None = None

    @property
    def more(self) -> int:
        """The number of new shots, each of which needs an event number."""
        return sum(isinstance(one.event, ShotSeen) and one.number is None for one in self.anew)
