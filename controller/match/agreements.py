"""Events in which people decide what no rule and no camera decides."""

from typing import Literal

from controller.match.event_base import Said, SideId
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
