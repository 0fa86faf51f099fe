"""Spot checks: at the end of some rounds people are asked whether the board is as the table shows it. The rounds are
drawn by lot before they are played, so that the checks are a fair sample of the table's silent errors."""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from controller.errors import Refused
from controller.match import events as ev
from controller.match.state import MatchState

NEW = 30  # matches after which a table no longer counts as new
NEW_SHARE = 0.25  # of a new table's rounds are checked: 30 matches of four rounds give thirty checks
SHARE = 0.05  # of the others': a tap in five matches of four rounds


@dataclass
class SpotChecks:
    """Asks about the boards of drawn rounds. Called on the engine's thread. `lot`: the secret that draws the rounds,
    kept for the table's life. `command` carries out a command; `post` queues work for the engine's thread."""

    lot: bytes
    command: Callable[[dict[str, Any]], None]
    post: Callable[..., None]

    def happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        """Ask if these events include the last shot of a drawn round."""
        shot = any(isinstance(event, ev.ShotSeen) and event.by == "table" for event in events)
        if shot and state.round_proposed and not state.manual and self.drawn(state.number, state.game.round.number):
            self.post(self._ask)

    def drawn(self, match: int, round_: int) -> bool:
        digest = hashlib.blake2b(f"{match}:{round_}".encode(), key=self.lot[:64], digest_size=8).digest()
        return int.from_bytes(digest) / 2**64 < (NEW_SHARE if match <= NEW else SHARE)

    def _ask(self) -> None:
        with suppress(Refused):  # the board was swept, or somebody undid the last shot: nothing is there to check
            self.command({"do": "check_board", "by": "table"})
