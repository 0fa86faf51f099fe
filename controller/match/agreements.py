"""Events in which people decide what neither the rules nor the camera can."""

from typing import Annotated, Literal

from pydantic import Field

from controller.match.event_base import LONGEST_NAME, SentEvent, SideId
from controller.rules import Conduct


class ShotOverruled(SentEvent):
    """People agreed to play a shot as valid or as a foul, whatever the rules say; None: the rules decide again.

    `target` is its `ShotSeen`. To correct what happened on the board, use `ShotCorrected`.
    """

    kind: Literal["shot_overruled"] = "shot_overruled"
    target: int
    valid: bool | None


class ConductCalled(SentEvent):
    """A player of a side broke a rule of conduct. The match's rules set the penalty.

    `target` is the `ShotSeen` during which it happened; None if it was not during a shot of that side.
    """

    kind: Literal["conduct_called"] = "conduct_called"
    side: SideId
    conduct: Conduct
    target: int | None = None


class MatchDeleted(SentEvent):
    """The match was removed from lists and figures, or restored. No data are lost.

    `resumed`: the number of the earlier match that continues, because the start of this one was undone.
    """

    kind: Literal["match_deleted"] = "match_deleted"
    deleted: bool = True
    resumed: int | None = Field(default=None, ge=1)


class StartUndone(SentEvent):
    """This match continues, because the start of the later `match` was undone."""

    kind: Literal["start_undone"] = "start_undone"
    match: int = Field(ge=1)


Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


class PlayerRenamed(SentEvent):
    """Rename the player `name` to `to` in every match. Stored in match 0, which is no match.

    Matches keep the names typed at their start; the names shown are derived from these events.
    """

    kind: Literal["player_renamed"] = "player_renamed"
    name: Name
    to: Name


class PlayersMerged(SentEvent):
    """The players `name` and `to` are one person, called `to`. Stored in match 0, as `PlayerRenamed` is."""

    kind: Literal["players_merged"] = "players_merged"
    name: Name
    to: Name
