"""Events in which people decide what no rule and no camera decides."""

from typing import Annotated, Literal

from pydantic import Field

from controller.match.event_base import LONGEST_NAME, Said, SideId
from controller.rules import Conduct


class ShotOverruled(Said):
    """People agreed to play a shot as valid or as a foul, whatever the rules say of it; None: the rules decide again.

    `target` is its `ShotSeen`. What happened on the board is not in doubt here: `ShotCorrected` is for that.
    """

    kind: Literal["shot_overruled"] = "shot_overruled"
    target: int
    valid: bool | None


class ConductCalled(Said):
    """A player of a side did what the rules forbid beside the board. What that costs, the rules of the match say.

    `target` is the `ShotSeen` during which it happened; None: it was at no shot of that side.
    """

    kind: Literal["conduct_called"] = "conduct_called"
    side: SideId
    conduct: Conduct
    target: int | None = None


class MatchDeleted(Said):
    """The match was taken out of lists and figures, or brought back. Nothing of it is lost."""

    kind: Literal["match_deleted"] = "match_deleted"
    deleted: bool = True


Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


class PlayerRenamed(Said):
    """The player called `name` is called `to` from now on, in every match. It stands in match 0, outside of all.

    Matches keep what was typed when they began; what people see is worked out from these events.
    """

    kind: Literal["player_renamed"] = "player_renamed"
    name: Name
    to: Name


class PlayersMerged(Said):
    """The players called `name` and `to` are one person, called `to`. It stands in match 0 as `PlayerRenamed` does."""

    kind: Literal["players_merged"] = "players_merged"
    name: Name
    to: Name
