"""Discs that were said to have gone off, and are seen after all where a disc of their side lay before the shot.

No disc comes to rest by chance within a fraction of a millimetre of an old place. So the camera had overlooked it, and
the table takes back that it went off. Where the match knows a disc so near that the two would overlap, that one has
moved instead.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee.differences import distance
from controller.referee.doubts import shot_of
from controller.referee.read_board import ReadBoard
from controller.referee.settings import DIFFERENCES
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT


@dataclass(frozen=True, slots=True)
class Gone:
    """The newest shots: where the discs lay before them, and which discs they are said to have sent into the ditch."""

    lay: Mapping[str, ev.Measured] = field(default_factory=dict)
    off: tuple[str, ...] = ()

    @classmethod
    def with_shots(cls, state: MatchState, events: Iterable[ev.Event]) -> "Gone":
        """From the shots among these events, which are not in the state yet."""
        shots = [event for event in events if isinstance(event, ev.ShotSeen)]
        return cls(state.measured, tuple(n for shot in shots for n, at in shot.rest.items() if at == "ditch"))

    def again(self, state: MatchState, board: ReadBoard) -> ev.DiscCorrected | None:
        """The event that brings one of them back, if it lies there."""
        for name in self.off:
            if name in state.measured or name not in state.game.round.owners or name in state.ruled:
                continue
            disc = self._at_old_place(state, board, state.side_of(name))
            if disc is not None:
                place = round(disc.x, 3), round(disc.y, 3)
                return ev.DiscCorrected(disc=name, zone=disc.zone, at=place, after=_told(state, name))
        return None

    def _at_old_place(self, state: MatchState, board: ReadBoard, side: str) -> SeenDisc | None:
        """A new flat disc of the side that lies where one of its discs lay, and where no known disc lies now."""
        owners = state.game.round.owners  # lacks a disc whose shot was undone since
        lay = [at for name, at in self.lay.items() if owners.get(name) == side and at.pose == "flat"]
        for disc in board.appeared[side]:
            free = all(distance(disc, at) >= 2 * TOURNAMENT.disc.radius for at in state.measured.values())
            if free and disc.pose == "flat" and any(distance(disc, at) <= DIFFERENCES.moved_mm for at in lay):
                return disc
        return None


def _told(state: MatchState, disc: str) -> int | None:
    """The id of the event that said, or of the question that asked, where the disc had gone."""
    asked = [q.id for q in state.questions.values() if q.asked.disc == disc]
    return max(asked, default=shot_of(state, disc))
