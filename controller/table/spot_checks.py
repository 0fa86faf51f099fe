"""Spot checks: at the end of some rounds people are asked whether the board is as the table has it.

The rounds are drawn by lot before they are played, so that the checks are a fair sample of the table's silent errors.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from controller.errors import Refused
from controller.match import events as ev
from controller.match.state import MatchState

NEW = 30  # matches for which a table counts as new
NEW_SHARE = 0.25  # of a new table's rounds are checked: 30 matches of four rounds give thirty checks
SHARE = 0.05  # of the others': a tap in five matches of four rounds


class SpotChecks:
    """Has the boards of the drawn rounds checked. Called on the engine's thread."""

    def __init__(self, lot: bytes, command: Callable[[dict[str, Any]], None], post: Callable[..., None]) -> None:
        """`lot`: what draws the rounds, secret and kept for the table's life. `command` carries out a command of the
        table's own; `post` has something done after what is being done."""
        self._lot = lot
        self._command = command
        self._post = post

    def happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        """Events of the match that is played are on disk: the last shot of a round may be among them."""
        shot = any(isinstance(event, ev.ShotSeen) and event.by == "table" for event in events)
        if shot and state.round_proposed and not state.manual and self.drawn(state.number, state.game.round.number):
            self._post(self._ask)

    def drawn(self, match: int, round_: int) -> bool:
        """Whether this round is checked."""
        digest = hashlib.blake2b(f"{match}:{round_}".encode(), key=self._lot[:64], digest_size=8).digest()
        return int.from_bytes(digest) / 2**64 < (NEW_SHARE if match <= NEW else SHARE)

    def _ask(self) -> None:
        with suppress(Refused):  # the board was swept, or somebody undid the last shot: nothing is there to check
            self._command({"do": "check_board", "by": "table"})
