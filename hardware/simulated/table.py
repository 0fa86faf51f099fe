"""A table that plays by itself, with physics and people. An umpire tells them what the rules ask."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from hardware.board import TOURNAMENT, Board
from hardware.simulated.acts import Acts, Waiting
from hardware.simulated.fall import Lying
from hardware.simulated.faults import FaultPlan
from hardware.simulated.hole import HoleContact
from hardware.simulated.players import Habits, Skill
from hardware.simulated.scene import Scene, Told, Umpire
from hardware.simulated.tabletop import Tabletop, Truth
from hardware.simulated.turns import Players

COLOURS = MappingProxyType({"A": "black", "B": "natural"})


class SimulatedTable:
    """One table for one evening. Time is simulated seconds from 0 and passes only in `advance`.

    The same seed and umpire give the same evening, however often somebody looks. `truth` is for comparing only.
    """

    _script: Waiting
    _next: float | None  # when the script goes on; None when the match is over

    def __init__(
        self,
        umpire: Umpire,
        *,
        seed: int,
        skill: Skill | None = None,
        habits: Habits | None = None,
        faults: frozenset[str] = frozenset(),
        colours: Mapping[str, str] = COLOURS,
        board: Board = TOURNAMENT,
        lamps_on: float = 0.0,
    ) -> None:
        """Set the table for `umpire`'s match; until `lamps_on` it is dark. Raises `UnknownFault`."""
        self.faults = FaultPlan.from_names(faults, seed, lamps_on)
        self.truth = Truth()
        self.t = 0.0
        people, contact = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
        self._random, self._skill, self._habits = people, skill or Skill(), habits or Habits.with_faults(faults)
        self._contact = HoleContact(self.faults, contact)
        self._top = Tabletop(board, colours, self._contact, self.truth)
        self._begin(umpire, sweep=False)

    @property
    def over(self) -> bool:
        """Whether the match has been played and the board swept."""
        return self._next is None

    @property
    def calm(self) -> bool:
        """Whether every disc rests and no hand is over the table."""
        return self._top.calm(self.t)

    @property
    def hole_level(self) -> bool:
        """What the pin in the hole shows now."""
        return self._contact.level

    def on_hole(self, listener: Callable[[float, bool], None]) -> None:
        """Call `listener` with the time and the new level at every change of the pin, chatter included."""
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
        """What stands on the table now."""
        return self._top.scene(self.t, self.faults)

    def place(self, discs: Mapping[str, tuple[str, float, float]]) -> None:
        """Put the table into a position, (side, x, y) by disc; the players go on with the umpire's turn."""
        lying = {disc: Lying("surface", x, y) for disc, (_, x, y) in discs.items()}
        self._top.lay(lying, {disc: side for disc, (side, _, _) in discs.items()}, self.t)
        self._begin(self._umpire, sweep=False)

    def restart(self, umpire: Umpire, colours: Mapping[str, str] = COLOURS) -> None:
        """A new match begins: the players end the movement they are in, sweep the board and play for `umpire`.

        They take discs of these colours, by side.
        """
        self._top.colours = colours
        self.truth.forget()
        self._begin(umpire, sweep=True)

    def follow(self, told: Callable[[], Told]) -> None:
        """People changed the match: the players end the movement they are in, put the discs where they belong by then,
        and go on as the umpire of that moment says.
        """
        self._go_on(self._players(self._umpire).follow(told))

    def pause(self, paused: bool) -> None:
        """Have the players wait before their next flick, or go on."""
        self._top.paused = paused

    def _begin(self, umpire: Umpire, sweep: bool) -> None:
        self._umpire = umpire
        self._go_on(self._players(umpire).play(sweep))

    def _players(self, umpire: Umpire) -> Players:
        return Players(Acts(self._top, self._habits, self._random, self.t), umpire, self._skill, self.faults)

    def _go_on(self, script: Waiting) -> None:
        self._script = script
        self._next = next(script, None)
