"""A table with simulated physics and players. An umpire tells them what the rules demand."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from hardware.board import TOURNAMENT
from hardware.simulated.fall import DiscPose
from hardware.simulated.faults import FaultPlan
from hardware.simulated.hole_contact import HoleContact
from hardware.simulated.player_actions import PlayerActions, Waiting
from hardware.simulated.players import Habits, Skill
from hardware.simulated.scene import RGB, CorrectedMatch, Scene, Umpire
from hardware.simulated.tabletop import Tabletop, Truth
from hardware.simulated.turns import SimulatedPlayers

COLOURS: Mapping[str, str] = {"A": "black", "B": "natural"}


class SimulatedTable:
    """One table for one evening. Its time is seconds from 0 and passes only in `advance`. The same seed and umpire give
    the same evening, independent of the frame rate. `truth` is for comparisons only."""

    _script: Waiting
    _next: float | None  # when the script continues; None if the match is over

    def __init__(
        self,
        umpire: Umpire,
        *,
        seed: int,
        skill: Skill | None = None,
        habits: Habits | None = None,
        faults: frozenset[str] = frozenset(),
        colours: Mapping[str, str] = COLOURS,
        lamps_on: float = 0.0,
    ) -> None:
        """Set the table for `umpire`'s match; until `lamps_on` it is dark. Raises `UnknownFault`."""
        self.faults = FaultPlan.from_names(faults, seed, lamps_on)
        self.truth = Truth()
        self.t = 0.0
        self.ring: Callable[[float], tuple[RGB, ...]] = lambda t: ()  # what the table's lamp ring shows at a time
        people, contact = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
        self._random, self._skill, self._habits = people, skill or Skill(), habits or Habits.with_faults(faults)
        self._contact = HoleContact(self.faults, contact)
        self._top = Tabletop(TOURNAMENT, colours, self._contact, self.truth)
        self._begin(umpire, sweep=False)

    @property
    def over(self) -> bool:
        """Whether the match is over and the board swept."""
        return self._next is None

    @property
    def calm(self) -> bool:
        """Whether every disc rests and no hand is over the table."""
        return self._top.calm(self.t)

    @property
    def hole_level(self) -> bool:
        return self._contact.level

    def on_hole(self, listener: Callable[[float, bool], None]) -> None:
        """Call `listener` with time and level at every change of the pin, bounce included."""
        self._contact.listeners.append(listener)

    def advance(self, t: float) -> None:
        """Let time pass until `t`; earlier times do nothing."""
        while self._next is not None and self._next <= t:
            self._contact.advance(self._next)
            self._next = next(self._script, None)
        self._contact.advance(t)
        self._top.released(t)
        self.t = max(self.t, t)

    def scene(self) -> Scene:
        scene = self._top.scene(self.t, self.faults)
        return replace(scene, ring=self.ring(self.t)) if self.faults.ring_at_hole else scene

    def place(self, discs: Mapping[str, tuple[str, float, float]]) -> None:
        """Set up a position, (side, x, y) by disc; the players continue with the umpire's turn."""
        lying = {disc: DiscPose("surface", x, y) for disc, (_, x, y) in discs.items()}
        self._top.lay(lying, {disc: side for disc, (side, _, _) in discs.items()}, self.t)
        self._begin(self._umpire, sweep=False)

    def restart(self, umpire: Umpire, colours: Mapping[str, str] = COLOURS) -> None:
        """Start a new match: the players finish their movement, sweep the board and play by `umpire`. `colours`: the
        discs that they use, by side."""
        self._top.colours = colours
        self.truth.reset_for_match()
        self._begin(umpire, sweep=True)

    def follow(self, corrected: Callable[[], CorrectedMatch]) -> None:
        """Continue after a correction: the players finish their movement, arrange the discs as `corrected` then returns
        them, and play by its umpire."""
        self._continue(self._players(self._umpire).follow(corrected))

    def pause(self, paused: bool) -> None:
        """Have the players wait before their next flick, or continue."""
        self._top.paused = paused

    def _begin(self, umpire: Umpire, sweep: bool) -> None:
        self._umpire = umpire
        self._continue(self._players(umpire).play(sweep))

    def _players(self, umpire: Umpire) -> SimulatedPlayers:
        return SimulatedPlayers(
            PlayerActions(self._top, self._habits, self._random, self.t), umpire, self._skill, self.faults
        )

    def _continue(self, script: Waiting) -> None:
        self._script = script
        self._next = next(script, None)
